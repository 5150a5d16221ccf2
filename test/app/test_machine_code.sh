#!/bin/sh
# Tables of sweeps and basins have the same bytes with machine code and without, for any number of threads, with points that
# fail, that stop, and that end at different times.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# What runs through it must not make memory executable (PR_SET_MDWE): expressions are interpreted then.
cat > deny.py << 'PYTHON'
import ctypes
import os
import sys

if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) != 0:
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
PYTHON

cat > ball.lua << 'LUA'
local e = param { "e", 0.8, min = 0, max = 1 }
local k = param { "k", 1 }
local y, a = coordinates("y", "a")
mass { y = 1 + a^2, a = 2 }
potential(9.81 * y + cos(a) + 0.1 * y^2)
force { a = -0.1 * dot(a) + sin(3 * time()) + sqrt(k - a) }
contact { "floor", gap = y + 0.1 * sin(a), restitution = e }
initial { y = 0.4, a = 0.2 }
integrate { scheme = "moreau-jean", h = 0.001, until_t = 0.2 + e / 2 }
stop { "turned", when = a - 0.33 }
measure { highest = maximum(y), late = a, impacts = count(impact("floor")) }
LUA

# tables NAME RUNNER: the tables of both surveys, by 1 and 2 threads
tables() {
    name=$1
    shift
    for threads in 1 2; do
        "$@" sweep ball.lua --over e=0:1:5 --over k=0.21:1.5:4 --threads $threads --no-times --quiet \
            --csv "sweep-$name-$threads.csv" 2> err || [ $? -eq 1 ] || fail "$name: $(cat err)"
        "$@" basin oscillators/impact --scheme moreau-jean --over q:x=0:2:3 --over v:x=-2:2:3 --periods 5 \
            --threads $threads --quiet --csv "basin-$name-$threads.csv"
    done
}

tables machine "$CAROM"
for word in ok stopped failed; do
    grep -q ",$word," sweep-machine-1.csv || fail "no point is $word: $(cat sweep-machine-1.csv)"
done
runs=machine
if python3 deny.py /bin/true; then # Linux 6.3 and later
    tables denied python3 deny.py "$CAROM"
    runs='machine denied'
fi
for name in $runs; do
    for threads in 1 2; do
        for survey in sweep basin; do
            cmp "$survey-machine-1.csv" "$survey-$name-$threads.csv" || fail "$name, $threads threads: other bytes"
        done
    done
done
