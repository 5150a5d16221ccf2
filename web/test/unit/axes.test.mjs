import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../load.mjs";

const { cellEdges, linearTicks, logTexts, logTicks, niceStep, tickTexts } = await load("ticks");
const { short, shellWords, timeText } = await load("numbers");
const { equalised, isMonotone, moved, sameNumbers, wholeWindow, zoomed } = await load("figure/extent");

test("steps are 1, 2 or 5 times a power of ten", () => {
  for (const [span, count, step] of [[10, 5, 2], [1, 10, 0.1], [7, 3, 5], [0.003, 3, 0.001], [1e-12, 4, 5e-13], [3e8, 6, 5e7]]) assert.ok(Math.abs(niceStep(span, count) / step - 1) < 1e-12, `${span} ${count}`);
  assert.equal(niceStep(0, 5), 1);
  assert.equal(niceStep(NaN, 5), 1);
});

test("ticks lie inside, are evenly apart and are the decimal numbers that they are called", () => {
  assert.deepEqual(linearTicks(0, 1, 10), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  assert.deepEqual(linearTicks(-0.35, 0.1, 5), [-0.3, -0.2, -0.1, 0, 0.1]);
  for (let k = 0; k < 200; k++) {
    const low = (k - 100) * 0.37;
    const high = low + 10 ** (k / 25 - 4);
    const ticks = linearTicks(low, high, 6);
    assert.ok(ticks.length >= 2 && ticks.length <= 8, `${low} ${high}: ${ticks}`);
    const slack = 1e-9 * (high - low) + 1e-12 * Math.abs(low);
    for (const t of ticks) assert.ok(t >= low - slack - 1e-8 * (high - low) && t <= high + slack + 1e-8 * (high - low));
  }
});

test("texts of ticks", () => {
  assert.deepEqual(tickTexts([0, 0.5, 1]), { texts: ["0", "0.5", "1.0"], power: 0 });
  assert.deepEqual(tickTexts([-2e-6, 0, 2e-6]), { texts: ["\u22122", "0", "2"], power: -6 });
  assert.deepEqual(tickTexts([1e6, 1.5e6]), { texts: ["1.0", "1.5"], power: 6 });
  assert.deepEqual(logTexts([1e-6, 0.01, 1, 1000, 20000, 1e5]), ["10\u207b\u2076", "0.01", "1", "1000", "2\u00d710\u2074", "10\u2075"]);
});

test("logarithmic ticks", () => {
  assert.deepEqual(logTicks(1e-6, 1, 20), [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1]);
  assert.ok(logTicks(1e-30, 1, 5).length <= 6);
  assert.deepEqual(logTicks(0.9, 25, 8), [1, 2, 5, 10, 20]);
  assert.ok(logTicks(1.01, 1.02, 5).length >= 2);
  assert.deepEqual(logTicks(0, 1, 5), []);
});

test("cells reach half way to their neighbours", () => {
  assert.deepEqual(cellEdges([0, 1, 3], false), [-0.5, 0.5, 2, 4]);
  const log = cellEdges([1, 10, 100], true);
  assert.ok(log.every((e, k) => Math.abs(Math.log10(e) - (k - 0.5)) < 1e-12));
  assert.deepEqual(cellEdges([5], false), [4.5, 5.5]);
});

test("numbers for people", () => {
  assert.equal(short(0.1 + 0.2), "0.3");
  assert.equal(short(-9.59264272953225e-16, 4), "\u22129.593\u2009\u00d7\u200910\u207b\u00b9\u2076");
  assert.equal(short(1e-10), "10\u207b\u00b9\u2070");
  assert.equal(short(123456), "123456");
  assert.equal(short(NaN), "\u2013");
  assert.equal(short(Infinity), "\u221e");
  assert.equal(timeText(1.5, 6), "1.500");
  assert.equal(timeText(0.00012, 0.001), "0.000120");
});

test("words as a shell reads them", () => {
  assert.equal(shellWords(["carom", "run", "m.lua", "--set", "e=0.5"]), "carom run m.lua --set e=0.5");
  assert.equal(shellWords(["it's", "a b", "$HOME", "", "a;b"]), `'it'\\''s' 'a b' '$HOME' '' 'a;b'`);
});

test("windows of plots", () => {
  const panel = { x: {}, y: { low: 0 } };
  const curve = { x: Float64Array.from([0, 1, NaN, 2]), y: Float64Array.from([1, -5, 9, 3]) };
  const w = wholeWindow(panel, { curves: [curve], marks: [] }, false, false, true);
  assert.deepEqual([w.x0, w.x1, w.y0], [0, 2, 0]);
  assert.ok(w.y1 > 9);
  const log = wholeWindow({}, { curves: [{ x: [1, 10], y: [0, 100] }], marks: [] }, false, true, false);
  assert.ok(log.y0 > 0);
  const empty = wholeWindow({}, { curves: [], marks: [] }, false, false, false);
  assert.ok(empty.x0 < empty.x1 && empty.y0 < empty.y1);
  const constant = wholeWindow({}, { curves: [{ x: [0, 1], y: [7, 7] }], marks: [] }, false, false, false);
  assert.ok(constant.y0 < 7 && constant.y1 > 7);
});

test("equal axes: a unit is as long in both directions, and nothing is lost", () => {
  const w = equalised({ x0: 0, x1: 4, y0: -1, y1: 1 }, 100, 100);
  assert.deepEqual(w, { x0: 0, x1: 4, y0: -2, y1: 2 });
  const v = equalised({ x0: 0, x1: 1, y0: 0, y1: 9 }, 300, 100);
  assert.ok(Math.abs((v.x1 - v.x0) / 300 - (v.y1 - v.y0) / 100) < 1e-12 && v.x0 <= 0 && v.x1 >= 1);
});

test("zoom keeps its place, and zooming back gives the window back", () => {
  const w = { x0: 1, x1: 5, y0: 1, y1: 100 };
  const z = zoomed(w, 0.25, 0.5, 0.5, 0.5, false, true);
  assert.deepEqual([z.x0, z.x1], [1.5, 3.5]);
  assert.ok(Math.abs(z.y0 * z.y1 - 100) < 1e-9);
  const back = zoomed(z, 0.25, 0.5, 2, 2, false, true);
  for (const k of Object.keys(w)) assert.ok(Math.abs(back[k] - w[k]) < 1e-9 * Math.abs(w[k]));
  const m = moved(w, 0.5, 1, false, true);
  assert.deepEqual([m.x0, m.x1], [3, 7]);
  assert.ok(Math.abs(m.y0 - 100) < 1e-9);
});

test("monotone and equal lists", () => {
  assert.equal(isMonotone([0, 1, 1, NaN, 2]), true);
  assert.equal(isMonotone([0, 1, NaN, 0.5]), false);
  assert.equal(sameNumbers(Float32Array.from([0.1, 0.2]), Float64Array.from([0.1, 0.2])), true);
  assert.equal(sameNumbers([0, 1], [0, 2]), false);
});
