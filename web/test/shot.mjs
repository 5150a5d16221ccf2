// Pictures of a page for the eye:   node web/test/shot.mjs PAGE.html OUT.png [light|dark] [WIDTHxHEIGHT] [full] [t=TIME]
import { launch, open } from "./browser.mjs";

const [path, out, ...rest] = process.argv.slice(2);
const size = rest.find((w) => /^\d+x\d+$/.test(w))?.split("x").map(Number) ?? [1400, 900];
const browser = await launch();
const { page, notes, ready, milliseconds } = await open(browser, path, { viewport: { width: size[0], height: size[1] }, colorScheme: rest.includes("dark") ? "dark" : "light", deviceScaleFactor: rest.includes("fine") ? 2 : 1 });
const t = rest.find((w) => w.startsWith("t="));
if (t) await page.evaluate((v) => window.carom.clock.set(v), Number(t.slice(2)));
await page.waitForTimeout(150);
await page.screenshot({ path: out, fullPage: rest.includes("full") });
console.log({ ready, milliseconds, notes });
await browser.close();
