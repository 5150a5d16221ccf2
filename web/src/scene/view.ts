// What part of the plane a canvas shows: pan by dragging, zoom by wheel, pinch and keys.
import { mayWheel } from "../wheel";

export interface PointerHandlers {
  changed(): void;
  hover?(x: number, y: number): void;
  leave?(): void;
}

export class View {
  scale = 1; // pixels per unit
  x = 0; // pixel of the origin
  y = 0;
  width = 1;
  height = 1;

  px(x: number): number {
    return this.x + this.scale * x;
  }

  py(y: number): number {
    return this.y - this.scale * y;
  }

  worldX(px: number): number {
    return (px - this.x) / this.scale;
  }

  worldY(py: number): number {
    return (this.y - py) / this.scale;
  }

  /** The box of the plane as large as it goes, with a margin. */
  fit(low: number[], high: number[], margin = 0.06): void {
    const w = Math.max(high[0] - low[0], 1e-300);
    const h = Math.max(high[1] - low[1], 1e-300);
    const room = 1 - 2 * margin;
    this.scale = Math.min((room * this.width) / w, (room * this.height) / h);
    this.x = this.width / 2 - (this.scale * (low[0] + high[0])) / 2;
    this.y = this.height / 2 + (this.scale * (low[1] + high[1])) / 2;
  }

  zoomAt(px: number, py: number, factor: number): void {
    const next = this.scale * factor;
    if (!(next > 1e-12) || !(next < 1e15)) return;
    this.x = px + (this.x - px) * factor;
    this.y = py + (this.y - py) * factor;
    this.scale = next;
  }

  /** The middle and the scale stay when the canvas changes its size. */
  resize(width: number, height: number): void {
    const ratio = Math.min(width / this.width, height / this.height);
    const cx = this.worldX(this.width / 2);
    const cy = this.worldY(this.height / 2);
    this.width = width;
    this.height = height;
    this.scale *= ratio;
    this.x = width / 2 - this.scale * cx;
    this.y = height / 2 + this.scale * cy;
  }
}

/** Drag, wheel and two fingers move the view. One finger up or down scrolls the page (touch-action in the style sheet). */
export function attachPointer(canvas: HTMLElement, view: View, handlers: PointerHandlers): void {
  const down = new Map<number, { x: number; y: number }>();
  const place = (event: PointerEvent | WheelEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    down.set(event.pointerId, place(event));
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = place(event);
    const before = down.get(event.pointerId);
    if (!before) {
      handlers.hover?.(now.x, now.y);
      return;
    }
    if (down.size === 1) {
      view.x += now.x - before.x;
      view.y += now.y - before.y;
    } else {
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)![1];
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      view.x += (now.x - before.x) / 2;
      view.y += (now.y - before.y) / 2;
      if (was > 5) view.zoomAt((now.x + other.x) / 2, (now.y + other.y) / 2, is / was);
    }
    down.set(event.pointerId, now);
    handlers.changed();
  });
  const up = (event: PointerEvent) => down.delete(event.pointerId);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => handlers.leave?.());
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!mayWheel(canvas, event)) return;
      event.preventDefault();
      const { x, y } = place(event);
      view.zoomAt(x, y, Math.exp(-wheelSteps(event) * 0.18));
      handlers.changed();
    },
    { passive: false },
  );
}

/** Notches of a wheel, whatever its unit is. */
export function wheelSteps(event: WheelEvent): number {
  const unit = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
  return Math.max(-3, Math.min(3, event.deltaY / unit));
}
