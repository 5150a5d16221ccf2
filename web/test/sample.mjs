// Pages for the tests and for the eye:   node web/test/sample.mjs BUNDLES OUTDIR
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { fillTemplate, packBase64 } from "./pack.mjs";
import { planeRun } from "./samples/plane.mjs";
import { discs, spaceRun } from "./samples/bodies.mjs";
import { bench, bifurcation, branch, converge, structure, sweep } from "./samples/studies.mjs";

const here = dirname(fileURLToPath(import.meta.url));

export const SAMPLES = {
  plane: { make: planeRun },
  space: { make: spaceRun, space: true },
  discs: { make: discs },
  sweep: { make: sweep },
  bifurcation: { make: bifurcation },
  branch: { make: branch },
  bench: { make: bench },
  converge: { make: converge },
  structure: { make: structure },
};

/** Text of the page; `change` may damage what goes in. */
export function htmlOf(page, bundles, space = false, change = {}) {
  const template = readFileSync(join(here, "..", "template.html"), "utf8");
  const head = JSON.stringify({ title: page.title, format: 1, ...change.head }).replace(/</g, "\\u003c");
  return fillTemplate(template, {
    css: readFileSync(join(bundles, "page.css"), "utf8"),
    head,
    data: change.data ?? packBase64(page),
    script: readFileSync(join(bundles, space ? "page3d.js" : "page.js"), "utf8"),
  });
}

export function writeSample(name, bundles, outdir) {
  const { make, space } = SAMPLES[name];
  const path = join(resolve(outdir), `${name}.html`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, htmlOf(make(), bundles, space));
  return path;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [bundles, outdir] = process.argv.slice(2);
  if (!outdir) {
    console.error("usage: node web/test/sample.mjs BUNDLES OUTDIR");
    process.exit(2);
  }
  for (const name of Object.keys(SAMPLES)) console.log(writeSample(name, bundles, outdir));
}
