// Lines that a mechanic knows: spring, damper, wall with hatching, arrow. All in pixels.

type Ctx = CanvasRenderingContext2D;

export function spring(ctx: Ctx, x0: number, y0: number, x1: number, y1: number, coils: number, radius: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1e-9) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const lead = Math.min(0.15 * length, 14); // straight ends
  const n = Math.max(1, Math.round(coils)) * 2;
  ctx.moveTo(x0, y0);
  ctx.lineTo(x0 + lead * ux, y0 + lead * uy);
  for (let k = 0; k < n; k++) {
    const s = lead + ((k + 0.5) / n) * (length - 2 * lead);
    const side = k % 2 ? -radius : radius;
    ctx.lineTo(x0 + s * ux - side * uy, y0 + s * uy + side * ux);
  }
  ctx.lineTo(x1 - lead * ux, y1 - lead * uy);
  ctx.lineTo(x1, y1);
}

/** A pot fixed to the first end, a piston on a rod from the second. `rest` is the length of the pot in pixels. */
export function damper(ctx: Ctx, x0: number, y0: number, x1: number, y1: number, radius: number, rest: number): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1e-9) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const at = (s: number, w: number): [number, number] => [x0 + s * ux - w * uy, y0 + s * uy + w * ux];
  const bottom = Math.min(0.25 * length, 0.5 * rest);
  const top = Math.min(bottom + rest, 0.9 * length);
  const piston = bottom + 0.5 * (top - bottom);
  ctx.moveTo(x0, y0);
  ctx.lineTo(...at(bottom, 0));
  ctx.moveTo(...at(top, radius));
  ctx.lineTo(...at(bottom, radius));
  ctx.lineTo(...at(bottom, -radius));
  ctx.lineTo(...at(top, -radius));
  ctx.moveTo(...at(piston, 0.72 * radius));
  ctx.lineTo(...at(piston, -0.72 * radius));
  ctx.moveTo(...at(piston, 0));
  ctx.lineTo(x1, y1);
}

/** Short strokes on the right side of a line, seen along it in a picture whose y points down. */
export function hatch(ctx: Ctx, x0: number, y0: number, x1: number, y1: number, size = 9, gap = 8): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1e-9) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const n = Math.min(2000, Math.max(1, Math.floor(length / gap)));
  for (let k = 0; k <= n; k++) {
    const s = ((k + 0.5) / (n + 1)) * length;
    const x = x0 + s * ux;
    const y = y0 + s * uy;
    ctx.moveTo(x, y); // right of (ux, uy) in the picture: (-uy, ux)
    ctx.lineTo(x + size * (-uy - 0.7 * ux), y + size * (ux - 0.7 * uy));
  }
}

/** Shaft and head as one outline, so that an arrow is one filled shape. */
export function arrow(ctx: Ctx, x0: number, y0: number, x1: number, y1: number, width = 2): void {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 1.5) return;
  const ux = (x1 - x0) / length;
  const uy = (y1 - y0) / length;
  const head = Math.min(0.6 * length, 4.5 * width);
  const half = 0.42 * head;
  const w = width / 2;
  const at = (s: number, d: number): [number, number] => [x0 + s * ux - d * uy, y0 + s * uy + d * ux];
  ctx.moveTo(...at(0, w));
  ctx.lineTo(...at(length - head, w));
  ctx.lineTo(...at(length - head, half));
  ctx.lineTo(x1, y1);
  ctx.lineTo(...at(length - head, -half));
  ctx.lineTo(...at(length - head, -w));
  ctx.lineTo(...at(0, -w));
  ctx.closePath();
}

export function circle(ctx: Ctx, x: number, y: number, r: number): void {
  ctx.moveTo(x + r, y);
  ctx.arc(x, y, r, 0, 2 * Math.PI);
}

/** Sign of a contact: not by colour alone. 0 open: ring; 1 stick: square; 2 slip: rhomb; 3 impact: disc. */
export function contactSign(ctx: Ctx, regime: number, x: number, y: number, r: number): void {
  if (regime === 1) ctx.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
  else if (regime === 2) {
    ctx.moveTo(x, y - 1.25 * r);
    ctx.lineTo(x + 1.25 * r, y);
    ctx.lineTo(x, y + 1.25 * r);
    ctx.lineTo(x - 1.25 * r, y);
    ctx.closePath();
  } else circle(ctx, x, y, regime === 3 ? 1.15 * r : 0.8 * r);
}

export const DASHES: { [name: string]: number[] } = { solid: [], dashed: [7, 5], dotted: [1.5, 4] };
