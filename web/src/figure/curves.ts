// One panel of curves: uPlot for axes, scales and the frame of zooming; strokes, picking and the clock's marks are ours, since phase planes go back and forth in x.
import uPlot from "uplot";
import type { Clock } from "../clock";
import { el, icon, ICONS, onSize } from "../dom";
import type { Panel } from "../format";
import { short } from "../numbers";
import { colours, onTheme } from "../theme";
import { type AxisState, drawPowers, makeAxes } from "./axes";
import { curveEntries, type Entry, indexAtTime, type MarkEntry, markEntries } from "./entries";
import { equalised, moved, type Window2, wholeWindow, zoomed } from "./extent";
import { makeLegend, type LegendEntry } from "./legend";
import { Overlay } from "./overlay";
import { attachGestures } from "./gestures";
import { nearestPoint, type Picked } from "./pick";
import { LINE_DASH, strokeLine, strokeMarks, strokePoints, strokeSegments } from "./strokes";

export type PickRun = (run: number) => void;

export class CurvePanel {
  readonly element: HTMLElement;
  private holder = el("div", { class: "plot" });
  private tip = el("div", { class: "tip", hidden: true });
  private plot: uPlot | null = null;
  private overlay = new Overlay();
  private entries: Entry[];
  private marks: MarkEntry[];
  private legend: LegendEntry[];
  private window: Window2;
  private log: { x: boolean; y: boolean };
  private powers: [AxisState, AxisState] = [{ power: 0 }, { power: 0 }];
  private overTime: boolean;
  private picked: Picked | null = null;
  private size = { width: 0, height: 0 };

  constructor(
    private panel: Panel,
    private clock: Clock | null,
    private pickRun: PickRun | null,
  ) {
    this.log = { x: !!panel.x?.log, y: !!panel.y?.log };
    this.entries = curveEntries(panel);
    this.marks = markEntries(panel);
    const timed = this.entries.filter((e) => e.curve.t);
    this.overTime = timed.length > 0 && timed.every((e) => e.overTime);
    this.window = this.whole();
    const { element, entries } = makeLegend(this.entries, this.marks, (label) => this.toggle(label));
    this.legend = entries;
    const head = el("header", null, el("h4", null, panel.title ?? ""), this.tools());
    const rules = [...new Set(this.entries.map((e) => e.curve.rule).filter(Boolean))] as string[];
    this.element = el(
      "figure",
      { class: `panel${panel.equal ? " equal" : ""}`, "aria-label": panel.title || panel.y?.label || "Plot" },
      head,
      this.holder,
      this.tip,
      entries.length ? element : null,
      rules.length ? el("p", { class: "rule" }, rules.join("; ")) : null,
    );
    if (panel.equal) {
      const w = this.window;
      this.element.style.setProperty("--aspect", String(Math.min(1, Math.max(0.5, (w.y1 - w.y0) / (w.x1 - w.x0) || 0.62))));
    }
    onSize(this.holder, (width, height) => {
      this.size = { width, height };
      this.resize();
    });
    onTheme(() => this.plot?.redraw(false, true));
    clock?.listen(() => this.tick());
  }

  private tools(): HTMLElement {
    const logButton = (axis: "x" | "y") => {
      const b = el("button", { type: "button", class: "quiet", "aria-pressed": String(this.log[axis]), title: `Logarithmic ${axis} axis` }, `log ${axis}`);
      b.addEventListener("click", () => {
        this.log[axis] = !this.log[axis];
        b.setAttribute("aria-pressed", String(this.log[axis]));
        this.window = this.whole();
        this.rebuild();
      });
      return b;
    };
    const positive = (axis: "x" | "y") => this.entries.some((e) => e.curve.style !== "outline" && e.curve[axis].length > 0 && Array.prototype.some.call(e.curve[axis], (v: number) => v > 0));
    const reset = el("button", { type: "button", class: "quiet", title: "Whole plot (double click)", "aria-label": "Show the whole plot", onclick: () => this.reset() }, icon(ICONS.fit));
    return el("div", { class: "tools" }, !this.panel.equal && positive("x") && logButton("x"), !this.panel.equal && positive("y") && logButton("y"), reset);
  }

  private whole(): Window2 {
    const curves = this.entries.filter((e) => !e.hidden).map((e) => e.curve);
    const marks = this.marks.filter((m) => !m.hidden).map((m) => m.mark);
    return wholeWindow(this.panel, { curves, marks }, this.log.x, this.log.y, this.overTime);
  }

  reset(): void {
    this.show(this.whole());
  }

  /** Shows a part of the plane; with equal axes the larger part that contains it. */
  private show(window: Window2): void {
    const u = this.plot;
    this.window = window;
    if (!u) return;
    for (let pass = 0; pass < 2; pass++) {
      // the width of the axis depends on its texts, and with equal axes the window on the width
      const w = this.panel.equal ? equalised(window, u.over.clientWidth || 1, u.over.clientHeight || 1) : window;
      this.window = w;
      u.batch(() => {
        u.setScale("x", { min: w.x0, max: w.x1 });
        u.setScale("y", { min: w.y0, max: w.y1 });
      });
      if (!this.panel.equal) break;
    }
    this.tick();
  }

  private resize(): void {
    if (!this.plot) this.rebuild();
    else {
      this.plot.setSize(this.size);
      if (this.panel.equal) this.show(this.window);
      this.tick();
    }
  }

  private rebuild(): void {
    this.plot?.destroy();
    const w = this.window;
    const range = (a: "x" | "y"): uPlot.Scale.Range => (_u, min, max) => (min === null || max === null ? (a === "x" ? [w.x0, w.x1] : [w.y0, w.y1]) : [min, max]);
    const scale = (a: "x" | "y"): uPlot.Scale => ({ time: false, auto: false, distr: this.log[a] ? 3 : 1, range: range(a), min: a === "x" ? w.x0 : w.y0, max: a === "x" ? w.x1 : w.y1 });
    const series: uPlot.Series[] = [{}];
    const data: unknown[] = [null];
    for (const entry of this.entries) {
      series.push({ show: !entry.hidden, scale: "y", facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }], paths: (u) => this.stroke(u, entry), points: { show: false }, stroke: "#000" } as uPlot.Series);
      data.push([entry.curve.x, entry.curve.y]);
    }
    if (series.length === 1) {
      series.push({ facets: [{ scale: "x" }, { scale: "y" }], paths: () => null, points: { show: false } } as uPlot.Series); // uPlot wants one
      data.push([[], []]);
    }
    this.plot = new uPlot(
      {
        ...this.size,
        mode: 2,
        padding: [10, 14, 0, 2],
        scales: { x: scale("x"), y: scale("y") },
        axes: makeAxes(this.panel, this.log.x, this.log.y, this.powers),
        series,
        legend: { show: false },
        cursor: {
          x: false,
          y: false,
          points: { show: false },
          dataIdx: () => null as unknown as number,
          drag: { x: true, y: true, setScale: false, dist: 6, uni: 18 },
          bind: {
            mousedown: (_u, _t, handler) => (event: MouseEvent) => (event.button === 0 && !event.shiftKey && handler(event), null),
            dblclick: () => () => (this.reset(), null),
          },
        },
        hooks: { setSelect: [(u) => this.selected(u)], draw: [(u) => this.finish(u)] },
      },
      data as unknown as uPlot.AlignedData,
      this.holder,
    );
    const { over } = this.plot;
    over.setAttribute("tabindex", "0");
    over.setAttribute("role", "img");
    over.setAttribute("aria-label", `${this.panel.title ?? "plot"}: ${this.panel.y?.label ?? "y"} against ${this.panel.x?.label ?? "x"}`);
    this.overlay.attach(over);
    attachGestures(over, {
      zoom: (u, v, fx, fy) => this.show(zoomed(this.window, u, v, fx, this.panel.equal ? fx : fy, this.log.x, this.log.y)),
      pan: (du, dv) => this.show(moved(this.window, du, dv, this.log.x, this.log.y)),
      hover: (x, y) => this.hover(x, y),
      leave: () => this.leave(),
      click: (x, y) => this.click(x, y),
    });
    this.show(this.window);
  }

  /** Pixels of values, on the canvas (origin and size of the box given) or on the layer above it. */
  private pixels(left: number, top: number, width: number, height: number): { px: (v: number) => number; py: (v: number) => number } {
    const { x0, x1, y0, y1 } = this.window;
    const make = (log: boolean, low: number, high: number, start: number, length: number) => {
      if (log) {
        const [a, k] = [Math.log(low), length / Math.log(high / low)];
        return (v: number) => (v > 0 ? start + k * (Math.log(v) - a) : NaN);
      }
      const k = length / (high - low);
      return (v: number) => start + k * (v - low);
    };
    return { px: make(this.log.x, x0, x1, left, width), py: make(this.log.y, y0, y1, top + height, -height) };
  }

  private overPixels() {
    const over = this.plot!.over;
    return this.pixels(0, 0, over.clientWidth, over.clientHeight);
  }

  private stroke(u: uPlot, entry: Entry): null {
    if (entry.hidden) return null;
    const { ctx, bbox } = u;
    const { px, py } = this.pixels(bbox.left, bbox.top, bbox.width, bbox.height);
    const d = window.devicePixelRatio || 1;
    const { curve } = entry;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = entry.colour();
    ctx.lineJoin = "round";
    ctx.lineWidth = (curve.style === "outline" ? 1.1 : curve.style === "segments" ? 1.2 : 1.7) * d;
    ctx.setLineDash((LINE_DASH[curve.style ?? ""] ?? []).map((v) => v * d));
    if (entry.points) strokePoints(ctx, curve, px, py, entry.colour(), d);
    else if (curve.style === "segments") strokeSegments(ctx, curve, px, py);
    else {
      ctx.beginPath();
      strokeLine(ctx, curve.x, curve.y, px, py, entry.monotone);
      ctx.stroke();
      if (curve.style === "linepoints") strokePoints(ctx, curve, px, py, entry.colour(), d);
    }
    ctx.restore();
    return null;
  }

  /** After all curves: marks, and powers of ten of the axes. */
  private finish(u: uPlot): void {
    const { ctx, bbox } = u;
    const { px, py } = this.pixels(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const entry of this.marks) if (!entry.hidden) strokeMarks(ctx, entry.mark, px, py, entry.colour(), colours().card, window.devicePixelRatio || 1);
    ctx.restore();
    drawPowers(u, this.powers);
  }

  private selected(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width < 4 && height < 4) return;
    const value = (p: number, axis: "x" | "y") => u.posToVal(p, axis);
    const next = { ...this.window };
    if (width >= 4) [next.x0, next.x1] = [value(left, "x"), value(left + width, "x")];
    if (height >= 4) [next.y0, next.y1] = [value(top + height, "y"), value(top, "y")];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.show(next);
  }

  private hover(x: number, y: number): void {
    const u = this.plot!;
    const { px, py } = this.overPixels();
    this.picked = nearestPoint(this.entries, px, py, (p) => u.posToVal(p, "x"), x, y, 32);
    const mark = this.markNear(x, y, px, py);
    this.tip.hidden = !this.picked && !mark;
    if (mark) this.tip.textContent = mark;
    else if (this.picked) this.tip.textContent = this.describe(this.picked);
    if (!this.tip.hidden) {
      const left = this.holder.offsetLeft + u.over.offsetLeft + x;
      const wide = this.tip.offsetWidth;
      this.tip.style.left = `${Math.max(4, left + 14 + wide > this.element.clientWidth ? left - wide - 10 : left + 14)}px`;
      this.tip.style.top = `${this.holder.offsetTop + u.over.offsetTop + Math.max(0, y - 40)}px`;
    }
    this.tick();
  }

  private markNear(x: number, y: number, px: (v: number) => number, py: (v: number) => number): string | null {
    for (const { mark, label, hidden } of this.marks) {
      if (hidden) continue;
      for (let i = 0; i < mark.x.length; i++)
        if (Math.hypot(px(mark.x[i]) - x, py(mark.y[i]) - y) < 7) {
          const name = mark.names?.[i] ? `${mark.names[i]} (${label})` : label;
          return `${name}\n${this.axisName("x")} = ${short(mark.x[i], 7)}\n${this.axisName("y")} = ${short(mark.y[i], 7)}`;
        }
    }
    return null;
  }

  private axisName = (axis: "x" | "y"): string => this.panel[axis]?.label || axis;

  private describe(p: Picked): string {
    const { curve, label, overTime } = this.entries[p.curve];
    const lines = [`${this.axisName("x")} = ${short(curve.x[p.index], 7)}`, `${label && !this.panel.y?.label ? label : this.axisName("y")} = ${short(curve.y[p.index], 7)}`];
    if (label) lines.unshift(label);
    if (curve.t && !overTime) lines.push(`t = ${short(curve.t[p.index], 7)}`);
    if (curve.run && this.pickRun) lines.push("click: its run");
    return lines.join("\n");
  }

  private leave(): void {
    this.picked = null;
    this.tip.hidden = true;
    this.tick();
  }

  private click(x: number, y: number): void {
    const u = this.plot!;
    const { px, py } = this.overPixels();
    const hit = nearestPoint(this.entries, px, py, (p) => u.posToVal(p, "x"), x, y, 40);
    const curve = hit && this.entries[hit.curve].curve;
    if (hit && curve?.run && this.pickRun) this.pickRun(curve.run[hit.index]);
    else if (this.clock && this.overTime) this.seek(u.posToVal(x, "x"));
    else if (this.clock && hit && curve?.t) this.seek(curve.t[hit.index]);
  }

  private seek(t: number): void {
    this.clock!.pause();
    this.clock!.set(t);
  }

  /** What moves with the clock and the pointer is on a layer of its own: the curves are not drawn again. */
  private tick(): void {
    if (!this.plot || !this.element.isConnected) return;
    const { px, py } = this.overPixels();
    const t = this.clock ? this.clock.times[this.clock.frame()] : NaN;
    const dots: { x: number; y: number; colour: string; ring?: boolean }[] = [];
    const values = new Map<string, string>();
    const pickedX = this.picked ? this.entries[this.picked.curve].curve.x[this.picked.index] : NaN;
    for (const entry of this.entries) {
      if (entry.hidden || !entry.curve.t || !this.clock) continue;
      const i = indexAtTime(entry.curve, this.picked && entry.overTime ? pickedX : t);
      if (i >= 0 && !values.has(entry.label)) values.set(entry.label, short(entry.curve.y[i], 5));
      const now = indexAtTime(entry.curve, t);
      if (now >= 0) dots.push({ x: px(entry.curve.x[now]), y: py(entry.curve.y[now]), colour: entry.colour() });
    }
    if (this.picked) {
      const { curve, colour } = this.entries[this.picked.curve];
      dots.push({ x: px(pickedX), y: py(curve.y[this.picked.index]), colour: colour(), ring: true });
    }
    this.overlay.draw(this.overTime && this.clock ? px(t) : NaN, dots);
    for (const { label, value } of this.legend) {
      const text = values.get(label) ?? "";
      if (value.textContent !== text) value.textContent = text;
    }
  }

  private toggle(label: string): void {
    this.setHidden(label, !this.isHidden(label));
  }

  private isHidden(label: string): boolean {
    return [...this.entries, ...this.marks].some((e) => e.label === label && e.hidden);
  }

  /** Hides or shows what has this label; says whether there is such a thing. */
  setHidden(label: string, hidden: boolean): boolean {
    let found = false;
    for (const e of [...this.entries, ...this.marks]) {
      if (e.label !== label) continue;
      e.hidden = hidden;
      found = true;
    }
    for (const e of this.legend) if (e.label === label) e.button.setAttribute("aria-pressed", String(!hidden));
    if (found) this.plot?.redraw(true, false);
    this.tick();
    return found;
  }

  hidden(): string[] {
    return [...new Set([...this.entries, ...this.marks].filter((e) => e.hidden).map((e) => e.label))];
  }
}
