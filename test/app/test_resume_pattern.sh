#!/bin/sh
# carom resume of branches by patterns: killed on the way, stopped by Ctrl-C, killed after that, and the same bytes in the end.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/app/orbit_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/orbit_helpers.sh"

write_ring
sed 's/p, names, m, V = 6/p, names, m, V = 30/; s/"gamma", 0.1/"gamma", 1/' ring.lua > long.lua
over_period="--param period --from 6.119474213 --to 4.3051577 --step 0.002 --points 10000 --impacts wall15@0,wall0@0.5 --pattern --switches 5"
over_gamma="--param gamma --from 1 --to 1.2 --step 0.0001 --points 10000 --period 6.119474213 --impacts wall15@0,wall0@0.5 --pattern --switches 5"
for way in "$over_gamma" "$over_period"; do
    if [ -n "${CAROM_SANITIZED:-}" ] && [ "$way" = "$over_period" ]; then continue; fi # the same ways through the code
    # shellcheck disable=SC2086
    "$CAROM" continue long.lua $way --json --csv whole.csv > whole.json
    # shellcheck disable=SC2086
    stopped_at 250000 KILL branch.csv "$CAROM" continue long.lua $way --json --csv branch.csv
    stopped_at 500000 INT branch.csv "$CAROM" resume branch.csv
    has err 'carom resume branch.csv goes on'
    rm -f branch.csv # of what was there at Ctrl-C
    stopped_at 900000 KILL branch.csv "$CAROM" resume branch.csv
    "$CAROM" resume branch.csv > branch.json
    cmp whole.csv branch.csv || fail "$way: the table of the resumed branch differs"
    cmp whole.json branch.json || fail "$way: the JSON of the resumed branch differs"
    [ ! -e branch.csv.part ] || fail 'the journal of a branch stays'
done
