// Pages NAME.html of runs beside NAME.json, what `carom run --at T --json` printed:   node browser.mjs FOLDER-FOR-SCREENSHOTS NAME...
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const source = process.env.CAROM_SOURCE_DIR;
const { launch, open } = await import(pathToFileURL(join(source, "web/test/browser.mjs")).href);
const shots = resolve(process.argv[2]);

// What stands where in the picture, from coordinates: of things that a model draws itself; names of the page.
const PLACES = {
  "trial-08": (q) => ({ A: [q.x - 37.5 * Math.cos(q.theta), q.y - 37.5 * Math.sin(q.theta)], B: [q.x + 12.5 * Math.cos(q.theta), q.y + 12.5 * Math.sin(q.theta)] }),
  ball: (q) => ({ ball: [0, q.q + 0.1] }),
  "double-pendulum": (q) => {
    const p1 = [Math.sin(q.angle1), -Math.cos(q.angle1)];
    return { tip: [p1[0] + Math.sin(q.angle2), p1[1] - Math.cos(q.angle2)] };
  },
  "slider-crank": (q) => ({ crank: [q.crank_x, q.crank_y], rod: [q.rod_x, q.rod_y] }),
  // on a circle of radius 100 / 6, moving outwards
  ring: (q) => Object.fromEntries([...Array(100).keys()].map((i) => {
    const angle = (2 * Math.PI * i) / 100, r = 100 / 6 + q[`y${i}`];
    return [`particle ${i}`, [r * Math.cos(angle), r * Math.sin(angle)]];
  })),
  sink: (q) => ({ sink: [q.y, 1] }),
};
const SIZE_2D = ["x", "y", "phi"];
const SIZE_3D = ["x", "y", "z", "qw", "qx", "qy", "qz"];

const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 3e-7 * Math.max(1, Math.abs(b)), `${what}: the page has ${a}, the run ${b}`);

/** The frame at T has the coordinates of the run, to the last bit, and shows bodies and discs where they were. */
async function checkPlaces(page, name, sample) {
  const shown = await page.evaluate((t) => {
    window.carom.clock.set(t);
    const slider = document.querySelector("input.scrub");
    return { state: window.carom.state(), at: window.carom.scene.positions(), slider: Number(slider.value), dimension: window.carom.data.scene.dimension };
  }, sample.t);
  assert.equal(shown.state.t, sample.t);
  const names = Object.keys(shown.state.q);
  assert.ok(names.length > 0);
  for (const key of names) assert.equal(shown.state.q[key], sample.q[key], `${name}: ${key}`);
  for (const [key, value] of Object.entries(shown.state.v)) assert.equal(value, sample.v[key], `${name}: velocity of ${key}`);
  const expected = PLACES[name]?.(sample.q) ?? {};
  let compared = 0;
  for (const [key, point] of Object.entries(expected)) {
    assert.ok(key in shown.at, `${name}: no ${key} in the picture`);
    point.forEach((v, k) => near(shown.at[key][k], v, `${name}: ${key}`));
    compared++;
  }
  const keys = shown.dimension === 2 ? SIZE_2D : SIZE_3D;
  for (const [key, pose] of Object.entries(shown.at)) {
    if (!(`${key}.x` in sample.q)) continue;
    keys.forEach((k, i) => near(pose[i], sample.q[`${key}.${k}`], `${name}: ${key}.${k}`));
    compared++;
  }
  return { names: names.length, compared };
}

// Pixels of the animation: of the canvas itself, which is quick; in space of the screen, since WebGL does not keep them.
const picture = async (page) => {
  const canvas = page.locator(".stage canvas").first();
  const space = await page.locator(".stage.space").count();
  return space ? (await canvas.screenshot()).toString("base64") : canvas.evaluate((c) => c.toDataURL());
};
const frame = (page) => page.evaluate(() => window.carom.clock.frame());

/** Play moves the picture, pause stops it; by the button and by the space bar. Begun where there is motion: a beam begins at rest, a ball ends so. */
async function checkPlay(page, name) {
  const begun = await page.evaluate((part) => {
    const { clock, data } = window.carom;
    clock.set(data.clock.t[0] + part * (data.clock.t.at(-1) - data.clock.t[0]));
    return clock.frame();
  }, name === "convex" ? 0.5 : 0.1);
  const before = await picture(page);
  await page.getByRole("button", { name: "Play (space)" }).click();
  await page.waitForFunction((from) => window.carom.clock.frame() > from + 0.02 * window.carom.data.clock.t.length, begun, { polling: 20 });
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  const paused = await frame(page);
  assert.ok(paused !== begun, `${name} does not play`);
  const after = await picture(page);
  assert.ok(before !== after, `${name}: the picture does not move`);
  await page.waitForTimeout(80);
  assert.equal(await frame(page), paused, `${name}: pause does not stop it`);
  // a busy browser may draw the last frame after the pause, but only that
  let still = await picture(page);
  if (still !== after) {
    await page.waitForTimeout(1000);
    still = await picture(page);
    await page.waitForTimeout(200);
  }
  assert.ok(still === (await picture(page)), `${name}: the picture moves while it pauses`);
}

async function checkKeys(page, name) {
  const frames = await page.evaluate(() => window.carom.data.clock.t.length);
  const press = async (key, expected) => {
    await page.keyboard.press(key);
    assert.equal(await frame(page), expected, `${name}: key ${key}`);
  };
  await press("End", frames - 1);
  await press("ArrowLeft", frames - 2);
  await press("Home", 0);
  await press("ArrowRight", 1);
  await press("ArrowRight", 2);
  await press("ArrowLeft", 1);
}

/** The slider moved by hand shows the frame nearest to its time. */
async function checkScrub(page, name) {
  const seen = await page.evaluate(() => {
    const slider = document.querySelector("input.scrub");
    slider.value = "500";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const { t } = window.carom.data.clock;
    const middle = (t[0] + t[t.length - 1]) / 2;
    return { t: window.carom.state().t, best: Math.min(...Array.from(t, (v) => Math.abs(v - middle))), middle };
  });
  assert.ok(Math.abs(Math.abs(seen.t - seen.middle) - seen.best) <= 1e-12 * Math.max(1, Math.abs(seen.middle)), `${name}: the slider in the middle shows t = ${seen.t}`);
}

/** A click on an entry of a legend hides its curve, another shows it again. Says whether there is a legend. */
async function checkHide(page, name) {
  const entry = page.locator(".curves-legend button.entry").first();
  if (!(await entry.count())) return false;
  const hidden = () => page.evaluate(() => window.carom.figures.flatMap((f) => f.hidden()));
  const plots = () => page.evaluate(() => Array.from(document.querySelectorAll(".uplot canvas"), (c) => c.toDataURL()).join());
  const all = await plots();
  assert.deepEqual(await hidden(), []);
  await entry.click();
  assert.equal((await hidden()).length, 1, `${name}: nothing is hidden`);
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  let shown = await plots();
  for (let attempt = 0; attempt < 100 && shown === all; attempt++) {
    await page.waitForTimeout(60);
    shown = await plots();
  }
  assert.ok(all !== shown, `${name}: the hidden curve is still drawn`);
  await entry.click();
  assert.deepEqual(await hidden(), []);
  return true;
}

const browser = await launch();
let legends = 0;
let compared = 0;

async function checkPage(name) {
  const begun = Date.now();
  const { page, context, notes, milliseconds, ready } = await open(browser, resolve(`${name}.html`), { viewport: { width: 1000, height: 700 } });
  page.setDefaultTimeout(120000); // of what never comes: a busy machine may be slow
  const run = JSON.parse(readFileSync(`${name}.json`, "utf8"));
  assert.equal(ready, "yes", `${name}: ${await page.locator(".notice").allTextContents()}`);
  await checkPlay(page, name);
  await checkKeys(page, name);
  await checkScrub(page, name);
  const places = await checkPlaces(page, name, run.samples[0]);
  compared += places.compared;
  await page.screenshot({ path: join(shots, `${name}.png`) });
  if (await checkHide(page, name)) legends++;
  assert.ok((await page.evaluate(() => window.carom.scene.visible())) > 0, `${name}: nothing is in view`);
  assert.deepEqual(notes, [], name);
  console.log(`${name}: ready after ${milliseconds} ms, ${places.names} coordinates and ${places.compared} things in their places, ${Date.now() - begun} ms in all`);
  await context.close();
}

// Three at a time: much of it is waiting for pictures.
const left = process.argv.slice(3);
const all = left.length >= 10;
const lane = async () => {
  while (left.length) await checkPage(left.shift());
};
try {
  await Promise.all([lane(), lane(), lane()]);
  const least = all ? { legends: 7, compared: 200 + 18 + 14 } : { legends: 1, compared: 200 };
  assert.ok(legends >= least.legends && compared >= least.compared, `${legends} legends, ${compared} places`);
} finally {
  await browser.close();
}
