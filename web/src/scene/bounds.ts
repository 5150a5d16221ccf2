// What a view shows at first: of many bodies where they move and touch, not all of the ground that they never reach.
import type { Item, Numbers, PlanePart, Scene, Shape, SpaceShape } from "../format";
import { listAt } from "./values";

export interface Box {
  low: number[];
  high: number[];
}

const MOST = 2e6; // places that are looked at

/** Distance of a shape's farthest point from the body's origin. */
export function reach(shape: Shape | undefined): number {
  if (!shape) return 0;
  const farthest = (list: ArrayLike<number>, size: number) => {
    let most = 0;
    for (let i = 0; i + size <= list.length; i += size) most = Math.max(most, Math.hypot(list[i], list[i + 1], size > 2 ? list[i + 2] : 0));
    return most;
  };
  if (!Array.isArray(shape)) {
    const { sphere, points } = shape as SpaceShape;
    return sphere ?? (points ? farthest(points, 3) : 0);
  }
  return (shape as PlanePart[]).reduce((most, p) => {
    if (p.disc !== undefined) return Math.max(most, p.disc + farthest(p.at ?? [], 2));
    if (p.capsule !== undefined) return Math.max(most, p.capsule + Math.max(farthest(p.from ?? [], 2), farthest(p.to ?? [], 2)));
    return Math.max(most, farthest(p.polygon ?? p.line ?? [], 2));
  }, 0);
}

const empty = (d: number): Box => ({ low: Array(d).fill(Infinity), high: Array(d).fill(-Infinity) });

function take(box: Box, list: ArrayLike<number>, at: number, r: number): void {
  for (let k = 0; k < box.low.length; k++) {
    const v = list[at + k];
    if (v - r < box.low[k]) box.low[k] = v - r;
    if (v + r > box.high[k]) box.high[k] = v + r;
  }
}

function takeBodies(item: Item, d: number, all: Box, start: Box): void {
  const size = d === 2 ? 3 : 7;
  const count = item.count ?? 0;
  const pose = item.pose as Numbers;
  const radii = (item.shapes ?? []).map(reach);
  const frames = Math.floor(pose.length / (size * count || 1));
  const every = Math.max(1, Math.floor((frames * count) / MOST));
  for (let i = 0; i < count; i++) {
    if (listAt(item.fixed, i)) continue;
    const r = radii[listAt(item.shape, i)] ?? 0;
    take(start, pose, i * size, r);
    for (let f = 0; f < frames; f += every) take(all, pose, (f * count + i) * size, r);
    if (frames) take(all, pose, ((frames - 1) * count + i) * size, r);
  }
}

/**
 * The box of the moving bodies and of all contacts, inside the box of the scene. What has fallen below every contact of the run touches nothing any more: such a
 * depth is cut off. Scenes with other things than bodies keep their own box.
 */
export function firstView(scene: Scene): Box {
  const d = scene.dimension;
  const given = { low: scene.low.slice(0, d), high: scene.high.slice(0, d) };
  if (!scene.items.length || !scene.items.every((item) => item.kind === "bodies" || item.kind === "contacts")) return given;
  const all = empty(d);
  const near = empty(d); // where it begins and where anything touches
  for (const item of scene.items) {
    if (item.kind === "bodies" && item.pose) takeBodies(item, d, all, near);
    else if (item.kind === "contacts" && item.at) {
      const at = item.at as unknown as Numbers;
      for (let i = 0; i + d <= at.length; i += d) take(near, at, i, 0);
    }
  }
  const box = { low: all.low.map((v, k) => Math.min(v, near.low[k])), high: all.high.map((v, k) => Math.max(v, near.high[k])) };
  (scene.gravity ?? []).slice(0, d).forEach((g, k) => {
    const room = 0.3 * (near.high[k] - near.low[k]);
    if (g < 0) box.low[k] = Math.max(box.low[k], near.low[k] - room);
    if (g > 0) box.high[k] = Math.min(box.high[k], near.high[k] + room);
  });
  const low = box.low.map((v, k) => Math.max(v, given.low[k] ?? v));
  const high = box.high.map((v, k) => Math.min(v, given.high[k] ?? v));
  return low.every((v, k) => Number.isFinite(v) && v < high[k]) ? { low, high } : given;
}
