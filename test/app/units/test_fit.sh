#!/bin/sh
# carom fit in other units: the same estimates and errors.
set -eu

# shellcheck source=test/app/units/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/units/helpers.sh"
printf '%s\n' "$up 1 1" "1 $up 1" "1 1 $up" "1 $down 1" "$up $up $down" > units

cat > spring.lua << 'MODEL'
local L, T, M = param { "L", 1 }, param { "T", 1 }, param { "M", 1 }
local k, c = param { "k", 1 }, param { "c", 0.2 }
local x = coordinates "x"
mass      (M)
potential (k * M / T ^ 2 * x ^ 2 / 2)
force     { x = -c * M / T * dot(x) }
initial   { x = L }
integrate { scheme = "event-driven", h = 0.05 * T, until_t = 10 * T }
MODEL

# data of k = 1.3, c = 0.1 with a little that no parameter explains
fitted() {
    awk -v L="$1" -v T="$2" 'BEGIN {
        print "t,x"
        for (i = 1; i <= 20; i++) {
            t = i / 2; r = sqrt(1.3 - 0.05 ^ 2)
            x = exp(-0.05 * t) * (cos(r * t) + 0.05 / r * sin(r * t)) + 0.001 * (i % 3 - 1)
            printf "%.17g,%.17g\n", t * T, x * L
        }
    }' > data.csv
    "$CAROM" fit spring.lua --data data.csv --map x=x --params k,c --json --quiet --set L="$1" --set T="$2" --set M="$3"
}
compare_units 1e-6 'wall_s residuals runs iterations' fitted
