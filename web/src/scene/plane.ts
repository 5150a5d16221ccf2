// The animation of a motion in the plane, on a canvas.
import { el, onSize } from "../dom";
import type { Item, Scene } from "../format";
import { colours } from "../theme";
import { short } from "../numbers";
import { type Box, firstView } from "./bounds";
import { Crowd, drawContacts } from "./crowd";
import { drawGrid, drawScale } from "./grid";
import { arrowKey, type Brush, DRAW, label, ORDER } from "./items";
import { arrowPart, impulseReference, isStructure, numberAt, pointAt, pointGiven, positions, type SceneOptions, type SceneView } from "./values";
import { attachPointer, View } from "./view";

/** Bounds that are never empty: a motion along a line gets some room beside it. */
function roomyBounds(scene: Scene): Box {
  const box = firstView(scene);
  const low = [0, 1].map((k) => (Number.isFinite(box.low[k]) ? box.low[k] : -1));
  const high = [0, 1].map((k) => (Number.isFinite(box.high[k]) ? box.high[k] : 1));
  const span = Math.max(high[0] - low[0], high[1] - low[1]) || 1;
  for (const k of [0, 1]) {
    const lack = 0.3 * span - (high[k] - low[k]);
    if (lack > 0) {
      low[k] -= lack / 2;
      high[k] += lack / 2;
    }
  }
  return { low, high };
}

export class Plane implements SceneView {
  readonly element: HTMLElement;
  private canvas = el("canvas", { role: "img", "aria-label": "Animation of the motion", tabindex: "0" });
  private tip = el("div", { class: "tip", hidden: true });
  private view = new View();
  private bounds: Box;
  private ordered: Item[];
  private crowds = new Map<Item, Crowd>();
  private frame = 0;
  private impulse: number;
  private unit: number;
  private fitted = false;
  private own = true; // the view was not touched: it may be fitted again
  private pending = 0;

  constructor(
    private scene: Scene,
    times: ArrayLike<number>,
    private options: SceneOptions,
  ) {
    this.frames = times.length;
    this.structure = isStructure(scene);
    this.bounds = roomyBounds(scene);
    const { low, high } = this.bounds;
    const [w, h] = [high[0] - low[0], high[1] - low[1]];
    this.unit = arrowPart(scene) * Math.hypot(w, h);
    this.impulse = impulseReference(scene, this.frames);
    const rank = (item: Item) => (item.still ? 0 : 100) + Math.max(0, ORDER.indexOf(item.kind));
    this.ordered = scene.items.filter((item) => ORDER.includes(item.kind)).sort((a, b) => rank(a) - rank(b));
    for (const item of this.ordered) if (item.kind === "bodies") this.crowds.set(item, new Crowd(item, times));
    this.element = el("div", { class: "stage" }, this.canvas, this.tip);
    // as high as the motion asks for, within what a screen shows
    this.element.style.setProperty("--aspect", String(Math.min(1.25, Math.max(0.42, h / w))));
    onSize(this.element, (width, height) => this.resize(width, height));
    attachPointer(this.canvas, this.view, {
      changed: () => {
        this.own = false;
        this.later();
      },
      hover: (x, y) => this.hover(x, y),
      leave: () => (this.tip.hidden = true),
    });
    this.canvas.addEventListener("dblclick", () => this.fit());
  }

  private frames: number;
  private structure: boolean; // all heights are displacements: the scale beside them follows the slider

  private resize(width: number, height: number): void {
    const density = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    if (this.fitted && !this.own) this.view.resize(width, height);
    else {
      this.view.width = width;
      this.view.height = height;
      this.view.fit(this.bounds.low, this.bounds.high);
    }
    this.fitted = true;
    this.draw(this.frame);
  }

  fit(): void {
    this.own = true;
    this.view.fit(this.bounds.low, this.bounds.high);
    this.draw(this.frame);
  }

  zoom(factor: number): void {
    this.own = false;
    this.view.zoomAt(this.view.width / 2, this.view.height / 2, factor);
    this.draw(this.frame);
  }

  restyle(): void {
    this.draw(this.frame);
  }

  private later(): void {
    this.pending ||= requestAnimationFrame(() => this.draw(this.frame));
  }

  draw(frame: number): void {
    this.pending = 0;
    this.frame = frame;
    if (!this.fitted) return;
    const ctx = this.canvas.getContext("2d")!;
    const c = colours();
    const density = this.canvas.width / this.view.width;
    ctx.setTransform(density, 0, 0, density, 0, 0);
    ctx.clearRect(0, 0, this.view.width, this.view.height);
    const brush: Brush = { ctx, view: this.view, c, options: this.options, frame, frames: this.frames, unit: this.unit, impulse: this.impulse };
    const factor = this.structure ? this.options.exaggeration : 1;
    if (this.options.grid) drawGrid(ctx, this.view, c, factor);
    for (const item of this.ordered) {
      const crowd = this.crowds.get(item);
      if (crowd) crowd.draw(brush);
      else if (item.kind === "contacts") drawContacts(brush, item);
      else DRAW[item.kind](brush, item);
    }
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    if (this.options.names) this.names(brush);
    if (this.options.impulses && this.impulse > 0) arrowKey(brush);
    if (this.options.grid) drawScale(ctx, this.view, c, factor);
  }

  private names(b: Brush): void {
    for (const item of this.ordered) {
      if (!item.name || item.kind === "text" || item.kind === "bodies") continue;
      const at = pointAt(item.at ?? item.p ?? item.points?.[0], b.frame);
      if (pointGiven(at)) label(b, item.name, this.view.px(at[0]) + 8, this.view.py(at[1]) - 10, b.c.ink);
    }
  }

  /** The named thing nearest to the pointer, in words. */
  private hover(x: number, y: number): void {
    let best = 18;
    let text = "";
    let place = [0, 0];
    for (const [name, p] of Object.entries(positions(this.scene, this.frame))) {
      const distance = Math.hypot(this.view.px(p[0]) - x, this.view.py(p[1]) - y);
      if (!(distance < best)) continue;
      best = distance;
      place = p;
      text = `${name}   (${short(p[0], 5)}, ${short(p[1], 5)})${p.length > 2 ? `   ${short(p[2], 4)} rad` : ""}`;
    }
    this.tip.hidden = !text;
    if (!text) return;
    this.tip.textContent = text;
    const px = this.view.px(place[0]);
    this.tip.style.left = `${Math.max(4, Math.min(px + 10, this.view.width - 220))}px`;
    this.tip.style.top = `${Math.max(4, this.view.py(place[1]) - 34)}px`;
  }

  visible(): number {
    const { view, frame } = this;
    const inside = (x: number, y: number, r = 0) => view.px(x + r) >= 0 && view.px(x - r) <= view.width && view.py(y - r) >= 0 && view.py(y + r) <= view.height;
    let count = 0;
    for (const item of this.ordered) {
      if (item.kind === "bodies" && item.pose) {
        const n = item.count ?? 0;
        for (let i = 0; i < n; i++) if (inside(item.pose[3 * (frame * n + i)], item.pose[3 * (frame * n + i) + 1])) count++;
      } else if (item.kind === "contacts" || (item.kind === "path" && !this.options.trails) || (item.kind === "contact" && !this.options.contacts)) continue;
      else if (item.kind === "curve" && item.x && item.y) count += 1;
      else {
        const points = [item.at && !item.points ? item.at : undefined, item.p, item.q, ...(item.points ?? [])];
        const shift = item.points && item.at ? pointAt(item.at, frame) : [0, 0];
        const shown = points.map((p) => pointAt(p, frame)).filter(pointGiven);
        if (shown.some((p) => inside(p[0] + shift[0], p[1] + shift[1], numberAt(item.r, frame)))) count++;
      }
    }
    return count;
  }

  /** For the legend: what the longest arrow stands for, and the speed at the end of the scale. */
  get references(): { impulse: number; speed: number } {
    const crowd = [...this.crowds.values()][0];
    return { impulse: this.impulse, speed: crowd ? crowd.speedReference() : 0 };
  }
}
