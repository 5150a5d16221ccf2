// The page: reads its data, puts the parts together, says when all is drawn.
import { Clock } from "./clock";
import { add, clear, el } from "./dom";
import type { Page } from "./format";
import { makeExplorer } from "./figure/explore";
import { coordinateFigure, type FigureHandle, makeFigure } from "./figure/figures";
import { attachKeys, makeHelp } from "./keys";
import { decode, PayloadError } from "./payload";
import { makeCertificate } from "./report/certificate";
import { makeCommand } from "./report/command";
import { makeEvents } from "./report/events";
import { makeHeader } from "./report/header";
import { makeModel } from "./report/model";
import { factTable, measureTable, quantityTable } from "./report/quantities";
import { RunCard } from "./report/run";
import { makeTable } from "./report/table";
import { makePlayer } from "./scene/player";
import { makeStage, type Stage } from "./scene/stage";
import { positions } from "./scene/values";
import { toggleTheme, watchTheme } from "./theme";

function stateAt(page: Page, clock: Clock | null): { t: number; q: { [name: string]: number }; v: { [name: string]: number } } {
  const frame = clock ? clock.frame() : 0;
  const places = page.coordinates?.names ?? [];
  const column = (from: ArrayLike<number> | undefined, names: string[]) => Object.fromEntries(from ? names.map((name, k) => [name, from[frame * names.length + k]]) : []);
  return { t: clock ? clock.times[frame] : 0, q: column(page.coordinates?.q, places), v: column(page.coordinates?.v, page.coordinates?.velocities ?? places) };
}

function notice(text: string): HTMLElement {
  return el("p", { class: "notice", role: "alert" }, text);
}

/** Builds the page; returns what could not be shown, in words. */
function build(page: Page, root: HTMLElement): string[] {
  const faults: string[] = [];
  const attempt = <T>(what: string, make: () => T): T | null => {
    try {
      return make();
    } catch (error) {
      faults.push(`${what} cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  const clock = page.clock && page.clock.t.length ? new Clock(page.clock.t) : null;
  const help = makeHelp();
  const runCard = page.runs ? new RunCard(page.runs) : null;
  const pickRun = runCard ? (run: number) => runCard.show(run) : null;

  let stage: Stage | null = null;
  if (page.scene && clock) {
    stage = attempt("The animation", () => {
      const made = makeStage(page, clock);
      if (!made) throw new Error("this page was made without drawings in space.");
      return made;
    });
  }
  let list = page.figures ?? [];
  if (!list.length) {
    const own = attempt("The plot of the coordinates", () => coordinateFigure(page));
    if (own) list = [own];
  }
  const figures: FigureHandle[] = [];
  for (const figure of list) {
    const made = attempt(`The figure '${figure.title ?? figure.name ?? ""}'`, () => makeFigure(figure, clock, pickRun, page.runs));
    if (made) figures.push(made);
  }

  clear(root);
  add(root, attempt("The title", () => makeHeader(page, () => help.showModal())));
  const left = el("div", { class: "left" });
  const right = el("div", { class: "right" });
  add(left, stage?.element, !stage && clock && clock.frames > 1 ? el("section", { class: "card clock" }, makePlayer(clock, page.events, null), page.clock?.rule ? el("p", { class: "rule" }, page.clock.rule) : null) : null);
  add(right, ...figures.map((f) => f.element), clock && attempt("The choice of coordinates", () => makeExplorer(page, clock)));
  const both = left.firstChild && right.firstChild && stage;
  add(root, el("main", { class: both ? "split" : "" }, left.firstChild && left, right.firstChild && right));

  const rest = el("div", { class: "rest" });
  const put = (what: string, make: () => HTMLElement | null) => add(rest, attempt(what, make));
  put("The measures", () => measureTable(page.measures ?? []));
  put("The certificate", () => makeCertificate(page));
  put("The parameters", () => quantityTable("Parameters", page.parameters ?? []));
  put("The settings", () => quantityTable("Settings", page.settings ?? []));
  put("The options", () => quantityTable("Method", page.options ?? []));
  for (const facts of page.facts ?? []) put(`The section '${facts.title}'`, () => factTable(facts));
  const wide = el("div", { class: "wide" });
  for (const table of page.tables ?? [])
    add(
      wide,
      attempt(`The table '${table.title}'`, () =>
        makeTable({ title: table.title, columns: table.columns, count: table.rows.length, row: (i) => table.rows[i], choose: table.runs && runCard ? (i) => runCard.show(i) : undefined, chooseHint: "Show the command of this run" }),
      ),
    );
  if (page.events) add(wide, attempt("The events", () => makeEvents(page.events!, clock)));
  if (page.command) add(wide, attempt("The command", () => makeCommand(page.command!, page.version)));
  if (page.model) add(wide, attempt("The model", () => makeModel(page.model!)));
  add(root, rest.firstChild && rest, wide.firstChild && wide, runCard?.element, help);
  for (const fault of faults) root.prepend(notice(fault));

  attachKeys({ clock, eventTimes: page.events?.t ?? null, fit: () => stage?.view.fit(), zoom: (f) => stage?.view.zoom(f), theme: toggleTheme, help });
  clock?.set(clock.start);
  const api = {
    data: page,
    clock: clock ? { get t() { return clock.t; }, set: (t: number) => clock.set(t), frame: () => clock.frame(), play: () => clock.play(), pause: () => clock.pause() } : null,
    state: () => stateAt(page, clock),
    scene: stage ? { visible: () => stage!.view.visible(), positions: () => positions(page.scene!, clock!.frame()) } : null,
    figures: figures.map(({ name, hide, show, hidden }) => ({ name, hide, show, hidden })),
    runs: runCard ? { show: (run: number) => runCard.show(run) } : null,
  };
  (window as unknown as { carom: typeof api }).carom = api;
  return faults;
}

/** All plots are laid out and painted after the sizes have been told and three pictures have passed; a page that is not in front paints none. */
function painted(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, document.hidden ? 300 : 10000);
    let pictures = 3;
    const next = () => void (pictures-- ? requestAnimationFrame(next) : setTimeout(done, 0));
    next();
  });
}

export async function start(): Promise<void> {
  const html = document.documentElement;
  const root = document.getElementById("carom-page") ?? document.body.appendChild(el("div", { id: "carom-page" }));
  watchTheme();
  try {
    const head = JSON.parse(document.getElementById("carom-head")?.textContent || "{}") as { title?: string; format?: number };
    if (head.title) document.title = head.title;
    if (head.format !== undefined && head.format !== 1) throw new PayloadError(`The data of this page have format ${String(head.format)}; this page knows format 1.`);
    const data = document.getElementById("carom-data");
    if (!data?.textContent?.trim()) throw new PayloadError("This page has no data.");
    const page = await decode(data.textContent);
    data.textContent = ""; // the text is not needed any more, and is long
    if (page.title) document.title = page.title;
    const faults = build(page, root);
    await painted();
    html.dataset.ready = faults.length ? "no" : "yes";
  } catch (error) {
    clear(root);
    const text = error instanceof PayloadError ? error.message : `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
    root.append(el("h1", null, document.title || "Report"), notice(text));
    html.dataset.ready = "no";
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void start());
else void start();
