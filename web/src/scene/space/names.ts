// Names beside the things that have one, made when they are first asked for.
import { Group } from "three";
import type { Scene } from "../../format";
import { type Colours, colours } from "../../theme";
import { positions } from "../values";
import type { Part, Setting } from "./part";
import { type SpaceText, textSprite } from "./text";

const MOST = 200;

export class Names implements Part {
  readonly object = new Group();
  private texts = new Map<string, SpaceText>();
  private size: [number, number] = [500, 0.56];

  constructor(
    private scene: Scene,
    private setting: Setting,
  ) {}

  update(frame: number): void {
    this.object.visible = this.setting.options.names;
    if (!this.object.visible) return;
    for (const [name, p] of Object.entries(positions(this.scene, frame)).slice(0, MOST)) {
      let text = this.texts.get(name);
      if (!text) {
        text = textSprite(name, 15, "ink");
        text.restyle(colours());
        text.resize(...this.size);
        this.texts.set(name, text);
        this.object.add(text.sprite);
      }
      text.sprite.visible = Number.isFinite(p[0] + p[1] + p[2]);
      text.sprite.position.set(p[0], p[1], p[2]);
    }
  }

  restyle(c: Colours): void {
    for (const text of this.texts.values()) text.restyle(c);
  }

  resize(pixels: number, angle: number): void {
    this.size = [pixels, angle];
    for (const text of this.texts.values()) text.resize(pixels, angle);
  }
}
