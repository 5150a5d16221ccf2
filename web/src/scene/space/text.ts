// Texts in space: pictures that always face the eye, of the same size on the screen wherever they stand.
import { CanvasTexture, LinearFilter, Sprite, SpriteMaterial } from "three";
import type { Colours } from "../../theme";

/** A text `height` pixels high; `resize` is told how high the picture is, in pixels, and what angle it spans. */
export interface SpaceText {
  sprite: Sprite;
  restyle(c: Colours): void;
  resize(pixels: number, angle: number): void;
}

export function textSprite(text: string, height: number, ink: "ink" | "soft"): SpaceText {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  const font = "40px system-ui, sans-serif";
  pen.font = font;
  canvas.width = Math.ceil(pen.measureText(text).width) + 16;
  canvas.height = 52;
  const texture = new CanvasTexture(canvas);
  texture.minFilter = LinearFilter;
  texture.generateMipmaps = false;
  const sprite = new Sprite(new SpriteMaterial({ map: texture, sizeAttenuation: false, depthTest: ink === "soft", depthWrite: false, transparent: true }));
  const resize = (pixels: number, angle: number) => {
    const s = (2 * Math.tan(angle / 2) * height) / pixels;
    sprite.scale.set((s * canvas.width) / canvas.height, s, 1);
  };
  resize(500, 0.56);
  const restyle = (c: Colours) => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.font = font;
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    pen.lineWidth = 7;
    pen.lineJoin = "round";
    pen.strokeStyle = c.card;
    pen.strokeText(text, canvas.width / 2, canvas.height / 2);
    pen.fillStyle = ink === "soft" ? c.soft : c.ink;
    pen.fillText(text, canvas.width / 2, canvas.height / 2);
    texture.needsUpdate = true;
  };
  return { sprite, restyle, resize };
}
