#!/bin/sh
# Derivatives of event-driven-linear: closed forms of a ball; those of event-driven, digit by digit; differences of whole runs through
# impacts, a contact that closes and opens, contacts that act on each other; and where there is none.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/scheme/tangent_helpers.sh
. "$CAROM_SOURCE_DIR/test/scheme/tangent_helpers.sh"

cat > ball.lua << 'LUA'
local e, g, y0 = param { "e", 0.8 }, param { "g", 9.81 }, param { "y0", 1, min = 0 }
local y = coordinates("y")
mass(1)
potential(g * y)
contact { "floor", gap = y, restitution = e }
initial { y = y0 }
integrate { scheme = "event-driven-linear", h = 0.01, until_t = 1 }
measure { hits = times(impact "floor") }
LUA
"$CAROM" run ball.lua --sensitivity e,g,y0 --json > ball.json
python3 - << 'PYTHON'
import json
from math import sqrt
s = json.load(open("ball.json"))["sensitivity"]
assert s["method"] == "exact" and s["breaks"] == [], s
e, g, y0, t = 0.8, 9.81, 1.0, 1.0
t1, v1 = sqrt(2 * y0 / g), sqrt(2 * g * y0)
f, v = t - t1, e * v1 - g * (t - t1)                      # flight after the first impact, its velocity now
dt, dv = {"e": 0, "g": -t1 / (2 * g), "y0": t1 / (2 * y0)}, {"e": 0, "g": v1 / (2 * g), "y0": v1 / (2 * y0)}
for p in dt:
    y = (v1 * f if p == "e" else 0) + e * dv[p] * f - v * dt[p] - (f * f / 2 if p == "g" else 0)
    assert abs(s["q"]["y"][p] - y) <= 1e-12 * max(1, abs(y)), (p, s["q"]["y"][p], y)
    assert abs(s["measures"]["hits"][p][0] - dt[p]) <= 1e-12, (p, s["measures"]["hits"])
PYTHON

# two masses, forces of two frequencies, a wall that moves: every number of the model is a parameter
cat > two.lua << 'LUA'
local e, w, k, a, c = param { "e", 0.7 }, param { "w", 2.2 }, param { "k", 1.3 }, param { "a", 0.1 }, param { "c", 0.05 }
local x, z = coordinates("x", "z")
mass { x = 1, z = 0.7 + k }
potential(k * x ^ 2 / 2 + (x - z) ^ 2)
force { x = cos(w * time()) + a * sin(3 * time()) - c * dot(x), z = -c * dot(z) }
contact { "wall", gap = x + a / 2 * cos(w * time()), restitution = e }
contact { "stop", gap = 0.9 - z, restitution = e }
initial { x = 0.5, z = 0.3 }
integrate { scheme = "event-driven-linear", h = 0.05, until_t = 5, zeno = "continue" }
measure { hits = times(impact "wall"), work = energy() }
LUA
agrees two.lua
for scheme in event-driven event-driven-linear; do
    "$CAROM" run two.lua --scheme $scheme --sensitivity e,w,k,a,c,q:z --json > $scheme.json
done
python3 - << 'PYTHON'
import json
one, other = (json.load(open(f))["sensitivity"] for f in ("event-driven.json", "event-driven-linear.json"))
def near(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(near(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(near, a, b))
    return a == b if isinstance(a, str) else abs(a - b) <= 1e-8 * (1 + abs(a))
assert near(one, other), (one, other)
PYTHON

# comes to rest on the wall, is pressed there, and leaves it
sed 's/0.7 }, param { "w", 2.2 }/0 }, param { "w", 1.8 }/' two.lua > rests.lua
"$CAROM" run rests.lua --events rests.csv --quiet
has rests.csv ',stop,wall,'
has rests.csv ',release,wall,'
agrees rests.lua

# a closed contact is there when another one is struck: event-driven is asked, and so are its derivatives
cat > tower.lua << 'LUA'
local e, m, g = param { "e", 0.5 }, param { "m", 2 }, param { "g", 9.81 }
local a, b = coordinates("a", "b")
mass { a = 1, b = m }
potential(g * (a + m * b) + 30 * (a - 0.2 * sin(time())) ^ 2)
contact { "floor", gap = a, restitution = 0 }
contact { "top", gap = b - a, restitution = e }
initial { a = 0.013, b = 0.3 }
integrate { scheme = "event-driven-linear", h = 0.01, until_t = 0.35, zeno = "continue" }
LUA
agrees tower.lua

# a wall that the motion only grazes is told
cat > graze.lua << 'LUA'
local s = param { "s", 1 }
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
contact { "wall", gap = s - x, restitution = 0.8 }
initial { [dot(x)] = 1 }
integrate { scheme = "event-driven-linear", h = 0.1, until_t = 3 }
LUA
"$CAROM" run graze.lua --sensitivity s --json > graze.json
has graze.json '"breaks":[{"t":1.5707'
has graze.json "contact 'wall' grazes"
