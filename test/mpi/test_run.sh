#!/bin/sh
# Bodies on ranks: islands are solved by one rank each, and the motion is that of one process to the last bit.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"
export OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1

# Stacks of boxes with discs on top that roll off: islands of different sizes that part and meet.
cat > stacks.lua << 'LUA'
local n = setting { "n", 5, integer = true, min = 1, max = 100 }
world { gravity = { 0, -9.81 } }
pair { friction = 0.4, restitution = 0.2 }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
local high = 0
for k = 1, n do
  for i = 0, k + 1 do
    body { ("box%d_%d"):format(k, i), shape = box { 1, 0.5 }, density = 1, at = { 3 * k + 0.01 * i, 0.26 + 0.51 * i } }
  end
  local ball = body { "ball" .. k, shape = disc { 0.3 }, density = 2, at = { 3 * k + 0.3, 1.5 + 0.51 * k }, velocity = { 2, 0 } }
  high = max(high, ball.y)
end
integrate { scheme = "moreau-jean", h = 5e-3, until_t = 0.5 }
measure { high = high }
LUA

exits 0 "$CAROM" run stacks.lua --csv one.csv --quiet
for n in 2 3; do
    exits 0 ranks $n "$CAROM_MPI" run stacks.lua --csv ranks.csv --quiet
    same one.csv ranks.csv
done
# whatever the first rank shows and writes
exits 0 "$CAROM" run stacks.lua --set n=3 --until 0.2 --option theta=0.6 --out one.h5 --json
sed 's/"wall_s":[^,}]*//g' out > one.json
exits 0 ranks 2 "$CAROM_MPI" run stacks.lua --set n=3 --until=0.2 --option theta=0.6 --out ranks.h5 --json
sed 's/"wall_s":[^,}]*//g' out > ranks.json
same one.json ranks.json
[ -s ranks.h5 ] || fail "no run file"
# other models have nothing to share
exits 0 "$CAROM" run ball.lua --csv one.csv --quiet
exits 0 ranks 2 "$CAROM_MPI" run ball.lua --csv ranks.csv --quiet
same one.csv ranks.csv

exits 2 ranks 2 "$CAROM_MPI" run stacks.lua --set n=0
[ "$(grep -c "carom" err)" -le 3 ] || fail "said more than once: $(cat err)"
exits 2 ranks 2 "$CAROM_MPI" run stacks.lua --out /nowhere/run.h5
exits 1 ranks 2 "$CAROM_MPI" run stacks.lua --max-iterations 1 --tolerance 1e-12 --solver nsgs
# the first rank is stopped, writes what it has, and the others go
for seconds in 8 30 120; do # a busy machine may take long to begin
    timeout -s INT --kill-after=60 $seconds mpirun --oversubscribe -n 2 "$CAROM_MPI" run stacks.lua --until 1000 --csv stopped.csv --quiet \
        > out 2> err || true
    if [ -s stopped.csv ]; then break; fi
done
[ "$(wc -l < stopped.csv)" -gt 1 ] || fail "stopped: $(cat err)"
grep -q "interrupted" err || fail "stopped: $(cat err)"
