// Plots, heat maps, tables and texts in a real browser.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "../browser.mjs";
import { writeSample } from "../sample.mjs";

const scratch = process.env.CAROM_WEB_SCRATCH;
let browser;
before(async () => (browser = await launch()));
after(async () => browser?.close());
const opened = async (name, options) => open(browser, writeSample(name, join(scratch, "bundles"), scratch), options);

test("hide: by the handle and by a click; the curve is gone and comes back", async () => {
  const { page, context } = await opened("plane");
  const picture = () => page.evaluate(() => document.querySelector(".panel canvas").toDataURL());
  const first = await picture();
  assert.equal(await page.evaluate(() => window.carom.figures[0].hide("ball")), true);
  assert.deepEqual(await page.evaluate(() => window.carom.figures[0].hidden()), ["ball"]);
  assert.notEqual(await picture(), first);
  assert.equal(await page.evaluate(() => window.carom.figures[0].hide("no such curve")), false);
  const entry = page.locator(".curves-legend .entry", { hasText: "ball" }).first();
  assert.equal(await entry.getAttribute("aria-pressed"), "false");
  await entry.click();
  assert.deepEqual(await page.evaluate(() => window.carom.figures[0].hidden()), []);
  assert.equal(await picture(), first);
  await context.close();
});

test("the clock moves the marks of the plots, a click on a plot moves the clock", async () => {
  const { page, context } = await opened("plane");
  const plot = page.locator(".panel").first();
  const first = await plot.screenshot();
  await page.evaluate(() => window.carom.clock.set(3));
  assert.ok(!first.equals(await plot.screenshot()));
  const over = plot.locator(".u-over");
  const box = await over.boundingBox();
  await over.click({ position: { x: box.width / 3, y: box.height / 2 } });
  const t = await page.evaluate(() => window.carom.clock.t);
  assert.ok(Math.abs(t - 2) < 0.05, `t = ${t}`);
  // in the phase plane: to the time of the nearest point
  const phase = page.locator(".panel.equal .u-over");
  await phase.scrollIntoViewIfNeeded();
  const size = await phase.boundingBox();
  await phase.click({ position: { x: size.width / 2, y: 40 } });
  const state = await page.evaluate(() => window.carom.state());
  assert.ok(Math.abs(state.q.theta) < 0.45, `theta = ${state.q.theta}`);
  await context.close();
});

test("zoom by a frame, by the wheel, back by a double click; log axes", async () => {
  const { page, context, notes } = await opened("plane");
  const panel = page.locator(".panel").first();
  const over = panel.locator(".u-over");
  const picture = async () => {
    await page.mouse.move(2, 2);
    return panel.locator("canvas").first().evaluate((c) => c.toDataURL());
  };
  const box = await over.boundingBox();
  const first = await picture();
  await page.mouse.move(box.x + 40, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 110, { steps: 5 });
  await page.mouse.up();
  const zoomed = await picture();
  assert.notEqual(zoomed, first, "frame");
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.wheel(0, 200);
  await page.waitForTimeout(100);
  const wheeled = await picture();
  assert.notEqual(wheeled, zoomed, "wheel");
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.keyboard.down("Shift");
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + 80, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  assert.notEqual(await picture(), wheeled, "pan");
  await page.mouse.dblclick(box.x + 60, box.y + 60);
  assert.equal(await picture(), first, "double click");
  const log = panel.getByRole("button", { name: "log y" });
  await log.click();
  assert.equal(await log.getAttribute("aria-pressed"), "true");
  assert.notEqual(await picture(), first, "log");
  await log.click();
  assert.equal(await picture(), first);
  assert.deepEqual(notes, []);
  await context.close();
});

test("hover says values", async () => {
  const { page, context } = await opened("plane");
  const panel = page.locator(".panel").first();
  const over = panel.locator(".u-over");
  const box = await over.boundingBox();
  // on the block's curve at t = 3
  const y = await page.evaluate(() => {
    const { data } = window.carom;
    const c = data.figures[0].panels[0].curves[1];
    return c.y[300];
  });
  let found = "";
  for (let k = 1; k < 40 && !found.includes("block"); k++) {
    await page.mouse.move(box.x + box.width / 2, box.y + (k * box.height) / 40);
    found = (await panel.locator(".tip").textContent()) ?? "";
  }
  assert.match(found, /^block\nt in s = (2\.9|3|3\.0)/);
  assert.ok(Math.abs(Number(found.split("m = ")[1]) - y) < 0.05, `${found} ${y}`);
  await context.close();
});

test("heat map: hover says the value, a click shows the run and its command", async () => {
  const { page, context, notes } = await opened("sweep");
  const canvas = page.locator(".heat canvas").first();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 70, box.y + box.height - 52); // the lowest left cell
  assert.match(await page.locator(".heat .tip").first().textContent(), /height in m = 0\ne = 0\nomega in rad\/s = 0.05/);
  await page.mouse.click(box.x + 70, box.y + box.height - 52);
  const card = page.locator(".runcard");
  assert.match(await card.textContent(), /Run 1 of 357/);
  assert.match(await card.textContent(), /doubtful/);
  assert.equal(await card.locator("code").textContent(), "carom run shaken.lua --set e=0 --set omega=0.05");
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  assert.match(await card.textContent(), /Run 23 of 357/);
  await page.locator(".table tbody tr").nth(4).click();
  assert.match(await card.textContent(), /Run 5 of 357/);
  assert.deepEqual(notes, []);
  await context.close();
});

test("bifurcation diagram: a click on a point shows its run", async () => {
  const { page, context } = await opened("bifurcation");
  const over = page.locator(".u-over").first();
  const box = await over.boundingBox();
  for (let y = 10; y < box.height && (await page.locator(".runcard").isHidden()); y += 15) await over.click({ position: { x: box.width * 0.1, y } });
  const command = await page.locator(".runcard code").textContent();
  const r = Number(command.split("r=")[1]);
  assert.ok(r > 2.8 && r < 3, command);
  await context.close();
});

test("tables sort by a click, numbers as numbers", async () => {
  const { page, context } = await opened("bench");
  const cells = () => page.locator(".table tbody tr td:nth-child(1)").allTextContents();
  await page.getByRole("button", { name: /^problem/ }).click();
  assert.deepEqual((await cells()).slice(0, 3), ["problem-1", "problem-2", "problem-3"]);
  await page.getByRole("button", { name: /^problem/ }).click();
  assert.equal((await cells())[0], "problem-40");
  assert.equal(await page.locator("th[aria-sort=descending]").count(), 1);
  await context.close();
});

test("texts of the model are texts: nothing in them runs or becomes an element", async () => {
  const { page, context, notes } = await opened("plane");
  const lines = await page.locator(".code li").allTextContents();
  assert.match(lines.join("\n"), /<\/script><script>alert\("no"\)<\/script> included/);
  assert.equal(lines.length, 15);
  assert.ok((await page.locator(".lua-keyword").count()) > 3);
  assert.equal(await page.locator(".command code").first().textContent(), "carom run sample.lua --set e=0.75 --option 'label=two words'");
  assert.deepEqual(notes, []);
  await context.close();
});
