#!/bin/sh
# carom basin from outside: text, JSON, CSV, HDF5, pictures, journals, mistakes.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cp "$CAROM_SOURCE_DIR/test/app/impact_oscillator.lua" osc.lua

# text: the attractors with their names and shares
"$CAROM" basin osc.lua --over q:x=0:2:20 --over v:x=-2:2:20 > out 2> err
has out 'over       q:x = 0 .. 2, 20 values'
has out 'and        v:x = -2 .. 2, 20 values'
has out 'periods    200 of 2.41660973'
has out 'scheme     event-driven-linear'
has out 'period 3, 3 impacts'
has out 'period 1, 1 impact '
has err '400 cells in '

# JSON: every key, shares that add up to 1, a map with the numbers of the attractors
"$CAROM" basin osc.lua --over q:x=-0.5:2:10 --over v:x=-2:2:8 --periods 100 --json --quiet > out.json 2> err
[ ! -s err ] || fail '--quiet is not quiet'
[ "$(wc -l < out.json)" -eq 1 ] || fail 'JSON is not one line'
if grep -qiE '[:,\[](nan|-?inf)' out.json; then fail 'NaN or infinity in JSON'; fi
python3 - << 'PYTHON'
import json
got = json.load(open("out.json"))
assert got["status"] == "ok" and got["cells"] == 80
assert [a["id"] for a in got["attractors"]] == [1, 2]
assert {(a["period"], a["impacts"]) for a in got["attractors"]} == {(1, 1), (3, 3)}
assert got["attractors"][0]["share"] >= got["attractors"][1]["share"]
total = sum(a["share"] for a in got["attractors"]) + sum(got[k] for k in ("unsettled", "escaped", "failed", "outside"))
assert abs(total - 1) < 1e-12 and got["outside"] == 16 / 80
assert len(got["map"]) == 10 and all(len(row) == 8 for row in got["map"])
assert got["map"][0] == [0] * 8 and sum(n == 1 for row in got["map"] for n in row) == got["attractors"][0]["cells"]
assert [len(a["points"]) for a in got["attractors"]] == [a["period"] for a in got["attractors"]]
assert set(got["attractors"][0]["point"]) == {"x", "v:x"}
PYTHON

# the same bytes for any number of threads, in every form
for threads in 1 2; do
    "$CAROM" basin osc.lua --set w=2.8 --over q:x=0:2:12 --over v:x=-2:2:12 --periods 50 --threads $threads --csv t$threads.csv \
        --out t$threads.h5 --json --quiet > t$threads.json
done
for kind in csv h5 json; do cmp t1.$kind t2.$kind || fail 'threads differ'; done
[ "$(wc -l < t1.csv)" -eq 145 ] || fail 'not a line per cell'
head -1 t1.csv | grep -q '^start q:x,start v:x,end,attractor,period,impacts,x,v:x$' || fail 'header of the table'
has t1.json 'not periodic up to 32'

# killed at any time, it goes on, and nothing is lost or different
"$CAROM" basin osc.lua --over q:x=0:2:40 --over v:x=-2:2:32 --csv whole.csv --quiet
for wait in 0.02 0.1 0.25; do
    rm -f part.csv part.csv.part
    "$CAROM" basin osc.lua --over q:x=0:2:40 --over v:x=-2:2:32 --csv part.csv --quiet &
    running=$!
    sleep $wait
    kill -9 $running 2> /dev/null || true
    wait $running 2> /dev/null || true
    if [ -e part.csv.part ]; then
        "$CAROM" resume part.csv --quiet
    elif [ ! -e part.csv ]; then # killed before it began
        continue
    fi
    cmp whole.csv part.csv || fail "killed after $wait s and resumed it is another table"
    [ ! -e part.csv.part ] || fail 'the journal stays'
done

# beside --out, where there is no table
"$CAROM" basin osc.lua --over q:x=0:2:40 --over v:x=-2:2:32 --out whole.h5 --quiet
"$CAROM" basin osc.lua --over q:x=0:2:40 --over v:x=-2:2:32 --out part.h5 --quiet &
running=$!
sleep 0.1
kill -9 $running 2> /dev/null || true
wait $running 2> /dev/null || true
if [ -e part.h5.part ]; then "$CAROM" resume part.h5 --quiet; fi
[ ! -e part.h5 ] || cmp whole.h5 part.h5 || fail 'the resumed file differs'

# pictures, over two axes and over one; a parameter as an axis
"$CAROM" basin osc.lua --over w=2:2.8:10 --over v:x=-2:2:8 --periods 50 --plot map --quiet
"$CAROM" basin osc.lua --over q:x=2:0:30 --periods 50 --plot stripe --quiet
for kind in png svg gp dat; do
    for file in map/basin.$kind stripe/basin.$kind; do [ -s "$file" ] || fail "no $file"; done
done
has map/basin.gp 'with image'

# every option wrong once
good="osc.lua --over q:x=0:2:3"
refused basin 2 'which experiment or model file?' --
refused basin 2 '--over says which starts' -- osc.lua
refused basin 2 '3 times --over' -- osc.lua --over q:x=0:1:2 --over v:x=0:1:2 --over w=2:3:2
refused basin 2 'an axis is from:to:count' -- osc.lua --over q:x=0:1
refused basin 2 'an axis is from:to:count' -- osc.lua --over q:x=0:1:3:4
refused basin 2 'an axis is from:to:count' -- osc.lua --over q:x=0:one:3
refused basin 2 'an axis has 2 to 100000 values' -- osc.lua --over q:x=0:1:1
refused basin 2 'nothing varies' -- osc.lua --over q:x=1:1:3
refused basin 2 'both axes are' -- osc.lua --over q:x=0:1:3 --over q:x=0:2:3
refused basin 2 "no 'q:y' in a state of this model; it has q:x, v:x" -- osc.lua --over q:y=0:1:3
refused basin 2 "'x' is no axis: starts are q:NAME and v:NAME, such as q:x; parameters of the model: e, w" -- osc.lua --over x=0:1:3
refused basin 2 'e' -- osc.lua --over e=0:2:3
# shellcheck disable=SC2086
{
refused basin 2 '--periods needs a whole number from 1' -- $good --periods 0
refused basin 2 '--period needs a finite number above 0' -- $good --period -1
refused basin 2 '--longest needs a number' -- $good --longest x
refused basin 2 '--tolerance needs a finite number above 0' -- $good --tolerance 0
refused basin 2 '--escape needs a finite number above 0' -- $good --escape 0
refused basin 2 '--h needs a finite number above 0' -- $good --h -1
refused basin 2 '--threads needs a whole number from 1 to 256' -- $good --threads 300
refused basin 2 'nonsense' -- $good --scheme nonsense
refused basin 2 'nonsense' -- $good --option nonsense=1
refused basin 2 "'w' is in --set and in --over" -- osc.lua --over w=2:3:3 --set w=2
refused basin 2 'both want stdout' -- $good --csv - --json
refused basin 2 'no/such' -- $good --out no/such/file.h5
refused basin 2 '--nonsense' -- $good --nonsense
}

# how long it will take: nothing is written
"$CAROM" basin oscillators/impact --over q:x=0:2:100 --over v:x=-1:1:50 --periods 20 --dry-run --csv dry.csv --threads 1 > out
has out 'runs       5000'
has out 'mean of 9 cells: ok'
[ ! -e dry.csv ] || fail 'a dry run writes'
[ ! -e dry.csv.part ] || fail 'a dry run begins a journal'
"$CAROM" basin oscillators/impact --over w=2:3:1000 --periods 20 --dry-run --json > out
has out '{"status":"dry-run","runs":1000,"timed":{"run":"mean of 9 cells","status":"ok"'
refused basin 2 'out of range' -- oscillators/impact --over e=0.5:1.5:1000 --dry-run

# Ctrl-C within a motion, in steps that are the scheme's own and in steps of the user
heeds basin oscillators/impact --over q:x=0:1:2 --periods 100000000
heeds basin oscillators/impact --over q:x=0:1:2 --periods 100000000 --scheme moreau-jean
