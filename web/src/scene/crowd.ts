// Many bodies and many contacts in the plane, drawn in batches: ten thousand discs are some twenty calls, not twenty thousand.
import type { Item, Numbers, PlanePart } from "../format";
import { dataColour, regimeColour, scaleColour } from "../palette";
import { arrow, circle, contactSign, hatch } from "./strokes";
import { arrowFactor, type Brush, label } from "./items";
import { DiscRaster } from "./raster";
import { listAt, Speeds } from "./values";
import type { View } from "./view";

const SHADES = 12; // of speed
export const MOST_TRAILS = 100; // bodies that draw where they came from
const RASTER_FROM = 400; // so many discs are set pixel by pixel,
const RASTER_RADIUS = 24; // unless they are larger than this

/** What one body needs in every frame. */
interface Piece {
  body: number;
  part: PlanePart;
}

export class Crowd {
  private discs: Piece[] = [];
  private solids: Piece[] = []; // polygons and capsules
  private lines: Piece[] = [];
  private halves: Piece[] = [];
  private count: number;
  private fixed: Uint8Array;
  private speeds: Speeds | null = null;
  private raster: DiscRaster | null = null;
  private largest = 0; // radius of discs

  constructor(
    readonly item: Item,
    private times: ArrayLike<number>,
  ) {
    const shapes = (item.shapes ?? []) as PlanePart[][];
    this.count = item.count ?? 0;
    this.fixed = new Uint8Array(this.count);
    for (let i = 0; i < this.count; i++) {
      this.fixed[i] = listAt(item.fixed, i);
      for (const part of shapes[listAt(item.shape, i)] ?? []) {
        const piece = { body: i, part };
        if (part.half) this.halves.push(piece);
        else if (part.disc !== undefined) {
          this.discs.push(piece);
          this.largest = Math.max(this.largest, part.disc);
        }
        else if (part.line) this.lines.push(piece);
        else if (part.polygon || part.capsule !== undefined) this.solids.push(piece);
      }
    }
  }

  speedReference(): number {
    this.speeds ??= new Speeds(this.item.pose!, this.count, 3, this.times);
    return this.speeds.reference;
  }

  /** Shade of a body: -1 plain, -2 fixed, 0 ... by speed. */
  private shade(b: Brush, body: number): number {
    if (this.fixed[body]) return -2;
    if (!b.options.speed) return -1;
    const reference = this.speedReference();
    return Math.min(SHADES - 1, Math.floor((SHADES * this.speeds!.at(b.frame, body)) / reference));
  }

  private paint(b: Brush, shade: number): { fill: string; line: string } {
    const dark = b.c.dark;
    if (shade >= 0) return { fill: scaleColour((shade + 0.5) / SHADES), line: dark ? "#0b0d10" : "#30343a" };
    if (shade === -2) return { fill: dark ? "#3a3d42" : "#dcdad4", line: b.c.soft };
    if (this.item.colour !== undefined) {
      const line = dataColour(this.item.colour, dark, b.c.accent);
      return { fill: `color-mix(in srgb, ${line} 35%, ${b.c.card})`, line };
    }
    return dark ? { fill: "#2c4763", line: "#9cc9ee" } : { fill: "#c9dcec", line: "#2b5f8a" };
  }

  draw(b: Brush): void {
    const pose = this.item.pose;
    if (!pose) return;
    const row = b.frame * this.count * 3;
    this.drawHalves(b, pose, row);
    if (b.options.trails && this.count <= MOST_TRAILS) this.drawTrails(b, pose);
    this.drawSolids(b, pose, row);
    this.drawDiscs(b, pose, row);
    if (b.options.names && this.item.names) {
      const few = this.count <= 200;
      if (few) this.item.names.forEach((name, i) => label(b, name, b.view.px(pose[row + 3 * i]), b.view.py(pose[row + 3 * i + 1]), b.c.ink, "center"));
    }
  }

  /** Where the bodies came from: their centres so far, without what is nearer than a pixel. */
  private drawTrails(b: Brush, pose: Numbers): void {
    const { ctx, view } = b;
    ctx.setLineDash([]);
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.55;
    ctx.strokeStyle = this.paint(b, -1).line;
    ctx.beginPath();
    for (let body = 0; body < this.count; body++) {
      if (this.fixed[body]) continue;
      let [lastX, lastY] = [NaN, NaN];
      for (let f = 0; f <= b.frame; f++) {
        const at = 3 * (f * this.count + body);
        const [x, y] = [view.px(pose[at]), view.py(pose[at + 1])];
        if (f > 0 && f < b.frame && Math.abs(x - lastX) + Math.abs(y - lastY) < 1) continue;
        if (f) ctx.lineTo(x, y);
        else ctx.moveTo(x, y);
        [lastX, lastY] = [x, y];
      }
    }
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  private grouped(b: Brush, pieces: Piece[]): Map<number, Piece[]> {
    const groups = new Map<number, Piece[]>();
    for (const piece of pieces) {
      const shade = this.shade(b, piece.body);
      const group = groups.get(shade);
      if (group) group.push(piece);
      else groups.set(shade, [piece]);
    }
    return groups;
  }

  private drawSolids(b: Brush, pose: Numbers, row: number): void {
    const { ctx } = b;
    ctx.setLineDash([]);
    ctx.lineJoin = "round";
    for (const [shade, pieces] of this.grouped(b, this.solids)) {
      const { fill, line } = this.paint(b, shade);
      ctx.fillStyle = fill;
      ctx.strokeStyle = line;
      ctx.lineWidth = pieces.length > 2000 ? 0.7 : 1.3;
      for (let k = 0; k < pieces.length; k += 200) {
        ctx.beginPath();
        const some = pieces.slice(k, k + 200);
        for (const { body, part } of some) this.outline(b, pose, row + 3 * body, part);
        ctx.fill();
        if (some.some(({ part }) => part.seams?.length)) {
          ctx.beginPath();
          for (const { body, part } of some) {
            if (part.seams?.length) this.edges(b, pose, row + 3 * body, part);
            else this.outline(b, pose, row + 3 * body, part);
          }
        }
        ctx.stroke();
      }
    }
    for (const [shade, pieces] of this.grouped(b, this.lines)) {
      ctx.strokeStyle = this.paint(b, shade).line;
      ctx.lineWidth = 2;
      ctx.beginPath();
      for (const { body, part } of pieces) this.polyline(b, pose, row + 3 * body, part.line!, false);
      ctx.stroke();
    }
  }

  private polyline(b: Brush, pose: Numbers, at: number, xy: number[], close: boolean): void {
    const { ctx, view } = b;
    const cos = Math.cos(pose[at + 2]);
    const sin = Math.sin(pose[at + 2]);
    for (let k = 0; k + 1 < xy.length; k += 2) {
      const px = view.px(pose[at] + cos * xy[k] - sin * xy[k + 1]);
      const py = view.py(pose[at + 1] + sin * xy[k] + cos * xy[k + 1]);
      if (k) ctx.lineTo(px, py);
      else ctx.moveTo(px, py);
    }
    if (close) ctx.closePath();
  }

  /** The edges of a polygon that are not seams, one by one. */
  private edges(b: Brush, pose: Numbers, at: number, part: PlanePart): void {
    const xy = part.polygon!;
    const n = xy.length / 2;
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      if (!part.seams!.includes(i)) this.polyline(b, pose, at, [xy[2 * i], xy[2 * i + 1], xy[2 * j], xy[2 * j + 1]], false);
    }
  }

  private outline(b: Brush, pose: Numbers, at: number, part: PlanePart): void {
    if (part.polygon) {
      this.polyline(b, pose, at, part.polygon, true);
      return;
    }
    const { ctx, view } = b;
    const cos = Math.cos(pose[at + 2]);
    const sin = Math.sin(pose[at + 2]);
    const place = (p: number[]): [number, number] => [view.px(pose[at] + cos * p[0] - sin * p[1]), view.py(pose[at + 1] + sin * p[0] + cos * p[1])];
    const [x0, y0] = place(part.from ?? [0, 0]);
    const [x1, y1] = place(part.to ?? [0, 0]);
    const r = part.capsule! * view.scale;
    const a = Math.atan2(y1 - y0, x1 - x0);
    // against the clock, as polygons are: parts of one batch that overlap must not cancel each other
    ctx.moveTo(x0 + r * Math.cos(a - Math.PI / 2), y0 + r * Math.sin(a - Math.PI / 2));
    ctx.arc(x0, y0, r, a - Math.PI / 2, a + Math.PI / 2, true);
    ctx.arc(x1, y1, r, a + Math.PI / 2, a - Math.PI / 2, true);
    ctx.closePath();
  }

  private drawDiscs(b: Brush, pose: Numbers, row: number): void {
    const { ctx, view } = b;
    if (this.discs.length >= RASTER_FROM && this.largest * view.scale < RASTER_RADIUS) {
      this.rasterDiscs(b, pose, row);
      return;
    }
    ctx.setLineDash([]);
    for (const [shade, pieces] of this.grouped(b, this.discs)) {
      const paint = this.paint(b, shade);
      ctx.fillStyle = paint.fill;
      ctx.strokeStyle = paint.line;
      ctx.lineWidth = 1.3;
      for (let k = 0; k < pieces.length; k += 200) {
        ctx.beginPath();
        for (const { body, part } of pieces.slice(k, k + 200)) {
          const [x, y] = this.centre(pose, row + 3 * body, part);
          const r = part.disc! * view.scale;
          if (inView(view, view.px(x), view.py(y), r)) circle(ctx, view.px(x), view.py(y), r);
        }
        ctx.fill();
        ctx.stroke();
      }
      this.spokes(b, pieces, pose, row);
    }
  }

  private centre(pose: Numbers, at: number, part: PlanePart): [number, number] {
    if (!part.at || (part.at[0] === 0 && part.at[1] === 0)) return [pose[at], pose[at + 1]];
    const cos = Math.cos(pose[at + 2]);
    const sin = Math.sin(pose[at + 2]);
    return [pose[at] + cos * part.at[0] - sin * part.at[1], pose[at + 1] + sin * part.at[0] + cos * part.at[1]];
  }

  /** Radii, so that a turning disc is seen to turn; not where they would be shorter than two pixels. */
  private spokes(b: Brush, pieces: Piece[], pose: Numbers, row: number): void {
    const { ctx, view } = b;
    ctx.beginPath();
    for (const { body, part } of pieces) {
      const r = part.disc! * view.scale;
      if (r < 3 || this.fixed[body]) continue;
      const [x, y] = this.centre(pose, row + 3 * body, part);
      const px = view.px(x);
      const py = view.py(y);
      if (px < -r || py < -r || px > view.width + r || py > view.height + r) continue;
      const a = pose[row + 3 * body + 2];
      ctx.moveTo(px, py);
      ctx.lineTo(px + r * Math.cos(a), py - r * Math.sin(a));
    }
    ctx.stroke();
  }

  private rasterDiscs(b: Brush, pose: Numbers, row: number): void {
    const { ctx, view } = b;
    const raster = (this.raster ??= new DiscRaster());
    const density = ctx.canvas.width / view.width;
    raster.begin(ctx.canvas.width, ctx.canvas.height);
    const paints = new Map<number, { fill: string; line: string; ink: number[] }>();
    for (const { body, part } of this.discs) {
      const [x, y] = this.centre(pose, row + 3 * body, part);
      const [px, py, r] = [view.px(x), view.py(y), part.disc! * view.scale];
      if (!inView(view, px, py, r)) continue;
      const shade = this.shade(b, body);
      let paint = paints.get(shade);
      if (!paint) {
        const made = this.paint(b, shade);
        paint = { ...made, ink: rgb(made.line) };
        paints.set(shade, paint);
      }
      raster.disc(density * px, density * py, density * r, paint.fill, paint.line, density * (r < 4 ? 0.6 : 1));
      if (r < 3 || this.fixed[body]) continue;
      const a = pose[row + 3 * body + 2];
      raster.spoke(density * px, density * py, density * r * Math.cos(a), -density * r * Math.sin(a), paint.ink[0], paint.ink[1], paint.ink[2]);
    }
    raster.end(ctx);
  }

  private drawHalves(b: Brush, pose: Numbers, row: number): void {
    const { ctx, view } = b;
    for (const { body, part } of this.halves) {
      const at = row + 3 * body;
      const cos = Math.cos(pose[at + 2]);
      const sin = Math.sin(pose[at + 2]);
      const [hx, hy] = part.half!;
      const p = part.at ?? [0, 0];
      const n = [cos * hx - sin * hy, sin * hx + cos * hy];
      const o = [pose[at] + cos * p[0] - sin * p[1], pose[at + 1] + sin * p[0] + cos * p[1]];
      drawHalfPlane(ctx, view.px(o[0]), view.py(o[1]), n[0], -n[1], view.width, view.height, b.c.dark ? "#2a2d31" : "#eceae4", b.c.soft);
    }
  }
}

/** Does a circle touch the picture? Not so where it is no number. */
const inView = (view: View, x: number, y: number, r: number): boolean => x > -r && y > -r && x < view.width + r && y < view.height + r;

/** Red, green and blue of a CSS colour. */
function rgb(css: string): number[] {
  const pen = document.createElement("canvas").getContext("2d")!;
  pen.fillStyle = css;
  pen.fillRect(0, 0, 1, 1);
  return [...pen.getImageData(0, 0, 1, 1).data];
}

/** The solid side lies against the normal (nx, ny), in pixels. */
function drawHalfPlane(ctx: CanvasRenderingContext2D, x: number, y: number, nx: number, ny: number, width: number, height: number, fill: string, line: string): void {
  const far = 2 * (width + height);
  // the foot of the middle of the picture on the line, so that a line far along is drawn as well
  const along = (width / 2 - x) * -ny + (height / 2 - y) * nx;
  const fx = x - along * ny;
  const fy = y + along * nx;
  const [ax, ay, bx, by] = [fx - far * ny, fy + far * nx, fx + far * ny, fy - far * nx];
  ctx.setLineDash([]);
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.lineTo(bx, by);
  ctx.lineTo(bx - far * nx, by - far * ny);
  ctx.lineTo(ax - far * nx, ay - far * ny);
  ctx.fill();
  ctx.strokeStyle = line;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(ax, ay);
  ctx.lineTo(bx, by);
  ctx.stroke();
  ctx.lineWidth = 0.7;
  ctx.beginPath();
  hatch(ctx, bx, by, ax, ay, 8, 9); // right of b to a lies -n
  ctx.stroke();
}

/** Contacts whose number changes from frame to frame. */
export function drawContacts(b: Brush, item: Item): void {
  const { ctx, view, options, c } = b;
  const start = item.start;
  const at = item.at as unknown as Numbers;
  if (!start || !at) return;
  const impulse = item.impulse as Numbers | undefined;
  const regime = item.regime as Numbers | undefined;
  const [from, to] = [start[b.frame], start[Math.min(b.frame + 1, start.length - 1)]];
  const many = to - from > 300;
  ctx.setLineDash([]);
  const each = (kind: number, then: (i: number, x: number, y: number) => void) => {
    ctx.beginPath();
    for (let i = from; i < to; i++) if ((regime ? regime[i] : 1) === kind) then(i, view.px(at[2 * i]), view.py(at[2 * i + 1]));
    ctx.fill();
  };
  for (let kind = 0; kind < 4; kind++) {
    ctx.fillStyle = regimeColour(kind, c.dark);
    if (options.impulses && impulse)
      each(kind, (i, x, y) => {
        const f = arrowFactor(b, Math.hypot(impulse[2 * i], impulse[2 * i + 1])) * view.scale;
        if (f) arrow(ctx, x, y, x + f * impulse[2 * i], y - f * impulse[2 * i + 1], many ? 1.2 : 2);
      });
    if (options.contacts) each(kind, (_, x, y) => contactSign(ctx, kind, x, y, many ? 1.8 : 3.4));
  }
}
