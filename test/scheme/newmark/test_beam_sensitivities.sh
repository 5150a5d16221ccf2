#!/bin/sh
# Derivatives of runs with beams agree with differences of whole runs: shapes of all bases, the start, places, loads, measures.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > model.lua << 'LUA'
local L, k2, w = param { "L", 10 }, param { "k2", 280 }, param { "w", 10 }
local c, e, a = param { "c", 0.011 }, param { "e", 0.4 }, param { "a", 0.003 }
local u = beam { "u", length = L, elements = 12, basis = "BASIS", k2 = k2, left = "clamped", right = "free",
  damping = { mass = a }, acceleration = function(x, t) return sin(w * t) + exp(-x * t) end,
  forces = { { x = 0.31 * L + a, value = 2 * cos(w * time()) } },
  displacement = function(x) return a * (x / L)^2 end, restitution = e,
  obstacles = { { lower = -c, upper = c, from = L / 2, to = L } } }
integrate { scheme = "newmark-contact", h = 1e-3, until_t = 0.3, beta = 0.4, tolerance = 1e-14 }
measure { tip = u:at(L), slope = u:slope(0.7 * L), moment = u:moment(0.43 * L), push = u:impulse("lower"), energy = energy(),
  deepest = maximum(u:penetration("lower")), mean = mean(u:at(0.61 * L)) }
LUA
for basis in p3 bspline difference; do
    if [ $basis = difference ]; then # a beam of differences has nodes only: what is between them is not looked at
        sed "s/BASIS/$basis/; s/x = 0.31 \* L + a/x = L/" model.lua > $basis.lua
    else
        sed "s/BASIS/$basis/" model.lua > $basis.lua
    fi
    "$CAROM_TEST_PROGRAMS/make_sensitivities" $basis.lua > out || {
        cat out
        fail "$basis"
    }
    if grep -q 'break' out || [ "$(grep -c ' state ' out)" -lt 9 ] || [ "$(grep -c 'not converge' out)" -gt 1 ] ||
        awk '/ state / && !/not converge/ && $5 + 0 > 1e-5 { bad = 1 } END { exit !bad }' out; then
        cat out
        fail "$basis: breaks, or measures that disagree"
    fi
done

# a fit takes them, through records of places of the beam and a start that depends on what is to be found
cat > fit.lua << 'LUA'
local k2, a = param { "k2", 280 }, param { "a", 0.02 }
local u = beam { "u", length = 10, elements = 8, k2 = k2, acceleration = function(_, t) return sin(10 * t) end,
  displacement = function(x) return a * (x / 10)^2 end }
integrate { h = 1e-3, until_t = 0.5 }
record { tip = u:at(10) }
LUA
"$CAROM" run fit.lua --csv data.csv --every 20 --quiet
"$CAROM" fit fit.lua --data data.csv --map tip=tip --params k2,a --start k2=270 --start a=0.021 > out
awk '/exact derivatives/ { exact = 1 } $1 == "k2" && $3 + 0 > 0 { k2 = $2 } $1 == "a" && NF == 7 { a = $2 }
    END { exit !(exact && (k2 - 280)^2 < 1e-12 && (a - 0.02)^2 < 1e-20) }' out || {
    cat out
    fail "a fit of a beam"
}
