import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../load.mjs";

let pictures = [];
globalThis.requestAnimationFrame = (f) => pictures.push(f);
globalThis.cancelAnimationFrame = () => (pictures = []);
const { Clock, nearest, SPEEDS } = await load("clock");
const { eventBeside } = await load("keys");
const { strokeLine } = await load("figure/strokes");
const { nearestPoint, lowerBound } = await load("figure/pick");
const { chooseCoordinates } = await load("figure/figures");
const { contactVector, isStructure, numberAt, suitedExaggeration, percentile, Speeds, positions } = await load("scene/values");
const { firstView, reach } = await load("scene/bounds");
const { poseMatrix } = await load("scene/space/bodies");
const { SCALE, dataColour } = await load("palette");
const { compareValues } = await load("report/table");
const { runCommand } = await load("report/run");

test("the nearest frame; of frames at one time the last", () => {
  const t = [0, 1, 1, 2];
  assert.deepEqual([-1, 0, 0.4, 0.6, 1, 1.4, 1.6, 2, 9].map((v) => nearest(t, v)), [0, 0, 0, 2, 2, 2, 3, 3, 3]);
});

test("speeds: real time where it suits, else the whole in ten seconds", () => {
  assert.equal(new Clock([0, 5]).speed, 1);
  assert.equal(new Clock([0, 0.01]).rate, 0.001);
  assert.equal(new Clock([0, 1000]).rate, 100);
  const c = new Clock([0, 0.5]); // fit: 0.05
  c.faster(1);
  assert.equal(c.speed, 0.1);
  c.faster(-1);
  c.faster(-1);
  assert.equal(c.speed, 0.02);
  c.setSpeed(SPEEDS[0]);
  c.faster(-1);
  assert.equal(c.speed, SPEEDS[0]);
});

test("play goes on with time, stops at the end without loop, begins again with it", () => {
  const c = new Clock([0, 1, 2, 3, 4, 5]);
  const beat = (ms) => pictures.splice(0).forEach((f) => f(ms));
  c.setLoop(false);
  c.play();
  for (let ms = 1000; ms <= 3000; ms += 50) beat(ms);
  assert.ok(Math.abs(c.t - 2) < 0.051);
  assert.equal(c.frame(), 2);
  for (let ms = 3000; ms <= 9000; ms += 50) beat(ms);
  assert.equal(c.t, 5);
  assert.equal(c.playing, false);
  c.setLoop(true);
  c.play(); // from the beginning
  let back = false;
  for (let ms = 10000; ms <= 16000; ms += 50) {
    const before = c.t;
    beat(ms);
    back ||= c.t < before;
  }
  assert.ok(back && c.playing);
  c.pause();
});

test("steps visit both frames of an impact", () => {
  const c = new Clock([0, 1, 1, 2]);
  const seen = [];
  for (let k = 0; k < 4; k++) {
    seen.push(c.frame());
    c.step(1);
  }
  assert.deepEqual(seen, [0, 1, 2, 3]);
  c.set(NaN);
  assert.equal(c.frame(), 3);
});

test("events beside a time", () => {
  const t = [1, 2, 2, 3];
  assert.equal(eventBeside(t, 2, 1, 1e-9), 3);
  assert.equal(eventBeside(t, 2, -1, 1e-9), 1);
  assert.ok(Number.isNaN(eventBeside(t, 3, 1, 1e-9)));
});

/** Notes strokes instead of drawing them. */
class Pen {
  points = [];
  pieces = 0;
  moveTo(x, y) {
    this.pieces++;
    this.points.push([x, y]);
  }
  lineTo(x, y) {
    this.points.push([x, y]);
  }
}

test("thinning of a line keeps the extremes of every column of pixels", () => {
  const n = 100000;
  const x = Float64Array.from({ length: n }, (_, i) => i / n);
  const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i * 0.7) + (i === 54321 ? 10 : 0) - (i === 777 ? 10 : 0));
  const pen = new Pen();
  const drawn = strokeLine(pen, x, y, (v) => 500 * v, (v) => 100 * v, true);
  assert.ok(drawn < 5 * 500, `${drawn} points`);
  assert.equal(pen.pieces, 1);
  const column = (points, k) => points.filter(([a]) => Math.round(a) === k).map(([, b]) => b);
  const all = Array.from(x, (v, i) => [500 * v, 100 * y[i]]);
  for (const k of [0, 4, 100, 272, 400]) {
    assert.equal(Math.max(...column(pen.points, k)), Math.max(...column(all, k)));
    assert.equal(Math.min(...column(pen.points, k)), Math.min(...column(all, k)));
  }
  assert.deepEqual(pen.points.at(-1)[1], 100 * y[n - 1]);
});

test("NaN interrupts lines, thinned or not", () => {
  for (const n of [10, 10000]) {
    const x = Float64Array.from({ length: n }, (_, i) => (i === n / 2 ? NaN : i));
    const pen = new Pen();
    strokeLine(pen, x, x, (v) => v / 10, (v) => v, true);
    assert.equal(pen.pieces, 2);
  }
});

test("the nearest point of curves that go forth or back", () => {
  const id = (v) => v;
  const forth = { curve: { x: [0, 10, 20], y: [0, 0, 0] }, monotone: true, hidden: false };
  const round = { curve: { x: [5, 0, -5, 0], y: [0, 5, 0, -5] }, monotone: false, hidden: false };
  assert.deepEqual(nearestPoint([forth, round], id, id, id, 0, 4, 30), { curve: 1, index: 1, distance: 1 });
  assert.equal(nearestPoint([forth], id, id, id, 19, 1, 30).index, 2);
  assert.equal(nearestPoint([{ ...forth, hidden: true }], id, id, id, 19, 1, 30), null);
  assert.equal(nearestPoint([forth], id, id, id, 19, 500, 30), null);
  assert.equal(lowerBound([1, 2, 2, 3], 2), 1);
});

test("impulses of contacts in the directions of the world", () => {
  const two = contactVector({ normal: [0, 1], tangent: [1, 0], impulse: [3, Float64Array.from([0, 4])] }, 1, 2);
  assert.deepEqual(two, [4, 3]);
  const three = contactVector({ normal: [0, 0, 1], tangent: [1, 0, 0], impulse: [1, 2, 3] }, 0, 3);
  assert.deepEqual(three, [2, 3, 1]);
  assert.equal(numberAt(Float64Array.from([1, 2]), 7), 2);
  assert.equal(percentile([5, 1, 3], 0.5), 3);
});

test("displacements of a structure alone are exaggerated by a round factor", () => {
  const beam = { kind: "curve", exaggerate: true, n: 2, x: [0, 10], y: Float32Array.from([0, 0.01, 0, -0.03]) };
  const scene = (...items) => ({ dimension: 2, low: [0, -1], high: [10, 1], items });
  assert.equal(suitedExaggeration(scene(beam, { kind: "stop", at: [5, 0.1] })), 20); // 1.25 / 0.03 = 41.7
  assert.equal(suitedExaggeration(scene(beam, { kind: "disc", at: [0, 0], r: 1 })), 1);
  assert.equal(suitedExaggeration(scene({ ...beam, y: Float32Array.from([0, 0]) })), 1);
  assert.equal(suitedExaggeration(scene({ ...beam, y: Float32Array.from([0, 9]) })), 1);
  assert.equal(isStructure(scene()), false);
});

test("coordinates that a page plots by itself", () => {
  const names = ["floor.x", "floor.y", "a.x", "a.y", "b.x", "b.y"];
  const q = [0, 0, 1, 1, 2, 2, 0, 0, 5, 1, 2, 3]; // two frames; of the heights only b.y changes
  assert.deepEqual(chooseCoordinates(names, q, 2, false), [5]);
  assert.deepEqual(chooseCoordinates(["x", "y"], [1, 1, 2, 1], 2, false), [0]);
  assert.deepEqual(chooseCoordinates(["x", "y"], [1, 1, 1, 1], 2, false), [0, 1]);
});

test("speeds of bodies from neighbouring frames, also about an impact", () => {
  const pose = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 0, 0, 3, 0, 0]); // one body, four frames
  const s = new Speeds(pose, 1, 3, [0, 1, 1, 2]);
  assert.equal(s.at(0, 0), 1);
  assert.equal(s.at(3, 0), 2);
  assert.ok(Number.isFinite(s.at(1, 0)) && Number.isFinite(s.at(2, 0)));
});

test("places of named things", () => {
  const scene = { dimension: 2, items: [{ kind: "disc", name: "a", at: [1, Float64Array.from([2, 3])] }, { kind: "bodies", count: 2, names: ["b", "c"], pose: Float32Array.from([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]) }] };
  assert.deepEqual(positions(scene, 1), { a: [1, 3], b: [2, 2, 2], c: [3, 3, 3] });
});

test("matrix of a pose: a turn about z by a right angle", () => {
  const m = new Float32Array(16);
  const s = Math.SQRT1_2;
  poseMatrix([1, 2, 3, s, 0, 0, s], 0, m, 0);
  const x = [m[0], m[1], m[2]].map((v) => Math.round(v * 1e6) / 1e6 + 0);
  assert.deepEqual(x, [0, 1, 0]);
  assert.deepEqual([m[12], m[13], m[14]], [1, 2, 3]);
});

test("the first view: where bodies move and touch, without ground that none reaches and without what falls away", () => {
  const bodies = { kind: "bodies", count: 2, fixed: [1, 0], shape: [0, 1], shapes: [[{ line: [-50, 0, 50, 0] }], [{ disc: 1, at: [0, 0] }]], pose: Float32Array.from([0, 0, 0, 0, 3, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 6, -40, 0]) };
  const contacts = { kind: "contacts", start: [0, 0, 1, 1], at: Float32Array.from([5, 0]) };
  const scene = { dimension: 2, low: [-50, -41], high: [50, 4], gravity: [0, -9.81], items: [bodies, contacts] };
  assert.deepEqual(firstView(scene), { low: [-1, -1.2], high: [7, 4] }); // contact and start reach from 0 to 4: three tenths below
  assert.deepEqual(firstView({ ...scene, gravity: undefined }).low, [-1, -41]);
  const other = { ...scene, items: [...scene.items, { kind: "disc", at: [0, 0], r: 1 }] };
  assert.deepEqual(firstView(other), { low: [-50, -41], high: [50, 4] });
  assert.equal(reach([{ capsule: 1, from: [0, 0], to: [3, 4] }]), 6);
  assert.equal(reach({ points: Float32Array.from([0, 3, 4]) }), 5);
});

test("the colour scale gets lighter at every step", () => {
  let last = -1;
  for (let i = 0; i < 256; i++) {
    const lin = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const light = 0.2126 * lin(SCALE[3 * i]) + 0.7152 * lin(SCALE[3 * i + 1]) + 0.0722 * lin(SCALE[3 * i + 2]);
    assert.ok(light > last - 2e-3, `entry ${i}`);
    last = Math.max(last, light);
  }
});

test("colours of the data are numbers of the palette or plain CSS colours, nothing else", () => {
  assert.equal(dataColour(0, false, "x"), "#0072b2");
  assert.equal(dataColour(8, false, "x"), "#0072b2");
  assert.equal(dataColour("#abc", false, "x"), "#abc");
  assert.equal(dataColour("url(http://x)", false, "x"), "x");
  assert.equal(dataColour(undefined, false, "x"), "x");
});

test("sorting: numbers, then texts, then nothing", () => {
  assert.deepEqual([null, "b10", 3, "b9", NaN, -1].sort(compareValues).slice(0, 4), [-1, 3, "b9", "b10"]);
});

test("the command of a run", () => {
  const runs = { names: ["e", "scheme"], values: [0.1, "inel", 1 / 3, "elast"], command: ["carom", "run", "m.lua"] };
  assert.deepEqual(runCommand(runs, 1), ["carom", "run", "m.lua", "--set", "e=0.3333333333333333", "--scheme", "elast"]);
  const numbered = { ...runs, words: [[], ["inel", "elast"]], values: Float64Array.from([0.1, 0, 0.5, 1]) };
  assert.deepEqual(runCommand(numbered, 1), ["carom", "run", "m.lua", "--set", "e=0.5", "--scheme", "elast"]);
});
