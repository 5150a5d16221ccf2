#!/bin/sh
# carom bifurcation from outside: text, JSON, CSV, HDF5, pictures, journals, mistakes.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cp "$CAROM_SOURCE_DIR/test/app/impact_oscillator.lua" osc.lua

# text: stretches of one kind of motion; the flip at 2.65617730 between them
"$CAROM" bifurcation osc.lua --param w --from 2.4 --to 2.7 --points 61 --skip 1000 > out 2> err
has out 'over       w, 61 values, up'
has out 'seen       once per period, 2.61799388 at the first value'
has out 'scheme     event-driven-linear'
has out 'w = 2.4        .. 2.655      period 1, 1 impact'
has out 'w = 2.66       .. 2.7        period 2, 2 impacts'
has err '61 values in '

# JSON: one line with every key; nothing on stderr when quiet
"$CAROM" bifurcation osc.lua --param w --from 2.4 --to 2.7 --points 3 --iterates 4 --both --json --quiet > out.json 2> err
[ ! -s err ] || fail '--quiet is not quiet'
[ "$(wc -l < out.json)" -eq 1 ] || fail 'JSON is not one line'
for key in status experiment param section scheme points value direction start period impacts forcing_period x v; do
    has out.json "\"$key\":"
done
if grep -qiE '[:,\[](nan|-?inf)' out.json; then fail 'NaN or infinity in JSON'; fi
python3 - << 'PYTHON'
import json
got = json.load(open("out.json"))
assert got["status"] == "ok" and len(got["points"]) == 6
assert [p["value"] for p in got["points"]] == [2.4, 2.55, 2.7, 2.7, 2.55, 2.4]
assert [p["direction"] for p in got["points"]] == ["up"] * 3 + ["down"] * 3
assert all(len(p["x"]["x"]) == 4 == len(p["v"]["x"]) for p in got["points"])
PYTHON

# the same bytes for any number of threads, in every form
for threads in 1 2; do
    "$CAROM" bifurcation osc.lua --param w --from 2.5 --to 3 --points 30 --both --start q:x=0.1 --start q:x=1,v:x=-1 \
        --threads $threads --csv t$threads.csv --out t$threads.h5 --json --quiet > t$threads.json
done
for kind in csv h5 json; do cmp t1.$kind t2.$kind || fail 'threads differ'; done
[ "$(wc -l < t1.csv)" -eq 12001 ] || fail 'not a line per look'
head -1 t1.csv | grep -q '^direction,start,w,status,period,impacts,t,x,v:x$' || fail 'header of the table'
"$CAROM" bifurcation osc.lua --param w --from 2.5 --to 3 --points 30 --both --start q:x=0.1 --start q:x=1,v:x=-1 --csv - > piped.csv 2> err
cmp t1.csv piped.csv || fail '--csv - is another table'

# at impacts: the velocity after the impact of the periodic motion (w = 2.4)
"$CAROM" bifurcation osc.lua --param w --from 2.4 --to 2.4 --points 1 --section wall --skip 500 --iterates 3 --json --quiet > out.json
python3 - << 'PYTHON'
import json
point = json.load(open("out.json"))["points"][0]
assert abs(point["v"]["x"][-1] - 0.6803568612) < 1e-9 and point["period"] == 1
assert abs(point["t"][-1] % point["forcing_period"] - 2.5185704580) < 1e-9
PYTHON

# killed at any time, it goes on, and nothing is lost or different; also where it ends at once
"$CAROM" bifurcation osc.lua --param w --from 2.3 --to 3 --points 120 --skip 500 --both --csv whole.csv --quiet
for wait in 0.02 0.1 0.25; do
    rm -f part.csv part.csv.part
    "$CAROM" bifurcation osc.lua --param w --from 2.3 --to 3 --points 120 --skip 500 --both --csv part.csv --quiet &
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

# pictures: few points as such, crowds as an image
"$CAROM" bifurcation osc.lua --param w --from 2.4 --to 2.8 --points 40 --plot few --quiet
"$CAROM" bifurcation osc.lua --param w --from 2.4 --to 2.8 --points 200 --iterates 100 --skip 20 --both --show q:x,v:x --plot many --quiet
for file in few/bifurcation many/bifurcation; do
    for kind in png svg gp dat; do [ -s $file.$kind ] || fail "no $file.$kind"; done
done
has few/bifurcation.gp 'with points'
has many/bifurcation.gp 'with rgbalpha'

# what does not return is told, with exit status 1, and the others are there
cat > runaway.lua << 'LUA'
local k = param { "k", 1 }
local x = coordinates("x")
mass(1)
force { x = -k*x - 0.2*dot(x) + cos(2*time()) }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.1, until_t = 10 }
LUA
refused bifurcation 1 '1 of 3 values did not return; the first, k = -1: escaped' -- runaway.lua --param k --from -1 --to 3 --points 3
has out 'k = -1         .. -1         escaped'

# the forcing period: asked for where there is none
cat > still.lua << 'LUA'
local k = param { "k", 1 }
local x = coordinates("x")
mass(1)
force { x = -k*x - 0.2*dot(x) }
contact { "wall", gap = x + 1, restitution = 0.5 }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.1, until_t = 10 }
LUA
refused bifurcation 2 'nothing in it depends on time; give --period T' -- still.lua --param k --from 1 --to 3 --points 3
"$CAROM" bifurcation still.lua --param k --from 1 --to 3 --points 3 --period 1 --skip 400 > out 2> err
has out 'period 1, 0 impacts'

# every option wrong once
good="osc.lua --param w --from 2 --to 3 --points 3"
refused bifurcation 2 'which experiment or model file?' --
refused bifurcation 2 'one experiment or model file at a time' -- osc.lua still.lua
refused bifurcation 2 '--param says which parameter' -- osc.lua --from 2 --to 3 --points 3
refused bifurcation 2 '--from says' -- osc.lua --param w --to 3 --points 3
refused bifurcation 2 '--to says' -- osc.lua --param w --from 2 --points 3
refused bifurcation 2 '--points says' -- osc.lua --param w --from 2 --to 3
refused bifurcation 2 "'ww'" -- osc.lua --param ww --from 2 --to 3 --points 3
refused bifurcation 2 'e' -- osc.lua --param e --from 0 --to 3 --points 3
refused bifurcation 2 '--from needs a number' -- osc.lua --param w --from a --to 3 --points 3
refused bifurcation 2 '--to needs a finite number' -- osc.lua --param w --from 2 --to inf --points 3
refused bifurcation 2 'nothing varies' -- osc.lua --param w --from 2 --to 2 --points 3
refused bifurcation 2 '--points needs a whole number from 1' -- osc.lua --param w --from 2 --to 3 --points 0
# shellcheck disable=SC2086
{
refused bifurcation 2 '--iterates needs a whole number from 1' -- $good --iterates 0
refused bifurcation 2 '--skip needs a whole number' -- $good --skip -1
refused bifurcation 2 'leave one out' -- $good --down --both
refused bifurcation 2 '--restart begins anew at every value' -- $good --restart --both
refused bifurcation 2 "no 'q:z' in a state of this model; it has q:x, v:x" -- $good --start q:z=1
refused bifurcation 2 'must be a finite number' -- $good --start q:x=one
refused bifurcation 2 'start 1 is inside an obstacle' -- $good --start q:x=-1
refused bifurcation 2 "section 'floor' is not known. Known: wall, period" -- $good --section floor
refused bifurcation 2 '--wait is for --section CONTACT' -- $good --wait 3
refused bifurcation 2 '--wait needs a finite number above 0' -- $good --section wall --wait 0
refused bifurcation 2 "no 'y' in a state" -- $good --show y
refused bifurcation 2 '--period needs a finite number above 0' -- $good --period 0
refused bifurcation 2 '--longest needs a whole number from 1' -- $good --longest 0
refused bifurcation 2 '--tolerance needs a finite number above 0' -- $good --tolerance 0
refused bifurcation 2 '--escape needs a finite number above 0' -- $good --escape -1
refused bifurcation 2 '--h needs a finite number above 0' -- $good --h 0
refused bifurcation 2 '--threads needs a whole number from 1 to 256' -- $good --threads 0
refused bifurcation 2 "scheme 'moreau' " -- $good --scheme moreau
refused bifurcation 2 'does not locate impacts' -- $good --scheme moreau-jean --section wall
refused bifurcation 2 'nonsense' -- $good --option nonsense=1
refused bifurcation 2 "'w' is in --set and in --param" -- $good --set w=1
refused bifurcation 2 'z' -- $good --set z=1
refused bifurcation 2 'variant' -- $good --variant none
refused bifurcation 2 'both want stdout' -- $good --csv - --json
refused bifurcation 2 'no/such' -- $good --csv no/such/table.csv
refused bifurcation 2 'no/such' -- $good --out no/such/table.h5
refused bifurcation 2 '--nonsense' -- $good --nonsense
}

# how long it will take: nothing is written
"$CAROM" bifurcation oscillators/impact --param w --from 2.3 --to 3 --points 500 --both --dry-run --out dry.h5 > out
has out 'runs       1000'
has out 'mean of 5 values: ok'
[ ! -e dry.h5 ] || fail 'a dry run writes'
refused bifurcation 2 'out of range' -- oscillators/impact --param e --from 0.5 --to 1.5 --points 100 --dry-run
# more than there is memory for is refused before it is taken
refused bifurcation 2 'take fewer points or iterates' -- oscillators/impact --param w --from 2 --to 3 --points 1000000 --iterates 1000000

# Ctrl-C while values are short
heeds bifurcation oscillators/impact --param w --from 2 --to 3 --points 1000000 --iterates 1 --skip 0
