// The card of the animation: the picture, the player, what may be switched, the legend.
import { Clock } from "../clock";
import { el, uniqueId } from "../dom";
import type { Page, Scene } from "../format";
import { short } from "../numbers";
import { regimeColour, REGIMES, scaleColour } from "../palette";
import { isDark, onTheme } from "../theme";
import { MOST_TRAILS } from "./crowd";
import { Plane } from "./plane";
import { makePlayer } from "./player";
import { contactSign } from "./strokes";
import { has, suitedExaggeration, type SceneMaker, type SceneOptions, type SceneView } from "./values";

/** Drawings in space are in page3d.js only; it puts its maker here. */
export const space: { make: SceneMaker | null } = { make: null };

export interface Stage {
  element: HTMLElement;
  view: SceneView;
}

function sign(regime: number): HTMLCanvasElement {
  const canvas = el("canvas", { "aria-hidden": "true", class: "sign" });
  const density = 2;
  canvas.width = canvas.height = 16 * density;
  const draw = () => {
    const ctx = canvas.getContext("2d")!;
    ctx.setTransform(density, 0, 0, density, 0, 0);
    ctx.clearRect(0, 0, 16, 16);
    ctx.beginPath();
    contactSign(ctx, regime, 8, 8, 4.2);
    ctx.fillStyle = ctx.strokeStyle = regimeColour(regime, isDark());
    if (regime > 0) ctx.fill();
    else ctx.stroke();
  };
  draw();
  onTheme(draw);
  return canvas;
}

function regimesUsed(scene: Scene): number[] {
  const used = new Set<number>();
  for (const item of scene.items) {
    if (!["contact", "contacts", "stop"].includes(item.kind)) continue;
    const r = item.regime;
    if (typeof r === "number") used.add(r);
    else if (r) for (let i = 0; i < r.length; i++) if (r[i] >= 0) used.add(Math.round(r[i]));
  }
  return [...used].filter((k) => k >= 0 && k < 4).sort();
}

function toggle(label: string, options: SceneOptions, key: keyof SceneOptions, redraw: () => void): HTMLElement {
  const box = el("input", { type: "checkbox" });
  box.checked = options[key] as boolean;
  box.addEventListener("change", () => {
    (options[key] as boolean) = box.checked;
    redraw();
  });
  return el("label", { class: "chip" }, box, label);
}

/** A slider whose middle is 1 and whose ends are 1/`most` and `most` (or 1 at the left end). */
function factorSlider(label: string, start: number, low: number, high: number, change: (v: number) => void): HTMLElement {
  const id = uniqueId("factor");
  const slider = el("input", { type: "range", id, min: Math.log10(low), max: Math.log10(high), step: 0.02, value: Math.log10(start) });
  const value = el("output", { for: id }, `${short(start, 2)}\u00d7`);
  slider.addEventListener("input", () => {
    const v = Number((10 ** Number(slider.value)).toPrecision(2));
    value.textContent = `${short(v, 2)}\u00d7`;
    change(v);
  });
  return el("label", { class: "factor", for: id }, label, slider, value);
}

export function makeStage(page: Page, clock: Clock): Stage | null {
  const scene = page.scene!;
  const options: SceneOptions = { grid: true, trails: true, contacts: true, impulses: true, names: false, outlines: true, speed: false, exaggeration: suitedExaggeration(scene), arrows: 1 };
  // trails of points are what the model asks for; those of bodies are for who wants them
  const bodyTrails = scene.dimension === 2 && scene.items.some((item) => item.kind === "bodies" && (item.count ?? 0) <= MOST_TRAILS);
  options.trails = has(scene, "path");
  const make: SceneMaker | null = scene.dimension === 3 ? space.make : (...args) => new Plane(...args);
  if (!make) return null;
  const view = make(scene, clock.times, options);
  const redraw = () => view.draw(clock.frame());
  clock.listen(redraw);
  onTheme(() => view.restyle());

  const touching = has(scene, "contact", "contacts", "stop");
  const named = scene.items.some((item) => item.name || item.names?.length);
  const row = el("div", { class: "chips" });
  row.appendChild(toggle("grid", options, "grid", redraw));
  if (has(scene, "path") || bodyTrails) row.appendChild(toggle("trails", options, "trails", redraw));
  if (touching) row.append(toggle("contacts", options, "contacts", redraw), toggle("impulses", options, "impulses", redraw));
  if (named) row.appendChild(toggle("names", options, "names", redraw));
  const references = (view as { references?: { impulse: number; speed: number } }).references;
  const scale = el("span", { class: "speeds", hidden: true }, "0", el("span", { class: "bar" }), references ? short(references.speed, 2) : "");
  scale.querySelector<HTMLElement>(".bar")!.style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(scaleColour).join(", ")})`;
  if (has(scene, "bodies") && clock.frames > 1) {
    const box = toggle("speed", options, "speed", () => {
      scale.hidden = !options.speed;
      redraw();
    });
    box.title = "Colours by speed, from the places of neighbouring frames";
    row.append(box, scale);
  }
  if (scene.items.some((item) => item.exaggerate))
    row.appendChild(
      factorSlider("exaggeration", options.exaggeration, 1, 1000, (v) => {
        options.exaggeration = v;
        redraw();
      }),
    );
  if (touching && references && references.impulse > 0)
    row.appendChild(
      factorSlider("arrows", 1, 0.1, 10, (v) => {
        options.arrows = v;
        redraw();
      }),
    );

  const legend = el("div", { class: "legend", "aria-label": "Signs of contacts" });
  if (touching) for (const k of regimesUsed(scene)) legend.appendChild(el("span", { class: "entry" }, sign(k), REGIMES[k]));
  const card = el("section", { class: "card scene", "aria-label": "Animation" }, view.element, makePlayer(clock, page.events, () => view.fit()), el("div", { class: "switches" }, row, legend.childElementCount ? legend : null));
  if (page.clock?.rule) card.appendChild(el("p", { class: "rule" }, page.clock.rule));
  return { element: card, view };
}
