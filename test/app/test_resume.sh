#!/bin/sh
# carom resume: what was stopped goes on and has the same bytes as what was not.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.98, min = 0, max = 1 }
local stop = param { "stop", 10, min = 0 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-4, until_t = stop }
record { y = y, push = acceleration(y) }
measure { highest = maximum(y), hits = times(impact "floor"), late = at(y, { 0.1, 0.5 }) }
family { e = { 0.5, 0.7 } }
LUA
if [ -n "${CAROM_SANITIZED:-}" ]; then sed -i 's/"stop", 10/"stop", 4/' ball.lua; fi

# begun ARGUMENTS...: runs it until its journal has a checkpoint, and kills it
begun() {
    rm -f killed.h5 killed.h5.part
    stopped_at 300000 KILL killed.h5 "$CAROM" run "$@" --checkpoint 0.01 --out killed.h5 --quiet
}

"$CAROM" run ball.lua --at 0.3,3 --json --out whole.h5 > whole.json
begun ball.lua --at 0.3,3 --json
refused plot 2 'carom resume killed.h5 goes on' -- killed.h5
mv ball.lua elsewhere.lua # all that is needed is in the journal
"$CAROM" resume killed.h5 > killed.json 2> err
cmp whole.h5 killed.h5 || fail 'the resumed run differs'
[ ! -e killed.h5.part ] || fail 'the journal stays'
for file in whole killed; do
    sed 's/"wall_s":[^,]*,//g' $file.json > $file.plain
done
cmp whole.plain killed.plain || fail 'the JSON of the resumed run differs'
"$CAROM" resume killed.h5 2> err || fail 'a complete run is no failure'
has err 'is complete'
mv elsewhere.lua ball.lua

# from another directory, with its other outputs where they were asked for
"$CAROM" run ball.lua --every 50 --out whole.h5 --csv whole.csv --quiet
begun ball.lua --every 5 --csv killed.csv
mkdir away
(cd away && "$CAROM" resume ../killed.h5)
"$CAROM" run ball.lua --every 5 --out whole.h5 --csv whole.csv --quiet
cmp whole.h5 killed.h5 || fail 'every fifth row: the run file differs'
cmp whole.csv killed.csv || fail 'every fifth row: the table differs'

# with some columns alone, compressed
begun ball.lua --compress --record push,y,floor.status --csv killed.csv
"$CAROM" resume killed.h5 --quiet
"$CAROM" run ball.lua --compress --record push,y,floor.status --out whole.h5 --csv whole.csv --quiet
cmp whole.h5 killed.h5 || fail 'some columns: the run file differs'
cmp whole.csv killed.csv || fail 'some columns: the table differs'

# to another end: as if that had been asked for at once
begun ball.lua --no-family --until 12
"$CAROM" resume killed.h5 --until 6 --quiet
"$CAROM" run ball.lua --no-family --until 6 --out whole.h5 --quiet
cmp whole.h5 killed.h5 || fail 'an earlier end'
"$CAROM" resume killed.h5 --until 7 --quiet
"$CAROM" run ball.lua --no-family --until 7 --out whole.h5 --quiet
cmp whole.h5 killed.h5 || fail 'a complete run to another end'
"$CAROM" run ball.lua --no-family --until 1 --every 300 --out killed.h5 --quiet
"$CAROM" resume killed.h5 --until 1.5 --quiet
"$CAROM" run ball.lua --no-family --until 1.5 --every 300 --out whole.h5 --quiet
cmp whole.h5 killed.h5 || fail 'a complete run with every 300th output to another end'

# what stands there stays until the end; a stopped run of another name is kept
echo before > killed.h5.copy
begun ball.lua
cp killed.h5.copy killed.h5
"$CAROM" run ball.lua --until 0.01 --no-family --out other.h5 --quiet
mv killed.h5.part other.h5.part
"$CAROM" run ball.lua --until 0.01 --no-family --out other.h5 --quiet 2> err
has err 'carom resume other.h5.old'
"$CAROM" resume other.h5.old --quiet
"$CAROM" run ball.lua --out whole.h5 --quiet
cmp whole.h5 other.h5.old || fail 'the run that was put aside differs'

# Ctrl-C and SIGTERM replace nothing that is complete
for signal in INT TERM; do
    cp killed.h5.copy stopped.h5
    cp killed.h5.copy stopped.csv
    stopped_at 200000 $signal stopped.h5 "$CAROM" run ball.lua --checkpoint 0.01 --out stopped.h5 --csv stopped.csv --quiet
    [ "$stop_status" -eq 1 ] || fail "$signal: exit status $stop_status instead of 1"
    has err 'carom resume stopped.h5 goes on with it'
    cmp killed.h5.copy stopped.h5 || fail "$signal replaced a run file"
    cmp killed.h5.copy stopped.csv || fail "$signal replaced a table"
    "$CAROM" resume stopped.h5
    cmp whole.h5 stopped.h5 || fail 'stopped and resumed: the run file differs'
done

# a scheme whose inside cannot be kept begins anew, with the same result
cat > events.lua << 'LUA'
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = 0.99 }
initial { y = 1 }
integrate { scheme = "event-driven", h = 1e-3, until_t = 60 }
LUA
begun events.lua
"$CAROM" resume killed.h5 2> err
"$CAROM" run events.lua --out whole.h5 --quiet
cmp whole.h5 killed.h5 || fail 'event-driven: the resumed run differs'

# what cannot be resumed says so
refused resume 2 'nothing to resume' -- nowhere.h5
echo 'no journal' > wrong.h5.part
refused resume 2 'is no journal' -- wrong.h5
refused resume 2 'which output' --
refused run 2 '--checkpoint is for a run file' -- ball.lua --checkpoint 5

# sweeps
"$CAROM" sweep ball.lua --set stop=20 --over e=0:0.9:12 --csv whole.csv --threads 1 --quiet
echo before > table.csv
stopped_at 4000 TERM table.csv "$CAROM" sweep ball.lua --set stop=20 --over e=0:0.9:12 --csv table.csv --threads 1 --quiet
[ "$stop_status" -eq 1 ] || fail "a sweep that was stopped: exit status $stop_status"
[ "$(cat table.csv)" = before ] || fail 'SIGTERM replaced a complete table'
has err 'carom resume table.csv goes on'
"$CAROM" resume table.csv
cut -d, -f1-3,5- whole.csv > whole.plain
cut -d, -f1-3,5- table.csv > table.plain
cmp whole.plain table.plain || fail 'the resumed sweep differs'
