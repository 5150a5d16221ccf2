// Ground and grid with its scale; half spaces of bodies as planes.
import { BufferAttribute, BufferGeometry, CanvasTexture, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, type Object3D, PlaneGeometry, Quaternion, Vector3 } from "three";
import type { Item, Scene, SpaceShape } from "../../format";
import type { Colours } from "../../theme";
import { linearTicks, tickTexts } from "../../ticks";
import { listAt } from "../values";
import { poseMatrix } from "./bodies";
import type { Part, Setting } from "./part";
import { type SpaceText, textSprite } from "./text";

interface HalfSpace {
  mesh: Mesh;
  item: Item;
  body: number;
  normal: Vector3;
  at: Vector3;
}

/** White in the middle, black at the rim: the ground fades out instead of ending. */
function fading(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext("2d")!;
  const shade = pen.createRadialGradient(64, 64, 0, 64, 64, 64);
  shade.addColorStop(0, "#fff");
  shade.addColorStop(0.35, "#ddd");
  shade.addColorStop(1, "#000");
  pen.fillStyle = shade;
  pen.fillRect(0, 0, 128, 128);
  return new CanvasTexture(canvas);
}

export class Ground implements Part {
  readonly object: Object3D = new Group();
  private grid = new Group();
  private ink = new LineBasicMaterial({ transparent: true });
  private floor = new MeshBasicMaterial({ transparent: true, opacity: 0.9, alphaMap: fading(), side: DoubleSide, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  private side = new MeshBasicMaterial({ transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false });
  private halves: HalfSpace[] = [];
  private texts: SpaceText[] = [];

  constructor(
    scene: Scene,
    private setting: Setting,
  ) {
    this.object.add(this.grid);
    let level = setting.low.z;
    for (const item of scene.items) {
      if (item.kind !== "bodies") continue;
      const shapes = (item.shapes ?? []) as SpaceShape[];
      for (let i = 0; i < (item.count ?? 0); i++) {
        const shape = shapes[listAt(item.shape, i)];
        if (!shape?.half) continue;
        const normal = new Vector3(...(shape.half as [number, number, number])).normalize();
        const at = new Vector3(...((shape.at ?? [0, 0, 0]) as [number, number, number]));
        const flat = normal.z > 0.999;
        const mesh = new Mesh(new PlaneGeometry(3 * setting.size, 3 * setting.size), flat ? this.floor : this.side);
        mesh.renderOrder = -1;
        this.halves.push({ mesh, item, body: i, normal, at });
        this.object.add(mesh);
        if (flat && item.pose) level = item.pose[7 * i + 2] + at.z; // the grid lies on it
      }
    }
    this.makeGrid(level);
  }

  /** Lines at round numbers over the box of the motion, and somewhat beyond it. */
  private makeGrid(level: number): void {
    const { low, high, size } = this.setting;
    const room = 0.12 * size;
    const span = Math.max(high.x - low.x, high.y - low.y) + 2 * room;
    const xs = linearTicks(low.x - room, high.x + room, Math.max(3, (14 * (high.x - low.x + 2 * room)) / span));
    const ys = linearTicks(low.y - room, high.y + room, Math.max(3, (14 * (high.y - low.y + 2 * room)) / span));

    const [x0, x1, y0, y1] = [xs[0], xs[xs.length - 1], ys[0], ys[ys.length - 1]];
    const ends: number[] = [];
    for (const x of xs) ends.push(x, y0, level, x, y1, level);
    for (const y of ys) ends.push(x0, y, level, x1, y, level);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(ends), 3));
    this.grid.add(new LineSegments(geometry, this.ink));
    const put = (text: string, x: number, y: number) => {
      const made = textSprite(text, 15, "soft");
      made.sprite.position.set(x, y, level);
      this.texts.push(made);
      this.grid.add(made.sprite);
    };
    const offset = 0.025 * size;
    tickTexts(xs).texts.forEach((text, k) => put(text, xs[k], y0 - offset));
    tickTexts(ys).texts.forEach((text, k) => put(text, x1 + offset, ys[k]));
  }

  update(frame: number): void {
    this.grid.visible = this.setting.options.grid;
    const m = new Float32Array(16);
    for (const { mesh, item, body, normal, at } of this.halves) {
      if (!item.pose) continue;
      poseMatrix(item.pose, 7 * (frame * (item.count ?? 0) + body), m, 0);
      mesh.matrix.fromArray(m);
      mesh.matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
      mesh.position.copy(at).applyQuaternion(mesh.quaternion).add(new Vector3(m[12], m[13], m[14]));
      mesh.quaternion.multiply(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal));
    }
  }

  resize(pixels: number, angle: number): void {
    for (const t of this.texts) t.resize(pixels, angle);
  }

  restyle(c: Colours): void {
    this.ink.color.set(c.dark ? "#41474e" : "#cfcabf");
    this.floor.color.set(c.dark ? "#2a2f35" : "#e9e5dc");
    this.side.color.set(c.dark ? "#9aa0a8" : "#8f8a80");
    for (const t of this.texts) t.restyle(c);
  }
}
