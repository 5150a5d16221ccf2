// Wheel, shift-drag, fingers and clicks on a plot. Dragging without shift is uPlot's: it draws the frame of a zoom.
import { mayWheel } from "../wheel";
import { wheelSteps } from "../scene/view";

export interface Gestures {
  /** about a place, in parts of width and height from the lower left corner */
  zoom(u: number, v: number, fx: number, fy: number): void;
  pan(du: number, dv: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
}

export function attachGestures(over: HTMLElement, g: Gestures): void {
  const place = (event: MouseEvent) => {
    const box = over.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width, height: box.height };
  };
  over.addEventListener(
    "wheel",
    (event) => {
      if (!mayWheel(over, event)) return;
      event.preventDefault();
      const { x, y, width, height } = place(event);
      const f = Math.exp(wheelSteps(event) * 0.18);
      g.zoom(x / width, 1 - y / height, f, event.shiftKey ? 1 : f);
    },
    { passive: false },
  );

  const down = new Map<number, { x: number; y: number }>();
  let start = { x: 0, y: 0 };
  over.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    const p = place(event);
    start = p;
    const pans = event.pointerType === "touch" || event.shiftKey || event.button === 1;
    if (pans) {
      down.set(event.pointerId, p);
      over.setPointerCapture(event.pointerId);
      if (event.pointerType !== "touch") event.preventDefault();
    }
  });
  over.addEventListener("pointermove", (event) => {
    const now = place(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "touch") g.hover(now.x, now.y);
      return;
    }
    const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      if (was > 5 && is > 5) g.zoom((now.x + other.x) / 2 / now.width, 1 - (now.y + other.y) / 2 / now.height, was / is, was / is);
    } else g.pan((before.x - now.x) / now.width, (now.y - before.y) / now.height);
    down.set(event.pointerId, now);
  });
  const up = (event: PointerEvent) => {
    down.delete(event.pointerId);
    const p = place(event);
    if (event.type === "pointerup" && Math.hypot(p.x - start.x, p.y - start.y) < 5 && event.button === 0) {
      if (event.pointerType === "touch") g.hover(p.x, p.y);
      g.click(p.x, p.y);
    }
  };
  over.addEventListener("pointerup", up);
  over.addEventListener("pointercancel", up);
  over.addEventListener("pointerleave", () => g.leave());
}
