// Contacts in space: signs and arrows of impulses, seen through the bodies that they lie between.
import { Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshBasicMaterial, type Object3D, OctahedronGeometry, Vector3 } from "three";
import type { Item, Numbers } from "../../format";
import { regimeColour } from "../../palette";
import { colours } from "../../theme";
import { contactVector, numberAt, pointAt } from "../values";
import { along, type Part, type Setting } from "./part";

const HEAD = 0.3; // part of an arrow

export class Contacts implements Part {
  readonly object: Object3D = new Group();
  private signs: InstancedMesh;
  private shafts: InstancedMesh;
  private heads: InstancedMesh;
  private most: number;

  constructor(
    private item: Item,
    private setting: Setting,
  ) {
    this.most = 1;
    const { start } = item;
    if (item.kind === "contacts" && start) for (let f = 0; f + 1 < start.length; f++) this.most = Math.max(this.most, start[f + 1] - start[f]);
    const make = (geometry: ConstructorParameters<typeof InstancedMesh>[0]) => {
      const mesh = new InstancedMesh(geometry, new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 }), this.most);
      mesh.frustumCulled = false;
      mesh.renderOrder = 10;
      mesh.setColorAt(0, new Color());
      this.object.add(mesh);
      return mesh;
    };
    this.shafts = make(new CylinderGeometry(1, 1, 1, 8));
    this.heads = make(new ConeGeometry(1, 1, 12));
    this.signs = make(new OctahedronGeometry(1));
  }

  update(frame: number): void {
    const { setting } = this;
    const { options } = setting;
    const many = this.most > 300;
    const dark = colours().dark;
    const shades = [0, 1, 2, 3].map((k) => new Color(regimeColour(k, dark)));
    const [m, from, neck, to] = [new Matrix4(), new Vector3(), new Vector3(), new Vector3()];
    let [signs, arrows] = [0, 0];
    this.each(frame, (x, y, z, px, py, pz, regime) => {
      const colour = shades[Math.max(0, Math.min(3, Math.round(regime)))];
      from.set(x, y, z);
      const size = Math.hypot(px, py, pz);
      if (options.impulses && size > 0 && setting.impulse > 0) {
        const f = (setting.unit * options.arrows * Math.min(size / setting.impulse, 1.6)) / size;
        to.set(x + f * px, y + f * py, z + f * pz);
        neck.lerpVectors(from, to, 1 - HEAD);
        const width = setting.size * (many ? 0.0012 : 0.0025);
        this.shafts.setMatrixAt(arrows, along(m, from, neck, width));
        this.heads.setMatrixAt(arrows, along(m, neck, to, Math.min(3.2 * width, 0.15 * f * size)));
        this.shafts.setColorAt(arrows, colour);
        this.heads.setColorAt(arrows, colour);
        arrows++;
      }
      if (options.contacts) {
        const r = setting.size * (many ? 0.003 : 0.006);
        m.makeScale(r, r, r).setPosition(x, y, z);
        this.signs.setMatrixAt(signs, m);
        this.signs.setColorAt(signs, colour);
        signs++;
      }
    });
    for (const [mesh, count] of [[this.signs, signs], [this.shafts, arrows], [this.heads, arrows]] as [InstancedMesh, number][]) {
      mesh.count = count;
      mesh.visible = count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  private each(frame: number, then: (x: number, y: number, z: number, px: number, py: number, pz: number, regime: number) => void): void {
    const { item } = this;
    if (item.kind === "contact") {
      const at = pointAt(item.at, frame);
      const p = contactVector(item, frame, 3);
      if (at.length === 3 && at.every(Number.isFinite)) then(at[0], at[1], at[2], p[0], p[1], p[2], numberAt(item.regime as number, frame));
      return;
    }
    const at = item.at as unknown as Numbers;
    const { start } = item;
    if (!start || !at) return;
    const p = item.impulse as Numbers | undefined;
    const regime = item.regime as Numbers | undefined;
    for (let i = start[frame]; i < start[Math.min(frame + 1, start.length - 1)]; i++)
      then(at[3 * i], at[3 * i + 1], at[3 * i + 2], p ? p[3 * i] : 0, p ? p[3 * i + 1] : 0, p ? p[3 * i + 2] : 0, regime ? regime[i] : 1);
  }
}
