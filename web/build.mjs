// Makes page.js, page3d.js and page.css, minified, from src/ and style/:   node web/build.mjs OUTDIR
import { build } from "esbuild";
import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error("usage: node web/build.mjs OUTDIR");
  process.exit(2);
}

const outdir = resolve(out);
await mkdir(outdir, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.ts", page3d: "src/main3d.ts" },
  outdir,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  platform: "browser",
  charset: "ascii", // the page may be read with any encoding
  legalComments: "inline",
  sourcemap: false,
  logLevel: "warning",
});
await build({
  absWorkingDir: here,
  entryPoints: { page: "style/page.css" },
  outdir,
  bundle: true,
  minify: true,
  target: "es2020",
  charset: "ascii",
  logLevel: "warning",
});

for (const file of ["page.js", "page3d.js", "page.css"]) {
  const path = join(outdir, file);
  const text = await readFile(path, "utf8");
  // Inside <script> and <style> these would end the element, or begin a comment in it.
  const bad = text.match(/<\/(script|style)|<!--/i);
  if (bad) {
    console.error(`${file}: contains '${bad[0]}', which cannot stand inside the element of a page`);
    process.exit(1);
  }
  console.log(`${file} ${(await stat(path)).size}`);
}
