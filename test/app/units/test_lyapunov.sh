#!/bin/sh
# carom lyapunov without --time: times follow from the period of the force, so that exponents are the same in any units of length, and per
# unit of time in any units of time, at any frequency.
set -eu

# shellcheck source=test/app/units/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/units/helpers.sh"
printf '%s\n' "$up 1 1" "1 $down $up" > units

cat > oscillator.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local x = coordinates "x"
mass      (M)
potential (M / T ^ 2 * x ^ 2 / 2)
force     { x = M * L / T ^ 2 * cos(2.4 / T * time()) - 0.1 * M / T * dot(x) }
contact   { "wall", gap = x, restitution = 0.8 }
initial   { x = 0.5 * L }
integrate { scheme = "event-driven", h = 0.05 * T, until_t = 50 * T }
MODEL

exponents() {
    "$CAROM" lyapunov oscillator.lua --json --quiet --set L="$1" --set T="$2" --set M="$3"
}
compare_units 1e-6 'spread check convergence' exponents

# 500 periods after 100 of them
python3 - << 'PYTHON'
import json, math
found = json.load(open("unit.json"))
period = 2 * math.pi / 2.4
assert abs(found["time"] / (500 * period) - 1) < 1e-6 or found["time"] > 500 * period, found["time"]
assert found["regular"]
# all together: the damping and 2 log(e) per impact, one per period
total = -0.1 + 2 * math.log(0.8) / period
assert abs(sum(found["exponents"]) - total) < 1e-6 * abs(total), (found["exponents"], total)
PYTHON

# Forces of 35 Hz to 2 MHz, in seconds and milliseconds. A mass with a damper meets its stop once per period. Both exponents are
# -d/2 + log(e) / period: the multipliers of this motion are complex.
cat > fast.lua << 'MODEL'
local f, S = param { "f", 400, doc = "per second" }, param { "S", 1, doc = "units of time in a second" }
local w = 2 * pi * f / S
local x = coordinates "x"
mass      (0.05)
force     { x = 0.05 * w ^ 2 * (1e-3 * cos(w * time()) - 0.27 * x) - 0.05 * 0.04 * w * dot(x) }
contact   { "stop", gap = x, restitution = 0.6 }
initial   { x = 5e-4 }
integrate { scheme = "event-driven", h = 0.05 * S / f, until_t = 50 * S / f }
MODEL
cat > fast.py << 'PYTHON'
import json, math, sys
found, f, S = json.load(open("fast.json")), float(sys.argv[1]), float(sys.argv[2])
period, check, time = S / f, found["check"], found["time"]
d = 0.04 * 2 * math.pi / period
assert found["regular"] and found["status"] == "ok", found["status"]
assert abs(found["impacts"] * period / time - 1) < 1e-9, (found["impacts"], time)
both = -d / 2 + math.log(0.6) / period
for c in range(2):
    # no better than the program says, and it says that this is at most a millionth
    assert found["spread"][c] < 1e-6 * abs(both), found["spread"]
    assert abs(found["exponents"][c] - both) <= found["spread"][c], (found["exponents"], both)
assert abs(check["sum"] - check["divergence"] - check["jumps"]) < 1e-9 * abs(both), check
assert abs(check["sum"] - 2 * both) < 1e-9 * abs(both), (check, both)
PYTHON
fast() {
    # the default time is some hundred periods of the force, not 1000 units of time, which take an hour
    timeout 60 "$CAROM" lyapunov fast.lua --json --quiet --set "f=$1" --set "S=$2" > fast.json || fail "$1 Hz: exit status $?"
    python3 fast.py "$1" "$2"
}
fast 35 1
fast 2e6 1
# --time 1000 milliseconds, which are 400 periods, gives what the default gives
fast 400 1000
mv fast.json default.json
"$CAROM" lyapunov fast.lua --json --quiet --set S=1000 --time 1000 > thousand.json
python3 - << 'PYTHON'
import json
one, other = json.load(open("default.json")), json.load(open("thousand.json"))
for c in range(2):
    assert abs(one["exponents"][c] - other["exponents"][c]) <= one["spread"][c] + other["spread"][c], (one["exponents"], other["exponents"])
PYTHON

# A pulse lifts a hammer off its rest, where velocities begin at zero, and throws it at an anvil: an impact with each per period. The
# sum of the exponents is exact.
cat > hammer.lua << 'MODEL'
local x = coordinates "x"
mass      (1.5e-3)
potential (200 * (x + 1e-3) ^ 2)
force     { x = 14 * max(sin(2 * pi * 500 * time()) - 0.7, 0) / 0.3 - 0.2 * dot(x) }
contact   { "anvil", gap = 4e-4 - x, restitution = 0.5 }
contact   { "rest", gap = x, restitution = 0.3 }
integrate { scheme = "event-driven", h = 2e-5, until_t = 0.04, zeno = "continue" }
MODEL
timeout 60 "$CAROM" lyapunov hammer.lua --json --quiet > hammer.json || fail "a hammer that is lifted off its rest: exit status $?"
python3 - << 'PYTHON'
import json, math
found = json.load(open("hammer.json"))
total = -0.2 / 1.5e-3 + 2 * (math.log(0.5) + math.log(0.3)) * 500
assert found["regular"] and abs(found["impacts"] - 1000 * found["time"]) < 1.5, (found["impacts"], found["time"])
assert abs(sum(found["exponents"]) - total) < 1e-9 * abs(total), (found["exponents"], total)
PYTHON
