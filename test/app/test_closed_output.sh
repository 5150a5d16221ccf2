#!/bin/sh
# Standard output that is closed or full: exit status 1 with words where something was to be printed, and no file is damaged.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > ball.lua << 'LUA'
local e = param { "e", 0.5, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { h = 1e-2, until_t = 1 }
measure { highest = maximum(y) }
LUA

# unprinted ARGUMENTS...: status 1 with words when standard output is closed, and when it is full
unprinted() {
    status=0
    "$CAROM" "$@" 2> err >&- || status=$?
    [ "$status" -eq 1 ] || fail "carom $*, closed output: exit status $status instead of 1"
    has err 'writing to standard output failed: it is closed'
    status=0
    "$CAROM" "$@" > /dev/full 2> err || status=$?
    [ "$status" -eq 1 ] || fail "carom $*, full output: exit status $status instead of 1"
    has err 'writing to standard output failed'
}

unprinted --version
unprinted help
unprinted help run
unprinted list schemes
unprinted list schemes --json
unprinted show ball.lua
unprinted show statement contact --json
unprinted check ball.lua
unprinted run ball.lua
unprinted run ball.lua --json
unprinted sweep ball.lua --over e=0:1:2
unprinted sweep ball.lua --over e=0:1:2 --json
unprinted impact --balls 3 --law newton
unprinted impact --balls 3 --law newton --json

# what prints nothing needs no standard output
"$CAROM" run ball.lua --quiet >&- 2> err || fail "--quiet with a closed output: $(cat err)"
"$CAROM" run ball.lua --quiet > /dev/full 2> err || fail "--quiet with a full output: $(cat err)"
"$CAROM" sweep ball.lua --over e=0:1:2 --quiet --csv table.csv >&- || fail '--quiet of a sweep'

# no file gets the descriptor of standard output, input or messages
"$CAROM" run ball.lua --out whole.h5 --csv whole.csv --quiet
status=0
"$CAROM" run ball.lua --out run.h5 --csv run.csv <&- 2> err >&- || status=$?
[ "$status" -eq 1 ] || fail "files with a closed output: exit status $status"
cmp whole.h5 run.h5 || fail 'the run file has what was printed'
cmp whole.csv run.csv || fail 'the table has what was printed'
"$CAROM" run ball.lua --out run.h5 --csv run.csv <&- >&- 2>&- || status=$?
cmp whole.h5 run.h5 || fail 'the run file has messages'
cmp whole.csv run.csv || fail 'the table has messages'
