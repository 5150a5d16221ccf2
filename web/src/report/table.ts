// Tables that sort by a click on a column; of long ones a part at a time.
import { copyButton, el } from "../dom";
import type { Value } from "../format";
import { exact, show } from "../numbers";

const PAGE = 100; // rows that are made at once

/** Numbers before texts, nothing last. */
export function compareValues(a: Value, b: Value): number {
  const rank = (v: Value) => (v === null || v === undefined || (typeof v === "number" && Number.isNaN(v)) ? 2 : typeof v === "string" ? 1 : 0);
  const [ra, rb] = [rank(a), rank(b)];
  if (ra !== rb) return ra - rb;
  if (ra === 2) return 0;
  if (ra === 1) return (a as string).localeCompare(b as string, "en", { numeric: true });
  return Number(a) - Number(b);
}

export interface TableSource {
  title: string;
  columns: string[];
  count: number;
  row(i: number): Value[];
  choose?(i: number): void;
  chooseHint?: string;
}

export function makeTable(source: TableSource): HTMLElement {
  let order = Array.from({ length: source.count }, (_, i) => i);
  let shown = PAGE;
  let sorted = { column: -1, up: true };
  const body = el("tbody");
  const more = el("button", { type: "button", class: "quiet more" });
  const fill = () => {
    const fragment = document.createDocumentFragment();
    for (const i of order.slice(0, shown)) {
      const row = el("tr", { class: source.choose ? "choice" : "" });
      for (const v of source.row(i)) row.appendChild(el("td", { class: typeof v === "number" ? "number" : "text", title: typeof v === "number" ? exact(v) : null }, show(v, 6)));
      if (source.choose) {
        row.tabIndex = 0;
        row.title = source.chooseHint ?? "";
        row.addEventListener("click", () => source.choose!(i));
        row.addEventListener("keydown", (e) => {
          if (e.key !== "Enter") return;
          e.preventDefault();
          source.choose!(i);
        });
      }
      fragment.appendChild(row);
    }
    body.replaceChildren(fragment);
    more.hidden = shown >= source.count;
    more.textContent = `${Math.min(shown, source.count)} of ${source.count} rows: show more`;
  };
  const heads = source.columns.map((name, k) => {
    const button = el("button", { type: "button", class: "sort", title: "Sort by this column" }, name);
    const head = el("th", { scope: "col", "aria-sort": "none" }, button);
    button.addEventListener("click", () => {
      sorted = { column: k, up: sorted.column === k ? !sorted.up : true };
      const sign = sorted.up ? 1 : -1;
      const keys = order.map((_, i) => source.row(i)[k]);
      order = Array.from({ length: source.count }, (_, i) => i).sort((a, b) => sign * compareValues(keys[a], keys[b]) || a - b);
      heads.forEach((h, j) => h.setAttribute("aria-sort", j === k ? (sorted.up ? "ascending" : "descending") : "none"));
      fill();
    });
    return head;
  });
  more.addEventListener("click", () => {
    shown += 10 * PAGE;
    fill();
  });
  fill();
  const csv = () => {
    const cell = (v: Value) => (typeof v === "string" && /[",\n]/.test(v) ? `"${v.replace(/"/g, '""')}"` : exact(v));
    return [source.columns, ...order.map((i) => source.row(i))].map((r) => (r as Value[]).map(cell).join(",")).join("\n");
  };
  return el(
    "section",
    { class: "card table" },
    el("h3", null, source.title, copyButton(csv, "Copy the table as CSV")),
    el("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": source.title }, el("table", { class: "data" }, el("thead", null, el("tr", null, ...heads)), body)),
    more,
  );
}
