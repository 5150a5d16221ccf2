// Curves as strokes on a canvas. `px` and `py` give the pixels of values.
import type { Curve, Mark } from "../format";

type Ctx = CanvasRenderingContext2D;
type ToPixel = (value: number) => number;

const finite = (a: number, b: number) => Number.isFinite(a) && Number.isFinite(b);

/**
 * A line through the points; where x or y is no number it is interrupted. Of the points that fall into one column of pixels a line that runs to the right keeps first,
 * lowest, highest and last; other lines leave out what is nearer than half a pixel to the point before. Neither changes the picture.
 */
export function strokeLine(ctx: Ctx, x: ArrayLike<number>, y: ArrayLike<number>, px: ToPixel, py: ToPixel, monotone: boolean): number {
  const n = Math.min(x.length, y.length);
  let drawn = 0;
  let down = false;
  let [lastX, lastY] = [NaN, NaN];
  let [column, low, high, endY] = [NaN, 0, 0, 0];
  const to = (a: number, b: number) => {
    if (down) ctx.lineTo(a, b);
    else ctx.moveTo(a, b);
    down = true;
    lastX = a;
    lastY = b;
    drawn++;
  };
  const flush = () => {
    if (Number.isNaN(column)) return;
    if (low < Math.min(lastY, endY)) to(lastX, low);
    if (high > Math.max(lastY, endY)) to(lastX, high);
    if (endY !== lastY) to(lastX, endY);
    column = NaN;
  };
  for (let i = 0; i < n; i++) {
    const a = px(x[i]);
    const b = py(y[i]);
    if (!finite(a, b)) {
      flush();
      down = false;
      continue;
    }
    if (monotone && n > 4000) {
      if (Math.round(a) === column) {
        if (b < low) low = b;
        if (b > high) high = b;
        endY = b;
        continue;
      }
      flush();
      to(a, b);
      column = Math.round(a);
      low = high = endY = b;
    } else if (!down || i === n - 1 || Math.abs(a - lastX) + Math.abs(b - lastY) >= 0.5) to(a, b);
  }
  flush();
  return drawn;
}

export function glyph(ctx: Ctx, style: string, x: number, y: number, r: number): void {
  switch (style) {
    case "cross":
      ctx.moveTo(x - r, y - r);
      ctx.lineTo(x + r, y + r);
      ctx.moveTo(x - r, y + r);
      ctx.lineTo(x + r, y - r);
      break;
    case "plus":
      ctx.moveTo(x - 1.2 * r, y);
      ctx.lineTo(x + 1.2 * r, y);
      ctx.moveTo(x, y - 1.2 * r);
      ctx.lineTo(x, y + 1.2 * r);
      break;
    default:
      ctx.moveTo(x + r, y);
      ctx.arc(x, y, r, 0, 2 * Math.PI);
  }
}

export const isPoints = (style: string | undefined): boolean => ["points", "cross", "plus", "circle", "dot"].includes(style ?? "line");

/** All glyphs of a curve of points; of those in one place (to half a pixel) one. `d`: pixels of the canvas per pixel of the page. */
export function strokePoints(ctx: Ctx, c: Curve, px: ToPixel, py: ToPixel, colour: string, d: number): void {
  const n = Math.min(c.x.length, c.y.length);
  const style = c.style === "linepoints" ? "points" : (c.style ?? "points");
  const filled = style === "points" || style === "dot";
  const radius = d * (n > 20000 ? 0.8 : n > 2000 ? 1.2 : n > 400 ? 1.8 : 2.6) * (filled ? 1 : 1.35);
  ctx.lineWidth = 1.3 * d;
  ctx.strokeStyle = ctx.fillStyle = colour;
  let [lastX, lastY] = [NaN, NaN];
  ctx.beginPath();
  let batch = 0;
  for (let i = 0; i < n; i++) {
    const a = px(c.x[i]);
    const b = py(c.y[i]);
    if (!finite(a, b) || Math.abs(a - lastX) + Math.abs(b - lastY) < 0.5) continue;
    lastX = a;
    lastY = b;
    if (filled && radius < 1.5 * d) {
      ctx.fillRect(a - radius, b - radius, 2 * radius, 2 * radius);
      continue;
    }
    glyph(ctx, style, a, b, radius);
    if (++batch === 500) {
      if (filled) ctx.fill();
      else ctx.stroke();
      ctx.beginPath();
      batch = 0;
    }
  }
  if (filled) ctx.fill();
  else ctx.stroke();
}

export function strokeSegments(ctx: Ctx, c: Curve, px: ToPixel, py: ToPixel): void {
  ctx.beginPath();
  for (let i = 0; i < c.x.length; i++) {
    const [a, b] = [px(c.x[i]), py(c.y[i])];
    const [e, f] = [px(c.x2 ? c.x2[i] : NaN), py(c.y2 ? c.y2[i] : NaN)];
    if (!finite(a, b) || !finite(e, f)) continue;
    ctx.moveTo(a, b);
    ctx.lineTo(e, f);
  }
  ctx.stroke();
}

/** Sign of a mark: full for what begins (impact, stick), open for what ends (release, slip); special points of branches have their own. */
export function markSign(ctx: Ctx, kind: string, x: number, y: number, r: number): "fill" | "stroke" {
  const polygon = (...xy: number[]) => {
    for (let k = 0; k < xy.length; k += 2) {
      const [a, b] = [x + r * xy[k], y + r * xy[k + 1]];
      if (k) ctx.lineTo(a, b);
      else ctx.moveTo(a, b);
    }
    ctx.closePath();
  };
  if (/impact/.test(kind)) polygon(0, 1.1, -1.1, -0.8, 1.1, -0.8);
  else if (/release/.test(kind)) polygon(0, -1.1, -1.1, 0.8, 1.1, 0.8);
  else if (/stick/.test(kind)) polygon(-0.85, -0.85, 0.85, -0.85, 0.85, 0.85, -0.85, 0.85);
  else if (/slip/.test(kind)) polygon(0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0);
  else if (/fold/.test(kind)) polygon(-1, -1, 1, -1, 1, 1, -1, 1);
  else glyph(ctx, "circle", x, y, r);
  return /impact|stick|fold/.test(kind) ? "fill" : "stroke";
}

export function strokeMarks(ctx: Ctx, m: Mark, px: ToPixel, py: ToPixel, colour: string, paper: string, d: number): void {
  const n = Math.min(m.x.length, m.y.length);
  const r = d * (n > 300 ? 2.6 : 4);
  let [lastX, lastY] = [NaN, NaN];
  ctx.lineWidth = 1.3 * d;
  for (let i = 0; i < n; i++) {
    const [a, b] = [px(m.x[i]), py(m.y[i])];
    if (!finite(a, b) || Math.abs(a - lastX) + Math.abs(b - lastY) < d) continue;
    lastX = a;
    lastY = b;
    ctx.beginPath();
    const how = markSign(ctx, m.kind, a, b, r);
    ctx.fillStyle = how === "fill" ? colour : paper;
    ctx.strokeStyle = how === "fill" ? paper : colour;
    ctx.fill();
    ctx.stroke();
    if (m.names?.[i] && n <= 60) {
      ctx.font = `${11 * d}px system-ui, sans-serif`;
      ctx.textAlign = "left";
      ctx.textBaseline = "bottom";
      ctx.fillStyle = colour;
      ctx.fillText(m.names[i], a + 1.6 * r, b - r);
    }
  }
}

export const LINE_DASH: { [style: string]: number[] } = { dashed: [7, 5], dotted: [1.5, 3.5] };
