// What both kinds of scene share: numbers of a frame, what may be switched on and off, sizes of arrows.
import type { Item, Num, Numbers, Point, Scene } from "../format";

export interface SceneOptions {
  grid: boolean;
  trails: boolean;
  contacts: boolean;
  impulses: boolean;
  names: boolean;
  outlines: boolean;
  speed: boolean; // bodies coloured by their speed
  exaggeration: number;
  arrows: number; // factor of the lengths of impulse arrows
}

/** What a page asks of an animation, in the plane or in space. */
export interface SceneView {
  element: HTMLElement;
  draw(frame: number): void;
  fit(): void;
  zoom(factor: number): void;
  restyle(): void;
  /** how many things of the present frame lie inside the view */
  visible(): number;
}

export type SceneMaker = (scene: Scene, times: ArrayLike<number>, options: SceneOptions) => SceneView;

export function numberAt(n: Num | undefined | null, frame: number, otherwise = 0): number {
  if (n === undefined) return otherwise;
  if (n === null) return NaN; // JSON has no other word for it
  if (typeof n === "number") return n;
  return n.length ? n[Math.min(frame, n.length - 1)] : otherwise;
}

export function pointAt(p: Point | undefined, frame: number): number[] {
  return p ? p.map((n) => numberAt(n, frame)) : [];
}

export const pointGiven = (p: number[]): boolean => p.length > 1 && p.every((v) => Number.isFinite(v));

export function listAt(list: ArrayLike<number> | undefined, i: number): number {
  return list && i < list.length ? list[i] : 0;
}

export const has = (scene: Scene, ...kinds: string[]): boolean => scene.items.some((item) => kinds.includes(item.kind));

/** Impulse of the item `contact` in the directions of the world. */
export function contactVector(item: Item, frame: number, dimension: number): number[] {
  const parts = (item.impulse as Num[] | undefined) ?? [];
  const normal = pointAt(item.normal, frame);
  const tangent = pointAt(item.tangent, frame);
  const pn = numberAt(parts[0], frame);
  const pt = numberAt(parts[1], frame);
  const v = [0, 0, 0].slice(0, dimension);
  for (let k = 0; k < dimension; k++) v[k] = pn * (normal[k] ?? 0) + pt * (tangent[k] ?? 0);
  if (dimension === 3 && parts.length > 2 && normal.length === 3 && tangent.length === 3) {
    const p2 = numberAt(parts[2], frame); // second tangent: normal x tangent
    for (let k = 0; k < 3; k++) {
      const a = (k + 1) % 3;
      const b = (k + 2) % 3;
      v[k] += p2 * (normal[a] * tangent[b] - normal[b] * tangent[a]);
    }
  }
  return v;
}

/** 98 of 100 impulses are below this: the arrow of such a one has the standard length. 0: there is none. */
export function impulseReference(scene: Scene, frames: number): number {
  const sizes: number[] = [];
  const keep = (v: number) => {
    if (v > 0 && Number.isFinite(v)) sizes.push(v);
  };
  const d = scene.dimension;
  for (const item of scene.items) {
    if (item.kind === "contact") {
      const every = Math.max(1, Math.floor(frames / 5000));
      for (let f = 0; f < frames; f += every) keep(Math.hypot(...contactVector(item, f, d)));
    } else if (item.kind === "stop") {
      for (let f = 0; f < frames; f++) keep(Math.abs(numberAt((item.impulse as Num[] | undefined)?.[0], f)));
    } else if (item.kind === "contacts" && item.impulse) {
      const p = item.impulse as Numbers;
      const total = Math.floor(p.length / d);
      const every = Math.max(1, Math.floor(total / 100000));
      for (let i = 0; i < total; i += every) keep(d === 2 ? Math.hypot(p[2 * i], p[2 * i + 1]) : Math.hypot(p[3 * i], p[3 * i + 1], p[3 * i + 2]));
    }
  }
  return percentile(sizes, 0.98);
}

/** Is there nothing but curves that may be exaggerated, and their stops? With a base of its own the curve's heights are places. */
export const isStructure = (scene: Scene): boolean => scene.items.length > 0 && scene.items.every((item) => item.kind === "stop" || (item.exaggerate && item.y && !item.base));

/** Where a scene is a structure alone: the round factor at which its largest displacement is an eighth of its length. */
export function suitedExaggeration(scene: Scene): number {
  if (!isStructure(scene)) return 1; // what is drawn to scale would no longer fit
  let most = 0;
  for (const item of scene.items) {
    if (!item.y) continue;
    for (let k = 0; k < item.y.length; k++) most = Math.max(most, Math.abs(item.y[k]) || 0);
  }
  const factor = (0.125 * (scene.high[0] - scene.low[0])) / most;
  if (!(factor > 1) || !Number.isFinite(factor)) return 1;
  const power = 10 ** Math.floor(Math.log10(factor));
  return Math.min(1000, [5, 2, 1].find((f) => f * power <= factor)! * power);
}

/** Length of the standard arrow as a part of the scene's size: shorter where many contacts carry at once. */
export function arrowPart(scene: Scene): number {
  let most = scene.items.filter((item) => item.kind === "contact").length;
  for (const { kind, start } of scene.items) if (kind === "contacts" && start) for (let f = 0; f + 1 < start.length; f++) most = Math.max(most, start[f + 1] - start[f]);
  return 0.14 / (1 + Math.log10(Math.max(10, most) / 10));
}

export function percentile(values: number[], part: number): number {
  if (!values.length) return 0;
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(part * values.length))];
}

/** Speeds of bodies from the places of neighbouring frames, and the speed that the colour scale ends with. */
export class Speeds {
  readonly reference: number;

  constructor(
    private pose: Numbers,
    private count: number,
    private size: number,
    private times: ArrayLike<number>,
  ) {
    const frames = times.length;
    const sample: number[] = [];
    const frameStep = Math.max(1, Math.floor(frames / 60));
    const bodyStep = Math.max(1, Math.floor(count / 500));
    for (let f = 0; f < frames; f += frameStep) for (let i = 0; i < count; i += bodyStep) sample.push(this.at(f, i));
    this.reference = percentile(sample.filter(Number.isFinite), 0.98) || 1;
  }

  at(frame: number, body: number): number {
    const t = this.times;
    let a = Math.max(0, frame - 1);
    let b = Math.min(t.length - 1, frame + 1);
    while (a > 0 && t[a] === t[b]) a--;
    while (b < t.length - 1 && t[a] === t[b]) b++;
    const dt = t[b] - t[a];
    if (!(dt > 0)) return 0;
    const row = this.count * this.size;
    const i = body * this.size;
    const { pose } = this;
    const dx = pose[b * row + i] - pose[a * row + i];
    const dy = pose[b * row + i + 1] - pose[a * row + i + 1];
    const dz = this.size === 7 ? pose[b * row + i + 2] - pose[a * row + i + 2] : 0;
    return Math.sqrt(dx * dx + dy * dy + dz * dz) / dt;
  }
}

/** Where things with a name are: the point `at`, or the middle of p and q; bodies by their poses. */
export function positions(scene: Scene, frame: number): { [name: string]: number[] } {
  const found: [string, number[]][] = [];
  const d = scene.dimension;
  for (const item of scene.items) {
    if (item.kind === "bodies" && item.pose && item.names) {
      const size = d === 2 ? 3 : 7;
      const count = item.count ?? item.names.length;
      item.names.forEach((name, i) => {
        const from = (frame * count + i) * size;
        found.push([name, Array.from(item.pose!.subarray(from, from + size))]);
      });
    } else if (item.name && item.at) found.push([item.name, pointAt(item.at, frame)]);
    else if (item.name && item.p) found.push([item.name, pointAt(item.p, frame)]);
  }
  return Object.fromEntries(found);
}
