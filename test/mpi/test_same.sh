#!/bin/sh
# carom-mpi writes the same bytes as carom, for any number of ranks and threads.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

# every output of a sweep: a table, HDF5, JSON, the data of a picture
sweep="sweep ball.lua --over e=0:0.95:20 --over start=high,low --no-times --json"
# shellcheck disable=SC2086 # words
"$CAROM" $sweep --csv one.csv --out one.h5 --plot one --threads 2 > one.json
for n in 1 2 3 4 5; do
    # shellcheck disable=SC2086
    exits 0 ranks $n "$CAROM_MPI" $sweep --csv ranks.csv --out ranks.h5 --plot ranks
    same one.json out
    for ending in csv h5; do same one.$ending ranks.$ending; done
    same one/sweep.dat ranks/sweep.dat
    rm -r ranks ranks.*
done

# threads inside ranks, a logarithmic axis, schemes that are swept; words beside the seconds
"$CAROM" sweep ball.lua --over T=0.1:2:15:log --over scheme=moreau-jean,event-driven --csv one.csv --no-times --quiet
for n in 1 2 3; do
    exits 0 ranks $n "$CAROM_MPI" sweep ball.lua --over T=0.1:2:15:log --over scheme=moreau-jean,event-driven \
        --csv ranks.csv --no-times --quiet --threads 2
    same one.csv ranks.csv
    [ ! -s err ] || fail "--quiet is not quiet: $(cat err)"
done

# with times only their column differs
"$CAROM" sweep ball.lua --over e=0:0.9:7 --csv one.csv --quiet
exits 0 ranks 2 "$CAROM_MPI" sweep ball.lua --over e=0:0.9:7 --csv ranks.csv
has err '7 points in '
has err 's with 2 ranks of 1 thread'
cut -d, -f1-3,5- one.csv > one.cut
cut -d, -f1-3,5- ranks.csv > ranks.cut
same one.cut ranks.cut
cut -d, -f4 ranks.csv | grep -qE '^[0-9.e-]*[1-9]' || fail 'no times in the table'

# points that fail are rows with their status, and the exit status is that of carom
cat > fails.lua << 'LUA'
local k = param { "k", 1 }
local x = coordinates("x")
mass(1)
potential(k * x ^ 2 / 2 - select(-k, 1, 0) * x ^ 6)
initial { x = 1 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 5 }
measure { x_end = x }
LUA
alone=0
"$CAROM" sweep fails.lua --over k=-4:4:9 --csv one.csv --no-times --quiet 2> one.err || alone=$?
[ $alone -eq 1 ] || fail "the sweep with failing points ends with $alone"
grep -q ',ok,' one.csv && grep -qv ',ok,' one.csv
for n in 1 2 4; do
    exits 1 ranks $n "$CAROM_MPI" sweep fails.lua --over k=-4:4:9 --csv ranks.csv --no-times --quiet
    same one.csv ranks.csv
    once "$(cat one.err)"
done

# order studies with each kind of reference
cat > spring.lua << 'LUA'
local x = coordinates("x")
mass(1)
potential(x ^ 2 / 2)
initial { x = 1 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 2 }
record { exact_x = cos(time()) }
LUA
for reference in exact fine event-driven; do
    study="converge spring.lua --h 0.04,0.02,0.01,0.005 --schemes moreau-jean,generalized-alpha --reference $reference --no-times"
    # shellcheck disable=SC2086
    "$CAROM" $study > one.txt
    # shellcheck disable=SC2086
    "$CAROM" $study --threads 3 > threads.txt
    same one.txt threads.txt
    for n in 2 3 5; do
        # shellcheck disable=SC2086
        exits 0 ranks $n "$CAROM_MPI" $study
        same one.txt out
    done
done

# how long it will take is told by one rank
exits 0 ranks 3 "$CAROM_MPI" sweep ball.lua --over e=0:0.95:20 --dry-run
[ "$(grep -c '^runs       20$' out)" -eq 1 ] || fail "dry run: $(cat out)"
has out 'with 3 ranks of 1 thread'
exits 0 ranks 2 "$CAROM_MPI" converge spring.lua --h 0.04,0.02 --reference exact --dry-run --json
has out '"runs":2,'
has out '"ranks":2,"threads":1,"hours":'
exits 0 ranks 2 "$CAROM_MPI" bifurcation oscillators/impact --param w --from 2.3 --to 3 --points 20 --restart --dry-run --json
has out '"runs":20,'
has out '"ranks":2,"threads":1,"hours":'
exits 0 ranks 3 "$CAROM_MPI" basin oscillators/impact --over q:x=0:2:8 --over v:x=-1:1:8 --periods 10 --dry-run
has out 'with 3 ranks of 1 thread'

# exponents of several motions
"$CAROM" lyapunov oscillators/impact --over w=2.4:2.8:5 --transient 20 --time 50 --quiet --out alone.csv
exits 0 ranks 3 "$CAROM_MPI" lyapunov oscillators/impact --over w=2.4:2.8:5 --transient 20 --time 50 --quiet --out ranks.csv
same alone.csv ranks.csv
