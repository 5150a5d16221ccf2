// One run of a sweep: its parameters and the command for it, in a card that stays in sight.
import { clear, el, icon, ICONS } from "../dom";
import type { Runs, Value } from "../format";
import { exact, show } from "../numbers";
import { commandLine } from "./command";

export function runValue(runs: Runs, run: number, k: number): Value {
  const value = runs.values[run * runs.names.length + k] as Value;
  return runs.words?.[k]?.length ? (runs.words[k][value as number] ?? value) : value;
}

/** The words that repeat run i. */
export function runCommand(runs: Runs, run: number): string[] {
  const base = runs.command ?? ["carom", "run"];
  const words = typeof base === "string" ? base.split(" ") : [...base];
  runs.names.forEach((name, k) => {
    const value = exact(runValue(runs, run, k));
    if (name === "scheme") words.push("--scheme", value);
    else words.push("--set", `${name}=${value}`);
  });
  return words;
}

export class RunCard {
  readonly element = el("aside", { class: "runcard", hidden: true, "aria-label": "Chosen run", role: "status" });

  constructor(private runs: Runs) {}

  get count(): number {
    return this.runs.names.length ? Math.floor(this.runs.values.length / this.runs.names.length) : 0;
  }

  show(run: number): void {
    const { runs, element } = this;
    if (!(run >= 0 && run < this.count)) return;
    clear(element);
    const status = runs.status && runs.statuses ? runs.statuses[runs.status[run]] : undefined;
    const trusted = runs.trusted ? (runs.trusted[run] ? "trusted" : "doubtful") : undefined;
    const words = runCommand(runs, run);
    const close = el("button", { type: "button", class: "round", "aria-label": "Close", title: "Close" }, icon(ICONS.cross));
    close.addEventListener("click", () => (element.hidden = true));
    element.append(
      el("header", null, el("strong", null, `Run ${run + 1} of ${this.count}`), el("span", { class: "note" }, [status, trusted].filter(Boolean).join(", ")), el("span", { class: "spring" }), close),
      el("dl", null, ...runs.names.flatMap((name, k) => [el("dt", null, name), el("dd", { title: exact(runValue(runs, run, k)) }, show(runValue(runs, run, k), 8))])),
      commandLine(words, "Copy the command of this run"),
    );
    element.dataset.run = String(run);
    element.hidden = false;
  }
}
