// Places and texts of the marks of an axis.
import { superscript } from "./numbers";

/** 1, 2 or 5 times a power of ten, so that a span has about `count` of them. */
export function niceStep(span: number, count: number): number {
  if (!(span > 0) || !Number.isFinite(span)) return 1;
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const ratio = raw / power;
  const factor = ratio <= 1.0000001 ? 1 : ratio <= 2.0000001 ? 2 : ratio <= 5.0000001 ? 5 : 10;
  return factor * power;
}

export function linearTicks(low: number, high: number, count: number): number[] {
  const step = niceStep(high - low, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const ticks: number[] = [];
  if (last - first > 1000) return ticks;
  // k * step, and k / (1/step) where the step is below 1: the nearest number to the decimal one
  const inverse = Math.round(1 / step);
  for (let k = first; k <= last; k++) ticks.push((step < 1 && Math.abs(inverse * step - 1) < 1e-9 ? k / inverse : k * step) + 0); // no -0
  return ticks;
}

/** The decimal number, which 10 ** e misses by a bit now and then. */
const power10 = (e: number): number => Number(`1e${e}`);

/** Powers of ten; with 2 and 5 times them, or linear ones, where there are few. */
export function logTicks(low: number, high: number, count: number): number[] {
  if (!(low > 0) || !(high > low)) return [];
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const decades = last - first + 1;
  if (decades > count) {
    const every = Math.ceil(decades / count);
    return range(Math.ceil(first / every) * every, last, every).map(power10);
  }
  if (decades >= 3 || (decades >= 2 && count < 6)) return range(first, last, 1).map(power10);
  const factors = decades >= 2 || Math.log10(high / low) > 0.9 ? [1, 2, 5] : [];
  if (!factors.length) return linearTicks(low, high, Math.min(count, 5)).filter((v) => v > 0);
  const ticks: number[] = [];
  for (let e = first - 1; e <= last; e++)
    for (const f of factors) {
      const v = f * power10(e);
      if (v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9)) ticks.push(v);
    }
  return ticks;
}

function range(from: number, to: number, by: number): number[] {
  const all: number[] = [];
  for (let k = from; k <= to; k += by) all.push(k);
  return all;
}

const minus = (text: string) => text.replace(/-/g, "\u2212");

/** Texts of linear ticks: the same number of decimals for all; the power of ten that they share, if they need one, apart. */
export function tickTexts(ticks: ArrayLike<number>): { texts: string[]; power: number } {
  const values = Array.from(ticks);
  const largest = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  if (!largest) return { texts: values.map(String), power: 0 };
  let power = Math.floor(Math.log10(largest) + 1e-9);
  if (power >= -3 && power <= 4) power = 0;
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : largest;
  const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step / 10 ** power) + 1e-6)));
  return { texts: values.map((v) => minus(Number((v / 10 ** power).toFixed(decimals)) === 0 ? "0" : (v / 10 ** power).toFixed(decimals))), power };
}

/** Texts of ticks of a logarithmic axis. */
export function logTexts(ticks: ArrayLike<number>): string[] {
  return Array.from(ticks, (v) => {
    const e = Math.floor(Math.log10(v) + 1e-9);
    const f = v / 10 ** e;
    if (e >= -2 && e <= 3) return String(Number(v.toPrecision(6)));
    const power = `10${superscript(e)}`;
    return Math.abs(f - 1) < 1e-6 ? power : `${Number(f.toPrecision(3))}\u00d7${power}`;
  });
}

export const powerText = (power: number): string => (power ? `\u00d710${superscript(power)}` : "");

/** Edges of cells around the places of a heat map: half way between them, by logarithm where the axis has one. */
export function cellEdges(places: ArrayLike<number>, log: boolean): number[] {
  const n = places.length;
  const to = log ? Math.log : (v: number) => v;
  const from = log ? Math.exp : (v: number) => v;
  if (n === 0) return [];
  const p = Array.from(places, to);
  if (n === 1) return log ? [places[0] / 2, places[0] * 2] : [p[0] - 0.5, p[0] + 0.5];
  const edges = [p[0] - (p[1] - p[0]) / 2];
  for (let i = 1; i < n; i++) edges.push((p[i - 1] + p[i]) / 2);
  edges.push(p[n - 1] + (p[n - 1] - p[n - 2]) / 2);
  return edges.map(from);
}
