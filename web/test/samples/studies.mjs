// Pages of studies: sweep, bifurcation diagram, branch, convergence, benchmark; and a structure with stops.
import { delta, f8, u1, u4 } from "../pack.mjs";
import { random } from "./bodies.mjs";

export function sweep() {
  const [nx, ny] = [21, 17];
  const xs = Array.from({ length: nx }, (_, i) => i / (nx - 1));
  const ys = Array.from({ length: ny }, (_, j) => 0.05 * 10 ** ((2 * j) / (ny - 1)));
  const z = [];
  const values = [];
  const steps = [];
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++) {
      z.push(i === 3 && j === 5 ? NaN : Math.sin(5 * xs[i]) * Math.log10(ys[j]) + 2 * xs[i]);
      values.push(xs[i], ys[j]);
      steps.push(10 ** (2 + 3 * xs[i]));
    }
  const run = u4(z.map((_, k) => k));
  const x = { label: "e", values: f8(xs) };
  const y = { label: "omega in rad/s", values: f8(ys), log: true };
  return {
    format: 1,
    kind: "sweep",
    title: "restitution and frequency of a shaken ball",
    status: "ok",
    command: ["carom", "sweep", "shaken.lua", "--over", "e=0:1:21", "--over", "omega=0.05:5:17:log"],
    figures: [{ name: "sweep", title: "Measures", columns: 2, panels: [{ kind: "heat", title: "height", x, y, z: f8(z), label: "height in m", run }, { kind: "heat", title: "steps", x, y, z: f8(steps), label: "steps", zlog: true, run }] }],
    runs: { names: ["e", "omega"], values: f8(values), status: u1(z.map((v) => (Number.isNaN(v) ? 1 : 0))), statuses: ["ok", "failed"], trusted: u1(z.map((_, k) => (k % 7 ? 1 : 0))), command: ["carom", "run", "shaken.lua"] },
    tables: [{ title: "Runs", columns: ["e", "omega", "height", "status"], rows: z.map((v, k) => [values[2 * k], values[2 * k + 1], Number.isNaN(v) ? null : v, Number.isNaN(v) ? "failed" : "ok"]), runs: true }],
  };
}

export function bifurcation() {
  const a = [];
  const x = [];
  const run = [];
  const parameters = [];
  for (let k = 0; k < 600; k++) {
    const r = 2.8 + (1.2 * k) / 599;
    parameters.push(r);
    let v = 0.4;
    for (let n = 0; n < 300; n++) v = r * v * (1 - v);
    for (let n = 0; n < 40; n++) {
      v = r * v * (1 - v);
      a.push(r);
      x.push(v);
      run.push(k);
    }
  }
  return {
    format: 1,
    kind: "sweep",
    title: "heights after many impacts",
    status: "ok",
    command: ["carom", "sweep", "m.lua", "--over", "r=2.8:4:600"],
    figures: [{ name: "bifurcation", title: "Bifurcation diagram", panels: [{ title: "Bifurcation diagram", x: { label: "r" }, y: { label: "x" }, curves: [{ label: "x", style: "points", x: f8(a), y: f8(x), run: u4(run) }] }] }],
    runs: { names: ["r"], values: f8(parameters), command: ["carom", "run", "m.lua"] },
  };
}

export function branch() {
  const s = Array.from({ length: 200 }, (_, k) => -1.5 + (3 * k) / 199);
  const p = (u) => u * u * u - u;
  const part = (label, style, from, to) => ({ label, style, x: f8(s.filter((u) => u >= from && u <= to).map(p)), y: f8(s.filter((u) => u >= from && u <= to)) });
  const f = 1 / Math.sqrt(3);
  return {
    format: 1,
    kind: "continue",
    title: "branch with two folds",
    status: "ok",
    message: "",
    figures: [
      {
        name: "branch",
        title: "Branch",
        panels: [
          {
            title: "Branch",
            x: { label: "frequency" },
            y: { label: "amplitude" },
            curves: [{ ...part("stable", "line", -2, -f), colour: 0 }, { ...part("unstable", "dashed", -f, f), colour: 1 }, { ...part("stable", "line", f, 2), colour: 0 }],
            marks: [{ kind: "fold", label: "fold", x: f8([p(-f), p(f)]), y: f8([-f, f]), names: ["LP1", "LP2"] }],
          },
        ],
      },
    ],
    facts: [{ title: "Special points", rows: [{ name: "LP1", value: p(-f), note: "fold" }, { name: "LP2", value: p(f), note: "fold" }] }],
    tables: [{ title: "Points", columns: ["frequency", "amplitude", "stable"], rows: s.map((u) => [p(u), u, Math.abs(u) > f]) }],
  };
}

export function bench() {
  const next = random(5);
  const solvers = ["auto", "nsn-ac", "nsgs", "projection"];
  const curves = solvers.map((label, k) => {
    const factor = Array.from({ length: 40 }, () => 1 + (next() < 0.4 / (k + 1) ? 0 : 10 ** (2 * next() * (k + 1) * 0.5))).sort((a, b) => a - b);
    const x = [];
    const y = [];
    factor.forEach((v, i) => {
      x.push(v, v);
      y.push(i / 40, (i + 1) / 40);
    });
    return { label, x: f8(x), y: f8(y) };
  });
  return {
    format: 1,
    kind: "bench",
    title: "solvers on forty problems",
    status: "ok",
    figures: [{ name: "profile", title: "Performance profile", panels: [{ title: "Performance profile", x: { label: "time over the shortest", log: true }, y: { label: "part solved", low: 0, high: 1 }, curves }] }],
    tables: [{ title: "Times", columns: ["problem", ...solvers], rows: Array.from({ length: 40 }, (_, i) => [`problem-${i + 1}`, ...solvers.map((_, k) => (next() < 0.1 * k ? null : 10 ** (-4 + 3 * next())))]) }],
  };
}

export function converge() {
  const h = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5];
  return {
    format: 1,
    kind: "converge",
    title: "order of two schemes",
    status: "ok",
    figures: [{ name: "slopes", title: "Error against step", panels: [{ title: "Error against step", x: { label: "h in s", log: true }, y: { label: "error", log: true }, curves: [{ label: "moreau-jean, order 1.00", x: f8(h), y: f8(h.map((v) => 0.7 * v)), style: "line" }, { label: "generalized-alpha, order 2.00", x: f8(h), y: f8(h.map((v) => 0.4 * v * v)), style: "linepoints" }, { label: "measured", style: "circle", x: f8(h), y: f8(h.map((v) => 0.72 * v)) }] }] }],
  };
}

export function structure() {
  const [frames, n] = [120, 61];
  const x = Array.from({ length: n }, (_, i) => (10 * i) / (n - 1));
  const u = [];
  const stops = [-1, 1].flatMap((side) => [3, 4, 5, 6, 7].map((at) => ({ kind: "stop", name: `${side < 0 ? "lower" : "upper"}_${at}`, upper: side > 0, at: [at, side * (0.01 + 0.01 * (at - 5) ** 2)], regime: [], impulse: [] })));
  for (let f = 0; f < frames; f++) {
    const shape = (s) => 0.08 * Math.sin(0.1 * f) * (s / 10) ** 2 * (3 - s / 10);
    for (const s of x) u.push(shape(s));
    for (const stop of stops) {
      const closed = stop.upper ? shape(stop.at[0]) >= stop.at[1] : shape(stop.at[0]) <= stop.at[1];
      stop.regime.push(closed ? 3 : 0);
      stop.impulse.push(closed ? 1 : 0);
    }
  }
  return {
    format: 1,
    kind: "run",
    title: "beam between stops",
    status: "stopped",
    message: "the stop 'far' ended the run at t = 1.19",
    clock: { t: f8(Array.from({ length: frames }, (_, f) => 0.01 * f)) },
    coordinates: { names: ["tip", "base"], q: f8(Array.from({ length: frames }, (_, f) => [u[f * n + n - 1], 0]).flat()) },
    scene: { dimension: 2, low: [0, -0.3], high: [10, 0.3], items: [{ kind: "curve", name: "beam", n, exaggerate: true, x: f8(x), y: delta(u, n) }, ...stops.map((s) => ({ ...s, regime: u1(s.regime), impulse: [f8(s.impulse)] }))] },
  };
}
