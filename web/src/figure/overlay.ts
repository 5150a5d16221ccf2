// The layer above a plot with what moves: the line of the present time, points of the present time and of the pointer.
import { el } from "../dom";
import { colours } from "../theme";

export class Overlay {
  private canvas = el("canvas", { class: "overlay", "aria-hidden": "true" });
  private holder: HTMLElement | null = null;

  attach(holder: HTMLElement): void {
    this.holder = holder;
    holder.appendChild(this.canvas);
  }

  draw(lineX: number, dots: { x: number; y: number; colour: string; ring?: boolean }[]): void {
    if (!this.holder) return;
    const [width, height] = [this.holder.clientWidth, this.holder.clientHeight];
    const d = window.devicePixelRatio || 1;
    const { canvas } = this;
    if (canvas.width !== Math.round(width * d) || canvas.height !== Math.round(height * d)) {
      canvas.width = Math.round(width * d);
      canvas.height = Math.round(height * d);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const ctx = canvas.getContext("2d")!;
    const c = colours();
    ctx.setTransform(d, 0, 0, d, 0, 0);
    ctx.clearRect(0, 0, width, height);
    if (Number.isFinite(lineX) && lineX >= -0.5 && lineX <= width + 0.5) {
      ctx.fillStyle = c.accent;
      ctx.globalAlpha = 0.7;
      ctx.fillRect(lineX - 0.5, 0, 1, height);
      ctx.globalAlpha = 1;
    }
    for (const { x, y, colour, ring } of dots) {
      if (!Number.isFinite(x + y) || x < -6 || y < -6 || x > width + 6 || y > height + 6) continue;
      ctx.beginPath();
      ctx.arc(x, y, ring ? 6 : 4, 0, 2 * Math.PI);
      ctx.lineWidth = ring ? 2 : 1.5;
      if (ring) ctx.strokeStyle = colour;
      else {
        ctx.fillStyle = colour;
        ctx.fill();
        ctx.strokeStyle = c.card;
      }
      ctx.stroke();
    }
  }
}
