// All plots of the page, figure by figure.
import type { Clock } from "../clock";
import { el } from "../dom";
import type { Axis, Figure, Page, Panel, Runs } from "../format";
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

/** An axis over a parameter of the runs that is given by words: they stand beside it. */
function worded(axis: Axis | undefined, runs: Runs | undefined): Axis | undefined {
  const k = axis?.label ? (runs?.names.indexOf(axis.label) ?? -1) : -1;
  const words = k >= 0 ? runs!.words?.[k] : undefined;
  return axis && !axis.names && words?.length ? { ...axis, names: words } : axis;
}

export function makeFigure(figure: Figure, clock: Clock | null, pickRun: ((run: number) => void) | null, runs?: Runs): FigureHandle {
  const curves: CurvePanel[] = [];
  const single = figure.panels.length === 1;
  const grid = el("div", { class: "panels" });
  grid.style.setProperty("--columns", String(Math.min(figure.columns || 1, figure.panels.length)));
  for (const panel of figure.panels) {
    // one panel alone: its title is that of the figure
    const shown: Panel = { ...panel, title: single && panel.title === figure.title ? "" : panel.title, x: worded(panel.x, runs), y: worded(panel.y, runs) };
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
  const frames = clock.t.length;
  const space = page.scene?.dimension === 3;
  const panels: Panel[] = [];
  const put = (title: string, from: ArrayLike<number>, names: string[]) => {
    const chosen = chooseCoordinates(names, from, frames, space);
    const column = (k: number) => Float64Array.from({ length: frames }, (_, f) => from[f * names.length + k]);
    panels.push({ title, x: { label: "t" }, curves: chosen.map((k) => ({ label: names[k], x: clock.t, t: clock.t, y: column(k) })) });
    return chosen.length;
  };
  const shown = put("coordinates", coordinates.q, coordinates.names);
  if (coordinates.v) put("velocities", coordinates.v, coordinates.velocities ?? coordinates.names);
  return { name: "coordinates", title: n > shown ? `Motion (${shown} of ${n} coordinates)` : "Motion", columns: 2, panels };
}
