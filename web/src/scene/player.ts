// Controls of the clock: play, step, scrub, speed, loop; and the strip with the events above the slider.
import { Clock, SPEEDS } from "../clock";
import { el, icon, ICONS, onSize } from "../dom";
import type { Events } from "../format";
import { short, timeText } from "../numbers";
import { paletteColour, regimeColour } from "../palette";
import { colours, onTheme } from "../theme";

function button(name: string, label: string, action: () => void, filled = true): HTMLButtonElement {
  return el("button", { type: "button", class: "round", title: label, "aria-label": label, onclick: action }, icon(name, filled));
}

/** Events over time, one short line each. */
function eventStrip(clock: Clock, events: Events): HTMLElement {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const strip = el("div", { class: "events" }, canvas);
  let size = [0, 0];
  const draw = () => {
    const [width, height] = size;
    if (!width) return;
    const density = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    const ctx = canvas.getContext("2d")!;
    ctx.scale(density, density);
    const { dark } = colours();
    ctx.globalAlpha = events.t.length > 400 ? 0.4 : 0.85;
    for (let i = 0; i < events.t.length; i++) {
      ctx.fillStyle = eventColour(events.kinds[events.kind[i]] ?? "", dark);
      ctx.fillRect(((events.t[i] - clock.start) / (clock.span || 1)) * width - 0.5, 0, 1.2, height);
    }
  };
  onSize(strip, (width, height) => {
    size = [width, height];
    draw();
  });
  onTheme(draw);
  return strip;
}

export function eventColour(kind: string, dark: boolean): string {
  if (/impact/.test(kind)) return regimeColour(3, dark);
  if (/stick/.test(kind)) return regimeColour(1, dark);
  if (/slip/.test(kind)) return regimeColour(2, dark);
  if (/release|open/.test(kind)) return paletteColour(2, dark);
  return paletteColour(3, dark);
}

export function makePlayer(clock: Clock, events: Events | undefined, fit: (() => void) | null): HTMLElement {
  const play = button(ICONS.play, "Play (space)", () => clock.toggle());
  play.classList.add("main");
  const scrub = el("input", { type: "range", class: "scrub", min: 0, max: 1000, step: "any", value: 0, "aria-label": "Time" });
  const time = el("output", { class: "time", "aria-label": "Time of the picture" });
  const frame = el("span", { class: "frame" });
  const speed = el("select", { class: "speed", "aria-label": "Speed", title: "Speed (+ and \u2212)" }, el("option", { value: "0" }, "fit 10 s"));
  for (const s of SPEEDS) speed.appendChild(el("option", { value: s }, `${s}\u00d7`));
  const loop = button(ICONS.loop, "Loop (l)", () => clock.setLoop(!clock.loop), false);
  scrub.addEventListener("input", () => {
    clock.pause();
    clock.set(clock.start + (Number(scrub.value) / 1000) * clock.span);
  });
  speed.addEventListener("change", () => {
    clock.setSpeed(Number(speed.value));
    speed.blur(); // so that keys steer the clock again
  });

  let shown: boolean | null = null;
  clock.listen(() => {
    if (shown !== clock.playing) {
      shown = clock.playing;
      play.replaceChildren(icon(clock.playing ? ICONS.pause : ICONS.play, true));
      play.setAttribute("aria-label", clock.playing ? "Pause (space)" : "Play (space)");
      play.title = clock.playing ? "Pause (space)" : "Play (space)";
    }
    const part = clock.span > 0 ? ((clock.t - clock.start) / clock.span) * 1000 : 0;
    scrub.value = String(part);
    scrub.style.setProperty("--part", `${part / 10}%`);
    const at = clock.times[clock.frame()] ?? 0;
    time.textContent = `t = ${timeText(at, clock.span)}`;
    frame.textContent = `frame ${clock.frame() + 1} of ${clock.frames}`;
    scrub.setAttribute("aria-valuetext", time.textContent);
    speed.value = String(clock.speed);
    loop.setAttribute("aria-pressed", String(clock.loop));
  });
  speed.title = `Speed (+ and \u2212); "fit 10 s" is ${short(clock.span / 10, 2)}\u00d7`;

  return el(
    "div",
    { class: "player", role: "group", "aria-label": "Time of the animation" },
    el("div", { class: "track" }, events && events.t.length ? eventStrip(clock, events) : null, scrub),
    el(
      "div",
      { class: "controls" },
      button(ICONS.back, "One frame back (left arrow)", () => clock.step(-1)),
      play,
      button(ICONS.forward, "One frame on (right arrow)", () => clock.step(1)),
      time,
      frame,
      el("span", { class: "spring" }),
      speed,
      loop,
      fit && button(ICONS.fit, "Fit the view (f)", fit, false),
    ),
  );
}
