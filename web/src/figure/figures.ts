// All plots of the page, figure by figure.
import type { Clock } from "../clock";
import { el } from "../dom";
import type { Figure, Page, Panel } from "../format";
import { CurvePanel } from "./curves";
import { HeatPanel } from "./heat";

export interface FigureHandle {
  element: HTMLElement;
  name: string;
  /** Hides the curves and marks with this label in all panels; says whether there were any. */
  hide(label: string): boolean;
  show(label: string): boolean;
  hidden(): string[];
}

export function makeFigure(figure: Figure, clock: Clock | null, pickRun: ((run: number) => void) | null): FigureHandle {
  const curves: CurvePanel[] = [];
  const single = figure.panels.length === 1;
  const grid = el("div", { class: "panels" });
  grid.style.setProperty("--columns", String(Math.min(figure.columns || 1, figure.panels.length)));
  for (const panel of figure.panels) {
    // one panel alone: its title is that of the figure
    const shown: Panel = single && panel.title === figure.title ? { ...panel, title: "" } : panel;
    if (panel.kind === "heat") grid.appendChild(new HeatPanel(shown, pickRun).element);
    else {
      const made = new CurvePanel(shown, clock, pickRun);
      curves.push(made);
      grid.appendChild(made.element);
    }
  }
  const merged = single && figure.title && (!figure.panels[0].title || figure.panels[0].title === figure.title);
  const element = el("section", { class: merged ? "card figure merged" : "card figure" }, figure.title ? el("h3", null, figure.title) : null, grid);
  const all = (label: string, hidden: boolean) => curves.map((c) => c.setHidden(label, hidden)).some(Boolean);
  return {
    element,
    name: figure.name ?? figure.title ?? "",
    hide: (label) => all(label, true),
    show: (label) => all(label, false),
    hidden: () => [...new Set(curves.flatMap((c) => c.hidden()))],
  };
}

const MOST = 8; // curves of a plot that the page makes by itself

/** Numbers of the coordinates to show: of bodies their heights; not what never changes, unless all stand still. */
export function chooseCoordinates(names: string[], q: ArrayLike<number>, frames: number, space: boolean): number[] {
  const all = names.map((_, k) => k);
  const heights = all.filter((k) => (space ? /\.z$/ : /\.y$/).test(names[k]));
  const moves = (k: number) => {
    for (let f = 1; f < frames; f++) if (q[f * names.length + k] !== q[k]) return true;
    return false;
  };
  const wanted = heights.length ? heights : all;
  const moving = wanted.filter(moves);
  return (moving.length ? moving : wanted).slice(0, MOST);
}

/** Where a page has a motion but no plots: coordinates against time. */
export function coordinateFigure(page: Page): Figure | null {
  const { coordinates, clock } = page;
  if (!coordinates?.q || !clock || !clock.t.length) return null;
  const n = coordinates.names.length;
  const column = (from: ArrayLike<number>, k: number) => Float64Array.from({ length: clock.t.length }, (_, f) => from[f * n + k]);
  const panels: Panel[] = [];
  const chosen = chooseCoordinates(coordinates.names, coordinates.q, clock.t.length, page.scene?.dimension === 3);
  const put = (title: string, from: ArrayLike<number>) =>
    panels.push({ title, x: { label: "t" }, curves: chosen.map((k) => ({ label: coordinates.names[k], x: clock.t, t: clock.t, y: column(from, k) })) });
  put("coordinates", coordinates.q);
  if (coordinates.v) put("velocities", coordinates.v);
  return { name: "coordinates", title: n > chosen.length ? `Motion (${chosen.length} of ${n} coordinates)` : "Motion", columns: 2, panels };
}
