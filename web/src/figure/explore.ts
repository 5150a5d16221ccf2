// Any coordinate or velocity against any other, or against time: chosen by the reader.
import type { Clock } from "../clock";
import { el } from "../dom";
import type { Page } from "../format";
import { CurvePanel } from "./curves";

export function makeExplorer(page: Page, clock: Clock): HTMLElement | null {
  const { coordinates } = page;
  if (!coordinates?.q || !coordinates.names.length) return null;
  const names = coordinates.names;
  const columns: { label: string; get: () => Float64Array }[] = [];
  const add = (from: ArrayLike<number> | undefined, list: string[], form: (name: string) => string) => {
    if (from) list.forEach((name, k) => columns.push({ label: form(name), get: () => Float64Array.from({ length: clock.frames }, (_, f) => from[f * list.length + k]) }));
  };
  add(coordinates.q, names, (name) => name);
  const own = coordinates.velocities;
  add(coordinates.v, own ?? names, (name) => (names.includes(name) ? `velocity of ${name}` : name));
  const time = { label: "t", get: () => Float64Array.from(clock.times) };
  const choices = [time, ...columns];
  const select = (label: string, chosen: number) => {
    const node = el("select", { "aria-label": label }, ...choices.map((c, k) => el("option", { value: k }, c.label)));
    node.value = String(chosen);
    return node;
  };
  const x = select("Horizontal axis", 0);
  const y = select("Vertical axis", 1);
  const place = el("div", { class: "panels" });
  place.style.setProperty("--columns", "1");
  const draw = () => {
    const [cx, cy] = [choices[Number(x.value)], choices[Number(y.value)]];
    const panel = new CurvePanel({ title: "", x: { label: cx.label }, y: { label: cy.label }, curves: [{ x: cx.get(), y: cy.get(), t: time.get() }] }, clock, null);
    place.replaceChildren(panel.element);
  };
  x.addEventListener("change", draw);
  y.addEventListener("change", draw);
  const box = el("details", { class: "card explore" }, el("summary", null, "Plot any coordinate"), el("p", { class: "pick" }, el("label", null, "x ", x), el("label", null, "y ", y)), place);
  box.addEventListener("toggle", () => box.open && !place.firstChild && draw());
  return box;
}
