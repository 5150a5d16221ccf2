#!/bin/sh
# Loci of motions with whatever happens in them: flips as with named impacts, and where they are published; folds as without impacts; and
# what is not followed.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > driven.lua << 'LUA'
local w, e, c = param { "w", 2.2, min = 0 }, param { "e", 0.8, min = 0, max = 1 }, param { "c", 0.1, min = 0 }
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
force { x = cos(w * time()) - c * dot(x) }
contact { "wall", gap = x, restitution = e }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 100 }
LUA
locus() { # IMPACTS: its points
    "$CAROM" continue driven.lua --param w --from 2.5 --to 2.7 --impacts "$1" --locus flip --second e --second-to 0.68 --json > "$1.json"
}
locus any
locus wall
cat > curves.py << 'PYTHON'
import json
def points(file):
    return [(p["second"], p["parameter"]) for p in json.load(open(file))["locus"]["points"]]
def at(curve, where):                       # Neville over the four nearest points
    near = sorted(curve, key=lambda p: abs(p[0] - where))[:4]
    value = [y for _, y in near]
    for k in range(1, 4):
        for i in range(4 - k):
            a, b = near[i][0], near[i + k][0]
            value[i] = ((where - b) * value[i] - (where - a) * value[i + 1]) / (a - b)
    return value[0]
PYTHON
python3 - << 'PYTHON'
from curves import at, points
flips, named = points("any.json"), points("wall.json")
assert len(flips) > 5 and abs(at(flips, 0.7) - 2.66318998) < 2e-7, at(flips, 0.7)         # spec of the reference values
for e in (0.78, 0.74, 0.7):
    assert abs(at(flips, e) - at(named, e)) < 1e-6, (e, at(flips, e), at(named, e))
PYTHON
refused continue 1 'there is no grazing on the branch' -- driven.lua --param w --from 2.5 --to 2.52 --impacts any --locus grazing --second e \
    --second-to 0.7
[ "${CAROM_SANITIZED:-}" != yes ] || exit 0
cat > duffing.lua << 'LUA'
local w, F = param { "w", 0.5 }, param { "F", 0.3 }
local x = coordinates("x")
mass(1)
force { x = F * cos(w * time()) - 0.1 * dot(x) - x - x ^ 3 }
integrate { scheme = "event-driven", h = 0.01, until_t = 100 }
LUA
for impacts in any none; do
    "$CAROM" continue duffing.lua --param w --from 1.38 --to 1.3 --impacts $impacts --locus fold --second F --second-to 0.29 \
        --json > $impacts-fold.json
done
python3 - << 'PYTHON'
from curves import at, points
folds, smooth = points("any-fold.json"), points("none-fold.json")
assert abs(at(folds, 0.3) - 1.3242362008) < 1e-6, at(folds, 0.3)                          # AUTO-07p
assert abs(at(folds, 0.293) - at(smooth, 0.293)) < 1e-6
PYTHON
