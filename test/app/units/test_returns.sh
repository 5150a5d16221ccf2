#!/bin/sh
# carom bifurcation and basin in other units: the same periods, impacts and attractors, and states to 1e-9.
set -eu

# shellcheck source=test/app/units/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/units/helpers.sh"
sed -i '$d' units # velocities of 1e-18: event-driven-linear

cat > oscillator.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local w = param { "w", 2.6 }
local x = coordinates "x"
mass      (M)
potential (M / T ^ 2 * x ^ 2 / 2)
force     { x = M * L / T ^ 2 * cos(w / T * time()) - 0.04 * M / T * dot(x) }
contact   { "wall", gap = x, restitution = 0.8 }
initial   { x = 0.5 * L }
integrate { scheme = "event-driven", h = 0.01 * T, until_t = 100 * T }
MODEL

diagram() {
    "$CAROM" bifurcation oscillator.lua --param w --from 2.3 --to 2.6 --points 5 --skip 100 --iterates 20 --json --quiet \
        --set L="$1" --set T="$2" --set M="$3"
}
compare_units 1e-9 'wall_seconds seconds threads' diagram
has unit.json '"period":1'

# product N X: N times X, with all digits
product() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.17g", a * b }'
}
attractors() {
    "$CAROM" basin oscillator.lua --over q:x=0:"$(product 2 "$1")":5 --periods 150 --json --quiet --set w=2.5 \
        --set L="$1" --set T="$2" --set M="$3"
}
compare_units 1e-9 'wall_seconds seconds threads' attractors
has unit.json '"period":1'
