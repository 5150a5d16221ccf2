// A command that can be copied.
import { copyButton, el } from "../dom";
import { shellWords } from "../numbers";

export function commandLine(words: string[] | string, label = "Copy the command"): HTMLElement {
  const text = shellWords(words);
  return el("div", { class: "command" }, el("code", { tabindex: "0" }, text), copyButton(() => text, label));
}

export function makeCommand(words: string[] | string, version: string | undefined): HTMLElement {
  return el("section", { class: "card" }, el("h3", null, "Repeat it"), commandLine(words), version ? el("p", { class: "note" }, `Made by carom ${version}.`) : null);
}
