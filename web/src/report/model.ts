// The model's text with its colours and line numbers; folded when it is long.
import { copyButton, el } from "../dom";
import { tokenLines } from "./lua";

const LONG = 40; // lines

export function makeModel(model: { file?: string; text: string }): HTMLElement {
  const lines = tokenLines(model.text);
  const code = el("ol", { class: "code", "aria-label": "Text of the model" });
  const fragment = document.createDocumentFragment();
  for (const tokens of lines) {
    const line = el("li");
    for (const { kind, text } of tokens) {
      if (kind === "space" || kind === "name" || kind === "symbol") line.appendChild(document.createTextNode(text));
      else line.appendChild(el("span", { class: `lua-${kind}` }, text));
    }
    fragment.appendChild(line);
  }
  code.appendChild(fragment);
  const fold = el("details", { open: lines.length <= LONG }, el("summary", null, model.file ?? "text of the model", el("span", { class: "note" }, ` ${lines.length} lines`)), el("div", { class: "scroll" }, code));
  return el("section", { class: "card model" }, el("h3", null, "Model", copyButton(() => model.text, "Copy the model's text")), fold);
}
