// Which point of the curves lies nearest to the pointer.
import type { Curve } from "../format";

export interface Picked {
  curve: number;
  index: number;
  distance: number;
}

/** First entry that is not below v, in a list that never goes back. */
export function lowerBound(list: ArrayLike<number>, v: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < v) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function nearestPoint(
  curves: { curve: Curve; monotone: boolean; hidden: boolean }[],
  px: (v: number) => number,
  py: (v: number) => number,
  worldX: (p: number) => number,
  x: number,
  y: number,
  reach: number,
): Picked | null {
  let best: Picked | null = null;
  let most = reach * reach;
  curves.forEach(({ curve, monotone, hidden }, k) => {
    if (hidden) return;
    const cx = curve.x;
    const cy = curve.y;
    let [from, to] = [0, Math.min(cx.length, cy.length)];
    if (monotone && !hasNaN(cx)) {
      from = Math.max(0, lowerBound(cx, worldX(x - reach)) - 1);
      to = Math.min(to, lowerBound(cx, worldX(x + reach)) + 1);
    }
    for (let i = from; i < to; i++) {
      const dx = px(cx[i]) - x;
      const dy = py(cy[i]) - y;
      const square = dx * dx + dy * dy;
      if (square < most) {
        most = square;
        best = { curve: k, index: i, distance: Math.sqrt(square) };
      }
    }
  });
  return best;
}

const checked = new WeakMap<object, boolean>();
function hasNaN(list: ArrayLike<number> & object): boolean {
  let found = checked.get(list);
  if (found === undefined) {
    found = false;
    for (let i = 0; i < list.length && !found; i++) found = Number.isNaN(list[i]);
    checked.set(list, found);
  }
  return found;
}
