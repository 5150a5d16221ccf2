#!/bin/sh
# stop { when = ... } as the program tells of it: run, run file, resume, family, sweep, converge.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > fall.lua << 'LUA'
local y0 = param { "y0", 1 }
local y  = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = 0.8 }
initial { y = y0 }
stop { "down", when = 0.3 - y }
integrate { h = 0.01, until_t = 2 }
family { y0 = { 2, 400 } }
measure { last = final(time()), every = at(y, every(0.25)), late = at(y, 1) }
LUA

# exit status 0, in the summary and in JSON, with what was measured until then
"$CAROM" run fall.lua > out
has out "status     stopped: stop 'down' (line 7) at t = 0.38, after step 38 of 200"
has out 't = 0 .. 0.38, 38 steps'
grep -q 'y0 = 2 .* stopped$' out || fail 'the family does not say which of it stopped'
grep -q 'y0 = 400 .*[0-9]$' out || fail 'the family says that what went on stopped'
"$CAROM" run fall.lua --no-family --json > out
has out '"status":"stopped","message":"stop '"'down'"' (line 7) at t = 0.38'
has out '"t_end":0.38,"steps":38,'
has out '"stopped":{"stop":"down","t":0.38}'
has out '"trusted":true'
has out '"last":0.38,'
has out '"late":[null]'
"$CAROM" run fall.lua --no-family --scheme event-driven --json > out
has out '"t_end":0.37777178144'
"$CAROM" run fall.lua --no-family --set y0=400 --json > out
has out '"status":"ok","experiment"'
if grep -q stopped out; then fail 'a run that went to its end says stopped'; fi

# every output until then, also in files; the same again from the run file
"$CAROM" run fall.lua --no-family --csv one.csv --every 7 --out one.h5 --quiet
[ "$(tail -1 one.csv | cut -d, -f1)" = 0.38 ] || fail 'the last output is not in the table'
"$CAROM" run one.h5 --csv two.csv --every 7 --quiet
cmp one.csv two.csv || fail 'a run file does not reproduce its run'
"$CAROM" resume one.h5 2> err
has err 'one.h5 is complete'
"$CAROM" resume one.h5 --until 1 > out 2> err
has out 'stopped: stop'
has out 'after step 38 of 100'

# a table over a parameter; an order study compares motions at equal times and goes on
"$CAROM" sweep fall.lua --over y0=0.1,1,400 --csv sweep.csv > out
has out 'stopped'
[ "$(cut -d, -f2 sweep.csv | tr '\n' ' ')" = 'status stopped stopped ok ' ] || fail 'words of the sweep'
"$CAROM" converge fall.lua --schemes moreau-jean --h 0.01,0.005 --until 0.8 --reference event-driven --json > out
has out '"status":["ok","ok"]'

# a condition without a value is a failure that keeps what was computed
sed 's/0.3 - y/log(y - 0.5)/' fall.lua > odd.lua
refused run 1 "the condition of stop 'down' (line 7) is not a number" -- odd.lua --no-family --csv odd.csv
[ "$(wc -l < odd.csv)" -gt 20 ] || fail 'the rows before the failure are lost'
