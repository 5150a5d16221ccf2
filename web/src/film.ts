// The animation alone, as large as the window: for films, which a program takes picture by picture.
import type { Clock } from "./clock";
import { el } from "./dom";
import { timeText } from "./numbers";
import type { Stage } from "./scene/stage";

const STYLE = `
html.film, html.film body { overflow: hidden; background: var(--card); }
html.film body { visibility: hidden; }
html.film .stage { position: fixed; inset: 0; width: 100vw; height: 100vh; min-height: 0; max-height: none; border: 0; background: var(--card); visibility: visible; }
html.film .stage * { visibility: visible; }
.film-time { display: none; }
html.film .film-time { display: block; position: absolute; left: 11%; top: 2.5%; padding: 0.1em 0.4em; border-radius: 4px; background: color-mix(in srgb, var(--card) 85%, transparent); color: var(--ink); font-size: max(10px, 2.6vh); font-variant-numeric: tabular-nums; white-space: pre; }
`;

function pictures(count: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, 1000); // a page that is not in front paints none
    const next = (left: number) => (left > 0 ? requestAnimationFrame(() => next(left - 1)) : done());
    next(count);
  });
}

/** A film says by how much displacements are drawn larger than they are. */
function enlarged(stage: Stage): string {
  const label = [...stage.element.querySelectorAll("label.factor")].find((l) => l.textContent!.startsWith("exaggeration"));
  const factor = label?.querySelector("output")?.textContent ?? "1\u00d7";
  return factor === "1\u00d7" ? "" : `\ndisplacements ${factor}`;
}

/** film(true) shows the animation alone, film(false) the page again; false: there is no animation. The promise is kept when it is drawn. */
export function makeFilm(stage: Stage | null, clock: Clock | null): (on: boolean) => Promise<boolean> {
  let time: HTMLElement | null = null;
  return async (on) => {
    if (!stage || !clock) return false;
    if (!time) {
      document.head.appendChild(el("style", null, STYLE));
      time = stage.view.element.appendChild(el("div", { class: "film-time" }));
      const tell = () => (time!.textContent = `t = ${timeText(clock.t, clock.span)}${enlarged(stage)}`);
      clock.listen(tell);
      tell();
    }
    clock.pause();
    document.documentElement.classList.toggle("film", on);
    await pictures(3);
    stage.view.fit();
    await pictures(2);
    return true;
  };
}
