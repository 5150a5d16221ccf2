#!/bin/sh
# A motion seen from a frame that moves with constant velocity: every scheme computes the same relative motion. A point of an
# obstacle, a force or a drive is evaluated at the time that belongs to the position, anticipated or not.
set -u
# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# A mass on a spring inside an ellipse, which both move with V.
cat > ellipse.lua << 'LUA'
local V, e = param { "V", 0 }, param { "e", 0 }
local x, y = coordinates("x", "y")
mass { { 1, 0 }, { 0, 4 } }
local X = x - V*time()
force { x = -2*X, y = -1 - 2*y }
contact { "wall", gap = 1 - hypot(X, y/2), restitution = e }
initial { x = 0.25, y = 0, [dot(x)] = 3 + V, [dot(y)] = 0.5 }
integrate { scheme = "inel", h = 0.015625, until_t = 3 }
measure { x = final(X), y = final(y), u = final(dot(x) - V), v = final(dot(y)) }
LUA
# A mass slides on a ramp that moves, friction included.
cat > ramp.lua << 'LUA'
local V = param { "V", 0 }
local x, y = coordinates("x", "y")
mass(1)
local X = x - V*time()
force { y = -8 }
contact { "ramp", gap = y - X^2/8, slip = dot(x) - V + X/4*dot(y), friction = 0.25 }
initial { x = 2, y = 0.75, [dot(x)] = V }
integrate { scheme = "moreau-friction", h = 0.015625, until_t = 3 }
measure { x = final(X), y = final(y), u = final(dot(x) - V), v = final(dot(y)) }
LUA

# same MODEL OPTIONS: runs with V = 0 and V = 64, compared at the end
count=0
: > list
same() {
    count=$((count + 1))
    echo "$*" >> list
    for V in 0 64; do
        "$CAROM" run "$@" --json --quiet --set V=$V > $count-$V.json 2> err || fail "$* V=$V: $(cat err)"
    done
}
for av in 0 0.5 1; do
    same ellipse.lua --scheme inel --option av=$av
    same ellipse.lua --scheme inel --option av=$av --option test=vertex
    same ellipse.lua --scheme inel --option av=$av --option correction=on
    same ellipse.lua --scheme elast --set e=1 --option av=$av
    same ellipse.lua --scheme billiard --set e=1 --option av=$av
    same ramp.lua --scheme moreau-friction --option av=$av
done
for e in 0 0.5; do
    for force in backward centred forward; do
        same ellipse.lua --scheme paoli-schatzman --set e=$e --option force=$force
    done
    same ellipse.lua --scheme sweeping --set e=$e
    same ellipse.lua --scheme sweeping --set e=$e --option stabilise=on
    same ellipse.lua --scheme sweeping --set e=$e --option implicit=on
    same ellipse.lua --scheme moreau-jean --set e=$e
    same ellipse.lua --scheme generalized-alpha --set e=$e
done
same ramp.lua --scheme moreau-jean
python3 - << 'PYTHON' || fail "the motion depends on the frame"
import json, sys
wrong = 0
for number, name in enumerate(open("list"), 1):
    a, b = (json.load(open("%d-%d.json" % (number, V))) for V in (0, 64))
    worst = max(abs(a["measures"][m] - b["measures"][m]) for m in ("x", "y", "u", "v"))
    impacts = [run["contacts"]["impacts"] for run in (a, b)]
    if not (worst < 1e-9 and impacts[0] == impacts[1] > 0):
        print("difference %.2g, impacts %s: %s" % (worst, impacts, name.strip()))
        wrong += 1
sys.exit(wrong > 0)
PYTHON
echo "the frame does not matter"
