#!/bin/sh
# Derivatives of event-driven motions of beams: differences of whole runs through impacts at a stop; energy that stays; a mode of
# vibration in closed form.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/scheme/tangent_helpers.sh
. "$CAROM_SOURCE_DIR/test/scheme/tangent_helpers.sh"

cat > pipe.lua << 'LUA'
local L, k2, c = param { "L", 10 }, param { "k2", 282.84 }, param { "c", 0.02 }
local e, a = param { "e", 0.5 }, param { "a", 0.3 }
local u = beam { "u", length = L, elements = 2, k2 = k2, acceleration = function(_, t) return sin(10 * t) end,
  damping = { mass = a, stiffness = a / 3000 }, restitution = e, stops = { { "stop", x = L, lower = -c, upper = c } } }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.35 }
measure { tip = u:at(L), work = energy(), hits = times(impact "stop_upper") }
LUA
"$CAROM" run pipe.lua --json > pipe.json
python3 -c 'import json; assert len(json.load(open("pipe.json"))["measures"]["hits"]) >= 2'
agrees pipe.lua

# without load, damping and loss at the stop the energy stays: its derivatives are those at the start
cat > free.lua << 'LUA'
local v, c, k2 = param { "v", 1 }, param { "c", 0.02 }, param { "k2", 282.84 }
local u = beam { "u", length = 10, elements = 2, k2 = k2, velocity = function(x) return v * (x / 10) ^ 2 end, restitution = 1,
  stops = { { "stop", x = 10, lower = -c, upper = c } } }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.3 }
measure { work = energy() }
LUA
"$CAROM" run free.lua --sensitivity v,c,k2 --json > free.json
python3 - << 'PYTHON'
import json
run = json.load(open("free.json"))
s, energy = run["sensitivity"], run["final"] and run["energy"]["initial"]
assert run["contacts"]["impacts"] >= 2 and s["method"] == "exact" and s["breaks"] == [], s
work = s["measures"]["work"]
assert abs(work["v"] - 2 * energy) < 1e-8 * energy, (work, energy)
assert abs(work["c"]) < 1e-6 * energy and abs(work["k2"]) < 1e-8 * energy, work
PYTHON

# a mode: u = cos(w t) at the tip, w ~ sqrt(k2)/L^2
cat > mode.lua << 'LUA'
local L, k2 = param { "L", 10 }, param { "k2", 282.84 }
local u = beam { "u", length = L, elements = 2, k2 = k2, displacement = { mode = 1, x = L, value = 1 } }
integrate { scheme = "event-driven", h = 0.1, until_t = 2 }
measure { tip = u:at(L), speed = u:velocity(L) }
LUA
"$CAROM" run mode.lua --sensitivity L,k2 --json > mode.json
python3 - << 'PYTHON'
import json
run = json.load(open("mode.json"))
speed, s = run["measures"]["speed"], run["sensitivity"]["measures"]["tip"]     # d cos(w t) = speed t dw/w
assert abs(s["k2"] - speed * 2 / (2 * 282.84)) < 1e-8 and abs(s["L"] + 2 * speed * 2 / 10) < 1e-6, (s, speed)
PYTHON
