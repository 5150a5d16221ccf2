#!/bin/sh
# carom modes in other units: the same windows and branches, bitwise; and in units that are no powers of two the same points.
set -eu

# shellcheck source=test/app/units/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/units/helpers.sh"

cat > chain.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local u = coordinates { "u1", "u2" }
mass      (M / 2)
potential (M / T ^ 2 * (u[1] ^ 2 + 1.5 * (u[2] - u[1]) ^ 2))
contact   { "wall", gap = 1.25 * L - u[2], restitution = 1 }
integrate { scheme = "event-driven", h = 0.01 * T, until_t = 20 * T }
MODEL

survey() {
    "$CAROM" modes chain.lua --impacts 1,2,3 --json --set L="$1" --set T="$2" --set M="$3"
}
compare_units 0 '' survey

# branches of two impacts: their points and ends with k = 1 and k = 1e12
count() {
    "$CAROM" modes chain.lua --impacts 2 --set M="$1" --set T="$2" | sed -n 's/.*a branch of \([0-9]* points, .*\)/\1/p'
}
count 1 1 > one
count 1 1e-6 > fast
count 1e12 1e-6 > stiff
cmp one fast || fail 'another time, other branches'
cmp one stiff || fail 'another stiffness, other branches'
[ -s one ] || fail 'no branches'
