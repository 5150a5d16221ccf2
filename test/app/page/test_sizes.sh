#!/bin/sh
# Pages of very long runs and of very many bodies stay small, say which resolution they have, and are ready soon in a browser.
set -eu
# shellcheck source=test/app/page/browser_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/page/browser_helpers.sh"
steps=4000000
grep -q 'CAROM_SANITIZE:.*=ON' "$CAROM_BUILD_DIR/CMakeCache.txt" && steps=1000000
cat >long.lua <<END_OF_MODEL
local x = coordinates("x")
kinetic(dot(x)^2/2)
potential(9.81*x)
contact { "floor", gap = x, restitution = 0.9 }
initial { x = 1 }
integrate { scheme = "moreau-jean", h = 1/$steps, until_t = 1 }
measure { bounces = count(impact "floor") }
plot { "height", x = time(), y = x, marks = true }
draw { disc(0, x + 0.1, 0.1, { name = "ball" }), wall { { -1, 0 }, { 1, 0 } }, touch("floor", { 0, 0 }, { 0, 1 }) }
END_OF_MODEL
cat >many.lua <<'END_OF_MODEL'
world { gravity = { 0, -9.81 } }
for i = 1, 10000 do
  local column, row = (i - 1) % 100, (i - 1) // 100
  body { "d" .. i, shape = disc { 0.04 }, density = 1000, at = { 0.1 * column, 0.1 * row }, velocity = { math.random() - 0.5, math.random() } }
end
integrate { h = 1e-4, until_t = 0.02 }
END_OF_MODEL
"$CAROM" run long.lua --report long.html --json >long.json 2>messages
"$CAROM" run many.lua --report many.html --json >many.json 2>messages
wc -c long.html many.html
for page in long many; do
    if [ "$(wc -c <$page.html)" -ge 20000000 ]; then
        echo "$page.html has 20 MB or more" >&2
        exit 1
    fi
done
STEPS=$steps PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 - <<'END_OF_SCRIPT'
import os
from page_data import read_page

steps = int(os.environ["STEPS"])
page = read_page("long.html")
times = page["clock"]["t"]
assert page["clock"]["rows"] == steps + 1 and 1000 < len(times) < 1e6
assert page["clock"]["rule"] == "%d of %d outputs, evenly spaced" % (len(times), steps + 1), page["clock"]["rule"]
assert times[0] == 0 and abs(times[-1] - 1) < 1e-9
curve = page["figures"][0]["panels"][0]["curves"][0]
assert "of %d outputs" % (steps + 1) in curve["rule"] and len(curve["x"]) < 10000
heights = page["coordinates"]["q"]
assert max(curve["y"]) >= max(heights) and min(curve["y"]) <= min(heights), "extremes are kept"
page = read_page("many.html")
bodies = next(item for item in page["scene"]["items"] if item["kind"] == "bodies")
frames = len(page["clock"]["t"])
assert bodies["count"] == 10000 and len(bodies["pose"]) == 3 * 10000 * frames and frames >= 50, frames
END_OF_SCRIPT
need_browser
cat >ready.mjs <<'END_OF_SCRIPT'
import { resolve } from "node:path";
const { launch, open } = await import(process.env.CAROM_SOURCE_DIR + "/web/test/browser.mjs");
const browser = await launch();
for (const name of ["long", "many"]) {
  const { page, ready, milliseconds, notes, context } = await open(browser, resolve(`${name}.html`));
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  console.log(`${name}: ready ${ready} after ${milliseconds} ms`);
  if (ready !== "yes" || notes.length) throw new Error(`${name}: ${notes}`);
  // The work itself, not the time on a machine that does other things: a second opening, measured in time of the page's thread.
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { polling: 20 });
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = metrics.find((m) => m.name === "TaskDuration").value;
  console.log(`${name}: ${seconds.toFixed(2)} s of the page's thread`);
  if (seconds > 2) throw new Error(`${name}: the page works for ${seconds} s until it is ready`);
}
await browser.close();
END_OF_SCRIPT
node ready.mjs
