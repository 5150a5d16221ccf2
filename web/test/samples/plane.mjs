// A run in the plane with every kind of item: bouncing ball, block on spring and damper, pendulum, beam, a few bodies.
import { delta, f4, f8, u1, u4 } from "../pack.mjs";

const FRAMES = 601;
const H = 0.01;

/** Ball with restitution: impacts located exactly, so that the plot shows jumps. */
function ball() {
  const [g, e] = [9.81, 0.75];
  const rows = [];
  const impacts = [];
  let [y, v, t] = [1.5, 0, 0];
  for (let f = 0; f < FRAMES; f++) {
    const end = f * H;
    let p = 0;
    let guard = 0;
    while (t < end && guard++ < 50) {
      const fall = (v + Math.sqrt(v * v + 2 * g * Math.max(y, 0))) / g;
      if (t + fall > end || fall <= 1e-9) {
        const dt = end - t;
        y = Math.max(0, y + v * dt - (g * dt * dt) / 2);
        v -= g * dt;
        if (y === 0 && v < 0) v = 0;
        t = end;
      } else {
        t += fall;
        v = -e * (v - g * fall);
        y = 0;
        p += (1 + 1 / e) * v;
        impacts.push({ t, p: (1 + 1 / e) * v });
      }
    }
    rows.push({ t: end, y, v, p });
  }
  return { rows, impacts };
}

function column(n, make) {
  return Float64Array.from({ length: n }, (_, f) => make(f));
}

export const MODEL = `-- A ball, a block, a pendulum and a beam: everything a page can draw.
experiment {
  title  = "ball, block, pendulum and beam",
  doc    = [[
All kinds of items, </script><script>alert("no")</script> included.]],
}
local e = param { "e", 0.75, doc = "restitution coefficient", min = 0, max = 1 }
local g = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local x, y = coordinates("x", "y")
mass      { 1, 1 }
potential (g * y)                        -- m = 1
contact   { "floor", gap = y, restitution = e }
initial   { y = 1.5, [dot(x)] = 0x1p-1 }
for i = 1, 3 do print(i * 1e-3) end
integrate { scheme = "event-driven", until_t = 6 }
`;

export function planeRun() {
  const t = column(FRAMES, (f) => f * H);
  const { rows, impacts } = ball();
  const r = 0.12;
  const bx = column(FRAMES, (f) => -1.6 + 0.3 * t[f]);
  const by = column(FRAMES, (f) => rows[f].y + r);
  const angle = column(FRAMES, (f) => (-0.3 * t[f]) / r);
  const cart = column(FRAMES, (f) => 1.9 + 0.35 * Math.exp(-0.25 * t[f]) * Math.cos(4 * t[f]));
  const theta = column(FRAMES, (f) => 0.9 * Math.cos(2.2 * t[f]));
  const [px, py] = [column(FRAMES, (f) => 0.6 + 0.9 * Math.sin(theta[f])), column(FRAMES, (f) => 2 - 0.9 * Math.cos(theta[f]))];
  const N = 41;
  const beamX = Float64Array.from({ length: N }, (_, i) => -1.7 + (1.4 * i) / (N - 1));
  const beamY = Float64Array.from({ length: N * FRAMES }, (_, k) => {
    const [f, s] = [Math.floor(k / N), (k % N) / (N - 1)];
    return 2.1 + 0.004 * s * s * (3 - s) * Math.sin(7 * t[f]) * Math.exp(-0.1 * t[f]);
  });
  const BODIES = 9;
  const pose = new Float32Array(FRAMES * BODIES * 3);
  const start = [0];
  const at = [];
  const force = [];
  const regimes = [];
  for (let f = 0; f < FRAMES; f++) {
    for (let i = 0; i < BODIES; i++) {
      const k = 3 * (f * BODIES + i);
      if (i === 0) continue; // the ground
      const slide = Math.min(0.4, 0.06 * i * t[f]);
      pose[k] = -0.55 + 0.22 * (i % 4) + (i > 4 ? slide : 0);
      pose[k + 1] = 0.1 + 0.2 * Math.floor((i - 1) / 4);
      pose[k + 2] = i === 8 ? 0.4 * t[f] : 0;
      if (i <= 4) {
        at.push(pose[k], 0);
        force.push(0.01 * Math.sin(t[f]), 0.05);
        regimes.push(1);
      } else if (f % 3) {
        at.push(pose[k], 0.2);
        force.push(slide < 0.4 ? -0.012 : 0, 0.025);
        regimes.push(slide < 0.4 ? 2 : 1);
      }
    }
    start.push(at.length / 2);
  }
  const q = new Float64Array(FRAMES * 3);
  const v = new Float64Array(FRAMES * 3);
  for (let f = 0; f < FRAMES; f++) {
    q.set([rows[f].y, cart[f], theta[f]], 3 * f);
    v.set([rows[f].v, f ? (cart[f] - cart[f - 1]) / H : 0, -0.9 * 2.2 * Math.sin(2.2 * t[f])], 3 * f);
  }
  // the velocity with its jumps: two points at each impact
  const jt = [];
  const jv = [];
  for (let f = 0, k = 0; f < FRAMES; f++) {
    while (k < impacts.length && impacts[k].t <= rows[f].t) {
      const after = impacts[k].p / (1 + 1 / 0.75);
      jt.push(impacts[k].t, impacts[k].t);
      jv.push(-after / 0.75, after);
      k++;
    }
    jt.push(rows[f].t);
    jv.push(rows[f].v);
  }
  const T = f8(t);
  const energy = column(FRAMES, (f) => 0.5 * rows[f].v ** 2 + 9.81 * rows[f].y);
  const body = [{ polygon: [-0.1, -0.1, 0.1, -0.1, 0, 0.1, -0.1, 0.1], seams: [1] }, { polygon: [0.1, -0.1, 0.1, 0.1, 0, 0.1], seams: [2] }]; // in two parts
  const items = [
    { kind: "wall", points: [[-2, 0], [3, 0]], still: true, name: "floor" },
    { kind: "wall", points: [[3, 0], [3, 1.2]], still: true, name: "wall" },
    { kind: "path", at: [f8(bx), f8(by)], colour: 0 },
    { kind: "disc", at: [f8(bx), f8(by)], r, angle: f8(angle), name: "ball" },
    { kind: "contact", name: "ball-floor", at: [f8(bx), 0], normal: [0, 1], tangent: [1, 0], impulse: [f8(rows.map((w) => w.p)), 0], regime: u1(rows.map((w) => (w.p > 0 ? 3 : w.y < 1e-6 ? 2 : 0))) },
    { kind: "polygon", points: [[-0.2, -0.15], [0.2, -0.15], [0.2, 0.15], [-0.2, 0.15]], at: [f8(cart), 0.15], angle: 0, colour: 1, name: "block" },
    { kind: "spring", p: [3, 0.22], q: [f8(cart.map((c) => c + 0.2)), 0.22], coils: 7 },
    { kind: "damper", p: [3, 0.08], q: [f8(cart.map((c) => c + 0.2)), 0.08] },
    { kind: "rod", p: [0.6, 2], q: [f8(px), f8(py)], r: 0.04, colour: 2, name: "pendulum" },
    { kind: "path", at: [f8(px), f8(py)], colour: 2 },
    { kind: "joint", at: [0.6, 2], name: "hinge" },
    { kind: "curve", x: f8(beamX), y: f8(beamY), base: f8(beamX.map(() => 2.1)), n: N, exaggerate: true, name: "beam" },
    { kind: "segment", p: [-1.7, 1.9], q: [-1.7, 2.3], still: true },
    { kind: "arrow", at: [f8(px), f8(py)], vector: [f8(column(FRAMES, (f) => -0.9 * 2.2 * Math.sin(2.2 * t[f]) * Math.cos(theta[f]))), 0], scale: 0.2, of: "velocity" },
    { kind: "text", at: [-1.7, 2.4], text: "beam, exaggerated by the slider" },
    { kind: "bodies", count: BODIES, pose: delta(pose, 3 * BODIES), shape: [0, 1, 1, 1, 1, 1, 1, 2, 3], shapes: [[{ half: [0, 1], at: [0, 0] }], body, [{ capsule: 0.06, from: [-0.06, 0], to: [0.06, 0] }], [{ disc: 0.1, at: [0, 0] }]], fixed: [1, 0, 0, 0, 0, 0, 0, 0, 0], names: ["ground", ..."abcdefgh"] },
    { kind: "contacts", start: u4(start), at: f4(at), impulse: f4(force), regime: u1(regimes) },
  ];
  const impactTimes = impacts.map((i) => i.t);
  return {
    format: 1,
    kind: "run",
    title: "ball, block, pendulum and beam",
    source: "sample of the tests",
    doc: "A ball bounces on the floor, a block swings between a spring and a damper, a pendulum turns about its hinge, a beam oscillates.\n\nEverything that a page can draw is in it.",
    version: "1.0",
    command: ["carom", "run", "sample.lua", "--set", "e=0.75", "--option", "label=two words"],
    status: "ok",
    warnings: ["contact 'floor' is closed at the start and closing (gap rate -41.712): the first step is an impact"],
    parameters: [
      { name: "e", value: 0.75, default: 0.5, doc: "restitution coefficient", low: 0, high: 1 },
      { name: "g", value: 9.81, default: 9.81, unit: "m/s^2", doc: "gravity" },
      { name: "m", value: 1.25e-7, default: 1.25e-7, unit: "kg", doc: "mass of the dust", low: 1e-9 },
    ],
    settings: [{ name: "n", value: 41, default: 41, doc: "points of the beam" }],
    options: [{ name: "scheme", value: "event-driven", doc: "impacts are located" }, { name: "h", value: 0.01, unit: "s", doc: "output interval" }, { name: "tol", value: 1e-10, doc: "tolerance" }],
    certificate: {
      trusted: false,
      energy: { initial: 14.715, final: 0.0312, forces: 0, contacts: -14.55, joints: 0, scheme: -0.1338, scale: 14.55 },
      penetration: { max: 3.2e-5, t: 1.106, contact: "floor" },
      joints: { drift: 0, t: null },
      contact_error: { max: 1.7e-16, t: 1.15, tolerance: 1e-12 },
      unsolved_steps: 0,
      crossings: 0,
      doubts: ["energy: the discretisation itself lost 0.1338, 0.92 % of the energy that moves; compare with h/2 (--certify)"],
    },
    measures: [
      { name: "bounces", value: impacts.length },
      { name: "impact_times", value: f8(impactTimes) },
      { name: "highest", value: 0.84375 },
      { name: "never", value: null },
      { name: "q", value: [0.22494335390946052, 0.062392613168725637, -9.59264272953225e-16] },
    ],
    facts: [{ title: "Cost", rows: [{ name: "steps", value: 600 }, { name: "time", value: 0.0021, note: "seconds" }] }],
    model: { file: "sample.lua", text: MODEL },
    clock: { t: T, rows: 6001, rule: "601 of 6001 outputs: every tenth" },
    coordinates: { names: ["y", "s", "theta"], q: f8(q), v: f8(v) },
    scene: { dimension: 2, low: [-2, -0.1], high: [3.1, 2.5], gravity: [0, -9.81], items },
    figures: [
      {
        name: "motion",
        title: "Motion",
        columns: 2,
        panels: [
          { title: "height and block", x: { label: "t in s" }, y: { label: "m" }, curves: [{ label: "ball", x: T, t: T, y: f8(column(FRAMES, (f) => rows[f].y)) }, { label: "block", x: T, t: T, y: f8(cart), style: "dashed" }, { label: "floor", style: "outline", x: f8([0, 6]), y: f8([0, 0]) }], marks: [{ kind: "impact", label: "impacts", x: f8(impactTimes), y: f8(impactTimes.map(() => 0)), t: f8(impactTimes) }] },
          { title: "velocity, with jumps", x: { label: "t in s" }, y: { label: "v in m/s" }, curves: [{ label: "velocity", x: f8(jt), y: f8(jv), t: f8(jt) }] },
          { title: "energy", x: { label: "t in s" }, y: { label: "E in J", log: true }, curves: [{ label: "energy", x: T, y: f8(energy), t: T, rule: "601 of 6001 rows" }] },
          { title: "phase plane of the pendulum", equal: true, x: { label: "theta" }, y: { label: "theta' / 2.2" }, curves: [{ label: "orbit", x: f8(theta), y: f8(column(FRAMES, (f) => -0.9 * Math.sin(2.2 * t[f]))), t: T }, { label: "limit", style: "dotted", x: f8([-0.9, 0.9, 0.9, -0.9, -0.9]), y: f8([-0.9, -0.9, 0.9, 0.9, -0.9]) }] },
        ],
      },
      {
        name: "others",
        title: "Other styles",
        panels: [
          {
            title: "Other styles",
            x: { label: "x" },
            y: { label: "y" },
            curves: [
              { label: "points", style: "points", x: f8([0, 1, 2, 3]), y: f8([1, 2, 1, 2]) },
              { label: "cross", style: "cross", x: f8([0, 1, 2, 3]), y: f8([2, 3, 2, 3]) },
              { label: "plus", style: "plus", x: f8([0, 1, 2, 3]), y: f8([3, 4, 3, 4]) },
              { label: "circle", style: "circle", x: f8([0, 1, 2, 3]), y: f8([4, 5, 4, 5]) },
              { label: "segments", style: "segments", x: f8([0, 1, 2]), y: f8([0, 0.5, 0]), x2: f8([0.5, 1.5, 2.5]), y2: f8([0.5, 0, 0.5]) },
              { label: "broken", x: f8([0, 1, NaN, 2, 3]), y: f8([6, 5.5, NaN, 6, 5.5]) },
            ],
            marks: ["impact", "release", "stick", "slip", "fold"].map((kind, k) => ({ kind, label: kind, x: f8([0.5 + 0.5 * k]), y: f8([6.5]), names: k === 4 ? ["LP1"] : undefined })),
          },
        ],
      },
    ],
    events: { t: f8(impactTimes), kind: u1(impactTimes.map(() => 0)), contact: u4(impactTimes.map(() => 0)), kinds: ["impact", "release", "stick", "slip"], contacts: ["floor"], impulse: f8(impacts.map((i) => i.p)) },
  };
}
