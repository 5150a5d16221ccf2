// Elements of the page. Texts of the data come in as text nodes only, never as markup: model files are foreign.

export type Child = Node | string | number | null | undefined | false;
type Attributes = { [name: string]: string | number | boolean | null | undefined | ((event: never) => void) };

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes?: Attributes | null, ...children: Child[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2).toLowerCase(), value as (event: Event) => void);
    else if (name === "class") node.className = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  add(node, ...children);
  return node;
}

export function add(node: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    node.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function clear(node: Node): void {
  while (node.firstChild) node.removeChild(node.firstChild);
}

let serial = 0;
export const uniqueId = (stem: string): string => `${stem}-${++serial}`;

/** A drawing from lines on a 24 x 24 field, for buttons. */
export function icon(path: string, filled = false): SVGSVGElement {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", filled ? "icon filled" : "icon");
  const line = document.createElementNS(ns, "path");
  line.setAttribute("d", path);
  svg.appendChild(line);
  return svg;
}

export const ICONS = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  back: "M18 5.5v13L8.5 12zM5.5 5.5h2v13h-2z",
  forward: "M6 5.5v13l9.5-6.5zM16.5 5.5h2v13h-2z",
  loop: "M4 12a7 7 0 0 1 12-5l3 3M20 5v5h-5M20 12a7 7 0 0 1-12 5l-3-3M4 19v-5h5",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
  check: "M4.5 12.5l5 5 10-11",
  alert: "M12 4 2.5 20h19zM12 10v5M12 17v.6",
  cross: "M6 6l12 12M18 6 6 18",
  log: "M4 4v16h16M7 17c1-8 5-11 12-12",
};

/** Copies a text; where the browser forbids it (file: addresses of some), by a selection. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = el("textarea", { class: "offscreen" });
    field.value = text;
    document.body.appendChild(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

export function copyButton(text: () => string, label: string): HTMLButtonElement {
  const note = el("span", { class: "copied", role: "status" });
  const button = el("button", { type: "button", class: "quiet copy", title: label, "aria-label": label }, icon(ICONS.copy), note);
  button.addEventListener("click", async () => {
    note.textContent = (await copyText(text())) ? "copied" : "select it and copy by hand";
    setTimeout(() => (note.textContent = ""), 1500);
  });
  return button;
}

/** Calls back with the width and height of an element, now and whenever they change. */
export function onSize(node: Element, then: (width: number, height: number) => void): void {
  let width = -1;
  let height = -1;
  new ResizeObserver(() => {
    const box = node.getBoundingClientRect();
    if (Math.abs(box.width - width) < 0.5 && Math.abs(box.height - height) < 0.5) return;
    width = box.width;
    height = box.height;
    if (width > 0 && height > 0) then(Math.floor(width), Math.floor(height)); // whole pixels: pictures are not stretched
  }).observe(node);
}
