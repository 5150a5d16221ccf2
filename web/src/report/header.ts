// What one sees first: title, whether it went well, whether the result can be trusted.
import { el, icon, ICONS } from "../dom";
import type { Page } from "../format";
import { toggleTheme } from "../theme";

const KINDS: { [kind: string]: string } = {
  run: "run",
  sweep: "sweep of parameters",
  converge: "convergence study",
  fit: "fit to data",
  orbit: "periodic orbit",
  continue: "branch of periodic orbits",
  modes: "modes",
  solve: "contact problem",
  bench: "benchmark of solvers",
  impact: "impact",
};

const GOOD = ["ok", "done", "solved", "converged", "found"];
const MILD = ["stopped", "interrupted", "unfinished"];
const mood = (status: string): string => (GOOD.includes(status) ? "good" : MILD.includes(status) ? "mild" : "bad");

function statusChip(status: string, message: string | undefined): HTMLElement {
  return el("span", { class: `chip-status ${mood(status)}`, title: message }, status === "ok" ? "completed" : status);
}

function count(n: number, one: string, many: string): string {
  return n === 1 ? `one ${one}` : `${n} ${many}`;
}

function verdict(page: Page): HTMLElement | null {
  const certificate = page.certificate;
  if (!certificate || certificate.trusted === undefined) return null;
  const doubts = certificate.doubts ?? [];
  if (certificate.trusted)
    return el("div", { class: "verdict good", role: "status" }, icon(ICONS.check), el("div", null, el("strong", null, "Trusted."), " The run checked energy, penetration, joints and contact problems by itself and has no doubt."));
  return el(
    "div",
    { class: "verdict doubt", role: "status" },
    icon(ICONS.alert),
    el("div", null, el("strong", null, doubts.length ? `Doubtful: ${count(doubts.length, "doubt", "doubts")}.` : "Doubtful."), el("ul", null, ...doubts.map((d) => el("li", null, d)))),
  );
}

/** What the model says of itself; of a long text two lines at first, so that the motion stays in sight. */
function description(doc: string): HTMLElement {
  const paragraphs = doc.trim().split(/\n\s*\n/).map((p) => el("p", null, ...p.replace(/\s*\n\s*/g, " ").split("`").map((part, k) => (k % 2 ? el("code", null, part) : part))));
  const box = el("div", { class: "doc" }, ...paragraphs);
  if (doc.length < 240) return box;
  const clip = el("div", { class: "clip" }, box);
  const more = el("button", { type: "button", class: "quiet", "aria-expanded": "false" }, "more");
  more.addEventListener("click", () => {
    const open = clip.classList.toggle("open");
    more.textContent = open ? "less" : "more";
    more.setAttribute("aria-expanded", String(open));
  });
  return el("div", null, clip, more);
}

export function makeHeader(page: Page, help: () => void): HTMLElement {
  const head = el(
    "header",
    { class: "top" },
    el(
      "div",
      { class: "kicker" },
      el("span", { class: "brand" }, "carom"),
      el("span", null, KINDS[page.kind] ?? page.kind),
      page.status ? statusChip(page.status, page.message) : null,
      el("span", { class: "spring" }),
      el("button", { type: "button", class: "round", title: "Keys and help (?)", "aria-label": "Keys and help", onclick: help }, icon(ICONS.help)),
      el("button", { type: "button", class: "round", title: "Light or dark", "aria-label": "Light or dark", onclick: toggleTheme }, icon(ICONS.sun)),
    ),
    el("h1", null, page.title || "Report"),
    page.source ? el("p", { class: "source" }, page.source) : null,
    page.message && page.status !== "ok" ? el("p", { class: `message ${mood(page.status ?? "")}` }, page.message) : null,
    verdict(page),
  );
  const warnings = page.warnings ?? [];
  if (warnings.length)
    head.appendChild(
      el("details", { class: "warnings", open: warnings.length <= 3 }, el("summary", null, count(warnings.length, "warning", "warnings")), el("ul", null, ...warnings.map((w) => el("li", null, w)))),
    );
  if (page.doc) {
    head.appendChild(description(page.doc));
  }
  return head;
}
