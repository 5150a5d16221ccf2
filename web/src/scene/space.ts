// The animation of a motion in space, by three.js. z is up.
import { PerspectiveCamera, Scene as World, Vector3, WebGLRenderer, DirectionalLight, HemisphereLight } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { el, onSize } from "../dom";
import type { Scene } from "../format";
import { colours, onTheme } from "../theme";
import { mayWheel } from "../wheel";
import { firstView } from "./bounds";
import { Bodies } from "./space/bodies";
import { Contacts } from "./space/contacts";
import { Ground } from "./space/ground";
import { makeItem } from "./space/items";
import { Names } from "./space/names";
import type { Part, Setting } from "./space/part";
import { arrowPart, impulseReference, pointAt, pointGiven, type SceneOptions, type SceneView } from "./values";

function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer {
  try {
    return new WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  } catch {
    throw new Error("this browser has no WebGL, which drawings in space need.");
  }
}

export class Space implements SceneView {
  readonly element: HTMLElement;
  private canvas = el("canvas", { role: "img", "aria-label": "Animation of the motion in space", tabindex: "0" });
  private renderer: WebGLRenderer;
  private world = new World();
  private camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  private controls: OrbitControls;
  private light = new DirectionalLight(0xffffff, 2.4);
  private parts: Part[] = [];
  private bodies: Bodies[] = [];
  private low: Vector3;
  private high: Vector3;
  private frame = 0;
  private own = true;
  private pending = 0;
  private impulse: number;

  constructor(
    private scene: Scene,
    times: ArrayLike<number>,
    private options: SceneOptions,
  ) {
    this.renderer = makeRenderer(this.canvas);
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    const bound = (side: number[] | undefined, otherwise: number) => new Vector3(...[0, 1, 2].map((k) => (Number.isFinite(side?.[k]) ? side![k] : otherwise)));
    const box = firstView(scene);
    this.low = bound(box.low, -1);
    this.high = bound(box.high, 1);
    const size = this.low.distanceTo(this.high) || 1;
    this.impulse = impulseReference(scene, times.length);
    const setting: Setting = { options, times, size, frames: times.length, impulse: this.impulse, unit: arrowPart(scene) * size, low: this.low, high: this.high };
    this.world.add(new HemisphereLight(0xffffff, 0xa59c8c, 2.1), this.light);
    this.add(new Ground(scene, setting));
    for (const item of scene.items) {
      if (item.kind === "bodies") {
        const made = new Bodies(item, setting);
        this.bodies.push(made);
        this.add(made);
      } else if (item.kind === "contacts" || item.kind === "contact") this.add(new Contacts(item, setting));
      else {
        const part = makeItem(item, setting);
        if (part) this.add(part);
      }
    }
    this.add(new Names(scene, setting));
    this.camera.up.set(0, 0, 1);
    this.element = el("div", { class: "stage space" }, this.canvas);
    this.element.style.setProperty("--aspect", "0.72");
    // before the controls see it: the wheel scrolls the page unless it may zoom
    this.element.addEventListener("wheel", (e) => mayWheel(this.canvas, e) || e.stopPropagation(), { capture: true, passive: true });
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomSpeed = 1.2;
    this.controls.addEventListener("start", () => (this.own = false));
    this.controls.addEventListener("change", () => this.later());
    this.canvas.addEventListener("dblclick", () => this.fit());
    onSize(this.element, (width, height) => {
      this.renderer.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      for (const part of this.parts) part.resize?.(height, (this.camera.fov * Math.PI) / 180);
      if (this.own) this.fit();
      else this.render();
    });
    onTheme(() => this.restyle());
    this.restyle();
  }

  private add(part: Part): void {
    this.parts.push(part);
    this.world.add(part.object);
  }

  /** Looks at the whole from the front, somewhat from the right and from above. */
  fit(): void {
    this.own = true;
    const centre = this.low.clone().add(this.high).multiplyScalar(0.5);
    const [azimuth, elevation] = [(-66 * Math.PI) / 180, (20 * Math.PI) / 180];
    const towards = new Vector3(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation));
    const distance = Math.max(this.distanceFor(centre, towards), 1e-6);
    this.camera.position.copy(towards).multiplyScalar(distance).add(centre);
    this.camera.near = distance / 200;
    this.camera.far = distance * 50;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.render();
  }

  /** How far from the centre the eye must be to see all corners of the box, in the given direction. */
  private distanceFor(centre: Vector3, towards: Vector3): number {
    const right = new Vector3(0, 0, 1).cross(towards).normalize();
    const above = towards.clone().cross(right);
    const v = Math.tan(((this.camera.fov / 2) * Math.PI) / 180) * 0.88; // with a margin
    const h = v * this.camera.aspect;
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(k & 1 ? this.high.x : this.low.x, k & 2 ? this.high.y : this.low.y, k & 4 ? this.high.z : this.low.z).sub(centre);
      const depth = corner.dot(towards);
      most = Math.max(most, depth + Math.abs(corner.dot(right)) / h, depth + Math.abs(corner.dot(above)) / v);
    }
    return most;
  }

  zoom(factor: number): void {
    this.own = false;
    const { target } = this.controls;
    this.camera.position.sub(target).divideScalar(factor).add(target);
    this.controls.update();
    this.render();
  }

  restyle(): void {
    const c = colours();
    for (const part of this.parts) part.restyle?.(c);
    this.draw(this.frame);
  }

  draw(frame: number): void {
    this.frame = frame;
    for (const part of this.parts) part.update(frame);
    this.render();
  }

  private later(): void {
    this.pending ||= requestAnimationFrame(() => this.render());
  }

  private render(): void {
    this.pending = 0;
    // the light goes with the eye, from its upper left
    const right = new Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion);
    const above = new Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion);
    this.light.position.copy(this.camera.position).sub(this.controls?.target ?? this.low).normalize().addScaledVector(right, -0.5).addScaledVector(above, 0.7);
    this.renderer.render(this.world, this.camera);
  }

  visible(): number {
    this.camera.updateMatrixWorld();
    const point = new Vector3();
    const inside = (x: number, y: number, z: number) => {
      point.set(x, y, z).project(this.camera);
      return Math.abs(point.x) <= 1 && Math.abs(point.y) <= 1 && Math.abs(point.z) <= 1;
    };
    let count = 0;
    for (const item of this.scene.items) {
      if (item.kind === "bodies" && item.pose) {
        const n = item.count ?? 0;
        for (let i = 0; i < n; i++) {
          const k = 7 * (this.frame * n + i);
          if (inside(item.pose[k], item.pose[k + 1], item.pose[k + 2])) count++;
        }
      } else if (item.kind !== "contacts" && (item.kind !== "path" || this.options.trails)) {
        const points = [item.at, item.p, item.q, ...(item.points ?? [])].map((p) => pointAt(p, this.frame)).filter((p) => p.length === 3 && pointGiven(p));
        if (points.some((p) => inside(p[0], p[1], p[2]))) count++;
      }
    }
    return count;
  }

  get references(): { impulse: number; speed: number } {
    return { impulse: this.impulse, speed: this.bodies[0]?.speedReference() ?? 0 };
  }
}
