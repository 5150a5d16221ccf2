// Many bodies in space: one instanced mesh per shape, edges of all of them as one set of lines.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, EdgesGeometry, Group, IcosahedronGeometry, InstancedMesh, LineBasicMaterial, LineSegments, MeshLambertMaterial, type Object3D } from "three";
import type { Item, SpaceShape } from "../../format";
import { dataColour, SCALE } from "../../palette";
import type { Colours } from "../../theme";
import { colours } from "../../theme";
import { listAt, Speeds } from "../values";
import type { Part, Setting } from "./part";

const MOST_EDGE_ENDS = 400000; // more would take longer than a picture may

/** A ball in eight fields, light and dark in turn, so that its turning is seen. */
export function ballGeometry(radius: number, count: number): BufferGeometry {
  const geometry = new IcosahedronGeometry(radius, count > 3000 ? 2 : count > 300 ? 4 : 12); // three corners per triangle, none shared
  const position = geometry.getAttribute("position");
  const shades = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i += 3) {
    const middle = (get: (k: number) => number) => get(i) + get(i + 1) + get(i + 2);
    const sign = middle((k) => position.getX(k)) * middle((k) => position.getY(k)) * middle((k) => position.getZ(k));
    shades.fill(sign > 0 ? 1 : 0.72, 3 * i, 3 * i + 9);
  }
  geometry.setAttribute("color", new BufferAttribute(shades, 3));
  // smooth: the normal of a sphere is the direction of the point
  const normal = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) for (let k = 0; k < 3; k++) normal[3 * i + k] = position.array[3 * i + k] / radius;
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  return geometry;
}

function meshGeometry(shape: SpaceShape): BufferGeometry {
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new BufferAttribute(Float32Array.from(shape.points!), 3));
  indexed.setIndex(new BufferAttribute(Uint32Array.from(shape.triangles ?? []), 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** Matrix of a pose (x, y, z, w, i, j, k) into the columns of `m`. */
export function poseMatrix(pose: ArrayLike<number>, at: number, m: Float32Array, to: number): void {
  const [x, y, z, w, i, j, k] = [pose[at], pose[at + 1], pose[at + 2], pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]];
  m[to] = 1 - 2 * (j * j + k * k);
  m[to + 1] = 2 * (i * j + w * k);
  m[to + 2] = 2 * (i * k - w * j);
  m[to + 3] = 0;
  m[to + 4] = 2 * (i * j - w * k);
  m[to + 5] = 1 - 2 * (i * i + k * k);
  m[to + 6] = 2 * (j * k + w * i);
  m[to + 7] = 0;
  m[to + 8] = 2 * (i * k + w * j);
  m[to + 9] = 2 * (j * k - w * i);
  m[to + 10] = 1 - 2 * (i * i + j * j);
  m[to + 11] = 0;
  m[to + 12] = x;
  m[to + 13] = y;
  m[to + 14] = z;
  m[to + 15] = 1;
}

/** Ends of a shape's edges, three numbers each: those that it names, or where faces meet at an angle. */
function edgeEnds(shape: SpaceShape, geometry: BufferGeometry): ArrayLike<number> {
  if (!shape.points) return [];
  if (!shape.edges?.length) return new EdgesGeometry(geometry, 20).getAttribute("position").array;
  const ends = new Float32Array(3 * shape.edges.length);
  shape.edges.forEach((point: number, k: number) => ends.set(shape.points!.subarray(3 * point, 3 * point + 3), 3 * k));
  return ends;
}

interface Batch {
  mesh: InstancedMesh;
  bodies: number[];
  edges: ArrayLike<number>;
  ball: boolean;
}

export class Bodies implements Part {
  readonly object: Object3D = new Group();
  private batches: Batch[] = [];
  private count: number;
  private edges: LineSegments | null = null;
  private edgeInk = new LineBasicMaterial({ color: 0x333333, transparent: true, opacity: 0.75 });
  private speeds: Speeds | null = null;
  private coloured = false;

  constructor(
    private item: Item,
    private setting: Setting,
  ) {
    this.count = item.count ?? 0;
    const shapes = (item.shapes ?? []) as SpaceShape[];
    shapes.forEach((shape, s) => {
      if (shape.half) return; // the ground draws it
      const bodies: number[] = [];
      for (let i = 0; i < this.count; i++) if (listAt(item.shape, i) === s) bodies.push(i);
      if (!bodies.length) return;
      const ball = shape.sphere !== undefined;
      const geometry = ball ? ballGeometry(shape.sphere!, bodies.length) : meshGeometry(shape);
      const mesh = new InstancedMesh(geometry, new MeshLambertMaterial({ vertexColors: ball, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }), bodies.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      this.batches.push({ mesh, bodies, edges: ball ? [] : edgeEnds(shape, geometry), ball });
      this.object.add(mesh);
    });
    this.makeEdges();
  }

  private makeEdges(): void {
    const ends = this.batches.reduce((sum, b) => sum + (b.edges.length / 3) * b.bodies.length, 0);
    if (!ends || ends > MOST_EDGE_ENDS) return;
    const geometry = new BufferGeometry();
    const attribute = new BufferAttribute(new Float32Array(3 * ends), 3);
    attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute("position", attribute);
    this.edges = new LineSegments(geometry, this.edgeInk);
    this.edges.frustumCulled = false;
    this.object.add(this.edges);
  }

  speedReference(): number {
    this.speeds ??= new Speeds(this.item.pose!, this.count, 7, this.setting.times);
    return this.speeds.reference;
  }

  update(frame: number): void {
    const pose = this.item.pose;
    if (!pose) return;
    let end = 0;
    const lines = this.edges?.geometry.getAttribute("position") as BufferAttribute | undefined;
    for (const { mesh, bodies, edges } of this.batches) {
      const m = mesh.instanceMatrix.array as Float32Array;
      bodies.forEach((body, k) => poseMatrix(pose, 7 * (frame * this.count + body), m, 16 * k));
      mesh.instanceMatrix.needsUpdate = true;
      if (!lines) continue;
      const out = lines.array as Float32Array;
      for (let b = 0; b < bodies.length; b++) {
        const o = 16 * b;
        for (let q = 0; q < edges.length; q += 3) for (let k = 0; k < 3; k++) out[end++] = m[o + k] * edges[q] + m[o + 4 + k] * edges[q + 1] + m[o + 8 + k] * edges[q + 2] + m[o + 12 + k];
      }
    }
    if (lines) lines.needsUpdate = true;
    if (this.setting.options.speed || this.coloured) this.paint(frame);
  }

  restyle(c: Colours): void {
    this.edgeInk.color.set(c.dark ? "#0c0e10" : "#2a3138");
    this.paint(0, c);
  }

  private paint(frame: number, c: Colours = colours()): void {
    const bySpeed = this.setting.options.speed;
    this.coloured = bySpeed;
    const plain = new Color(dataColour(this.item.colour, c.dark, c.dark ? "#7fb2dc" : "#9fc0dd"));
    const ball = new Color(dataColour(this.item.colour, c.dark, c.dark ? "#e8a06a" : "#e79a5e"));
    const still = new Color(c.dark ? "#6a6e74" : "#cfccc4");
    const one = new Color();
    const reference = bySpeed ? this.speedReference() : 1;
    for (const batch of this.batches) {
      batch.bodies.forEach((body, k) => {
        if (listAt(this.item.fixed, body)) one.copy(still);
        else if (bySpeed) {
          const s = 3 * Math.round(255 * Math.min(1, this.speeds!.at(frame, body) / reference));
          one.setRGB(SCALE[s] / 255, SCALE[s + 1] / 255, SCALE[s + 2] / 255, "srgb");
        } else one.copy(batch.ball ? ball : plain);
        batch.mesh.setColorAt(k, one);
      });
      if (batch.mesh.instanceColor) batch.mesh.instanceColor.needsUpdate = true;
    }
  }
}
