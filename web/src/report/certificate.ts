// The certificate in full: where the energy went, how deep bodies went into each other, how well contact problems were solved.
import { el } from "../dom";
import type { Certificate, Page, Value } from "../format";
import { exact, short, show } from "../numbers";

const WORKS: [string, string][] = [
  ["forces", "work of applied forces"],
  ["contacts", "work of contacts"],
  ["joints", "work of joints"],
  ["scheme", "the scheme itself"],
];

function energyTable(energy: { [key: string]: number | null }): HTMLElement {
  const rows: [string, number | null, boolean][] = [["at the start", energy.initial ?? null, false]];
  for (const [key, name] of WORKS) if (energy[key] !== undefined) rows.push([name, energy[key], true]);
  rows.push(["at the end", energy.final ?? null, false]);
  const most = Math.max(...rows.map(([, v]) => Math.abs(v ?? 0)), 1e-300);
  const body = el("tbody");
  for (const [name, value, change] of rows) {
    const bar = el("span", { class: `amount ${change ? "change" : ""} ${(value ?? 0) < 0 ? "minus" : ""}` });
    bar.style.width = `${(50 * Math.abs(value ?? 0)) / most}%`;
    body.appendChild(
      el("tr", { class: change ? "change" : "" }, el("th", { scope: "row" }, name), el("td", { class: "number", title: exact(value) }, change && (value ?? 0) > 0 ? `+${show(value, 5)}` : show(value, 5)), el("td", { class: "amounts", "aria-hidden": "true" }, bar)),
    );
  }
  return el("div", { class: "scroll" }, el("table", { class: "plain energy" }, el("caption", null, "Energy"), body));
}

const isObject = (v: unknown): v is { [key: string]: unknown } => typeof v === "object" && v !== null && !Array.isArray(v) && !ArrayBuffer.isView(v);

/** Words for the entries that every certificate has; what else there is comes under its own name. */
function otherRows(c: Certificate): [string, string][] {
  const rows: [string, string][] = [];
  const when = (o: { [key: string]: unknown }) => (typeof o.t === "number" ? ` at t = ${short(o.t, 5)}` : "") + (typeof o.contact === "string" && o.contact ? ` (${o.contact})` : "");
  const number = (v: unknown) => show(v as Value, 4);
  if (isObject(c.penetration)) rows.push(["deepest penetration", number(c.penetration.max) + when(c.penetration)]);
  if (isObject(c.joints)) rows.push(["largest drift of joints", number(c.joints.drift) + when(c.joints)]);
  if (isObject(c.contact_error)) {
    const asked = typeof c.contact_error.tolerance === "number" ? `; asked for ${number(c.contact_error.tolerance)}` : "";
    rows.push(["largest error of a contact problem", number(c.contact_error.max) + when(c.contact_error) + asked]);
  }
  const names: { [key: string]: string } = { unsolved_steps: "steps not solved to the tolerance", fixed_rows_steps: "steps with rows held fixed", crossings: "walls crossed within a step" };
  const known = ["trusted", "doubts", "energy", "penetration", "joints", "contact_error"];
  for (const [key, value] of Object.entries(c)) {
    if (known.includes(key)) continue;
    const name = names[key] ?? key.replace(/_/g, " ");
    if (isObject(value)) rows.push([name, Object.entries(value).map(([k, v]) => `${k} ${number(v)}`).join(", ")]);
    else if (typeof value !== "object") rows.push([name, number(value)]);
  }
  return rows;
}

export function makeCertificate(page: Page): HTMLElement | null {
  const c = page.certificate;
  if (!c) return null;
  const rows = otherRows(c).map(([name, value]) => el("tr", null, el("th", { scope: "row" }, name), el("td", null, value)));
  return el("section", { class: "card certificate" }, el("h3", null, "Certificate"), c.energy ? energyTable(c.energy) : null, rows.length ? el("div", { class: "scroll" }, el("table", { class: "plain" }, el("tbody", null, ...rows))) : null);
}
