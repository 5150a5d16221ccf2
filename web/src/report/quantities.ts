// Parameters, settings, options, measures, and facts by section.
import { copyButton, el } from "../dom";
import type { FactSection, Measure, Quantity, Value } from "../format";
import { exact, short, show } from "../numbers";

const FEW = 6; // values of a list that are shown at once

function range(q: Quantity): string {
  const low = typeof q.low === "number" ? short(q.low, 4) : "";
  const high = typeof q.high === "number" ? short(q.high, 4) : "";
  if (low && high) return `${low} \u2026 ${high}`;
  return low ? `\u2265 ${low}` : high ? `\u2264 ${high}` : "";
}

const differs = (q: Quantity): boolean => q.default !== undefined && q.default !== null && q.default !== q.value;

export function quantityTable(title: string, list: Quantity[]): HTMLElement | null {
  if (!list.length) return null;
  const ranged = list.some((q) => range(q));
  const docs = list.some((q) => q.doc);
  const rows = list.map((q) =>
    el(
      "tr",
      { class: differs(q) ? "changed" : "" },
      el("th", { scope: "row" }, q.name),
      el("td", { class: "number", title: exact(q.value) }, show(q.value, 8), q.unit ? el("span", { class: "unit" }, ` ${q.unit}`) : null, differs(q) ? el("span", { class: "note" }, ` (default ${show(q.default, 8)})`) : null),
      ranged && el("td", { class: "note" }, range(q)),
      docs && el("td", { class: "text" }, q.doc ?? ""),
    ),
  );
  return el("section", { class: "card" }, el("h3", null, title), el("div", { class: "scroll" }, el("table", { class: "plain" }, el("tbody", null, ...rows))));
}

function listCell(values: ArrayLike<Value>): HTMLElement {
  const texts = Array.from({ length: Math.min(values.length, FEW) }, (_, k) => show(values[k], 6));
  if (values.length <= FEW) return el("td", { class: "list" }, texts.join(", "));
  const all = () => Array.from(values, (v) => exact(v)).join(" ");
  const rest = el("span", { class: "rest" });
  const more = el("button", { type: "button", class: "quiet more" }, `\u2026 all ${values.length}`);
  more.addEventListener("click", () => {
    rest.textContent = `, ${Array.from({ length: values.length - FEW }, (_, k) => show(values[k + FEW], 6)).join(", ")}`;
    more.remove();
  });
  return el("td", { class: "list" }, texts.join(", "), rest, " ", more, copyButton(all, "Copy all values"));
}

/** Beside a value: what --certify found, where it was asked for. */
function certified(m: Measure): string {
  const error = m.error;
  return typeof error === "number" ? `\u00b1 ${short(error, 2)}` : "";
}

export function measureTable(list: Measure[]): HTMLElement | null {
  if (!list.length) return null;
  const rows = list.map((m) => {
    const v = m.value;
    const cell = v !== null && typeof v === "object" ? listCell(v as ArrayLike<Value>) : el("td", { class: "number", title: exact(v as Value) }, show(v as Value, 8), certified(m) ? el("span", { class: "note" }, ` ${certified(m)}`) : null);
    return el("tr", null, el("th", { scope: "row" }, m.name), cell);
  });
  return el("section", { class: "card" }, el("h3", null, "Measures"), el("div", { class: "scroll" }, el("table", { class: "plain measures" }, el("tbody", null, ...rows))));
}

export function factTable(section: FactSection): HTMLElement {
  const noted = section.rows.some((r) => r.note);
  const rows = section.rows.map((r) => el("tr", null, el("th", { scope: "row" }, r.name), el("td", { class: typeof r.value === "number" ? "number" : "text", title: exact(r.value) }, show(r.value, 8)), noted && el("td", { class: "note" }, r.note ?? "")));
  return el("section", { class: "card" }, el("h3", null, section.title), el("div", { class: "scroll" }, el("table", { class: "plain" }, el("tbody", null, ...rows))));
}
