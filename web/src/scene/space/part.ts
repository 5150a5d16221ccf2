// What a part of a drawing in space is made of, and small solids that several use.
import { Color, Matrix4, type Object3D, Quaternion, Vector3 } from "three";
import type { Colours } from "../../theme";
import type { SceneOptions } from "../values";

export interface Setting {
  options: SceneOptions;
  times: ArrayLike<number>;
  frames: number;
  /** length of the box around everything, corner to corner */
  size: number;
  /** length of the standard arrow, and the impulse that has it */
  unit: number;
  impulse: number;
  low: Vector3;
  high: Vector3;
}

export interface Part {
  object: Object3D;
  update(frame: number): void;
  restyle?(c: Colours): void;
  /** how high the picture is now, in pixels, and the angle that it spans */
  resize?(pixels: number, angle: number): void;
}

/** CSS colour for three.js, which does not know color-mix and the like. */
export const threeColour = (css: string): Color => new Color(css);

const UP = new Vector3(0, 1, 0);
const direction = new Vector3();
const middle = new Vector3();
const turn = new Quaternion();
const scale = new Vector3();

/** Matrix that lays a solid along y, of length 1 and radius 1 about the origin, from p to q with radius r. */
export function along(into: Matrix4, p: Vector3, q: Vector3, r: number): Matrix4 {
  direction.subVectors(q, p);
  const length = direction.length();
  if (!(length > 0) || !Number.isFinite(length)) return into.makeScale(0, 0, 0);
  turn.setFromUnitVectors(UP, direction.divideScalar(length));
  middle.addVectors(p, q).multiplyScalar(0.5);
  return into.compose(middle, turn, scale.set(r, length, r));
}
