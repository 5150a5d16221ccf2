// Grid of the plane with its scale along the lower and the left edge.
import { linearTicks, powerText, tickTexts } from "../ticks";
import type { Colours } from "../theme";
import type { View } from "./view";

/** Values at the lines of the grid. Heights are drawn `factor` times as large as they are (displacements of a structure). */
function gridValues(view: View, factor: number): { xs: number[]; ys: number[] } {
  const { width, height } = view;
  const xs = linearTicks(view.worldX(0), view.worldX(width), Math.max(2, width / 90));
  const ys = linearTicks(view.worldY(height) / factor, view.worldY(0) / factor, Math.max(3, height / 60));
  return { xs, ys };
}

export function drawGrid(ctx: CanvasRenderingContext2D, view: View, c: Colours, factor = 1): void {
  const { width, height } = view;
  const { xs, ys } = gridValues(view, factor);
  ctx.lineWidth = 1;
  ctx.strokeStyle = c.grid;
  ctx.beginPath();
  for (const x of xs) {
    const p = Math.round(view.px(x)) + 0.5;
    ctx.moveTo(p, 0);
    ctx.lineTo(p, height);
  }
  for (const y of ys) {
    const p = Math.round(view.py(factor * y)) + 0.5;
    ctx.moveTo(0, p);
    ctx.lineTo(width, p);
  }
  ctx.stroke();
}

export function drawScale(ctx: CanvasRenderingContext2D, view: View, c: Colours, factor = 1): void {
  const { width, height } = view;
  const { xs, ys } = gridValues(view, factor);
  ctx.font = "11px system-ui, sans-serif";
  ctx.lineJoin = "round";
  const write = (text: string, x: number, y: number) => {
    ctx.strokeStyle = c.card;
    ctx.lineWidth = 3;
    ctx.strokeText(text, x, y);
    ctx.fillStyle = c.soft;
    ctx.fillText(text, x, y);
  };
  ctx.textBaseline = "alphabetic";
  ctx.textAlign = "center";
  const horizontal = tickTexts(xs);
  xs.forEach((x, k) => {
    const p = view.px(x);
    if (p > 34 && p < width - 14) write(horizontal.texts[k], p, height - 6);
  });
  const vertical = tickTexts(ys);
  ctx.textAlign = "left";
  ys.forEach((y, k) => {
    const p = view.py(factor * y);
    if (p > 14 && p < height - 22) write(vertical.texts[k], 6, p + 4);
  });
  if (horizontal.power) {
    ctx.textAlign = "right";
    write(powerText(horizontal.power), width - 6, height - 20);
  }
  if (vertical.power) write(powerText(vertical.power), 6, 14);
}
