// The page in a real browser, opened from a file: address.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "../browser.mjs";
import { htmlOf, SAMPLES, writeSample } from "../sample.mjs";

const scratch = process.env.CAROM_WEB_SCRATCH;
const bundles = join(scratch, "bundles");
let browser;
before(async () => (browser = await launch()));
after(async () => browser?.close());

const opened = async (name, options) => open(browser, writeSample(name, bundles, scratch), options);
/** The pixels of the animation. (A screenshot of the same may differ by rounding, where the canvas does not begin at a whole pixel.) */
const stage = (page) => page.evaluate(() => document.querySelector(".stage canvas").toDataURL());
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

for (const name of Object.keys(SAMPLES))
  test(`${name}: ready, no error, no request; nothing sticks out on a phone; dark as well`, async () => {
    const { page, context, notes, ready } = await opened(name);
    assert.deepEqual({ ready, notes }, { ready: "yes", notes: [] });
    assert.equal(await page.locator(".notice").count(), 0);
    assert.equal(await sideways(page), 0);
    await context.close();
    const phone = await opened(name, { viewport: { width: 360, height: 740 }, colorScheme: "dark", isMobile: true, hasTouch: true });
    assert.deepEqual({ ready: phone.ready, notes: phone.notes }, { ready: "yes", notes: [] });
    assert.equal(await sideways(phone.page), 0, "horizontal scroll");
    const wide = await phone.page.evaluate(() => [...document.querySelectorAll("#carom-page > *, .card")].filter((e) => e.getBoundingClientRect().right > 361).length);
    assert.equal(wide, 0);
    await phone.context.close();
  });

for (const name of ["plane", "space", "discs", "structure"])
  test(`${name}: play moves the picture, pause stops it`, async () => {
    const { page, context, notes } = await opened(name);
    const first = await stage(page);
    const shot = await page.locator(".stage").screenshot();
    assert.ok(first === (await stage(page)), "the picture stands still");
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.carom.clock.frame() > 5);
    await page.keyboard.press(" ");
    const t = await page.evaluate(() => window.carom.clock.t);
    assert.ok(first !== (await stage(page)), "play moves the picture");
    assert.ok(!shot.equals(await page.locator(".stage").screenshot()), "on the screen, too");
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.carom.clock.t), t);
    assert.ok((await page.evaluate(() => window.carom.scene.visible())) > 0);
    assert.deepEqual(notes, []);
    await context.close();
  });

test("clock, state, positions and the picture's time agree", async () => {
  const { page, context } = await opened("plane");
  for (const t of [0, 1.234, 3, 6]) {
    const got = await page.evaluate((v) => {
      window.carom.clock.set(v);
      const { data, clock, state, scene } = window.carom;
      const f = clock.frame();
      return { f, t: state().t, y: state().q.y, v: state().v.theta, frameT: data.clock.t[f], q: data.coordinates.q[3 * f], w: data.coordinates.v[3 * f + 2], ball: scene.positions().ball, a: scene.positions().a, text: document.querySelector(".time").textContent };
    }, t);
    assert.equal(got.f, Math.round(t * 100));
    assert.equal(got.t, got.frameT);
    assert.equal(got.y, got.q);
    assert.equal(got.v, got.w);
    assert.ok(Math.abs(got.ball[1] - got.y - 0.12) < 1e-12);
    assert.equal(got.a.length, 3);
    assert.equal(got.text, `t = ${got.t.toFixed(3)}`);
  }
  await context.close();
});

test("keys: arrows, shift-arrows, home, end, speed, loop, events, help", async () => {
  const { page, context, notes } = await opened("plane");
  const frame = () => page.evaluate(() => window.carom.clock.frame());
  const press = async (...keys) => {
    for (const k of keys) await page.keyboard.press(k);
  };
  await press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft");
  assert.equal(await frame(), 2);
  await press("Shift+ArrowRight");
  assert.equal(await frame(), 32);
  await press("End");
  assert.equal(await frame(), 600);
  await press("Home");
  assert.equal(await frame(), 0);
  await press("n");
  assert.equal(await frame(), 55); // the first impact
  await press("n", "p");
  assert.equal(await frame(), 55);
  const speed = () => page.locator("select.speed").inputValue();
  assert.equal(await speed(), "1");
  await press("+");
  assert.equal(await speed(), "2");
  await press("-", "-");
  assert.equal(await speed(), "0.5");
  const loop = () => page.getByLabel("Loop (l)").getAttribute("aria-pressed");
  assert.equal(await loop(), "true");
  await press("l");
  assert.equal(await loop(), "false");
  await press("?");
  assert.ok(await page.locator("dialog.help").isVisible());
  await press("Escape");
  assert.ok(!(await page.locator("dialog.help").isVisible()));
  const light = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await press("d");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), light);
  assert.deepEqual(notes, []);
  await context.close();
});

test("the view: zoom and drag change it, f gives it back", async () => {
  for (const name of ["plane", "space"]) {
    const { page, context } = await opened(name);
    const canvas = page.locator(".stage canvas");
    const first = await stage(page);
    const box = await canvas.boundingBox();
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 260, box.y + 130, { steps: 4 });
    await page.mouse.up();
    const dragged = await stage(page);
    assert.ok(first !== dragged, `${name}: drag`);
    await page.mouse.wheel(0, -300); // it was clicked: the wheel zooms
    await page.waitForTimeout(100);
    assert.ok(dragged !== (await stage(page)), `${name}: wheel`);
    await page.mouse.move(5, 5);
    await page.keyboard.press("f");
    await page.waitForTimeout(300);
    await canvas.blur();
    assert.ok(first === (await stage(page)), `${name}: f`);
    await context.close();
  }
});

test("switches change the picture: grid, trails, contacts, impulses, names, speed; exaggeration, arrows", async () => {
  for (const kind of ["plane", "space"]) {
    const { page, context } = await opened(kind);
    await page.evaluate(() => window.carom.clock.set(2));
    let last = await stage(page);
    const changed = async (what) => {
      const now = await stage(page);
      assert.ok(last !== now, `${kind}: ${what}`);
      last = now;
    };
    await page.getByLabel(/^arrows/).fill("0.5");
    await changed("arrows");
    for (const name of ["grid", "trails", "contacts", "impulses", "names", "speed"]) {
      await page.locator(".chip", { hasText: name }).click();
      await changed(name);
    }
    if (kind === "plane") {
      await page.getByLabel(/^exaggeration/).fill("2");
      await changed("exaggeration");
    }
    await context.close();
  }
});
