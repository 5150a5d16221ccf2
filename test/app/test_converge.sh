#!/bin/sh
# carom converge from outside: tables, JSON, picture, failures.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# between LOW VALUE HIGH
between() {
    awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && low <= value && value <= high) }' ||
        fail "'$2' is not between $1 and $3"
}
# number FILE KEY: the first value of a key
number() {
    sed -n "s/.*\"$2\":\\([-0-9.e+]*\\).*/\\1/p" "$1"
}

cat > spring.lua << 'LUA'
local omega = param { "omega", 3, min = 0 }
local h = param { "h", 0.01, min = 0 }
local x = coordinates("x")
mass(1)
potential(omega^2 * x^2 / 2)
initial { x = 1 }
integrate { scheme = "moreau-jean", h = h, until_t = 4 }
family { omega = { 1, 2, 3 } }
record { exact_x = cos(omega * time()), exact_v_x = -omega * sin(omega * time()), energy = energy(), step = h }
LUA
cat > ball.lua << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.4 }
record { exact_y = 1 - 9.81 * time()^2 / 2, height = y }
LUA

# text: a table per scheme, fitted orders in its last line
"$CAROM" converge spring.lua --schemes moreau-jean,inel --h 0.02,0.01,0.005,0.0025 --reference exact > out 2> err
[ ! -s err ] || fail 'messages on stderr'
has out 'reference  the exact motion, t = 0 .. 4'
[ "$(grep -c '^  fitted order' out)" -eq 2 ] || fail 'a scheme has no fitted order'
[ "$(grep -cE '^ +0\.(02|01|005|0025) ' out)" -eq 8 ] || fail 'not a line per scheme and step'
grep '^  fitted order' out | head -1 | grep -qE ' 2\.00 +2\.00$' || fail 'moreau-jean is not of order 2'
tail -1 out | grep -qE ' 0\.9[0-9] +0\.9[0-9]$' || fail 'inel is not of order 1'

# JSON: one line with every key; h falls; the family is off
"$CAROM" converge spring.lua --h 0.005,0.01,0.02 --quantity energy --json > study.json 2> err
[ ! -s err ] || fail 'messages on stderr'
[ "$(wc -l < study.json)" -eq 1 ] || fail 'JSON is not one line'
for key in model reference kind scheme h schemes error_q error_v quantities order_q order_v orders wall_s status; do
    has study.json "\"$key\":"
done
has study.json '"reference":{"kind":"fine","scheme":"moreau-jean","h":0.00031250000000000001,"interpolated":false}'
has study.json '"h":[0.02'
has study.json '"status":["ok","ok","ok"]'
has study.json '"steps":[200,400,800]'
between 1.98 "$(number study.json order_q)" 2.02
between 1.98 "$(number study.json order_v)" 2.02
if grep -qiE '[:,\[](nan|-?inf)' study.json; then fail 'NaN or infinity in JSON'; fi

# the parameter that the step is follows it: this record is the step, so its error is h less the reference's
"$CAROM" converge spring.lua --h 0.02,0.01 --quantity step --json > study.json
has study.json '"quantities":{"step":[0.019375,0.0093749999999999997]}'

# options reach the schemes that know them, parameters the model
"$CAROM" converge spring.lua --schemes moreau-jean,inel --h 8e-4,4e-4,2e-4 --reference exact --option theta=1 \
    --set omega=2 --until 2 --json > study.json
sed 's/"scheme":"inel".*//' study.json > first.json
between 0.98 "$(number first.json order_q)" 1.02
has study.json '"until":2'

# a bouncing ball: order about one over many steps
"$CAROM" converge ball.lua --set e=0.5 --until 1.2 \
    --h 0.02,0.015,0.01,0.008,0.006,0.004,0.003,0.002,0.0015,0.001,8e-4,6e-4,5e-4,4e-4,3e-4,2e-4,1e-4 --json > study.json
between 0.7 "$(number study.json order_q)" 1.3

# the same against located impacts, when there is the scheme
if "$CAROM" list schemes | grep -q '^  event-driven'; then
    "$CAROM" converge ball.lua --set e=0.5 --until 1.2 --reference event-driven \
        --h 0.02,0.015,0.01,0.008,0.006,0.004,0.003,0.002,0.0015,0.001,8e-4,6e-4,5e-4,4e-4,3e-4,2e-4,1e-4 --json > study.json
    has study.json '"reference":{"kind":"event-driven","scheme":"event-driven","h":null,"interpolated":false}'
    between 0.7 "$(number study.json order_q)" 1.3
else
    refused converge 2 "no scheme 'event-driven'" -- ball.lua --h 0.01,0.005 --reference event-driven
fi

# steps that no reference step divides are interpolated, and the text says so
"$CAROM" converge spring.lua --h 0.0314159265,0.01 > out
has out 'linear interpolation'

# free fall is exact: nothing to fit, exit status 1, the table is there
refused converge 1 'no order could be fitted' -- ball.lua --h 0.01,0.005 --reference exact
has out '~ marks errors at rounding level'

# a run that fails is shown with its word; the others are fitted
cat > stiff.lua << 'LUA'
local x = coordinates("x")
mass(1)
force { x = -1e4 * dot(x)^3 }
initial { x = 0, [dot(x)] = 1 }
integrate { scheme = "inel", h = 1e-4, until_t = 0.5 }
LUA
"$CAROM" converge stiff.lua --h 0.1,2e-5,1e-5 --json > study.json 2> err
has study.json '"status":["failed","ok","ok"]'
has study.json '"error_q":[null,'
has err 'inel with h = 0.1:'

# the picture, and the script that draws it again
"$CAROM" converge spring.lua --schemes moreau-jean,inel --h 0.02,0.01,0.005 --reference exact --plot p --quiet > out 2> err
if [ -s out ] || [ -s err ]; then fail '--quiet is not quiet'; fi
for kind in png svg gp dat; do
    [ -s "p/convergence.$kind" ] || fail "no convergence.$kind"
done
for text in 'set logscale xy' 'slope 1' 'slope 2' 'inel, order 0.9'; do
    has p/convergence.gp "$text"
done
[ "$(grep -c '^# index' p/convergence.dat)" -eq 4 ] || fail 'not a block per error and scheme'
cp p/convergence.svg first.svg
(cd p && gnuplot convergence.gp)
cmp first.svg p/convergence.svg || fail 'the script does not draw the same picture again'

# what is wrong is said, with exit status 2
refused converge 2 'which experiment or model file' -- --h 0.1,0.2
refused converge 2 'at least two' -- spring.lua
refused converge 2 'at least two' -- spring.lua --h 0.1
refused converge 2 "got 'fast'" -- spring.lua --h 0.1,fast
refused converge 2 'h = 0: must be finite and > 0' -- spring.lua --h 0.1,0
refused converge 2 'moreau-jean' -- spring.lua --h 0.1,0.05 --schemes moreau
refused converge 2 'records: ' -- spring.lua --h 0.1,0.05 --quantity enrgy
refused converge 2 'restitution 0.8' -- ball.lua --h 0.1,0.05 --schemes moreau-jean,elast
refused converge 2 'exact, event-driven or fine' -- spring.lua --h 0.1,0.05 --reference precise
refused converge 2 'record { exact_x = ... }' -- stiff.lua --h 0.1,0.05 --reference exact
refused converge 2 "unknown option 'thet'" -- spring.lua --h 0.1,0.05 --option thet=1
refused converge 2 "did you mean 'omega'" -- spring.lua --h 0.1,0.05 --set omga=1
refused converge 2 'belong to --reference fine' -- spring.lua --h 0.1,0.05 --reference exact --reference-h 1e-4
echo "converge: all as it should be"

# a table, and what was stopped: here a picture has no place, so that the journal stays; then nothing is computed anew
touch blocked
status=0
"$CAROM" converge spring.lua --schemes moreau-jean,inel --h 0.02,0.01 --out errors.csv --plot blocked/pictures --quiet --no-times 2> err ||
    status=$?
if [ "$status" -eq 0 ] || [ ! -e errors.csv.part ]; then fail 'a picture without a place'; fi
has err 'carom resume errors.csv goes on'
rm -f blocked errors.csv
"$CAROM" resume errors.csv --quiet
if [ ! -s blocked/pictures/convergence.svg ] || [ -e errors.csv.part ]; then fail 'it did not go on'; fi
"$CAROM" converge spring.lua --schemes moreau-jean,inel --h 0.02,0.01 --out whole.csv --quiet --no-times
cmp whole.csv errors.csv || fail 'the resumed table is another one'
[ "$(head -1 whole.csv)" = 'scheme,h,status,steps,seconds,error_q,error_v' ] || fail "another table: $(cat whole.csv)"
[ "$(wc -l < whole.csv)" -eq 5 ] || fail "another table: $(cat whole.csv)"
