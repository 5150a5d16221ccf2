// What a panel draws, with all that is known of it before the first stroke.
import { nearest } from "../clock";
import type { Curve, Mark, Panel } from "../format";
import { eventColour } from "../scene/player";
import { dataColour, paletteColour } from "../palette";
import { colours } from "../theme";
import { isMonotone, sameNumbers } from "./extent";
import { isPoints } from "./strokes";

export interface Entry {
  curve: Curve;
  label: string;
  monotone: boolean;
  /** x is the time of the clock */
  overTime: boolean;
  hidden: boolean;
  colour(): string;
  points: boolean;
}

export interface MarkEntry {
  mark: Mark;
  label: string;
  hidden: boolean;
  colour(): string;
}

export function curveEntries(panel: Panel): Entry[] {
  let next = 0;
  const byLabel = new Map<string, number>(); // pieces of one curve share its colour
  return (panel.curves ?? []).map((curve) => {
    const outline = curve.style === "outline";
    let number = curve.member;
    if (number === undefined && !outline && curve.colour === undefined) {
      number = curve.label !== undefined ? byLabel.get(curve.label) : undefined;
      if (number === undefined) {
        number = next++;
        if (curve.label !== undefined) byLabel.set(curve.label, number);
      }
    }
    const own = number ?? 0;
    return {
      curve,
      label: curve.label ?? "",
      monotone: isMonotone(curve.x),
      overTime: !!curve.t && sameNumbers(curve.x, curve.t),
      hidden: false,
      points: isPoints(curve.style),
      colour: () => {
        const c = colours();
        return outline ? dataColour(curve.colour, c.dark, c.soft) : dataColour(curve.colour ?? own, c.dark, paletteColour(own, c.dark));
      },
    };
  });
}

export function markEntries(panel: Panel): MarkEntry[] {
  return (panel.marks ?? []).map((mark) => ({ mark, label: mark.label ?? mark.kind, hidden: false, colour: () => eventColour(mark.kind, colours().dark) }));
}

/** Number of the point of a curve at the clock's time; -1: it has none, or the time is outside. */
export function indexAtTime(curve: Curve, t: number): number {
  const times = curve.t;
  if (!times || !times.length) return -1;
  const slack = 1e-9 * Math.abs(times[times.length - 1] - times[0]);
  if (t < times[0] - slack || t > times[times.length - 1] + slack) return -1;
  return nearest(times, t);
}
