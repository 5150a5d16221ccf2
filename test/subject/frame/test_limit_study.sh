#!/bin/sh
# frame_limit from a model file: both ends of the range of load factors where a frame with three feet has one, in any units of length and load.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# two bays, a push at the left corner and weights on the beams; all lengths times a, loads times P
cat > feet.lua << 'LUA'
experiment { title = "two bays on three feet" }
local mu, P, a = param { "mu", 0.7, min = 0 }, param { "P", 1 }, param { "a", 1 }
local function on_foot(x) return { x * a, 0, support = "friction", mu = mu } end
local found = frame_limit {
  nodes = { on_foot(0), { 0, a, load = { P, 0 } }, { 1.2 * a, a, load = { 0, -P } }, { 2 * a, a }, on_foot(2),
            { 3 * a, a, load = { 0, -P } }, { 4 * a, a }, on_foot(4) },
  bars = { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 4, 6 }, { 6, 7 }, { 7, 8 } },
}
measure { alpha = found.alpha, least = found.least, greatest = found.greatest, unique = found.unique, exact = found.exact,
          trivial = found.trivial }
LUA
cat > check.py << 'PYTHON'
import json, sys
mu, P, a, least, greatest, unique = map(float, sys.argv[1:])
found = {name: value[0] if isinstance(value, list) else value for name, value in json.load(open("found.json"))["measures"].items()}
work = P * a  # moments of 1 resist
where = f"mu = {mu}, P = {P}, a = {a}: {found}"
for name, wanted in (("least", least), ("greatest", greatest)):
    assert abs(found[name] * work - wanted) < 1e-8 * max(wanted, 1), f"{name} of {where}"
assert found["unique"] == unique and found["exact"] == 1, where
assert found["trivial"] == 1, where
slack = 1e-9 * found["greatest"]
assert found["least"] - slack <= found["alpha"] <= found["greatest"] + slack, where
PYTHON
expect() { # expect MU P A LEAST GREATEST UNIQUE
    "$CAROM" run feet.lua --set "mu=$1" --set "P=$2" --set "a=$3" --json --quiet > found.json
    python3 check.py "$@"
}
# feet that slide: 25/11 and 27/11 at mu = 1. Feet that hold, at mu = 5: one limit, 30/11, that of pinned ones.
for load in 1 1e-6 1e6; do
    expect 1 $load 1 2.272727272727273 2.454545454545455 0
    expect 5 $load 1 2.727272727272727 2.727272727272727 1
done
for length in 1e-6 1e6; do
    expect 1 1 $length 2.272727272727273 2.454545454545455 0
    expect 5 1 $length 2.727272727272727 2.727272727272727 1
done
sed 's/support = "friction", mu = mu/support = "pinned"/' feet.lua > pinned.lua
"$CAROM" run pinned.lua --json --quiet > found.json
python3 - << 'PYTHON'
import json
found = json.load(open("found.json"))["measures"]
assert found["unique"] == 1 and all(abs(found[name] - 30 / 11) < 1e-9 for name in ("alpha", "least", "greatest")), found
PYTHON
