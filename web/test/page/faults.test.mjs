// What cannot be shown is said in words; and how long a large page takes.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "../browser.mjs";
import { packBase64 } from "../pack.mjs";
import { htmlOf, writeSample } from "../sample.mjs";
import { spaceRun } from "../samples/bodies.mjs";
import { planeRun } from "../samples/plane.mjs";

const scratch = process.env.CAROM_WEB_SCRATCH;
const bundles = join(scratch, "bundles");
let browser;
before(async () => (browser = await launch()));
after(async () => browser?.close());

async function fault(name, html, before) {
  const path = join(scratch, `fault-${name}.html`);
  writeFileSync(path, html);
  const { page, context, ready, notes } = await open(browser, path, before);
  const text = await page.locator(".notice").first().textContent();
  await context.close();
  assert.deepEqual(notes, []);
  return { ready, text };
}

test("damaged, foreign and missing data", async () => {
  const page = planeRun();
  const data = packBase64(page);
  const cases = {
    cut: [htmlOf(page, bundles, false, { data: data.slice(0, data.length >> 2 << 1) }), /damaged/],
    letters: [htmlOf(page, bundles, false, { data: `!!${data}` }), /not base64/],
    none: [htmlOf(page, bundles, false, { data: "" }), /has no data/],
    format: [htmlOf({ ...page, format: 7 }, bundles), /format 7; this page knows format 1/],
    head: [htmlOf(page, bundles, false, { head: { format: 9 } }), /format 9/],
  };
  for (const [name, [html, words]] of Object.entries(cases)) {
    const { ready, text } = await fault(name, html);
    assert.equal(ready, "no", name);
    assert.match(text, words);
  }
});

test("a browser that cannot unpack", async () => {
  const html = htmlOf(planeRun(), bundles).replace('<script type="application/json"', '<script>delete globalThis.DecompressionStream</script><script type="application/json"');
  const { ready, text } = await fault("old", html);
  assert.equal(ready, "no");
  assert.match(text, /lacks DecompressionStream/);
});

test("a motion in space in a page without drawings in space: the rest is shown", async () => {
  const path = join(scratch, "flat.html");
  writeFileSync(path, htmlOf(spaceRun(20), bundles, false));
  const { page, context, ready } = await open(browser, path);
  assert.equal(ready, "no");
  assert.match(await page.locator(".notice").textContent(), /animation cannot be shown/);
  assert.equal(await page.locator(".panel").count(), 1);
  await context.close();
});

test("a figure that makes no sense does not hide the others", async () => {
  const page = planeRun();
  page.figures[0].panels[0].curves[0].y = null;
  const { ready, text } = await fault("figure", htmlOf(page, bundles));
  assert.equal(ready, "no");
  assert.match(text, /'Motion' cannot be shown/);
});

test("ten thousand discs: below 20 MB, open within 2 s, fluid", async () => {
  const path = writeSample("discs", bundles, scratch);
  assert.ok(statSync(path).size < 20e6);
  // The machine of a test may be busy: what counts is the time of the processor that the page's thread takes.
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  const before = Date.now();
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { polling: 20 });
  const opening = await busy();
  console.log(`opened in ${Date.now() - before} ms, of which the page's thread worked ${Math.round(1000 * opening)} ms`);
  assert.ok(opening < 2, `${opening} s`);
  const draws = await page.evaluate(() => {
    const { clock } = window.carom;
    const start = performance.now();
    for (let k = 0; k < 40; k++) clock.set(k / 8);
    return (performance.now() - start) / 40;
  });
  const per = ((await busy()) - opening) / 40;
  console.log(`one picture: ${Math.round(1000 * per)} ms of the thread (${Math.round(draws)} ms by the clock)`);
  assert.ok(per < 0.04, `${per} s per picture`);
  await context.close();
});
