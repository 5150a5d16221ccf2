#!/bin/sh
# carom resume of branches by patterns: killed on the way, stopped by Ctrl-C, killed after that, and the same bytes in the end.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"

write_ring
sed 's/p, names, m, V = 6/p, names, m, V = 30/; s/"gamma", 0.1/"gamma", 1/' ring.lua > long.lua
pattern() { # pattern COMMAND...: until the journal of branch.csv is so long, when it gets the signal
    long=$1
    signal=$2
    shift 2
    "$CAROM" "$@" > out 2> err &
    process=$!
    while kill -0 $process 2> /dev/null && { [ ! -e branch.csv.part ] || [ "$(stat -c %s branch.csv.part)" -lt "$long" ]; }; do
        sleep 0.01
    done
    kill -"$signal" $process 2> /dev/null || fail "ended before it was stopped: $(cat err)"
    wait $process || true
    [ -s branch.csv.part ] || fail 'no journal of a branch by patterns'
}
over_period="--param period --from 6.119474213 --to 4.3051577 --step 0.002 --points 10000 --impacts wall15@0,wall0@0.5 --pattern --switches 5"
over_gamma="--param gamma --from 1 --to 1.2 --step 0.0001 --points 10000 --period 6.119474213 --impacts wall15@0,wall0@0.5 --pattern --switches 5"
for way in "$over_period" "$over_gamma"; do
    # shellcheck disable=SC2086
    "$CAROM" continue long.lua $way --json --csv whole.csv > whole.json
    # shellcheck disable=SC2086
    pattern 250000 KILL continue long.lua $way --json --csv branch.csv
    pattern 500000 INT resume branch.csv
    has err 'carom resume branch.csv goes on'
    rm -f branch.csv # of what was there at Ctrl-C
    pattern 900000 KILL resume branch.csv
    "$CAROM" resume branch.csv > branch.json
    cmp whole.csv branch.csv || fail "$way: the table of the resumed branch differs"
    cmp whole.json branch.json || fail "$way: the JSON of the resumed branch differs"
    [ ! -e branch.csv.part ] || fail 'the journal of a branch stays'
done
