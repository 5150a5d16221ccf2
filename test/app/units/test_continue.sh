#!/bin/sh
# carom continue: the same branch however long the run settles, folds of a smooth resonance with the usual number of points, and
# the same points bitwise in other units.
set -eu

# shellcheck source=test/app/units/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/units/helpers.sh"

# between two walls: one impact of each per period of the force
cat > walls.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local w = param { "w", 1.6 }
local x = coordinates "x"
mass      (M)
potential (M / T ^ 2 * x ^ 2 / 2)
force     { x = M * L / T ^ 2 * 2.2 * cos(w / T * time()) - 0.06 * M / T * dot(x) }
contact   { "left", gap = x + L, restitution = 0.7 }
contact   { "right", gap = 0.75 * L - x, restitution = 0.7 }
initial   { x = 0 }
integrate { scheme = "event-driven", h = 0.01 * T, until_t = 100 * T }
MODEL
for settle in 20 300; do
    "$CAROM" continue walls.lua --param w --from 1.6 --to 2.3 --impacts left,right --settle $settle --csv "$settle.csv" > "$settle"
    has "$settle" 'end: range'
    cut -d, -f1-4 "$settle.csv" | sed 1d | while IFS=, read -r w period energy multiplier; do
        printf '%.8g %.8g %.8g %.6g\n' "$w" "$period" "$energy" "$multiplier"
    done > "$settle.points"
done
cmp 20.points 300.points || fail 'a longer run leads to another branch'

# two resonances of a chain with a hardening spring: two folds each
cat > resonance.lua << 'MODEL'
local w = param { "w", 0.7 }
local u = coordinates { "u1", "u2" }
mass      (1)
potential (u[1] ^ 2 / 2 + (u[2] - u[1]) ^ 2 / 2 + u[2] ^ 2 / 2 + u[1] ^ 4 / 8)
force     { u1 = 0.1 * cos(w * time()) - 0.03 * dot(u[1]), u2 = -0.03 * dot(u[2]) }
integrate { scheme = "event-driven", h = 0.01, until_t = 20 }
MODEL
"$CAROM" continue resonance.lua --param w --from 0.7 --to 2.4 --impacts none > resonance
[ "$(grep -c ': fold$' resonance)" -eq 4 ] || fail 'not the four folds'
has resonance 'end: range'

# folds of another resonance do not depend on the length of the steps
cat > duffing.lua << 'MODEL'
local w = param { "w", 1.6 }
local u = coordinates { "a", "b" }
mass      { a = 1, b = 0.5 }
potential (0.6 * u[1] ^ 2 / 2 + 0.8 * (u[2] - u[1]) ^ 2 / 2 + 0.3 * u[2] ^ 4 / 4)
force     { a = 0.12 * cos(w * time()) - 0.03 * dot(u[1]), b = -0.03 * dot(u[2]) }
integrate { scheme = "event-driven", h = 0.01, until_t = 20 }
MODEL
for steps in '--step 0.02 --points 60' '--step 0.006 --points 200'; do
    # shellcheck disable=SC2086
    "$CAROM" continue duffing.lua --param w --from 1.6 --to 1.75 --impacts none $steps --csv duffing.csv > duffing
    has duffing 'end: range'
    cat duffing.csv >> folds.csv
done
python3 - << 'PYTHON'
import csv
folds = [float(row["w"]) for row in csv.DictReader(open("folds.csv")) if row["special"] == "fold"]
assert len(folds) == 4, folds
# two periodic motions meet there; the values are those of both lengths of the steps
for k, wanted in enumerate((1.7018868497, 1.6830868467)):
    assert abs(folds[k] - folds[k + 2]) < 1e-9 and abs(folds[k] - wanted) < 1e-8, folds
PYTHON

# bitwise: a chain with a hardening spring against a wall, whose guess is the linearised model
cat > chain.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local u = coordinates { "u1", "u2" }
mass      (M)
potential (M / T ^ 2 * (u[1] ^ 2 + (u[2] - u[1]) ^ 2 / 2 + u[1] ^ 4 / (4 * L ^ 2)))
contact   { "wall", gap = L - u[2], restitution = 1 }
integrate { scheme = "event-driven", h = 0.01 * T, until_t = 20 * T }
MODEL
orbit() {
    "$CAROM" orbit chain.lua --period "$(awk -v T="$2" 'BEGIN { printf "%.17g", 6.5 * T }')" --impacts wall --json --set L="$1" --set T="$2" --set M="$3"
}
compare_units 0 '' orbit
branch() {
    "$CAROM" continue chain.lua --param period --from "$(awk -v T="$2" 'BEGIN { printf "%.17g", 6.5 * T }')" \
        --to "$(awk -v T="$2" 'BEGIN { printf "%.17g", 5.5 * T }')" --impacts wall --json --set L="$1" --set T="$2" --set M="$3"
}
compare_units 0 '' branch

# the same of two oscillators that are struck in turns, as a pattern
cat > pair.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local y = coordinates { "y1", "y2" }
mass      (M)
potential (M / T ^ 2 * (y[1] ^ 2 / 2 + y[2] ^ 2 / 2 + 0.1 * (y[2] - y[1]) ^ 2 / 2))
contact   { "left", gap = y[1] + 1.5 * L, restitution = 1 }
contact   { "right", gap = y[2] + 1.5 * L, restitution = 1 }
integrate { scheme = "event-driven", h = 0.01 * T, until_t = 20 * T }
MODEL
pattern() {
    "$CAROM" continue pair.lua --param period --from "$(awk -v T="$2" 'BEGIN { printf "%.17g", 5.5 * T }')" \
        --to "$(awk -v T="$2" 'BEGIN { printf "%.17g", 4.5 * T }')" --impacts left@0,right@0.5 --json --set L="$1" --set T="$2" --set M="$3"
}
compare_units 0 '' pattern
