#!/bin/sh
# --accuracy of run and sweep: JSON, summary, files of the best run, refused calls; and bounds beside exact values.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.9 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { h = 1e-3, until_t = 1 }
measure { height = y, hits = count(impact "floor"), times = times(impact "floor") }
LUA

# the scheme is chosen; everything of the contract is there
"$CAROM" run ball.lua --accuracy 1e-3,height=1e-6 --json > out
has out '"scheme":"event-driven"'
has out '"accuracy":{"asked":0.001'
has out '"met":true'
has out '"hits":{"value":1,"error":0,'
has out '"tried":[{"scheme":"event-driven","h":0.001,"rtol":'
has out '],"why":null}'
python3 - << 'PYTHON'
import json, math
found = json.load(open("out"))
t = math.sqrt(2 / 9.81)
s = 1 - t
height = found["accuracy"]["measures"]["height"]
exact = 0.9 * 9.81 * t * s - 9.81 * s * s / 2
assert abs(height["value"] - exact) <= height["error"] <= 1e-6 * exact, height
assert height["value"] == found["measures"]["height"] and height["asked"] == 1e-6
times = found["accuracy"]["measures"]["times"]
assert len(times["error"]) == 1 and abs(times["value"][0] - t) <= times["error"][0]
PYTHON

# a scheme that is given stays, on the command line and in the model; the files have the rows of the best run
"$CAROM" run ball.lua --scheme moreau-jean --accuracy 1e-3 --csv best.csv --out best.h5 > out
has out 'scheme     moreau-jean, h = '
has out 'accuracy   met, '
has out 'hits    1  exact'
has out 'tried      event-driven, h = 0.001, rtol = 1e-12'
steps=$(sed -n 's/.* t = 0 .. 1, \([0-9]*\) steps.*/\1/p' out)
[ "$steps" -gt 1000 ] || fail "the best run has $steps steps"
[ "$(wc -l < best.csv)" -eq $((steps + 2)) ] || fail "best.csv has not the rows of the best run"
"$CAROM" run best.h5 | grep -q "moreau-jean, .* $steps steps" || fail 'the run file is not of the best run'
"$CAROM" run ball.lua --scheme moreau-jean --accuracy 1e-2 --accuracy-alone > out
if grep -q event-driven out; then fail 'judged although --accuracy-alone'; fi

# not met: exit status 0, the reason in words
"$CAROM" run ball.lua --scheme moreau-jean --accuracy 1e-6 --accuracy-limit 4 > out
has out 'accuracy   not met, '
has out "'height' the error "
has out 'or less is needed'
"$CAROM" run ball.lua --until 30 --accuracy 1e-3 --json > out
has out '"met":false'
has out 'impacts accumulate at t = '

# no measures: the state at the end
grep -v measure ball.lua > bare.lua
"$CAROM" run bare.lua --accuracy 1e-4 > out
has out 'the model has no measures: the state at the end'
grep -q 'q:y  0.7109.*+- ' out || fail 'the state has no error'

# sweeps
"$CAROM" sweep ball.lua --over e=0.5,0.9 --accuracy 1e-4 --csv sweep.csv --threads 1 --quiet
head -1 sweep.csv > header
has header 'height,hits,times,height_error,hits_error,times_error,accuracy_met'
grep -q '^0.9.*,1$' sweep.csv || fail 'a point of the sweep is not met'
"$CAROM" sweep ball.lua --over e=0.5,0.9 --accuracy 1e-4 --measure height --json --quiet > out
has out 'height_error'

refused run 2 '--accuracy needs a relative error between 0 and 1' -- ball.lua --accuracy 2
refused run 2 '--accuracy needs a relative error between 0 and 1' -- ball.lua --accuracy 1e-3,1e-4
refused run 2 "unknown measure 'width'; known: height, hits, times" -- ball.lua --accuracy width=1e-3
refused run 2 '--accuracy-limit goes with --accuracy' -- ball.lua --accuracy-limit 10
refused run 2 'leave --certify out' -- ball.lua --accuracy 1e-3 --certify
refused sweep 2 'has no measures' -- bare.lua --over e=0.5,0.9 --accuracy 1e-3

# a sample of the comparison with exact values
CAROM="$CAROM" python3 "$CAROM_SOURCE_DIR/bench/run-accuracy" --runs 12 --models flight,ball,slide,two-balls,rod,driven \
    > out || fail "bounds: $(cat out)"
