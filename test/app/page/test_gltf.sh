#!/bin/sh
# Scenes as glTF: the file's structure, and that bodies are at the right time where the run's JSON says; then the validator of
# the makers of glTF, where npm has it.
set -eu
# shellcheck source=test/app/page/browser_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/page/browser_helpers.sh"
cat >ball.lua <<'END_OF_MODEL'
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2)
potential(9.81*y)
contact { "floor", gap = y - 0.1, restitution = 0.5 }
initial { x = 0, y = 1, [dot(x)] = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
draw { disc(x, y, 0.1, { name = "ball" }), spring({ 0, 2 }, { x, y }), wall { { -1, 0 }, { 3, 0 } }, polygon { { 0, 0 }, { x, y }, { 1, 0 } } }
END_OF_MODEL
cat >boxes.lua <<'END_OF_MODEL'
world { gravity = { 0, 0, -9.81 } }
fixed { "floor", shape = plane { normal = { 0, 0, 1 } } }
body { "box", shape = box { 0.4, 0.3, 0.2 }, density = 1000, at = { 0, 0, 0.4 }, velocity = { 1, 0, 0 }, spin = { 1, 2, 3 } }
body { "ball", shape = sphere { 0.1 }, density = 1000, at = { 1, 0, 0.5 } }
integrate { h = 1e-3, until_t = 0.5 }
END_OF_MODEL
cat >discs.lua <<'END_OF_MODEL'
world { gravity = { 0, -9.81 } }
fixed { "floor", shape = plane { normal = { 0, 1 } } }
body { "a", shape = disc { 0.1 }, density = 1000, at = { 0, 0.5 }, velocity = { 1, 0 }, spin = 2 }
integrate { h = 1e-3, until_t = 0.5 }
END_OF_MODEL
"$CAROM" run ball.lua --gltf ball.glb --at 0.495 --json >ball.json 2>messages
grep -q 'ball.glb' messages
"$CAROM" run boxes.lua --gltf boxes.glb --at 0.249 --json >boxes.json 2>messages
"$CAROM" run discs.lua --gltf discs.glb --at 0.249 --json >discs.json 2>messages
python3 "$CAROM_SOURCE_DIR/test/app/page/check_gltf.py" ball boxes discs

# A model that says nothing about how it looks has no scene; other names are no glTF.
sed '/^draw/d' ball.lua >plain.lua
for wrong in "plain.lua plain.glb" "ball.lua ball.txt"; do
    status=0
    "$CAROM" run "${wrong% *}" --gltf "${wrong#* }" --quiet 2>messages || status=$?
    test $status -eq 2
    test ! -e "${wrong#* }"
done

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "skipped: the validator of glTF needs node and npm"
    exit 0
fi
need_web_packages
cat >validate.mjs <<'END_OF_SCRIPT'
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const validator = createRequire(process.env.CAROM_SOURCE_DIR + "/web/")("gltf-validator");
for (const file of ["ball.glb", "boxes.glb", "discs.glb"]) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  const { numErrors, numWarnings, messages } = report.issues;
  if (numErrors || numWarnings || !report.info.animationCount) {
    console.error(file, report.info, JSON.stringify(messages.slice(0, 10), null, 1));
    process.exit(1);
  }
}
END_OF_SCRIPT
node validate.mjs
