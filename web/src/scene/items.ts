// Items of a scene in the plane, one function per kind.
import type { Item, Num } from "../format";
import { dataColour, regimeColour } from "../palette";
import { short } from "../numbers";
import type { Colours } from "../theme";
import { niceStep } from "../ticks";
import { arrow, circle, contactSign, damper, DASHES, hatch, spring } from "./strokes";
import { contactVector, numberAt, pointAt, pointGiven, type SceneOptions } from "./values";
import type { View } from "./view";

export interface Brush {
  ctx: CanvasRenderingContext2D;
  view: View;
  c: Colours;
  options: SceneOptions;
  frame: number;
  frames: number;
  /** world length of the standard arrow, and the impulse that has it */
  unit: number;
  impulse: number;
}

type Draw = (b: Brush, item: Item) => void;

function pen(b: Brush, item: Item, otherwise: string, width = 2): string {
  const colour = dataColour(item.colour, b.c.dark, otherwise);
  b.ctx.strokeStyle = colour;
  b.ctx.lineWidth = item.width ?? width;
  b.ctx.lineCap = "round";
  b.ctx.lineJoin = "round";
  b.ctx.setLineDash(DASHES[item.dash ?? "solid"] ?? []);
  return colour;
}

/** Fill of bodies: their colour, thinned out over the paper. */
export function softFill(b: Brush, item: Item, stroke: string): void {
  const { ctx } = b;
  if (item.fill === false) return;
  ctx.globalAlpha = item.still ? 0.14 : 0.24;
  ctx.fillStyle = stroke;
  ctx.fill();
  ctx.globalAlpha = 1;
}

const bodyInk = (b: Brush, item: Item): string => (item.still ? b.c.soft : b.c.dark ? "#8fc1ea" : "#1f5f8f");

const disc: Draw = (b, item) => {
  const at = pointAt(item.at, b.frame);
  const r = numberAt(item.r, b.frame) * b.view.scale;
  if (!pointGiven(at) || !(r >= 0)) return;
  const [x, y] = [b.view.px(at[0]), b.view.py(at[1])];
  const { ctx } = b;
  const colour = pen(b, item, bodyInk(b, item), 1.6);
  ctx.beginPath();
  circle(ctx, x, y, Math.max(r, 1.5));
  softFill(b, item, colour);
  ctx.stroke();
  if (item.angle !== undefined) {
    const a = numberAt(item.angle, b.frame);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + r * Math.cos(a), y - r * Math.sin(a));
    ctx.stroke();
  }
};

function ends(b: Brush, item: Item): [number, number, number, number] | null {
  const p = pointAt(item.p, b.frame);
  const q = pointAt(item.q, b.frame);
  if (!pointGiven(p) || !pointGiven(q)) return null;
  return [b.view.px(p[0]), b.view.py(p[1]), b.view.px(q[0]), b.view.py(q[1])];
}

const segment: Draw = (b, item) => {
  const e = ends(b, item);
  if (!e) return;
  pen(b, item, item.still ? b.c.soft : b.c.ink, 2.5);
  b.ctx.beginPath();
  b.ctx.moveTo(e[0], e[1]);
  b.ctx.lineTo(e[2], e[3]);
  b.ctx.stroke();
};

const elastic: Draw = (b, item) => {
  const e = ends(b, item);
  if (!e) return;
  pen(b, item, b.c.soft, 1.5);
  const radius = Math.max(3.5, Math.min(9, 0.12 * Math.hypot(e[2] - e[0], e[3] - e[1])));
  b.ctx.beginPath();
  if (item.kind === "spring") spring(b.ctx, ...e, item.coils ?? 8, radius);
  else damper(b.ctx, ...e, radius, Math.max(16, Math.min(40, 0.4 * Math.hypot(e[2] - e[0], e[3] - e[1]))));
  b.ctx.stroke();
};

const rod: Draw = (b, item) => {
  const e = ends(b, item);
  if (!e) return;
  const { ctx } = b;
  const r = Math.max(1.5, numberAt(item.r, b.frame) * b.view.scale);
  const colour = pen(b, item, bodyInk(b, item), 1.6);
  const a = Math.atan2(e[3] - e[1], e[2] - e[0]);
  ctx.beginPath();
  ctx.arc(e[0], e[1], r, a + Math.PI / 2, a - Math.PI / 2);
  ctx.arc(e[2], e[3], r, a - Math.PI / 2, a + Math.PI / 2);
  ctx.closePath();
  softFill(b, item, colour);
  ctx.stroke();
};

const polygon: Draw = (b, item) => {
  const { ctx, view, frame } = b;
  const at = item.at ? pointAt(item.at, frame) : [0, 0];
  const angle = item.angle !== undefined ? numberAt(item.angle, frame) : 0;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const colour = pen(b, item, bodyInk(b, item), 1.6);
  ctx.beginPath();
  let first = true;
  for (const point of item.points ?? []) {
    const [x, y] = pointAt(point, frame);
    const px = view.px(at[0] + cos * x - sin * y);
    const py = view.py(at[1] + sin * x + cos * y);
    if (!Number.isFinite(px + py)) return;
    if (first) ctx.moveTo(px, py);
    else ctx.lineTo(px, py);
    first = false;
  }
  ctx.closePath();
  softFill(b, item, colour);
  ctx.stroke();
};

/** The part of a trail between two frames; points nearer than a pixel to the last are left out. */
function trail(b: Brush, item: Item, from: number, to: number): void {
  const { ctx, view } = b;
  const [x, y] = item.at!;
  let lastX = NaN;
  let lastY = NaN;
  ctx.beginPath();
  for (let f = from; f <= to; f++) {
    const px = view.px(numberAt(x, f));
    const py = view.py(numberAt(y, f));
    if (!Number.isFinite(px + py)) {
      lastX = NaN;
      continue;
    }
    if (Number.isNaN(lastX)) ctx.moveTo(px, py);
    else if (f < to && Math.abs(px - lastX) + Math.abs(py - lastY) < 1) continue;
    else ctx.lineTo(px, py);
    lastX = px;
    lastY = py;
  }
  ctx.stroke();
}

const path: Draw = (b, item) => {
  if (!b.options.trails || !item.at) return;
  pen(b, item, b.c.accent, 1.5);
  b.ctx.globalAlpha = 0.2;
  trail(b, item, b.frame, b.frames - 1);
  b.ctx.globalAlpha = 0.9;
  trail(b, item, 0, b.frame);
  b.ctx.globalAlpha = 1;
};

const wall: Draw = (b, item) => {
  const { ctx, view } = b;
  const points = (item.points ?? []).map((p) => pointAt(p, b.frame)).filter(pointGiven);
  const colour = pen(b, item, b.c.ink, 1.8);
  ctx.beginPath();
  points.forEach((p, k) => (k ? ctx.lineTo(view.px(p[0]), view.py(p[1])) : ctx.moveTo(view.px(p[0]), view.py(p[1]))));
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.lineWidth = 0.9;
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.65;
  ctx.beginPath();
  for (let k = 1; k < points.length; k++) hatch(ctx, view.px(points[k - 1][0]), view.py(points[k - 1][1]), view.px(points[k][0]), view.py(points[k][1]));
  ctx.stroke();
  ctx.globalAlpha = 1;
};

const vectorArrow: Draw = (b, item) => {
  const at = pointAt(item.at, b.frame);
  const v = pointAt(item.vector, b.frame);
  if (!pointGiven(at) || !pointGiven(v)) return;
  const scale = item.scale ?? 1;
  const { ctx, view } = b;
  ctx.fillStyle = dataColour(item.colour, b.c.dark, item.of === "velocity" ? regimeColour(1, b.c.dark) : regimeColour(3, b.c.dark));
  ctx.beginPath();
  arrow(ctx, view.px(at[0]), view.py(at[1]), view.px(at[0] + scale * v[0]), view.py(at[1] + scale * v[1]), item.width ?? 2);
  ctx.fill();
};

export function label(b: Brush, text: string, x: number, y: number, colour: string, align: CanvasTextAlign = "left"): void {
  const { ctx } = b;
  ctx.font = "12px system-ui, sans-serif";
  ctx.textAlign = align;
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.setLineDash([]);
  ctx.lineWidth = 3;
  ctx.strokeStyle = b.c.card;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}

const text: Draw = (b, item) => {
  const at = pointAt(item.at, b.frame);
  if (pointGiven(at)) label(b, item.text ?? "", b.view.px(at[0]), b.view.py(at[1]), dataColour(item.colour, b.c.dark, b.c.ink));
};

/** The key to the lengths of impulse arrows: one for a round number, in the upper right corner. */
export function arrowKey(b: Brush): void {
  const { ctx, view, c } = b;
  const perUnit = (b.unit * b.options.arrows * view.scale) / b.impulse; // pixels per impulse
  if (!(perUnit > 0) || !Number.isFinite(perUnit)) return;
  const value = niceStep(90 / perUnit, 2);
  const length = value * perUnit;
  const [x, y] = [view.width - 14 - length, 16];
  ctx.fillStyle = c.soft;
  ctx.beginPath();
  arrow(ctx, x, y, x + length, y, 2);
  ctx.fill();
  label(b, `impulse ${short(value, 3)}`, x - 7, y, c.soft, "right");
}

/** Length of an impulse arrow in the world; what is far above the reference grows no more. */
export const arrowFactor = (b: { impulse: number; unit: number; options: SceneOptions }, size: number): number =>
  b.impulse > 0 && size > 0 ? (b.unit * b.options.arrows * Math.min(size / b.impulse, 1.6)) / size : 0;

const contact: Draw = (b, item) => {
  const at = pointAt(item.at, b.frame);
  if (!pointGiven(at)) return;
  const { ctx, view, c, options } = b;
  const regime = numberAt(item.regime as number, b.frame);
  const [x, y] = [view.px(at[0]), view.py(at[1])];
  const colour = regimeColour(regime, c.dark);
  if (options.impulses) {
    const v = contactVector(item, b.frame, 2);
    const f = arrowFactor(b, Math.hypot(v[0], v[1]));
    if (f) {
      ctx.fillStyle = colour;
      ctx.beginPath();
      arrow(ctx, x, y, x + f * v[0] * view.scale, y - f * v[1] * view.scale, 2.4);
      ctx.fill();
    }
  }
  if (!options.contacts) return;
  ctx.setLineDash([]);
  ctx.beginPath();
  contactSign(ctx, regime, x, y, 4.2);
  ctx.fillStyle = regime > 0 ? colour : c.card;
  ctx.fill();
  ctx.strokeStyle = regime > 0 ? c.card : colour;
  ctx.lineWidth = 1.4;
  ctx.stroke();
};

/** A stop of a structure: a wedge from above or below, as far away as the exaggeration takes it. */
const stop: Draw = (b, item) => {
  const at = pointAt(item.at, b.frame);
  if (!pointGiven(at)) return;
  const { ctx, view, c, options } = b;
  const regime = numberAt(item.regime as number, b.frame);
  const closed = regime > 0 && options.contacts;
  const [x, y] = [view.px(at[0]), view.py(at[1] * options.exaggeration)];
  const out = item.upper ? -1 : 1; // to the outside, in pixels
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x - 4, y + 8 * out);
  ctx.lineTo(x + 4, y + 8 * out);
  ctx.closePath();
  ctx.fillStyle = closed ? regimeColour(regime, c.dark) : c.faint;
  ctx.fill();
  const size = Math.abs(numberAt((item.impulse as Num[] | undefined)?.[0], b.frame));
  const length = arrowFactor(b, size) * size * view.scale;
  if (!options.impulses || !length) return;
  ctx.fillStyle = regimeColour(regime, c.dark);
  ctx.beginPath();
  arrow(ctx, x, y, x, y - out * length, 2);
  ctx.fill();
};

const joint: Draw = (b, item) => {
  const at = pointAt(item.at, b.frame);
  if (!pointGiven(at)) return;
  pen(b, item, b.c.ink, 1.6);
  b.ctx.beginPath();
  circle(b.ctx, b.view.px(at[0]), b.view.py(at[1]), 4);
  b.ctx.fillStyle = b.c.card;
  b.ctx.fill();
  b.ctx.stroke();
};

const curve: Draw = (b, item) => {
  const { x, y } = item;
  if (!x || !y) return;
  const n = item.n ?? Math.min(x.length, y.length);
  const fx = x.length > n ? b.frame * n : 0;
  const fy = y.length > n ? b.frame * n : 0;
  const k = item.exaggerate ? b.options.exaggeration : 1;
  const { ctx, view } = b;
  const line = (factor: number) => {
    ctx.beginPath();
    let pen = false;
    for (let i = 0; i < n; i++) {
      const base = item.base ? item.base[i] : 0;
      const px = view.px(x[fx + i]);
      const py = view.py(base + factor * (y[fy + i] - base));
      if (!Number.isFinite(px + py)) pen = false;
      else if (pen) ctx.lineTo(px, py);
      else {
        ctx.moveTo(px, py);
        pen = true;
      }
    }
    if (item.closed) ctx.closePath();
    ctx.stroke();
  };
  pen(b, { ...item, dash: "dotted" }, b.c.faint, 1);
  if (item.exaggerate && item.base) line(0); // the shape that it is measured from
  pen(b, item, bodyInk(b, item), 3);
  line(k);
};

export const DRAW: { [kind: string]: Draw } = { disc, ball: disc, segment, spring: elastic, damper: elastic, rod, polygon, path, wall, arrow: vectorArrow, text, contact, stop, joint, curve };

/** From back to front. */
export const ORDER = ["wall", "path", "polygon", "rod", "disc", "ball", "curve", "segment", "spring", "damper", "bodies", "joint", "stop", "arrow", "contact", "contacts", "text"];
