#!/bin/sh
# Bodies of which every rank has a part of space: the motion does not depend on how many they are, to the last bit.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"
export OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1

# Discs in a bin, with one that is bigger than a part of space and a box that flies through all of them.
cat > discs.lua << 'LUA'
local n = setting { "n", 60, integer = true, min = 1, max = 10000 }
local low = setting { "low", 0.12 }
world { gravity = { 0, -9.81 } }
pair { friction = 0.4, restitution = 0.1 }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0 }, offset = -2 } }
fixed { "right", shape = plane { normal = { -1, 0 }, offset = -2 } }
for i = 0, n - 1 do
  local x, y = i % 15, i // 15
  body { "d" .. i, shape = disc { 0.1 }, density = 1, at = { -1.8 + 0.25 * x + 0.03 * (y % 3), low + 0.22 * y } }
end
local big = body { "big", shape = disc { 0.8 }, density = 0.5, at = { 0.1, 2.2 } }
body { "fast", shape = box { 0.2, 0.2 }, density = 3, at = { -1.8, 1.2 }, velocity = { 8, 1 } }
integrate { scheme = "moreau-jean", h = 4e-3, until_t = 0.4 }
measure { low = minimum(big.y) }
LUA
cat > pyramid.lua << 'LUA'
world { gravity = { 0, -9.81 } }
pair { friction = 0.5, restitution = 0 }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
for row = 0, 7 do
  for i = 0, 7 - row do
    body { ("b%d_%d"):format(row, i), shape = box { 0.4, 0.2 }, density = 1, at = { 0.42 * (i + row / 2), 0.1 + 0.2 * row } }
  end
end
body { "ball", shape = disc { 0.15 }, density = 10, at = { -0.5, 0.8 }, velocity = { 6, 1 } }
integrate { scheme = "moreau-jean", h = 5e-3, until_t = 0.3 }
LUA
# rolling friction, and clouds that meet: islands across borders come and go
cat > spheres.lua << 'LUA'
world { gravity = { 0, 0, -9.81 } }
pair { friction = 0.3, restitution = 0.4, rolling = 0.002 }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
for i = 0, 39 do
  local side = i % 2 == 0 and -1 or 1
  body { "s" .. i, shape = sphere { 0.05 + 0.01 * (i % 3) }, density = 1000, velocity = { -3 * side, 0.1 * (i % 5), 0 },
         at = { side * (0.3 + 0.15 * (i // 8)), 0.15 * (i // 2 % 4), 0.1 + 0.13 * (i % 3) } }
end
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.25 }
LUA

for scene in discs pyramid spheres; do
    exits 0 ranks 1 "$CAROM_MPI" run $scene.lua --cut space --csv one.csv --quiet
    for n in 2 4; do
        exits 0 ranks $n "$CAROM_MPI" run $scene.lua --cut=space --csv ranks.csv --quiet
        same one.csv ranks.csv
    done
done
# Without impacts that make small differences large, the motion of carom run: to what the order of sweeps of its projection leaves.
exits 0 "$CAROM" run spheres.lua --until 0.05 --csv alone.csv --quiet
exits 0 ranks 3 "$CAROM_MPI" run spheres.lua --until 0.05 --cut space --csv ranks.csv --quiet
awk -F, 'NR == FNR { for (i = 1; i <= NF; i++) first[NR, i] = $i; next }
         FNR > 1 { for (i = 1; i <= NF; i++) { d = $i - first[FNR, i]; if (d < 0) d = -d; if (d > worst) worst = d } }
         END { print worst; exit !(FNR > 20 && worst < 1e-6) }' alone.csv ranks.csv || fail "not the motion of carom run"

# Accounts, events and what is certified: sums are those of all ranks.
for n in 1 3; do
    exits 0 ranks $n "$CAROM_MPI" run discs.lua --until 0.2 --cut space --out run$n.h5 --events events$n.csv --json
    sed 's/"wall_s":[^,}]*//g; s/run[0-9].h5//g; s/events[0-9].csv//g' out | tr ',{}' '[\n*]' > json$n
done
same events1.csv events3.csv
[ "$(wc -l < events1.csv)" -gt 20 ] || fail "events: $(head events1.csv)"
awk -F: 'NR == FNR { line[NR] = $0; number[NR] = $2; next }
         $0 != line[FNR] { d = $2 - number[FNR]; if (d < 0) d = -d
                           if ($1 !~ /"/ || !(d <= 1e-12)) { print line[FNR] " and " $0; bad = 1 } }
         END { exit bad }' json1 json3 > differ || fail "accounts: $(cat differ)"

# Islands across borders that are solved by all ranks: the same motion to the tolerance of the solver, and ten times nearer with a tenth
# of it. (The projection sweeps in another order; restitution of points at rest depends on the sign of rounding: both are left out.)
cat > heap.lua << 'LUA'
world { gravity = { 0, 0, -9.81 } }
pair { friction = 0.4, restitution = 0 }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
for i = 0, 59 do
  local x, y, z = i % 5, i // 5 % 4, i // 20
  body { "s" .. i, shape = sphere { 0.05 }, density = 1000, at = { 0.1 * x + 0.004 * z, 0.1 * y + 0.003 * z, 0.0501 + 0.0999 * z } }
end
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.03 }
LUA
for tolerance in 1e-8 1e-11; do
    exits 0 ranks 1 "$CAROM_MPI" run heap.lua --cut space --option projection=off --tolerance $tolerance --csv one.csv --quiet
    for n in 2 4; do
        exits 0 ranks $n "$CAROM_MPI" run heap.lua --cut space --gather 10 --option projection=off --tolerance $tolerance \
            --csv ranks.csv --quiet
        ! cmp -s one.csv ranks.csv || fail "no island was shared"
        awk -F, -v most=$tolerance 'NR == FNR { for (i = 1; i <= NF; i++) first[NR, i] = $i; next }
            FNR > 1 { for (i = 1; i <= NF; i++) { d = $i - first[FNR, i]; if (d < 0) d = -d; if (d > worst) worst = d } }
            END { print most, worst; exit !(FNR > 10 && worst < 300 * most) }' one.csv ranks.csv ||
            fail "$n ranks, tolerance $tolerance: not the same motion"
    done
done
# with the projection: works of contacts within a percent, no step unsolved, the same penetration
for n in 1 3; do
    exits 0 ranks $n "$CAROM_MPI" run heap.lua --cut space --gather 10 --json
    tr ',{' '[\n*]' < out | awk -F: '/"contacts":-/ { work = $2 } /max_penetration/ { deep = $2 } /unsolved_steps/ { unsolved = $2 + 0 }
        END { print work, deep, unsolved; exit !(work < 0 && unsolved == 0) }' > works$n || fail "works: $(cat works$n)"
done
paste works1 works3 | awk '{ d = ($4 - $1) / $1; p = $5 - $2; exit !(d < 0.01 && d > -0.01 && p < 1e-5 && p > -1e-5) }' ||
    fail "works: $(paste works1 works3)"
exits 2 ranks 2 "$CAROM_MPI" run discs.lua --cut space --gather none
once "a number of touches"
# where sweeps over parts do not end, one rank solves the island
exits 0 ranks 1 "$CAROM_MPI" run pyramid.lua --until 0.1 --cut space --tolerance 1e-13 --csv one.csv --quiet
exits 0 ranks 2 "$CAROM_MPI" run pyramid.lua --until 0.1 --cut space --gather 5 --tolerance 1e-13 --csv ranks.csv --quiet

exits 2 ranks 2 "$CAROM_MPI" run discs.lua --cut twice
once "islands (the default) or space"
exits 2 ranks 2 "$CAROM_MPI" run discs.lua --set low=0.05 --cut space
once "overlap"
exits 2 ranks 2 "$CAROM_MPI" run discs.lua --cut space --fclib problems
once "not where space is cut"
cat > jointed.lua << 'LUA'
world { gravity = { 0, -9.81 } }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
local a = body { "a", shape = disc { 0.1 }, density = 1, at = { 0, 1 } }
local b = body { "b", shape = disc { 0.1 }, density = 1, at = { 1, 1 } }
hinge { "pin", a, b, at = { 0.5, 1 } }
integrate { scheme = "moreau-jean", h = 5e-3, until_t = 0.1 }
LUA
exits 0 ranks 2 "$CAROM_MPI" run jointed.lua --quiet
exits 2 ranks 2 "$CAROM_MPI" run jointed.lua --cut space
once "this scene has joints"
exits 1 ranks 2 "$CAROM_MPI" run discs.lua --cut space --max-iterations 1 --tolerance 1e-12 --solver nsgs
once "ended with an error"

# No rank has all that a step remembers: there are no checkpoints, and a run that was killed is not mistaken for one that goes on.
exits 2 ranks 2 "$CAROM_MPI" run discs.lua --cut space --out kept.h5 --checkpoint 1
once "--checkpoint is not for --cut space"
exits 0 ranks 2 "$CAROM_MPI" run discs.lua --cut space --out kept.h5 --quiet
[ ! -e kept.h5.part ] || fail "there is a journal"
(ranks 2 "$CAROM_MPI" run discs.lua --cut space --until 1e4 --out killed.h5 --quiet > out 2>&1 || true) &
waits=$!
for _ in $(seq 100); do
    rank=$(pgrep -f "run discs.lua --cut space --until 1e4 --out killed.h5" | head -n 1 || true)
    [ -n "$rank" ] && break
    sleep 0.1
done
sleep 1
for process in $(pgrep -f "carom-mpi run discs.lua --cut space --until 1e4 --out killed.h5"); do kill -9 "$process" 2> /dev/null || true; done
wait $waits
if [ -e killed.h5 ] || [ -e killed.h5.part ]; then fail "a run that was killed left a file: $(ls)"; fi
exits 2 "$CAROM" resume killed.h5
# the same command again gives the same bytes
exits 0 ranks 3 "$CAROM_MPI" run discs.lua --cut space --csv again.csv --quiet
exits 0 ranks 1 "$CAROM_MPI" run discs.lua --cut space --csv first.csv --quiet
same again.csv first.csv
