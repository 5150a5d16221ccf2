// The legend of a panel: what each curve is called, its value where the pointer or the clock stands; a click hides it.
import { el } from "../dom";
import { onTheme } from "../theme";
import type { Entry, MarkEntry } from "./entries";
import { glyph, LINE_DASH, markSign } from "./strokes";

const MOST = 30; // more labels than these say nothing

export interface LegendEntry {
  label: string;
  value: HTMLElement;
  button: HTMLButtonElement;
}

function sample(draw: (ctx: CanvasRenderingContext2D) => void): HTMLCanvasElement {
  const canvas = el("canvas", { class: "sample", "aria-hidden": "true" });
  canvas.width = 52;
  canvas.height = 28;
  const ctx = canvas.getContext("2d")!;
  const paint = () => {
    ctx.setTransform(2, 0, 0, 2, 0, 0);
    ctx.clearRect(0, 0, 26, 14);
    draw(ctx);
  };
  paint();
  onTheme(paint);
  return canvas;
}

function curveSample(entry: Entry): HTMLCanvasElement {
  return sample((ctx) => {
    ctx.strokeStyle = ctx.fillStyle = entry.colour();
    ctx.lineWidth = entry.curve.style === "outline" ? 1 : 2;
    ctx.setLineDash(LINE_DASH[entry.curve.style ?? ""] ?? []);
    ctx.beginPath();
    if (entry.points) {
      glyph(ctx, entry.curve.style ?? "points", 13, 7, 3.2);
      if (entry.curve.style === "points" || entry.curve.style === "dot") ctx.fill();
    } else {
      ctx.moveTo(2, 7);
      ctx.lineTo(24, 7);
    }
    ctx.stroke();
    if (entry.curve.style !== "linepoints") return;
    ctx.beginPath();
    glyph(ctx, "points", 13, 7, 2.8);
    ctx.fill();
  });
}

function markSample(entry: MarkEntry): HTMLCanvasElement {
  return sample((ctx) => {
    ctx.strokeStyle = ctx.fillStyle = entry.colour();
    ctx.lineWidth = 1.3;
    ctx.setLineDash([]);
    ctx.beginPath();
    if (markSign(ctx, entry.mark.kind, 13, 7, 3.8) === "fill") ctx.fill();
    ctx.stroke();
  });
}

export function makeLegend(curves: Entry[], marks: MarkEntry[], toggle: (label: string) => void): { element: HTMLElement; entries: LegendEntry[] } {
  const element = el("div", { class: "curves-legend", role: "group", "aria-label": "Curves" });
  const entries: LegendEntry[] = [];
  const seen = new Set<string>();
  const put = (label: string, picture: HTMLCanvasElement) => {
    const value = el("span", { class: "value" });
    const button = el("button", { type: "button", class: "entry", "aria-pressed": "true", title: "Click: hide or show" }, picture, el("span", null, label), value);
    button.addEventListener("click", () => toggle(label));
    element.appendChild(button);
    entries.push({ label, value, button });
  };
  for (const entry of curves) {
    if (!entry.label || seen.has(entry.label) || seen.size >= MOST) continue;
    seen.add(entry.label);
    put(entry.label, curveSample(entry));
  }
  for (const entry of marks) {
    if (!entry.label || seen.has(entry.label) || seen.size >= MOST) continue;
    seen.add(entry.label);
    put(entry.label, markSample(entry));
  }
  return { element, entries };
}
