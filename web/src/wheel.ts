// The wheel scrolls the page, also over a plot that fills the screen; it zooms where one has clicked before, or with Ctrl.
import { el } from "./dom";

let hint: HTMLElement | null = null;
let timer = 0;

export function mayWheel(target: HTMLElement, event: WheelEvent): boolean {
  if (event.ctrlKey || event.metaKey || target === document.activeElement || target.contains(document.activeElement)) return true;
  if (!hint) {
    hint = el("div", { class: "hint", "aria-hidden": "true" }, "Click first, or hold Ctrl, to zoom with the wheel");
    document.body.appendChild(hint);
  }
  const box = target.getBoundingClientRect();
  hint.style.left = `${box.left + box.width / 2}px`;
  hint.style.top = `${box.top + box.height / 2}px`;
  hint.classList.add("shown");
  clearTimeout(timer);
  timer = window.setTimeout(() => hint!.classList.remove("shown"), 700);
  return false;
}
