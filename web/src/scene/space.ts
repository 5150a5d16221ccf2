import type { Scene } from "../format";
import type { SceneOptions, SceneView } from "./values";
export class Space implements SceneView {
  element = document.createElement("div");
  constructor(_s: Scene, _t: ArrayLike<number>, _o: SceneOptions) { throw new Error("not yet"); }
  draw(): void {} fit(): void {} zoom(): void {} restyle(): void {} visible(): number { return 0; }
}
