// What part of the data a plot shows.
import type { Axis, Curve, Mark, Numbers, Panel } from "../format";

export interface Window2 {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/** Least and greatest entry that can be drawn; on a logarithmic axis only what is above 0. */
export function extremes(list: ArrayLike<number>, log: boolean, into: [number, number]): void {
  for (let i = 0; i < list.length; i++) {
    const v = list[i];
    if (!Number.isFinite(v) || (log && v <= 0)) continue;
    if (v < into[0]) into[0] = v;
    if (v > into[1]) into[1] = v;
  }
}

/** Does x never go back? NaN, which interrupts lines, does not count. */
export function isMonotone(x: ArrayLike<number>): boolean {
  let last = -Infinity;
  for (let i = 0; i < x.length; i++) {
    const v = x[i];
    if (Number.isNaN(v)) continue;
    if (v < last) return false;
    last = v;
  }
  return true;
}

/** Are these the same numbers? Looks at some of them, the first and the last among these. */
export function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  const every = Math.max(1, Math.floor(a.length / 500));
  const near = (i: number) => a[i] === b[i] || Math.abs(a[i] - b[i]) <= 1e-6 * Math.max(Math.abs(a[i]), Math.abs(b[i])) || Number.isNaN(a[i]);
  for (let i = 0; i < a.length; i += every) if (!near(i)) return false;
  return a.length === 0 || near(a.length - 1);
}

function padded(low: number, high: number, log: boolean): [number, number] {
  if (!(low <= high)) return log ? [0.1, 10] : [0, 1];
  if (log) {
    const ratio = high / low;
    const margin = ratio > 1.0001 ? ratio ** 0.05 : 2;
    return [low / margin, high * margin];
  }
  const margin = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - margin, high + margin];
}

function axisRange(axis: Axis | undefined, log: boolean, found: [number, number], tight: boolean): [number, number] {
  let [low, high] = tight && found[0] < found[1] ? found : padded(found[0], found[1], log);
  const given = (v: number | null | undefined): v is number => typeof v === "number" && Number.isFinite(v) && !(log && v <= 0);
  if (given(axis?.low)) low = axis!.low as number;
  if (given(axis?.high)) high = axis!.high as number;
  return low < high ? [low, high] : padded(low, low, log);
}

export interface Shown {
  curves: Curve[];
  marks: Mark[];
}

/** The whole of what is shown. Time along x begins and ends at the edges; all else gets a margin. */
export function wholeWindow(panel: Panel, shown: Shown, logX: boolean, logY: boolean, tightX: boolean): Window2 {
  const xs: [number, number] = [Infinity, -Infinity];
  const ys: [number, number] = [Infinity, -Infinity];
  const take = (x?: Numbers, y?: Numbers) => {
    if (x) extremes(x, logX, xs);
    if (y) extremes(y, logY, ys);
  };
  for (const c of shown.curves) {
    take(c.x, c.y);
    take(c.x2, c.y2);
  }
  for (const m of shown.marks) take(m.x, m.y);
  const [x0, x1] = axisRange(panel.x, logX, xs, tightX);
  const [y0, y1] = axisRange(panel.y, logY, ys, false);
  return { x0, x1, y0, y1 };
}

/** The window made larger in one direction until a unit has the same length in both. */
export function equalised(w: Window2, width: number, height: number): Window2 {
  const ux = (w.x1 - w.x0) / width;
  const uy = (w.y1 - w.y0) / height;
  const unit = Math.max(ux, uy);
  const [cx, cy] = [(w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2];
  return { x0: cx - (unit * width) / 2, x1: cx + (unit * width) / 2, y0: cy - (unit * height) / 2, y1: cy + (unit * height) / 2 };
}

/** The window zoomed about a place (parts of its width and height, from the left and from below). */
export function zoomed(w: Window2, u: number, v: number, fx: number, fy: number, logX: boolean, logY: boolean): Window2 {
  const one = (low: number, high: number, part: number, f: number, log: boolean): [number, number] => {
    const to = log ? Math.log : (x: number) => x;
    const from = log ? Math.exp : (x: number) => x;
    const [a, b] = [to(low), to(high)];
    const c = a + part * (b - a);
    const next: [number, number] = [from(c + (a - c) * f), from(c + (b - c) * f)];
    const fine = Math.abs(next[1] - next[0]) > 1e-12 * Math.max(Math.abs(next[0]), Math.abs(next[1]));
    return fine && Number.isFinite(next[0]) && Number.isFinite(next[1]) ? next : [low, high];
  };
  const [x0, x1] = one(w.x0, w.x1, u, fx, logX);
  const [y0, y1] = one(w.y0, w.y1, v, fy, logY);
  return { x0, x1, y0, y1 };
}

/** The window moved by parts of its width and height. */
export function moved(w: Window2, du: number, dv: number, logX: boolean, logY: boolean): Window2 {
  const one = (low: number, high: number, d: number, log: boolean): [number, number] => {
    if (!log) return [low + d * (high - low), high + d * (high - low)];
    const f = (high / low) ** d;
    return [low * f, high * f];
  };
  const [x0, x1] = one(w.x0, w.x1, du, logX);
  const [y0, y1] = one(w.y0, w.y1, dv, logY);
  return { x0, x1, y0, y1 };
}
