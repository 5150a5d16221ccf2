// A heat map: one cell per run, a bar with the colours' values; the pointer reads it, a click chooses the run.
import { el, onSize } from "../dom";
import type { Panel } from "../format";
import { short } from "../numbers";
import { SCALE, scaleColour } from "../palette";
import { colours, onTheme } from "../theme";
import { cellEdges, linearTicks, logTexts, logTicks, powerText, tickTexts } from "../ticks";

interface Side {
  edges: number[];
  log: boolean;
  names?: string[];
  places: ArrayLike<number>;
}

const part = (v: number, low: number, high: number, log: boolean) => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low));

export class HeatPanel {
  readonly element: HTMLElement;
  private holder = el("div", { class: "plot heat" });
  private canvas = el("canvas", { role: "img", tabindex: "0" });
  private tip = el("div", { class: "tip", hidden: true });
  private x: Side;
  private y: Side;
  private low = Infinity;
  private high = -Infinity;
  private box = { left: 60, top: 10, width: 100, height: 100 };
  private size = [0, 0];
  private chosen = -1;
  private hovered = -1;

  constructor(
    private panel: Panel,
    private pickRun: ((run: number) => void) | null,
  ) {
    this.x = side(panel.x);
    this.y = side(panel.y);
    const z = panel.z ?? new Float64Array(0);
    for (let i = 0; i < z.length; i++) {
      if (!Number.isFinite(z[i]) || (panel.zlog && z[i] <= 0)) continue;
      this.low = Math.min(this.low, z[i]);
      this.high = Math.max(this.high, z[i]);
    }
    if (!(this.low <= this.high)) [this.low, this.high] = [panel.zlog ? 1 : 0, panel.zlog ? 10 : 1];
    if (this.low === this.high) this.high = panel.zlog ? 2 * this.low : this.low + (Math.abs(this.low) || 1);
    const title = panel.title || panel.label || "";
    this.canvas.setAttribute("aria-label", `Heat map of ${panel.label || title}, from ${short(this.low, 4)} to ${short(this.high, 4)}. Arrow keys choose a cell.`);
    this.holder.append(this.canvas, this.tip);
    this.element = el("figure", { class: "panel", "aria-label": title }, el("header", null, el("h4", null, title)), this.holder);
    onSize(this.holder, (w, h) => {
      this.size = [w, h];
      this.draw();
    });
    onTheme(() => this.draw());
    this.canvas.addEventListener("pointermove", (e) => this.hover(e));
    this.canvas.addEventListener("pointerleave", () => this.unhover());
    this.canvas.addEventListener("click", (e) => this.choose(this.cellAt(e)));
    this.canvas.addEventListener("keydown", (e) => this.key(e));
  }

  private pixelX = (v: number): number => this.box.left + this.box.width * part(v, this.x.edges[0], this.x.edges[this.x.edges.length - 1], this.x.log);
  private pixelY = (v: number): number => this.box.top + this.box.height * (1 - part(v, this.y.edges[0], this.y.edges[this.y.edges.length - 1], this.y.log));

  private colourIndex(v: number): number {
    if (!Number.isFinite(v) || (this.panel.zlog && v <= 0)) return -1;
    return Math.round(255 * part(v, this.low, this.high, !!this.panel.zlog));
  }

  private draw(): void {
    const [width, height] = this.size;
    if (!width) return;
    const d = window.devicePixelRatio || 1;
    const { canvas } = this;
    canvas.width = Math.round(width * d);
    canvas.height = Math.round(height * d);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const ctx = canvas.getContext("2d")!;
    ctx.setTransform(d, 0, 0, d, 0, 0);
    ctx.font = "12px system-ui, sans-serif";
    const bar = 74;
    this.box = { left: this.panel.y?.label ? 66 : 50, top: 10, width: 0, height: height - (this.panel.x?.label ? 56 : 36) };
    this.box.width = Math.max(40, width - this.box.left - bar - 12);
    this.cells(ctx);
    this.axes(ctx);
    this.bar(ctx, this.box.left + this.box.width + 14);
    if (this.chosen >= 0) this.frame(ctx, this.chosen, colours().ink, 2.5);
    if (this.hovered >= 0) this.frame(ctx, this.hovered, colours().accent, 1.5);
  }

  private cellBox(cell: number): [number, number, number, number] {
    const nx = this.x.places.length;
    const [i, j] = [cell % nx, Math.floor(cell / nx)];
    const [x0, x1] = [this.pixelX(this.x.edges[i]), this.pixelX(this.x.edges[i + 1])];
    const [y0, y1] = [this.pixelY(this.y.edges[j + 1]), this.pixelY(this.y.edges[j])];
    return [x0, y0, x1 - x0, y1 - y0];
  }

  private cells(ctx: CanvasRenderingContext2D): void {
    const c = colours();
    const z = this.panel.z;
    const count = this.x.places.length * this.y.places.length;
    const d = window.devicePixelRatio || 1;
    const whole = (v: number) => Math.round(v * d) / d;
    ctx.fillStyle = c.paper;
    ctx.fillRect(this.box.left, this.box.top, this.box.width, this.box.height);
    for (let k = 0; k < count && z; k++) {
      const shade = this.colourIndex(z[k]);
      const [x0, y0, w0, h0] = this.cellBox(k);
      const [x, y] = [whole(x0), whole(y0)]; // edges on pixels: no seams between cells
      const [w, h] = [whole(x0 + w0) - x, whole(y0 + h0) - y];
      if (shade < 0) {
        ctx.strokeStyle = c.faint; // nothing there: struck through
        ctx.lineWidth = 0.8;
        ctx.beginPath();
        ctx.moveTo(x, y + h);
        ctx.lineTo(x + w, y);
        ctx.stroke();
        continue;
      }
      ctx.fillStyle = `rgb(${SCALE[3 * shade]},${SCALE[3 * shade + 1]},${SCALE[3 * shade + 2]})`;
      ctx.fillRect(x, y, w, h);
    }
  }

  private ticks(s: Side, count: number): { at: number[]; texts: string[]; power: number } {
    if (s.names) {
      const every = Math.max(1, Math.ceil(s.places.length / count));
      const at = Array.from(s.places).filter((_, k) => k % every === 0);
      return { at, texts: s.names.filter((_, k) => k % every === 0), power: 0 };
    }
    const [low, high] = [s.edges[0], s.edges[s.edges.length - 1]];
    const at = s.log ? logTicks(low, high, count) : linearTicks(low, high, count);
    return s.log ? { at, texts: logTexts(at), power: 0 } : { at, ...tickTexts(at) };
  }

  private axes(ctx: CanvasRenderingContext2D): void {
    const c = colours();
    const { left, top, width, height } = this.box;
    ctx.strokeStyle = c.line;
    ctx.lineWidth = 1;
    ctx.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
    ctx.fillStyle = c.soft;
    const xs = this.ticks(this.x, Math.max(2, Math.floor(width / 70)));
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    xs.at.forEach((v, k) => {
      const p = this.pixelX(v);
      ctx.fillText(xs.texts[k], p, top + height + 8);
      ctx.fillRect(p - 0.5, top + height, 1, 4);
    });
    if (xs.power) ctx.fillText(powerText(xs.power), left + width - 12, top + height + 22);
    const ys = this.ticks(this.y, Math.max(2, Math.floor(height / 40)));
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    ys.at.forEach((v, k) => {
      const p = this.pixelY(v);
      ctx.fillText(ys.texts[k], left - 8, p);
      ctx.fillRect(left - 4, p - 0.5, 4, 1);
    });
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    if (this.panel.x?.label) ctx.fillText(this.panel.x.label, left + width / 2, top + height + 40);
    if (this.panel.y?.label) {
      ctx.save();
      ctx.translate(13, top + height / 2);
      ctx.rotate(-Math.PI / 2);
      ctx.fillText(this.panel.y.label + (ys.power ? `  ${powerText(ys.power)}` : ""), 0, 0);
      ctx.restore();
    }
  }

  private bar(ctx: CanvasRenderingContext2D, left: number): void {
    const c = colours();
    const { top, height } = this.box;
    const shades = ctx.createLinearGradient(0, top + height, 0, top);
    for (let k = 0; k <= 32; k++) shades.addColorStop(k / 32, scaleColour(k / 32));
    ctx.fillStyle = shades;
    ctx.fillRect(left, top, 14, height);
    ctx.strokeStyle = c.line;
    ctx.strokeRect(left - 0.5, top - 0.5, 15, height + 1);
    const log = !!this.panel.zlog;
    const at = log ? logTicks(this.low, this.high, 6) : linearTicks(this.low, this.high, Math.max(2, height / 45));
    const { texts, power } = log ? { texts: logTexts(at), power: 0 } : tickTexts(at);
    ctx.fillStyle = c.soft;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    at.forEach((v, k) => ctx.fillText(texts[k], left + 20, top + height * (1 - part(v, this.low, this.high, log))));
    if (power) ctx.fillText(powerText(power), left, top + height + 14);
    if (this.hovered >= 0 && this.panel.z) {
      const shade = this.colourIndex(this.panel.z[this.hovered]);
      if (shade >= 0) {
        const y = top + height * (1 - shade / 255);
        ctx.fillStyle = c.ink;
        ctx.beginPath();
        ctx.moveTo(left - 1, y);
        ctx.lineTo(left - 7, y - 4);
        ctx.lineTo(left - 7, y + 4);
        ctx.fill();
      }
    }
  }

  private frame(ctx: CanvasRenderingContext2D, cell: number, colour: string, width: number): void {
    const [x, y, w, h] = this.cellBox(cell);
    ctx.lineWidth = width + 2;
    ctx.strokeStyle = colours().card;
    ctx.strokeRect(x, y, w, h);
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.strokeRect(x, y, w, h);
  }

  private cellAt(event: MouseEvent): number {
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const find = (edges: number[], pixel: (v: number) => number, p: number, up: number) => edges.findIndex((e, k) => k + 1 < edges.length && up * (p - pixel(e)) >= 0 && up * (p - pixel(edges[k + 1])) < 0);
    const i = find(this.x.edges, this.pixelX, px, 1);
    const j = find(this.y.edges, this.pixelY, py, -1);
    return i < 0 || j < 0 ? -1 : j * this.x.places.length + i;
  }

  private hover(event: PointerEvent): void {
    const cell = this.cellAt(event);
    if (cell !== this.hovered) {
      this.hovered = cell;
      this.draw();
    }
    this.tip.hidden = cell < 0;
    if (cell >= 0) this.say(cell);
  }

  private unhover(): void {
    this.hovered = -1;
    this.tip.hidden = true;
    this.draw();
  }

  private say(cell: number): void {
    const nx = this.x.places.length;
    const name = (s: Side, k: number) => s.names?.[k] ?? short(s.places[k], 6);
    const value = this.panel.z ? this.panel.z[cell] : NaN;
    this.tip.textContent = [
      `${this.panel.label || "value"} = ${Number.isFinite(value) ? short(value, 7) : "none"}`,
      `${this.panel.x?.label || "x"} = ${name(this.x, cell % nx)}`,
      `${this.panel.y?.label || "y"} = ${name(this.y, Math.floor(cell / nx))}`,
      ...(this.pickRun ? ["click: its run"] : []),
    ].join("\n");
    const [x, y, w] = this.cellBox(cell);
    const left = x + w + 8 + this.tip.offsetWidth > this.size[0] ? x - this.tip.offsetWidth - 8 : x + w + 8;
    this.tip.style.left = `${Math.max(2, left)}px`;
    this.tip.style.top = `${Math.max(2, y)}px`;
  }

  private choose(cell: number): void {
    if (cell < 0) return;
    this.chosen = cell;
    this.draw();
    this.pickRun?.(this.panel.run ? this.panel.run[cell] : cell);
  }

  private key(event: KeyboardEvent): void {
    const step: { [key: string]: [number, number] } = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const by = step[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const [nx, ny] = [this.x.places.length, this.y.places.length];
    const now = Math.max(0, this.chosen);
    const i = Math.min(nx - 1, Math.max(0, (now % nx) + by[0]));
    const j = Math.min(ny - 1, Math.max(0, Math.floor(now / nx) + by[1]));
    this.choose(j * nx + i);
    this.tip.hidden = false;
    this.say(j * nx + i);
  }
}

function side(axis: Panel["x"]): Side {
  const places = axis?.values ?? new Float64Array(0);
  const log = !!axis?.log && Array.from(places).every((v) => v > 0);
  return { places, log, names: axis?.names, edges: cellEdges(places, log) };
}
