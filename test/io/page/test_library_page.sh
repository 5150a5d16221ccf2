#!/bin/sh
# A page that a program in C makes is the one of `carom run --report`: all but the time of computing.
set -eu
cat >ball.lua <<'END'
experiment { title = "Ball" }
local x, y = coordinates("x", "y")
mass(1)
potential(9.81*y)
contact { "floor", gap = y - 0.1, restitution = 0.8 }
initial { x = 0, y = 1, [dot(x)] = 1 }
integrate { scheme = "event-driven", h = 1e-2, until_t = 1.5 }
measure { bounces = count(impact "floor"), top = maximum(y), when = times(impact "floor") }
plot { "height", line { time(), y, marks = true }, outline { { 0, 0 }, { 2, 0 } } }
plot { "orbit", columns = 2, panel { line { y, dot(y) } }, panel { segments { x, y, x + 1, y, every = 0.25 } } }
draw { disc(x, y, 0.1), path({ x, y }), touch("floor", { x, 0 }, { 0, 1 }) }
END
cat >boxes.lua <<'END'
world { gravity = { 0, 0, -9.81 } }
fixed { "floor", shape = plane { normal = { 0, 0, 1 } } }
body { "box", shape = box { 0.4, 0.3, 0.2 }, density = 1000, at = { 0, 0, 0.4 }, spin = { 1, 2, 3 } }
body { "ball", shape = sphere { 0.1 }, density = 1000, at = { 1, 0, 0.5 } }
integrate { h = 1e-3, until_t = 0.5 }
END
for name in ball boxes; do
    if ! "$CAROM" run $name.lua --report $name-program.html --quiet 2>messages; then
        grep -q 'npm was missing' messages || { cat messages >&2 && exit 1; }
        echo "skipped: built without the report page" && exit 0
    fi
    "$CAROM_TEST_PROGRAMS/make_report" $name.lua $name-library.html carom run $name.lua
done
PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 - <<'END'
from page_data import read_page

for name in "ball", "boxes":
    pages = [read_page("%s-%s.html" % (name, by)) for by in ("program", "library")]
    for page in pages:
        rows = page["facts"][0]["rows"]
        assert [row.pop("value") > 0 for row in rows if row["name"] == "time of computing"] == [True]
    assert pages[0].keys() == pages[1].keys(), (pages[0].keys(), pages[1].keys())
    for key in pages[0]:
        # NaN interrupts lines, and differs from itself
        assert repr(pages[0][key]) == repr(pages[1][key]), (name, key)
    assert pages[0]["command"] == ["carom", "run", name + ".lua"]
END
