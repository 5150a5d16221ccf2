#!/bin/sh
# carom lyapunov: exponents of an impact oscillator, the check of their sum, table and picture, mistakes.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"

cat > oscillator.lua << 'MODEL'
local x = coordinates "x"
local w, e, c = param("w", 2.4), param("e", 0.8), param("c", 0.05)
mass      (1)
potential (x ^ 2 / 2)
force     { x = cos(w * time()) - c * dot(x) }
contact   { "wall", gap = x, restitution = e }
initial   { x = 0.5 }
integrate { scheme = "event-driven", h = 0.05, until_t = 10 }
MODEL

# a periodic motion: both exponents are ln(0.74932)/T, T = 2 pi / 2.4
"$CAROM" lyapunov oscillator.lua --transient 200 --time 2000 --json --out exponents.csv --points 20 \
    --plot pictures/exponents.svg > out.json 2> err
near 'first exponent' "$(number out.json '"exponents":[')" -0.1102346 1e-5
near 'sum' "$(number out.json '"sum":')" "$(awk -v j="$(number out.json '"jumps":')" 'BEGIN { printf "%.12f", j - 0.05 }')" 1e-9
has out.json '{"status":"ok"'
has out.json '"regular":true'
has out.json '"checked":true'
has out.json '"breaks":[]'
[ "$(wc -l < exponents.csv)" -eq 21 ] || fail "the table has not 20 points"
has exponents.csv 'time,exponent1,exponent2'
for kind in svg png gp dat; do
    [ -s "pictures/exponents.$kind" ] || fail "no exponents.$kind"
done
has err 'picture: pictures/exponents.png'

# text, with the check; another start and parameter
"$CAROM" lyapunov oscillator.lua --set w=2.8 --start q:x=0.3,v:x=0.1 --transient 50 --time 300 > text
has text 'exponent 1'
has text 'divergence        -0.05000000'
has text '2 log(e) each'

# a model with steps: event-driven all the same, unless it is asked for
sed 's/event-driven/moreau-jean/' oscillator.lua > steps.lua
"$CAROM" lyapunov steps.lua --time 50 --json > out.json
has out.json '"scheme":"event-driven"'
"$CAROM" lyapunov steps.lua --time 20 --option theta=1 --json > out.json
has out.json '"scheme":"moreau-jean"'

# steps of a scheme that does not locate impacts: it says what its exponents are
"$CAROM" lyapunov oscillator.lua --scheme moreau-jean --h 0.005 --time 100 > text
has text 'not those of the motion'
"$CAROM" lyapunov oscillator.lua --exponents 1 --time 50 > text
has text 'the sum is not checked'
"$CAROM" lyapunov oscillator.lua --set e=0 --time 50 --json > closed.json
has closed.json 'null]'

# several values of a parameter, several starts: a line each, a picture
"$CAROM" lyapunov oscillator.lua --over w=2.4:2.8:3 --starts 2 --transient 50 --time 100 --out several.csv \
    --plot pictures/several.svg > text 2> err
[ "$(wc -l < several.csv)" -eq 7 ] || fail "the table has not 6 motions"
has several.csv 'w,start,status,exponent1,exponent2,spread1,spread2,time,impacts,regular'
has text 'exponents of 6 motions'
has err '6 motions in'
[ -s pictures/several.png ] || fail "no several.png"
"$CAROM" lyapunov oscillator.lua --starts 3 --transient 50 --time 100 --json > out.json
near 'first exponent of the first start' "$(number out.json '"exponents":[')" -0.11 0.01
has out.json '"start":3'
# with one thread the same
"$CAROM" lyapunov oscillator.lua --over w=2.4:2.8:3 --starts 2 --transient 50 --time 100 --threads 1 --quiet --out one.csv
cmp several.csv one.csv || fail "another number of threads, other exponents"

# killed, then resumed: as if nothing had happened
"$CAROM" lyapunov oscillator.lua --over w=2.4:2.8:12 --transient 50 --time 400 --quiet --out whole.csv
stopped_at 5000 KILL killed.csv "$CAROM" lyapunov oscillator.lua --over w=2.4:2.8:12 --transient 50 --time 400 --quiet --out killed.csv
"$CAROM" resume killed.csv --quiet
cmp whole.csv killed.csv || fail "the resumed table is another one"
[ ! -e killed.csv.part ] || fail "the journal is left"

# every option wrong once
refuses() {
    text=$1
    shift
    if "$CAROM" lyapunov "$@" > out 2> err; then
        fail "accepted: $*"
    fi
    has err "$text"
    [ ! -s out ] || fail "output in spite of an error: $*"
}
refuses 'which experiment or model file'
refuses 'one experiment or model file at a time' oscillator.lua oscillator.lua
refuses 'missing.lua' missing.lua
refuses '--time' oscillator.lua --time 0
refuses '--time' oscillator.lua --time nan
refuses '--transient' oscillator.lua --transient -1
refuses '--transient' oscillator.lua --transient long
refuses '--exponents' oscillator.lua --exponents 0
refuses '3 exponents: the model has 2' oscillator.lua --exponents 3
refuses "there is no 'q:z'" oscillator.lua --start q:z=1
refuses '--start' oscillator.lua --start q:x
refuses 'finite number' oscillator.lua --start q:x=high
refuses 'nonsense' oscillator.lua --scheme nonsense
refuses '--h' oscillator.lua --h 0
refuses 'nonsense' oscillator.lua --option nonsense=1
refuses 'nonsense' oscillator.lua --set nonsense=1
refuses 'nonsense' oscillator.lua --variant nonsense
refuses '--points' oscillator.lua --points 0
refuses '--over' oscillator.lua --over w
refuses 'from:to:count' oscillator.lua --over w=1:2
refuses '2 to 100000 values' oscillator.lua --over w=1:2:1
refuses 'to the same' oscillator.lua --over w=2:2:5
refuses "'z'" oscillator.lua --over z=1:2:5
refuses 'leave one out' oscillator.lua --over w=1:2:5 --set w=2
refuses '--starts' oscillator.lua --starts 0
refuses '--scatter' oscillator.lua --starts 2 --scatter 0
refuses '--scatter is for several starts' oscillator.lua --scatter 1
refuses '--points is how finely' oscillator.lua --starts 2 --points 10
refuses '--threads' oscillator.lua --threads 0
refuses 'no/such' oscillator.lua --out no/such/file.csv
refuses '--plot' oscillator.lua --plot picture.bmp
refuses 'shorter than one step, h = 0.05' oscillator.lua --time 1e-300
refuses 'shorter than one step, h = 0.05' oscillator.lua --time 0.04
# a folder is fine, as with carom run, and is made
"$CAROM" lyapunov oscillator.lua --set w=2.4 --transient 10 --time 50 --plot folder/pictures --quiet
for kind in svg png; do [ -s folder/pictures/lyapunov.$kind ] || fail 'no picture in the folder'; done
refuses 'lzb' oscillator.lua --scheme moreau-jean --h 0.001 --option impact_law=lzb --option impact_method=time
cat > bodies.lua << 'LUA'
world { gravity = { 0, -9.81 } }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
body { "b", shape = disc { 0.05 }, density = 1000, at = { 0, 0.1 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
LUA
refuses 'bodies with shapes' bodies.lua

# Ctrl-C within a step, which is a twenty thousandth of the time
heeds lyapunov oscillator.lua --time 1e10
