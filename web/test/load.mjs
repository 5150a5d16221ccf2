// A module of src/ for node, by esbuild.
import { build } from "esbuild";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");

export async function load(module) {
  const outdir = mkdtempSync(join(process.env.CAROM_WEB_SCRATCH ?? tmpdir(), "unit-"));
  const outfile = join(outdir, "module.mjs");
  await build({ absWorkingDir: web, entryPoints: [`src/${module}.ts`], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  return import(pathToFileURL(outfile).href);
}
