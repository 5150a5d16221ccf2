// Numbers as texts.
import type { Value } from "./format";

const SUPERSCRIPT: { [c: string]: string } = { "-": "\u207b", "0": "\u2070", "1": "\u00b9", "2": "\u00b2", "3": "\u00b3", "4": "\u2074", "5": "\u2075", "6": "\u2076", "7": "\u2077", "8": "\u2078", "9": "\u2079" };

export function superscript(n: number): string {
  return String(n).replace(/[-0-9]/g, (c) => SUPERSCRIPT[c]);
}

const minus = (text: string) => text.replace(/-/g, "\u2212");

/** "1.2e-5" as 1.2 x 10^-5, with a true minus sign. */
function pretty(text: string): string {
  const [mantissa, exponent] = text.split("e");
  if (exponent === undefined) return minus(mantissa);
  const power = `10${superscript(Number(exponent))}`;
  if (mantissa === "1") return power;
  if (mantissa === "-1") return `\u2212${power}`;
  return `${minus(mantissa)}\u2009\u00d7\u2009${power}`;
}

/** A number for people: so many significant digits, no trailing zeros. */
export function short(value: number, digits = 6): string {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return pretty(String(value));
  let text = size >= 1e-3 && size < Math.max(1e5, 10 ** digits) ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1);
  if (/e/.test(text)) text = Number(value.toPrecision(digits)).toExponential();
  return pretty(text);
}

/** All digits, as a program reads them. */
export function exact(value: Value): string {
  return value === null || value === undefined ? "" : String(value);
}

export function show(value: Value, digits = 6): string {
  if (value === null || value === undefined) return "\u2013";
  if (typeof value === "number") return short(value, digits);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value;
}

/** A clock's time with as many decimals as its span asks for, so that the text does not jump while it runs. */
export function timeText(t: number, span: number): string {
  if (span <= 0) return short(t);
  const decimals = Math.ceil(3 - Math.log10(span));
  if (decimals > 9 || span >= 1e7) return pretty(t.toExponential(4));
  return minus(t.toFixed(Math.max(0, Math.min(9, decimals))));
}

/** Words as a shell reads them. */
export function shellWords(words: string[] | string | undefined): string {
  if (!words) return "";
  if (typeof words === "string") return words;
  return words.map((w) => (/^[A-Za-z0-9_.,:=/+@%^-]+$/.test(w) ? w : `'${w.replace(/'/g, "'\\''")}'`)).join(" ");
}
