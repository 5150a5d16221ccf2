// Colours: eight that people with any colour vision tell apart (Okabe and Ito 2008), and a scale for heat maps.

/** By number; the second is used on dark ground where the first is too dim. */
const OKABE_ITO: [string, string][] = [
  ["#0072b2", "#4aa8e0"], // blue
  ["#d55e00", "#f08a3c"], // vermillion
  ["#009e73", "#2fc79a"], // bluish green
  ["#cc79a7", "#e09ac2"], // reddish purple
  ["#b87f00", "#e6b13c"], // orange, darkened for lines on white
  ["#56b4e9", "#8fd0f5"], // sky blue
  ["#8a7f00", "#f0e442"], // yellow, darkened for lines on white
  ["#3a3a3a", "#d5d5d5"], // black
];

export function paletteColour(k: number, dark: boolean): string {
  const n = OKABE_ITO.length;
  return OKABE_ITO[((Math.trunc(k) % n) + n) % n][dark ? 1 : 0];
}

/** A colour of the data: a number of the palette, or a CSS colour; anything else is `otherwise`. */
export function dataColour(colour: number | string | undefined, dark: boolean, otherwise: string): string {
  if (typeof colour === "number") return paletteColour(colour, dark);
  if (typeof colour === "string" && /^(#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24}|(rgb|hsl)a?\([0-9., %/]+\))$/.test(colour)) return colour;
  return otherwise;
}

/** Regimes of contacts: open, stick, slip, impact. */
export const REGIMES = ["open", "stick", "slip", "impact"];

export function regimeColour(regime: number, dark: boolean): string {
  const light = ["#8a8a8a", "#0072b2", "#e08e00", "#d5380a"];
  const night = ["#8f8f8f", "#5ab4f0", "#f2b134", "#ff7a4a"];
  return (dark ? night : light)[Math.max(0, Math.min(3, regime | 0))];
}

const srgb = (v: number) => Math.round(255 * Math.min(1, Math.max(0, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));

/** OKLab (Ottosson 2020) to sRGB. */
export function oklab(L: number, a: number, b: number): [number, number, number] {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    srgb(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    srgb(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    srgb(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/**
 * 256 colours from dark blue through green to yellow. Lightness rises evenly, so the scale keeps its order in grey and for every colour vision; blue and yellow
 * lie on the axis that the common deficiencies keep.
 */
export const SCALE: Uint8Array = (() => {
  const bytes = new Uint8Array(3 * 256);
  for (let i = 0; i < 256; i++) {
    const u = i / 255;
    const hue = ((285 - 180 * u) * Math.PI) / 180; // violet-blue .. yellow
    const chroma = 0.115 - 0.05 * Math.sin(Math.PI * u) ** 2 + 0.055 * u * u;
    bytes.set(oklab(0.26 + 0.65 * u, chroma * Math.cos(hue), chroma * Math.sin(hue)), 3 * i);
  }
  return bytes;
})();

export function scaleColour(u: number): string {
  const i = 3 * Math.round(255 * Math.min(1, Math.max(0, u)));
  return `rgb(${SCALE[i]},${SCALE[i + 1]},${SCALE[i + 2]})`;
}
