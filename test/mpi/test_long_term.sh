#!/bin/sh
# carom-mpi basin and bifurcation: the same bytes for any number of ranks, and after a kill.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

basin="basin oscillators/impact --set w=2.6 --over q:x=0:0.9:30 --over v:x=-2:2:30 --json"
# shellcheck disable=SC2086 # words
"$CAROM" $basin --csv one.csv --out one.h5 > one.json 2> err
for n in 1 2 3; do
    # shellcheck disable=SC2086
    exits 0 ranks $n "$CAROM_MPI" $basin --csv ranks.csv --out ranks.h5
    same one.json out
    for ending in csv h5; do same one.$ending ranks.$ending; done
done

# values that follow each other, in one direction and in both; each by itself
for way in --down --both --restart; do
    diagram="bifurcation oscillators/impact --param w --from 2.5 --to 3 --points 24 $way --json"
    # shellcheck disable=SC2086
    "$CAROM" $diagram --csv one.csv > one.json 2> err
    for n in 1 2 4; do
        # shellcheck disable=SC2086
        exits 0 ranks $n "$CAROM_MPI" $diagram --csv ranks.csv
        same one.json out
        same one.csv ranks.csv
    done
done

# killed on the way: courses go on where they were, on other ranks
diagram="bifurcation oscillators/impact --param w --from 2.5 --to 3 --points 60 --skip 40000 --both --quiet"
# shellcheck disable=SC2086
"$CAROM" $diagram --csv one.csv
# shellcheck disable=SC2086
mpirun --oversubscribe -n 3 "$CAROM_MPI" $diagram --csv ranks.csv > out 2>&1 &
launcher=$!
for _ in $(seq 10000); do # a busy machine may take long to begin
    if [ -s ranks.csv.part ] && [ "$("$CAROM_SOURCE_DIR/test/mpi/kept_points" ranks.csv.part | wc -l)" -ge 8 ]; then break; fi
    sleep 0.02
done
kill -9 $launcher
wait $launcher || true
while pgrep -f "$CAROM_MPI bifurcation" > /dev/null; do sleep 0.1; done
kept=$("$CAROM_SOURCE_DIR/test/mpi/kept_points" ranks.csv.part | sort -n | uniq | wc -l)
if ! { [ "$kept" -ge 8 ] && [ "$kept" -lt 120 ]; }; then fail "$kept values are kept"; fi
exits 0 ranks 2 "$CAROM_MPI" resume ranks.csv
same one.csv ranks.csv

# what is wrong is told once
exits 2 ranks 3 "$CAROM_MPI" basin oscillators/impact --over q:z=0:1:5
once "there is no 'q:z'"
exits 2 ranks 3 "$CAROM_MPI" bifurcation oscillators/impact --param nothing --from 0 --to 1 --points 3
once 'carom: '
