#!/bin/sh
# carom-mpi fit: the same JSON and table for any number of ranks, with starts, differences and exact derivatives.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

cat > drop.lua << 'LUA'
local e = param { "e", 0.7, min = 0, max = 1 }
local c = param { "c", 0.05, min = 0, max = 1 }
local y = coordinates("y")
mass(1)
potential(9.81 * y)
force { y = -c * dot(y) }
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1.5 }
record { y = y }
LUA
# measured with e = 0.8, c = 0.1 and some noise, twice
for height in 1 0.6; do
    sed "s/initial { y = 1 }/initial { y = $height }/" drop.lua > measured.lua
    "$CAROM" run measured.lua --set e=0.8 --set c=0.1 --every 3 --csv run.csv --quiet
    awk -F, -v seed=$height 'BEGIN { srand(100 * seed); print "t,height" }
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { printf "%s,%.10g\n", $column["t"], $column["y"] + 0.004 * (rand() - 0.5) }' run.csv > "data$height.csv"
done

# check NAME ARGUMENTS: like carom alone, whatever the number of ranks
check() {
    name=$1
    shift
    status=0
    "$CAROM" fit drop.lua --map height=y --params e,c --no-times --json "$@" --out one.csv > one.json 2> err || status=$?
    [ $status -eq 0 ] || fail "$name: carom alone ends with $status: $(cat err)"
    for n in 1 2 3; do
        exits 0 ranks $n "$CAROM_MPI" fit drop.lua --map height=y --params e,c --no-times --json "$@" --out ranks.csv
        same one.json out
        same one.csv ranks.csv
    done
}
check exact --data data1.csv --data data0.6.csv:q:y=0.6
check differences --data data1.csv --data data0.6.csv:q:y=0.6 --jacobian differences --threads 2
check starts --data data1.csv --starts 6 --bound e=0.5:0.95 --bound c=0.01:0.5
has one.json '"status":"ok"'

# what is wrong is told once
exits 2 ranks 3 "$CAROM_MPI" fit drop.lua --map height=y --params e --data nothing.csv
once 'nothing.csv'
exits 2 ranks 3 "$CAROM_MPI" fit drop.lua --map height=q --params e --data data1.csv
once 'carom: '
