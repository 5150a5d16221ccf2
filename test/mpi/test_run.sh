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
# Stopped, the first rank writes what it has and says so, and the others go. It gets the signal itself, and its messages go to a file:
# mpirun hands Ctrl-C on a second later, and kills ranks and their messages after one more, which is little on a busy machine.
cat > listening << 'SH'
#!/bin/sh
echo $$ > "rank.$OMPI_COMM_WORLD_RANK"
exec "$CAROM_MPI" "$@" 2> "said.$OMPI_COMM_WORLD_RANK"
SH
chmod +x listening
timeout --kill-after=5 900 mpirun --oversubscribe -n 2 ./listening run stacks.lua --until 1e5 --every 100 \
    --csv stopped.csv --quiet > out 2> err &
started=$!
trap 'kill $started 2> /dev/null || true' EXIT
waits_for() {
    for _ in $(seq 2000); do
        if [ -s "$1" ]; then return; fi
        sleep 0.1
    done
    fail "no $1: $(cat err)"
}
waits_for rank.0
hears "$(cat rank.0)"
waits_for stopped.csv.new # rows come in blocks
kill -TERM "$(cat rank.0)"
wait $started || true
grep -q "interrupted" said.0 || fail "stopped: $(cat said.0 err)"
[ "$(wc -l < stopped.csv)" -gt 1 ] || fail "stopped: $(cat said.0 err)"
