// All tests of the page:   node web/test/run.mjs [unit|browser]
// Units run in node; the page itself in Debian's chromium, where that is installed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHROMIUM } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const only = process.argv[2];
const scratch = mkdtempSync(join(tmpdir(), "carom-web-"));
const run = (...args) => spawnSync(process.execPath, args, { stdio: "inherit", env: { ...process.env, CAROM_WEB_SCRATCH: scratch } }).status ?? 1;
const tests = (folder) => readdirSync(join(here, folder)).filter((f) => f.endsWith(".test.mjs")).map((f) => join(here, folder, f));

const tsc = join(here, "..", "node_modules", "typescript", "bin", "tsc");
let failed = existsSync(tsc) ? run(tsc, "--noEmit", "-p", join(here, "..")) : 0;
if (!existsSync(tsc)) console.log("SKIPPED: the check of types needs typescript (npm ci in web/)");
failed ||= run(join(here, "..", "build.mjs"), join(scratch, "bundles"));
if (!failed && only !== "browser") failed ||= run("--test", ...tests("unit"));
if (!failed && only !== "unit") {
  if (!CHROMIUM) console.log("SKIPPED: the tests in a browser need chromium (apt-get install chromium, or CHROMIUM=/path/to/it)");
  else if (!existsSync(join(here, "..", "node_modules", "playwright-core"))) console.log("SKIPPED: the tests in a browser need playwright-core (npm ci in web/)");
  else failed ||= run("--test", "--test-concurrency=1", ...tests("page"));
}
rmSync(scratch, { recursive: true, force: true });
process.exit(failed);
