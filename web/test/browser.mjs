// Debian's chromium, headless, and a page opened from a file: address with all that it says and asks for noted down.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

export const CHROMIUM = process.env.CHROMIUM || ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => existsSync(p));

export async function launch() {
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"] });
}

/** Opens a file; `notes` collects errors of the console and requests to anything but the file itself. */
export async function open(browser, path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const notes = [];
  const url = pathToFileURL(path).href;
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !/GPU stall|swiftshader/i.test(m.text()) && notes.push(`console ${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => notes.push(`error: ${e.message}`));
  page.on("request", (r) => r.url() !== url && !/^(data|blob):/.test(r.url()) && notes.push(`request: ${r.url()}`));
  const before = Date.now();
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 120000, polling: 20 });
  return { page, context, notes, milliseconds: Date.now() - before, ready: await page.evaluate(() => document.documentElement.dataset.ready) };
}
