// Many bodies: ten thousand discs in the plane, and a tower of bricks with balls in space.
import { delta, f4, f8, u1, u4 } from "../pack.mjs";

/** Numbers that are the same everywhere (a linear congruential generator). */
export function random(seed) {
  let s = seed >>> 0;
  return () => (s = (Math.imul(s, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

export function discs(count = 10000, frames = 200) {
  const next = random(1);
  const columns = Math.ceil(Math.sqrt(count));
  const radii = [0.04, 0.045, 0.05];
  const shape = [];
  const pose = new Float32Array(frames * count * 3);
  for (let i = 0; i < count; i++) {
    shape.push(Math.floor(3 * next()));
    const [cx, cy] = [0.1 * (i % columns), 0.1 * Math.floor(i / columns)];
    const [w, phase] = [2 + 3 * next(), 6.28 * next()];
    for (let f = 0; f < frames; f++) {
      const t = f / 40;
      const k = 3 * (f * count + i);
      pose[k] = cx + 0.02 * Math.sin(w * t + phase) + 0.05 * cy * Math.sin(t);
      pose[k + 1] = cy * (1 + 0.15 * Math.cos(1.3 * t));
      pose[k + 2] = w * t + phase;
    }
  }
  const start = [0];
  const at = [];
  const force = [];
  const regime = [];
  for (let f = 0; f < frames; f++) {
    for (let i = 0; i < count; i += 40) {
      const k = 3 * (f * count + i);
      at.push(pose[k], pose[k + 1] - 0.04);
      force.push(0.2 * Math.sin(i), 1 + Math.sin(f / 9 + i));
      regime.push(1 + (i % 2));
    }
    start.push(at.length / 2);
  }
  return {
    format: 1,
    kind: "run",
    title: "ten thousand discs",
    status: "ok",
    certificate: { trusted: true, doubts: [] },
    clock: { t: f8(Float64Array.from({ length: frames }, (_, f) => f / 40)), rows: 20000, rule: `${frames} of 20000 outputs: every hundredth` },
    scene: {
      dimension: 2,
      low: [-0.6, -0.1],
      high: [0.1 * columns + 0.6, 0.12 * columns],
      items: [
        { kind: "bodies", count, pose: delta(pose, 3 * count), shape, shapes: radii.map((r) => [{ disc: r, at: [0, 0] }]), fixed: shape.map(() => 0) },
        { kind: "wall", points: [[-0.6, -0.05], [0.1 * columns + 0.6, -0.05]], still: true },
        { kind: "contacts", start: u4(start), at: f4(at), impulse: f4(force), regime: u1(regime) },
      ],
    },
  };
}

function box(a, b, c) {
  const points = [];
  for (const z of [-c, c]) for (const y of [-b, b]) for (const x of [-a, a]) points.push(x, y, z);
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangles = quads.flatMap(([p, q, r, s]) => [p, q, r, p, r, s]);
  const edges = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
  return { points: f4(points), triangles: u4(triangles), edges: u4(edges) };
}

export function spaceRun(frames = 240) {
  const next = random(3);
  const bricks = [];
  for (let layer = 0; layer < 14; layer++) for (let k = 0; k < 3; k++) bricks.push({ layer, k, push: next() });
  const balls = 3;
  const count = 1 + bricks.length + balls;
  const pose = new Float32Array(frames * count * 7);
  const start = [0];
  const at = [];
  const force = [];
  const regime = [];
  const ballX = [];
  const ballZ = [];
  for (let f = 0; f < frames; f++) {
    const t = f / 60;
    const set = (i, x, y, z, w = 1, a = 0, b = 0, c = 0) => pose.set([x, y, z, w, a, b, c], 7 * (f * count + i));
    set(0, 0, 0, 0);
    bricks.forEach(({ layer, k, push }, n) => {
      const turned = layer % 2 === 1;
      const hit = Math.max(0, t - 1.2 - 0.02 * layer);
      const away = layer > 7 ? Math.min(2, push) * 1.5 * hit : 0;
      const fall = layer > 7 ? Math.min(0.06 * layer - 0.03, 0.5 * 2 * hit * hit) : 0;
      const spin = layer > 7 ? Math.min(1.4, hit * (push - 0.3) * 3) : 0;
      const yaw = (turned ? Math.PI / 4 : 0) + spin / 2;
      const side = (k - 1) * 0.1;
      set(1 + n, (turned ? side : 0) + away, turned ? 0 : side, 0.03 + 0.06 * layer - fall, Math.cos(yaw), 0, 0, Math.sin(yaw));
      if (!hit || layer <= 7) {
        at.push((turned ? side : 0) + away, turned ? 0 : side, 0.06 * layer);
        force.push(0, 0, 0.02 * (14 - layer));
        regime.push(1);
      } else {
        at.push((turned ? side : 0) + away, turned ? 0 : side, 0.06 * layer - fall);
        force.push(-0.05, 0, 0.1);
        regime.push(t < 1.4 ? 3 : 2);
      }
    });
    for (let b = 0; b < balls; b++) {
      const y = 0.25 * (b - 1);
      const x = -2.2 + 1.8 * t;
      const z = b === 1 ? 0.6 - 0.1 * t : 0.12;
      set(1 + bricks.length + b, x, y, z, Math.cos(4 * t), 0, Math.sin(4 * t), 0);
      if (b === 1) {
        ballX.push(x);
        ballZ.push(z);
      }
    }
    start.push(at.length / 3);
  }
  const t = f8(Float64Array.from({ length: frames }, (_, f) => f / 60));
  const X = f8(ballX);
  const Z = f8(ballZ);
  return {
    format: 1,
    kind: "run",
    title: "tower of bricks hit by a ball",
    source: "sample of the tests",
    status: "ok",
    certificate: { trusted: true, doubts: [], energy: { initial: 12, final: 3, forces: 0, contacts: -9, joints: 0, scheme: -0.001 } },
    clock: { t, rows: 2400, rule: "240 of 2400 outputs: every tenth" },
    coordinates: { names: ["ball.x", "ball.z"], q: f8(ballX.flatMap((x, f) => [x, ballZ[f]])) },
    scene: {
      dimension: 3,
      low: [-2.4, -1, 0],
      high: [2.4, 1, 1],
      gravity: [0, 0, -9.81],
      items: [
        { kind: "bodies", count, pose: delta(pose, 7 * count), shape: [0, ...bricks.map(() => 1), 2, 2, 2], shapes: [{ half: [0, 0, 1], at: [0, 0, 0] }, box(0.15, 0.045, 0.03), { sphere: 0.12 }], fixed: [1, ...bricks.map(() => 0), 0, 0, 0], names: ["ground", ...bricks.map((_, i) => `brick ${i + 1}`), "ball 1", "ball 2", "ball 3"] },
        { kind: "contacts", start: u4(start), at: f4(at), impulse: f4(force), regime: u1(regime) },
        { kind: "path", at: [X, 0, Z], colour: 1 },
        { kind: "spring", p: [-2.2, -0.8, 0.3], q: [X, -0.8, 0.3], coils: 9 },
        { kind: "damper", p: [-2.2, -0.9, 0.3], q: [X, -0.9, 0.3] },
        { kind: "rod", p: [-2.2, 0.8, 0.05], q: [-2.2, 0.8, 0.8], r: 0.03, colour: 2 },
        { kind: "ball", at: [-2.2, 0.8, 0.85], r: 0.07, turn: [1, 0, 0, 0], colour: 3, name: "knob" },
        { kind: "segment", p: [-2.2, -0.8, 0.3], q: [-2.2, -0.9, 0.3] },
        { kind: "joint", at: [-2.2, -0.8, 0.3] },
        { kind: "arrow", at: [X, 0, Z], vector: [1.8, 0, 0], scale: 0.2, of: "velocity" },
        { kind: "polygon", points: [[1.5, 0.6, 0], [2, 0.6, 0], [2, 0.6, 0.4], [1.5, 0.6, 0.5]], colour: 4 },
        { kind: "wall", points: [[2.4, -1, 0], [2.4, 1, 0], [2.4, 1, 0.5], [2.4, -1, 0.5]], still: true },
        { kind: "contact", at: [1.2, 0.7, 0], normal: [0, 0, 1], tangent: [1, 0, 0], impulse: [0.2, 0.05, 0.02], regime: 2 },
        { kind: "text", at: [-2.2, 0.8, 1], text: "post" },
      ],
    },
    figures: [{ name: "ball", title: "Ball", panels: [{ title: "height", x: { label: "t" }, y: { label: "z" }, curves: [{ label: "z", x: t, y: Z, t }] }] }],
  };
}
