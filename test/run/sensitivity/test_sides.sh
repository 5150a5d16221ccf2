#!/bin/sh
# One-sided derivatives of runs with breaks: a collision of three balls whose order matters, in closed form; a grazing, which has none on
# the side that strikes; a start on the floor; and none where there are no breaks.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > balls.lua << 'LUA'
local d = param { "d", 0 }
local a, b, c = coordinates("a", "b", "c")
mass(1)
contact { "ab", gap = b - a - 1, restitution = 0.5 }
contact { "bc", gap = c - b - 1, restitution = 0.5 }
initial { a = -1.5, b = 0, c = 1.5 + d, [dot(a)] = 1, [dot(c)] = -1 }
integrate { scheme = "event-driven", h = 0.1, until_t = 1 }
measure { left = a }
LUA
"$CAROM" run balls.lua --sensitivity d --sides --json > balls.json
for d in 0.001 0.002 -0.001 -0.002; do "$CAROM" run balls.lua --set d=$d --json > "d$d.json"; done
python3 - << 'PYTHON'
import json
run = json.load(open("balls.json"))
s = run["sensitivity"]
assert len(s["breaks"]) == 1, s["breaks"]
for side, sign in (("below", "-"), ("above", "")):
    near, far = (json.load(open("d%s0.00%d.json" % (sign, k)))["final"]["q"] for k in (1, 2))
    for x in "abc":                                             # flights without forces: positions are linear in d
        slope = (far[x] - near[x]) / (0.001 if sign == "" else -0.001)
        assert abs(s[side]["q"][x]["d"] - slope) < 1e-8, (side, x, s[side]["q"][x], slope)
    assert abs(sum(s[side]["q"][x]["d"] for x in "abc") - 1) < 1e-9      # the centre of mass
    assert s[side]["measures"]["left"]["d"] == s[side]["q"]["a"]["d"]
    assert s[side]["jumps"]["d"] is True
assert abs(s["below"]["q"]["b"]["d"] - s["above"]["q"]["b"]["d"]) > 1e-3
PYTHON

# x = sin t against a wall at s: beyond 1 it is not touched; below, the derivative grows like (1 - s)^(-1/2)
cat > graze.lua << 'LUA'
local s = param { "s", 1 }
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
contact { "wall", gap = s - x, restitution = 0.8 }
initial { [dot(x)] = 1 }
integrate { scheme = "event-driven", h = 0.1, until_t = 3 }
LUA
"$CAROM" run graze.lua --sensitivity s --sides --json > graze.json
python3 - << 'PYTHON'
import json
s = json.load(open("graze.json"))["sensitivity"]
assert s["below"]["q"]["x"]["s"] is None and s["above"]["q"]["x"]["s"] == 0, s
assert s["below"]["jumps"]["s"] is False and s["above"]["jumps"]["s"] is False, s
PYTHON

# on the floor: from above it falls and strikes it; below there is no start, which leaves nothing known
cat > floor.lua << 'LUA'
local y0 = param { "y0", 0, min = 0 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = 0 }
initial { y = y0 }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.1 }
LUA
"$CAROM" run floor.lua --sensitivity y0 --sides > floor
has floor 'one-sided, from below'
python3 - << 'PYTHON'
text = open("floor").read()
below, above = text.split("one-sided, from below")[1].split("one-sided, from above")
assert "none" in below.split("d y")[1].split("\n")[0] and float(above.split("d y")[1].split()[0]) == 0, text
PYTHON

# without breaks nothing more is computed; and it is of derivatives
"$CAROM" run floor.lua --set y0=0.01 --sensitivity y0 --sides --json > none.json
if grep -q '"below"' none.json; then fail 'sides without breaks'; fi
refused run 2 '--sides is of derivatives' -- floor.lua --sides
