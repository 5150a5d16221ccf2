// Keys, and the overlay that lists them.
import type { Clock } from "./clock";
import { el, icon, ICONS } from "./dom";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["\u2190 \u2192", "one frame back, on"],
  ["shift \u2190 \u2192", "a twentieth of the motion back, on"],
  ["n, p", "next, previous event"],
  ["home, end", "beginning, end"],
  ["+ \u2212", "faster, slower"],
  ["l", "loop"],
  ["f", "fit the view"],
  ["z, x", "zoom in, out"],
  ["d", "light, dark"],
  ["?", "this help; Esc closes it"],
];

const HINTS = [
  "Animation: drag to move (in space: to turn; right button moves), wheel to zoom, double click to fit.",
  "Plots: drag a frame to zoom, shift-drag to move, wheel to zoom, double click for the whole; click a curve to go to its time; click an entry of the legend to hide it.",
  "The wheel zooms after a click on the picture, or with Ctrl; else it scrolls the page.",
  "Heat maps and tables of a sweep: click for the run's parameters and command.",
];

export function makeHelp(): HTMLDialogElement {
  const close = el("button", { type: "button", class: "round", "aria-label": "Close", title: "Close (Esc)" }, icon(ICONS.cross));
  const dialog = el(
    "dialog",
    { class: "help", "aria-label": "Keys and help" },
    el("header", null, el("h3", null, "Keys"), el("span", { class: "spring" }), close),
    el("dl", null, ...KEYS.flatMap(([key, what]) => [el("dt", null, el("kbd", null, key)), el("dd", null, what)])),
    el("h3", null, "Pointer"),
    el("ul", null, ...HINTS.map((h) => el("li", null, h))),
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  return dialog;
}

export interface KeyTargets {
  clock: Clock | null;
  eventTimes: ArrayLike<number> | null;
  fit(): void;
  zoom(factor: number): void;
  theme(): void;
  help: HTMLDialogElement;
}

/** Time of the next (or previous) event, or NaN. */
export function eventBeside(times: ArrayLike<number>, now: number, by: 1 | -1, slack: number): number {
  if (by > 0) {
    for (let i = 0; i < times.length; i++) if (times[i] > now + slack) return times[i];
  } else for (let i = times.length - 1; i >= 0; i--) if (times[i] < now - slack) return times[i];
  return NaN;
}

export function attachKeys(k: KeyTargets): void {
  const jump = (by: 1 | -1) => {
    const { clock, eventTimes } = k;
    if (!clock || !eventTimes) return;
    clock.pause();
    clock.set(eventBeside(eventTimes, clock.t, by, 1e-9 * clock.span));
  };
  const shift = (by: number) => k.clock?.step(by * Math.max(1, Math.round(k.clock.frames / 20)));
  const actions: { [key: string]: (e: KeyboardEvent) => void } = {
    " ": () => k.clock?.toggle(),
    ArrowLeft: (e) => (e.shiftKey ? shift(-1) : k.clock?.step(-1)),
    ArrowRight: (e) => (e.shiftKey ? shift(1) : k.clock?.step(1)),
    Home: () => k.clock?.step(-k.clock.frames),
    End: () => k.clock?.step(k.clock.frames),
    "+": () => k.clock?.faster(1),
    "=": () => k.clock?.faster(1),
    "-": () => k.clock?.faster(-1),
    l: () => k.clock?.setLoop(!k.clock.loop),
    n: () => jump(1),
    p: () => jump(-1),
    f: () => k.fit(),
    z: () => k.zoom(1.25),
    x: () => k.zoom(0.8),
    d: () => k.theme(),
    "?": () => (k.help.open ? k.help.close() : k.help.showModal()),
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const tag = target.tagName;
    const slider = tag === "INPUT" && (target as HTMLInputElement).type === "range" && !target.classList.contains("scrub");
    if (tag === "SELECT" || tag === "TEXTAREA") return;
    if (slider && /^(Arrow|Home|End|Page)/.test(event.key)) return;
    if (tag === "INPUT" && (target as HTMLInputElement).type === "checkbox" && event.key === " ") return;
    if ((tag === "BUTTON" || tag === "SUMMARY") && (event.key === " " || event.key === "Enter")) return; // they act by themselves
    const clocked = [" ", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key);
    if (clocked && !k.clock) return; // the page scrolls, as everywhere
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
