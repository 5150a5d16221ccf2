// Single items in space, one function per kind.
import { BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, Group, Matrix4, Mesh, MeshLambertMaterial, type Object3D, Quaternion, SphereGeometry, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Item, Point } from "../../format";
import { dataColour, regimeColour } from "../../palette";
import type { Colours } from "../../theme";
import { numberAt, pointAt } from "../values";
import { ballGeometry } from "./bodies";
import { along, type Part, type Setting } from "./part";
import { textSprite } from "./text";

type Make = (item: Item, setting: Setting) => Part;

const vector = (p: Point | undefined, frame: number): Vector3 => new Vector3(...(pointAt(p, frame) as [number, number, number]));
const given = (v: Vector3): boolean => Number.isFinite(v.x + v.y + v.z);

function bodyColour(item: Item, c: Colours, otherwise?: string): Color {
  return new Color(dataColour(item.colour, c.dark, otherwise ?? (item.still ? (c.dark ? "#6a6e74" : "#bdb9b0") : c.dark ? "#7fb2dc" : "#5d93be")));
}

/** A solid that is set by its matrix. */
function solid(geometry: BufferGeometry): Mesh<BufferGeometry, MeshLambertMaterial> {
  const mesh = new Mesh(geometry, new MeshLambertMaterial());
  mesh.matrixAutoUpdate = false;
  mesh.frustumCulled = false;
  return mesh;
}

const cylinder = () => new CylinderGeometry(1, 1, 1, 20);

class FatLine {
  readonly line: Line2;
  readonly material: LineMaterial;
  constructor(item: Item, width: number) {
    this.material = new LineMaterial({ linewidth: item.width ?? width, transparent: true, dashed: item.dash === "dashed" || item.dash === "dotted" });
    this.line = new Line2(new LineGeometry(), this.material);
    this.line.frustumCulled = false;
  }
  set(xyz: number[] | Float32Array): void {
    if (xyz.length < 6) {
      this.line.visible = false;
      return;
    }
    this.line.visible = true;
    this.line.geometry.dispose();
    this.line.geometry = new LineGeometry();
    this.line.geometry.setPositions(xyz);
  }
}

const ball: Make = (item, setting) => {
  const mesh = solid(ballGeometry(1, 1));
  mesh.material.vertexColors = true;
  const turn = new Quaternion();
  return {
    object: mesh,
    update: (f) => {
      const at = vector(item.at, f);
      const r = Math.max(numberAt(item.r, f), 0.002 * setting.size);
      const [w, x, y, z] = item.turn ? item.turn.map((n) => numberAt(n, f)) : [1, 0, 0, 0];
      mesh.visible = given(at);
      mesh.matrix.compose(at, turn.set(x, y, z, w), new Vector3(r, r, r));
    },
    restyle: (c) => mesh.material.color.copy(bodyColour(item, c)),
  };
};

/** A bar with round ends; a segment is a thin one. */
const rod: Make = (item, setting) => {
  const [bar, a, b] = [solid(cylinder()), solid(new SphereGeometry(1, 16, 12)), solid(new SphereGeometry(1, 16, 12))];
  const group = new Group();
  group.add(bar, a, b);
  return {
    object: group,
    update: (f) => {
      const [p, q] = [vector(item.p, f), vector(item.q, f)];
      const r = item.kind === "rod" ? Math.max(numberAt(item.r, f), 0.001 * setting.size) : 0.0022 * setting.size;
      group.visible = given(p) && given(q);
      along(bar.matrix, p, q, r);
      a.matrix.makeScale(r, r, r).setPosition(p);
      b.matrix.makeScale(r, r, r).setPosition(q);
    },
    restyle: (c) => {
      for (const mesh of [bar, a, b]) mesh.material.color.copy(bodyColour(item, c, item.kind === "segment" ? c.ink : undefined));
    },
  };
};

const spring: Make = (item, setting) => {
  const fat = new FatLine(item, 2);
  const coils = Math.max(1, Math.round(item.coils ?? 8));
  return {
    object: fat.line,
    update: (f) => {
      const [p, q] = [vector(item.p, f), vector(item.q, f)];
      if (!given(p) || !given(q)) return fat.set([]);
      const axis = q.clone().sub(p);
      const length = axis.length();
      axis.normalize();
      const side = new Vector3(0, 0, 1).cross(axis);
      if (side.lengthSq() < 1e-6) side.set(1, 0, 0).cross(axis);
      side.normalize();
      const other = axis.clone().cross(side);
      const r = 0.014 * setting.size;
      const n = 14 * coils;
      const xyz = [p.x, p.y, p.z];
      for (let k = 0; k <= n; k++) {
        const a = (2 * Math.PI * coils * k) / n;
        const point = p.clone().addScaledVector(axis, length * (0.1 + (0.8 * k) / n)).addScaledVector(side, r * Math.cos(a)).addScaledVector(other, r * Math.sin(a));
        xyz.push(point.x, point.y, point.z);
      }
      xyz.push(q.x, q.y, q.z);
      fat.set(xyz);
    },
    restyle: (c) => fat.material.color.copy(bodyColour(item, c, c.soft)),
  };
};

const damper: Make = (item, setting) => {
  const [pot, bar] = [solid(cylinder()), solid(cylinder())];
  const group = new Group();
  group.add(pot, bar);
  return {
    object: group,
    update: (f) => {
      const [p, q] = [vector(item.p, f), vector(item.q, f)];
      group.visible = given(p) && given(q);
      const end = p.clone().lerp(q, 0.45);
      along(pot.matrix, p, end, 0.012 * setting.size);
      along(bar.matrix, end, q, 0.004 * setting.size);
    },
    restyle: (c) => {
      pot.material.color.copy(bodyColour(item, c, c.soft));
      bar.material.color.copy(bodyColour(item, c, c.faint));
    },
  };
};

/** A flat field between its corners (convex), with its edge. */
const field: Make = (item) => {
  const n = item.points?.length ?? 0;
  const geometry = new BufferGeometry();
  const position = new BufferAttribute(new Float32Array(3 * n), 3);
  geometry.setAttribute("position", position);
  geometry.setIndex(Array.from({ length: Math.max(0, n - 2) }, (_, k) => [0, k + 1, k + 2]).flat());
  const mesh = new Mesh(geometry, new MeshLambertMaterial({ side: DoubleSide, transparent: true, opacity: item.kind === "wall" ? 0.25 : 0.75, depthWrite: item.kind !== "wall" }));
  mesh.frustumCulled = false;
  const edge = new FatLine(item, 1.6);
  const group = new Group();
  group.add(mesh, edge.line);
  const turn = new Quaternion();
  return {
    object: group,
    update: (f) => {
      const xyz: number[] = [];
      const at = item.at ? vector(item.at, f) : new Vector3();
      const [w, x, y, z] = item.turn ? item.turn.map((v) => numberAt(v, f)) : [1, 0, 0, 0];
      turn.set(x, y, z, w);
      for (const p of item.points ?? []) {
        const v = vector(p, f).applyQuaternion(turn).add(at);
        xyz.push(v.x, v.y, v.z);
      }
      position.set(xyz);
      position.needsUpdate = true;
      geometry.computeVertexNormals();
      edge.set(n > 2 ? [...xyz, ...xyz.slice(0, 3)] : xyz);
    },
    restyle: (c) => {
      mesh.material.color.copy(bodyColour(item, c));
      edge.material.color.copy(bodyColour(item, c, c.soft));
    },
  };
};

/** What the point has run through, and faintly what comes. */
const path: Make = (item, setting) => {
  const [past, future] = [new FatLine(item, 2), new FatLine(item, 1.5)];
  future.material.opacity = 0.25;
  const group = new Group();
  group.add(past.line, future.line);
  const every = Math.max(1, Math.floor(setting.frames / 4000));
  const xyz: number[] = [];
  for (let f = 0; f < setting.frames; f += every) {
    const p = vector(item.at, f);
    if (given(p)) xyz.push(p.x, p.y, p.z);
  }
  past.set(xyz);
  future.set(xyz);
  const pieces = Math.max(0, xyz.length / 3 - 1);
  return {
    object: group,
    update: (f) => {
      group.visible = setting.options.trails;
      past.line.geometry.instanceCount = Math.min(pieces, Math.round((f / Math.max(1, setting.frames - 1)) * pieces));
    },
    restyle: (c) => {
      past.material.color.copy(bodyColour(item, c, c.accent));
      future.material.color.copy(past.material.color);
    },
  };
};

const arrow: Make = (item, setting) => {
  const [shaft, head] = [solid(cylinder()), solid(new ConeGeometry(1, 1, 16))];
  const group = new Group();
  group.add(shaft, head);
  return {
    object: group,
    update: (f) => {
      const at = vector(item.at, f);
      const v = vector(item.vector, f).multiplyScalar(item.scale ?? 1);
      group.visible = given(at) && given(v) && v.length() > 0;
      const tip = at.clone().add(v);
      const neck = at.clone().addScaledVector(v, 0.72);
      const r = 0.003 * setting.size;
      along(shaft.matrix, at, neck, r);
      along(head.matrix, neck, tip, Math.min(3 * r, 0.14 * v.length()));
    },
    restyle: (c) => {
      const colour = bodyColour(item, c, regimeColour(item.of === "velocity" ? 1 : 3, c.dark));
      shaft.material.color.copy(colour);
      head.material.color.copy(colour);
    },
  };
};

const text: Make = (item) => {
  const { sprite, restyle, resize } = textSprite(item.text ?? "", 18, "ink");
  return {
    object: sprite,
    update: (f) => {
      sprite.position.copy(vector(item.at, f));
      sprite.visible = given(sprite.position);
    },
    restyle,
    resize,
  };
};

const joint: Make = (item, setting) => {
  const mesh = solid(new SphereGeometry(1, 20, 14));
  const r = 0.008 * setting.size;
  return {
    object: mesh,
    update: (f) => {
      const at = vector(item.at, f);
      mesh.visible = given(at);
      mesh.matrix = new Matrix4().makeScale(r, r, r).setPosition(at);
    },
    restyle: (c) => mesh.material.color.copy(bodyColour(item, c, c.ink)),
  };
};

/** A line of n points; without z it lies in the plane of x and z, as a beam does that is seen from the front. */
const curve: Make = (item, setting) => {
  const fat = new FatLine(item, 3.5);
  return {
    object: fat.line,
    update: (f) => {
      const { x, y, z } = item;
      if (!x || !y) return;
      const n = item.n ?? x.length;
      const from = (list: ArrayLike<number>) => (list.length > n ? f * n : 0);
      const k = item.exaggerate ? setting.options.exaggeration : 1;
      const xyz: number[] = [];
      for (let i = 0; i < n; i++) {
        const base = item.base ? item.base[i] : 0;
        const b = base + k * (y[from(y) + i] - base);
        const p = z ? [x[from(x) + i], b, z[from(z) + i]] : [x[from(x) + i], 0, b];
        if (p.every(Number.isFinite)) xyz.push(...p);
      }
      if (item.closed) xyz.push(...xyz.slice(0, 3));
      fat.set(xyz);
    },
    restyle: (c) => fat.material.color.copy(bodyColour(item, c)),
  };
};

const MAKERS: { [kind: string]: Make } = { ball, disc: ball, rod, segment: rod, spring, damper, polygon: field, wall: field, path, arrow, text, joint, curve };

export function makeItem(item: Item, setting: Setting): { object: Object3D } & Part | null {
  return MAKERS[item.kind]?.(item, setting) ?? null;
}
