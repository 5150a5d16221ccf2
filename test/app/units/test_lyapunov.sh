#!/bin/sh
# carom lyapunov without --time: times follow from the period of the force, so that exponents are the same in any units of length, and per
# unit of time in any units of time.
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
