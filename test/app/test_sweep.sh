#!/bin/sh
# carom sweep from outside: values, tables, JSON, CSV, HDF5, pictures, failures.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local g = param { "g", 9.81, unit = "m/s^2", min = 0 }
local h = param { "h", 0.01, unit = "s", min = 0 }
local n = param { "n", 1, integer = true }
local start = setting { "start", "high", choices = { "high", "low" } }
local y = coordinates("y")
mass(1)
potential(g * y)
contact { "floor", gap = y, restitution = e }
initial { y = start == "high" and 1 or 0.5 }
integrate { scheme = "moreau-jean", h = h, until_t = 2 }
measure { highest = maximum(y), y_end = y, bounces = count(impact "floor"), peaks = peaks(y), n = maximum(n) }
LUA

# one axis, a list: a line per point; what a single run gives is in the table
"$CAROM" sweep ball.lua --over e=0.2,0.5,0.9 > out 2> err
has out 'over       e = 0.2 ... 0.9, 3 values'
has out 'arrays     peaks'
[ "$(grep -cE '^ +0\.[259] +200 ' out)" -eq 3 ] || fail 'not a line per point'
has err '3 points in '
"$CAROM" run ball.lua --set e=0.9 --json > run.json
single=$(sed 's/.*"measures":{\([^}]*\)}.*/\1/' run.json)
"$CAROM" sweep ball.lua --over e=0.2,0.5,0.9 --json --quiet > sweep.json 2> err
[ ! -s err ] || fail '--quiet is not quiet'
has sweep.json "$single"

# JSON: one line with every key
[ "$(wc -l < sweep.json)" -eq 1 ] || fail 'JSON is not one line'
for key in experiment axes name values measures points at status steps threads wall_s; do
    has sweep.json "\"$key\":"
done
has sweep.json '"axes":[{"name":"e","values":[0.20000000000000001,0.5,0.90000000000000002]}]'
has sweep.json '"at":{"e":0.5},"status":"ok","steps":200,"trusted":true,"measures":{"bounces":'
if grep -qiE '[:,\[](nan|-?inf)' sweep.json; then fail 'NaN or infinity in JSON'; fi
if command -v python3 > /dev/null && python3 -c 'pass' 2> /dev/null; then
    python3 -m json.tool sweep.json > /dev/null || fail 'this is no JSON'
fi

# ranges: both ends, neat numbers between; logarithmic ones
"$CAROM" sweep ball.lua --over e=0:1:11 --measure y_end --json --quiet > sweep.json
has sweep.json '"values":[0,0.10000000000000001,0.20000000000000001,0.29999999999999999,'
has sweep.json ',0.90000000000000002,1]}]'
has sweep.json '"measures":["y_end"]'
"$CAROM" sweep ball.lua --over h=1e-3:1e-1:3:log --json --quiet > sweep.json
has sweep.json '"values":[0.001,0.01,0.10000000000000001]'
"$CAROM" sweep ball.lua --over=n=1:3:3 --measure n --json --quiet > sweep.json
has sweep.json '"measures":{"n":3}'

# two axes: a matrix per number; a long table when it does not fit
"$CAROM" sweep ball.lua --over e=0.2,0.5 --over h=0.01,0.005,0.002 --measure highest,y_end > out 2> err
[ "$(grep -c 'e downwards, h across' out)" -eq 2 ] || fail 'not a matrix per measure'
"$CAROM" sweep ball.lua --over e=0.2,0.5 --over g=1:20:20 --measure highest > out 2> err
[ "$(grep -cE '^ +0\.[25] +[0-9.]+ +200 ' out)" -eq 40 ] || fail 'not a line per point of the grid'

# words: settings and schemes, which the model is loaded anew for
"$CAROM" sweep ball.lua --over start=high,low --over scheme=moreau-jean,sweeping --measure highest --json > sweep.json 2> err
has sweep.json '"at":{"start":"low","scheme":"sweeping"},"status":"ok","steps":200,"trusted":false,"measures":{"highest":0.5}'
"$CAROM" sweep ball.lua --over e=0.2,0.5 --set start=low --option theta=1 --h 0.02 --until 1 --measure highest --json > sweep.json 2> err
has sweep.json '"steps":50,"trusted":false,"measures":{"highest":0.5}'
"$CAROM" sweep paoli-2001/bouncing-ball --variant free --over flights=1,2 --measure q_end --json > sweep.json 2> err
has sweep.json '"at":{"flights":2},"status":"ok","steps":13,'

# CSV and HDF5; the number of threads does not matter
for threads in 1 2; do
    "$CAROM" sweep ball.lua --over e=0:1:5 --over h=0.01,0.003 --threads $threads --csv table$threads.csv --out table$threads.h5 \
        > out$threads 2> err
    "$CAROM" sweep ball.lua --over e=0:1:5 --over h=0.01,0.003 --threads $threads --csv - 2> err | cut -d, -f1-4,6- > cut$threads
    has err "with $threads thread"
done
cmp out1 out2 || fail 'the tables differ between 1 and 2 threads'
cmp cut1 cut2 || fail 'the CSV differs between 1 and 2 threads'
cmp table1.h5 table2.h5 || fail 'the HDF5 file differs between 1 and 2 threads'
cut -d, -f1-4,6- table1.csv | cmp - cut1 || fail '--csv FILE and --csv - differ'
[ "$(wc -l < table1.csv)" -eq 11 ] || fail 'CSV has not a line per point'
head -1 table1.csv | grep -qx 'e,h,status,steps,wall_s,trusted,bounces,highest,n,peaks,y_end' || fail 'header of the CSV'
has table1.csv '0.25,0.0030000000000000001,ok,667,'

# pictures: lines, points for arrays, heat maps, words
"$CAROM" sweep ball.lua --over e=0:1:9 --plot lines --quiet > out 2> err
if [ -s out ] || [ -s err ]; then fail '--quiet is not quiet'; fi
for kind in png svg gp dat; do
    [ -s "lines/sweep.$kind" ] || fail "no sweep.$kind"
done
[ "$(grep -c '^# index' lines/sweep.dat)" -eq 5 ] || fail 'not a block per measure'
has lines/sweep.gp 'with linespoints'
has lines/sweep.gp 'with points'
cp lines/sweep.svg first.svg
(cd lines && gnuplot sweep.gp)
cmp first.svg lines/sweep.svg || fail 'the script does not draw the same picture again'
"$CAROM" sweep ball.lua --over h=1e-3:1e-1:5:log --over g=5:15:4 --measure highest,y_end --plot heat --quiet
for text in 'set logscale x' 'set palette' 'with boxxyerror' 'set xlabel "h (s)"' 'set ylabel "g (m/s^{2})"' 'set cblabel "highest"'; do
    has heat/sweep.gp "$text"
done
"$CAROM" sweep ball.lua --over scheme=moreau-jean,sweeping --over e=0:1:5 --plot words --quiet
has words/sweep.gp 'title "sweeping"'
has words/sweep.gp 'set xlabel "e"'
"$CAROM" sweep ball.lua --over scheme=moreau-jean,sweeping --plot words --quiet
has words/sweep.gp '"sweeping" 1'
[ -s words/sweep.png ] || fail 'no picture over words'

# a point that fails is shown as such, the others are there, the exit status is 1
refused sweep 1 '1 of 3 points failed; the first, scheme = elast: ' -- ball.lua --over scheme=moreau-jean,elast,sweeping --plot failed
has out '  bad-input'
has out 'sweeping'
[ -s failed/sweep.png ] || fail 'no picture beside a failed point'
refused sweep 1 'points failed' -- ball.lua --over scheme=moreau-jean,elast --json
has out '"status":"bad-input","message":"'
has out '"measures":{"bounces":null,'
has out '"status":"failed"}'

# Ctrl-C keeps what is done
"$CAROM" sweep ball.lua --over e=0:1:11 --over h=1e-7,1e-2 --threads 1 --csv kept.csv > out 2> err &
sweeping=$!
hears "$sweeping"
sleep 0.5
kill -INT "$sweeping"
status=0
wait "$sweeping" || status=$?
[ "$status" -eq 1 ] || fail "interrupted: exit status $status instead of 1"
has err 'interrupted after '
[ "$(wc -l < kept.csv)" -eq 23 ] || fail 'an interrupted sweep does not write its table'
has kept.csv ',interrupted,,,'

# what is wrong is said, with exit status 2
refused sweep 2 'which experiment or model file' -- --over e=0,1
refused sweep 2 '--over says what varies' -- ball.lua
refused sweep 2 'one or two names' -- ball.lua --over e=0,1 --over h=0.1,0.2 --over g=1,2
refused sweep 2 'both axes' -- ball.lua --over e=0,1 --over e=0.5,0.6
refused sweep 2 '--over needs name=value' -- ball.lua --over e
refused sweep 2 'a range has 2 to ' -- ball.lua --over e=0:1:1
refused sweep 2 'a range has 2 to ' -- ball.lua --over e=0:1:2.5
refused sweep 2 'from:to:count' -- ball.lua --over e=0:1
refused sweep 2 'from:to:count' -- ball.lua --over e=0:1:5:lin
refused sweep 2 'positive ends' -- ball.lua --over h=0:1:5:log
refused sweep 2 'did you mean' -- ball.lua --over scheme=moreau-jean,sweepin
refused sweep 2 'known: e, g, h, n, start' -- ball.lua --over ee=0,1
refused sweep 2 "'0.x' is not a number" -- ball.lua --over e=0.1,0.x
refused sweep 2 'from 0 to 1' -- ball.lua --over e=0:2:5
refused sweep 2 'whole number' -- ball.lua --over n=1:2:3
refused sweep 2 'take one of high, low' -- ball.lua --over start=high,middle
refused sweep 2 "did you mean 'highest'" -- ball.lua --over e=0,1 --measure y_end,higest
refused sweep 2 'in --set and in --over' -- ball.lua --over e=0,1 --set e=0.5
refused sweep 2 'a step size is given' -- ball.lua --over h=0.1,0.2 --h 0.1
refused sweep 2 'whole number from 1 to 256' -- ball.lua --over e=0,1 --threads 0
refused sweep 2 'both want stdout' -- ball.lua --over e=0,1 --json --csv -
refused sweep 2 "cannot write 'no/such.csv'" -- ball.lua --over e=0,1 --csv no/such.csv
refused sweep 2 "cannot write 'no/such.h5'" -- ball.lua --over e=0,1 --out no/such.h5
echo "sweep: all as it should be"

# without times the table depends on the motions alone; a dry run times one point and writes nothing
"$CAROM" sweep ball.lua --over e=0.2,0.5,0.9 --no-times --quiet --csv first.csv --json > first.json
"$CAROM" sweep ball.lua --over e=0.2,0.5,0.9 --no-times --quiet --csv second.csv --json --threads 1 > second.json
cmp first.csv second.csv || fail '--no-times: tables differ'
cmp first.json second.json || fail '--no-times: JSON differs'
has first.json '"threads":0,"wall_s":0'
"$CAROM" sweep ball.lua --over e=0:1:1001 --over g=1:20:1000 --dry-run --csv dry.csv > out
has out 'runs       1001000'
has out 'timed      e = 0.5, g = '
has out 'core hours'
[ ! -e dry.csv ] || fail 'a dry run writes'
"$CAROM" sweep ball.lua --over e=0:1:11 --dry-run --json > out
has out '{"status":"dry-run","runs":11,"timed":{"run":"e = 0.5","status":"ok","wall_s":'
refused sweep 2 "unknown parameter 'q'" -- ball.lua --over q=0:1:11 --dry-run
