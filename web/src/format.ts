// The data of a page, as docs/rooms/web.md describes them.

export type Floats = Float64Array | Float32Array;
export type Ints = Uint32Array | Uint16Array | Uint8Array;
export type Numbers = Floats | Ints;

/** An array of the JSON, `{"a": k}`, before it is replaced by the numbers themselves. */
export interface ArrayEntry {
  type: "f8" | "f4" | "u4" | "u2" | "u1";
  count: number;
  offset: number;
  coding?: "" | "delta";
  stride?: number;
}

/** A number of the scene: the same in all frames, or one per frame. */
export type Num = number | Numbers;
export type Point = Num[];
export type Value = number | string | boolean | null | undefined;

export interface Quantity {
  name: string;
  value: Value;
  default?: Value;
  unit?: string;
  doc?: string;
  low?: number | null;
  high?: number | null;
}

export interface Certificate {
  trusted?: boolean;
  doubts?: string[];
  energy?: { [key: string]: number | null };
  [key: string]: unknown;
}

export interface Measure {
  name: string;
  value: Value | Numbers | Value[];
  [key: string]: unknown;
}

export interface FactSection {
  title: string;
  rows: { name: string; value?: Value; note?: string }[];
}

export interface Table {
  title: string;
  columns: string[];
  rows: Value[][];
  runs?: boolean;
}

export interface Clock {
  t: Numbers;
  rows?: number;
  rule?: string;
}

export interface Coordinates {
  names: string[];
  /** names of the velocities, where they are others */
  velocities?: string[];
  q?: Numbers;
  v?: Numbers;
}

export interface Events {
  /** how many there were, where not all are here */
  of?: number;
  t: Numbers;
  kind: Numbers;
  contact?: Numbers;
  kinds: string[];
  contacts?: string[];
  impulse?: Numbers;
}

export interface Runs {
  names: string[];
  /** of an axis of words: its words, which the values number */
  words?: string[][];
  values: Numbers | Value[];
  status?: Numbers;
  statuses?: string[];
  command?: string[] | string;
  trusted?: Numbers;
}

export interface PlanePart {
  disc?: number;
  polygon?: number[];
  /** edges that are only cuts through the shape */
  seams?: number[];
  line?: number[];
  capsule?: number;
  from?: number[];
  to?: number[];
  half?: number[];
  at?: number[];
}

export interface SpaceShape {
  points?: Numbers;
  triangles?: Numbers;
  edges?: Numbers;
  sphere?: number;
  half?: number[];
  at?: number[];
}

export type Shape = PlanePart[] | SpaceShape;

export interface Item {
  kind: string;
  name?: string;
  colour?: number | string;
  fill?: boolean;
  width?: number;
  dash?: "solid" | "dashed" | "dotted";
  still?: boolean;
  at?: Point;
  p?: Point;
  q?: Point;
  r?: Num;
  angle?: Num;
  turn?: Num[];
  coils?: number;
  points?: Point[];
  vector?: Point;
  scale?: number;
  of?: string;
  text?: string;
  normal?: Point;
  tangent?: Point;
  impulse?: Num[] | Numbers;
  regime?: Num | Numbers;
  x?: Numbers;
  y?: Numbers;
  z?: Numbers;
  n?: number;
  exaggerate?: boolean;
  base?: Numbers;
  closed?: boolean;
  upper?: boolean;
  count?: number;
  pose?: Numbers;
  shape?: number[] | Numbers;
  shapes?: Shape[];
  names?: string[];
  fixed?: number[] | Numbers;
  start?: Numbers;
}

export interface Scene {
  dimension: 2 | 3;
  low: number[];
  high: number[];
  gravity?: number[];
  items: Item[];
}

export interface Axis {
  label?: string;
  log?: boolean;
  low?: number | null;
  high?: number | null;
  values?: Numbers | number[];
  names?: string[];
}

export type CurveStyle = "line" | "linepoints" | "dashed" | "dotted" | "points" | "cross" | "plus" | "circle" | "segments" | "outline";

export interface Curve {
  label?: string;
  style?: CurveStyle | string;
  colour?: number | string;
  member?: number;
  x: Numbers;
  y: Numbers;
  t?: Numbers;
  x2?: Numbers;
  y2?: Numbers;
  run?: Numbers;
  rule?: string;
}

export interface Mark {
  kind: string;
  label?: string;
  x: Numbers;
  y: Numbers;
  t?: Numbers;
  names?: string[];
}

export interface Panel {
  title?: string;
  kind?: "curves" | "heat";
  x?: Axis;
  y?: Axis;
  equal?: boolean;
  curves?: Curve[];
  marks?: Mark[];
  z?: Numbers;
  label?: string;
  zlog?: boolean;
  run?: Numbers;
}

export interface Figure {
  name?: string;
  title?: string;
  columns?: number;
  panels: Panel[];
}

export interface Page {
  format: number;
  kind: string;
  title?: string;
  source?: string;
  doc?: string;
  version?: string;
  command?: string[] | string;
  status?: string;
  message?: string;
  warnings?: string[];
  parameters?: Quantity[];
  settings?: Quantity[];
  options?: Quantity[];
  certificate?: Certificate;
  measures?: Measure[];
  facts?: FactSection[];
  tables?: Table[];
  model?: { file?: string; text: string };
  clock?: Clock;
  coordinates?: Coordinates;
  scene?: Scene;
  figures?: Figure[];
  events?: Events;
  runs?: Runs;
}
