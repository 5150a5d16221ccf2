#!/bin/sh
# Contact problems on ranks: the same solution for any number of them and for every linear solver, certified by carom itself.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

build=$(dirname "$CAROM")
if ! ldd "$CAROM_MPI" | grep -q libpetsc; then
    echo "no PETSc: contact problems are solved by one rank"
    exit 0
fi
export OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1
large=$build/bench/large
"$large" block 9 8 3 block.hdf5 > /dev/null
"$large" grid 6 5 grid.hdf5 0.4 > /dev/null
"$large" block 9 8 3 smooth.hdf5 0 > /dev/null
"$large" spheres 4 4 4 pile.hdf5 0.4 > /dev/null
"$large" reduce grid.hdf5 grid-reduced.hdf5 > /dev/null
"$large" reduce pile.hdf5 pile-reduced.hdf5 > /dev/null

# certified FILE: carom finds the stored reactions to be a solution, and its own velocities the same to 1e-6 of |q|
certified() {
    exits 0 "$CAROM" solve "$1" --json
    python3 -c '
import json, sys
stored = json.load(open("out"))["results"][0]["stored"]
assert stored["r_error"] <= 1e-8 and stored["u_of_r"] <= 1e-10 and stored["u_difference"] <= 1e-6, stored' ||
        fail "$1: $(cat out)"
}

for n in 1 2 4; do
    for problem in block grid; do
        exits 0 ranks $n "$CAROM_MPI" solve $problem.hdf5 --write solved --force
        grep -q "newton *ok" out || fail "what it says: $(cat out)"
        grep -q "ranks *$n," out || fail "what it says: $(cat out)"
        certified solved/$problem.hdf5
    done
done
for how in "--linear hypre" "--linear gamg" "--method admm" "--method admm --linear free" "--linear free"; do
    # shellcheck disable=SC2086 # words
    exits 0 ranks 2 "$CAROM_MPI" solve block.hdf5 $how --write solved --force
    certified solved/block.hdf5
done
# PETSc's own solver of variational inequalities
exits 0 ranks 2 "$CAROM_MPI" solve smooth.hdf5 --method obstacle --write solved --force
certified solved/smooth.hdf5

# The reduced form: files of W and q, and piles that are reduced. W of a pile is singular and velocities of the solution are not unique, so
# that the stored one is judged by itself.
for n in 1 3; do
    for how in newton sweeps; do
        exits 0 ranks $n "$CAROM_MPI" solve grid-reduced.hdf5 --method $how --write solved --force
        certified solved/grid-reduced.hdf5
    done
    exits 0 ranks $n "$CAROM_MPI" solve pile-reduced.hdf5 --json
    python3 -c '
import json
result = json.load(open("out"))["results"][0]
assert result["status"] == "ok" and result["error"] <= 1e-8 and result["contacts"] == 176, result' ||
        fail "pile: $(cat out)"
    exits 0 ranks $n "$CAROM_MPI" solve pile.hdf5 --method sweeps --write solved --force
    exits 0 "$CAROM" solve solved/pile.hdf5
    grep -q "stored r *error [0-9.]*e-0[89]" out || fail "pile: $(cat out)"
done

# Spheres that came to rest: what carries them in the step that follows keeps them at rest. Velocities of the solution are small beside
# those of falling, and reactions in the units of h g are not.
exits 0 "$CAROM" run bodies/spheres --set n=12 --set half=0.11 --set t_end=2 --tolerance 1e-6 --every 100000 \
    --out settled.h5
"$large" settled settled.h5 settled.hdf5 > out || fail "settled: $(cat out)"
exits 0 ranks 1 "$CAROM_MPI" solve settled.hdf5 --tol 1e-6 --json
python3 -c '
import json
result = json.load(open("out"))["results"][0]
assert result["status"] == "ok" and result["contacts"] >= 24 and result["u_norm"] < 0.05 * result["q_norm"], result' ||
    fail "settled: $(cat out)"
exits 2 "$large" settled block.hdf5 nothing.hdf5

exits 2 ranks 2 "$CAROM_MPI" solve block.hdf5 --method obstacle
once "without friction (mu = 0)"
exits 2 ranks 2 "$CAROM_MPI" solve smooth.hdf5 --method obstacle --linear free
once "it takes the direct solver"
exits 2 ranks 2 "$CAROM_MPI" solve grid-reduced.hdf5 --linear free
once "products alone serve the global form"
exits 2 ranks 2 "$CAROM_MPI" solve nothing.hdf5
exits 2 ranks 2 "$CAROM_MPI" solve block.hdf5 --method simplex
once "--method is newton, sweeps, admm or obstacle"
exits 2 ranks 2 "$CAROM_MPI" solve block.hdf5 --tol 2
exits 1 ranks 2 "$CAROM_MPI" solve block.hdf5 --max-iterations 1
grep -q "newton *max-iterations" out || fail "what it says: $(cat out)"
exits 2 ranks 2 "$CAROM_MPI" solve block.hdf5 --solver nsgs
exits 2 ranks 2 "$CAROM_MPI" solve pile-reduced.hdf5 --method admm
once "takes global ones"
exits 2 ranks 2 "$CAROM_MPI" solve solved/grid.hdf5 --write solved
once "is there already"
# Every rank reads its part of a file: what one of them finds is told once, in the words of carom. Rows 646 and 647 are the last ones of M.
python3 -c '
import struct
content = open("block.hdf5", "rb").read()
at = content.rindex(struct.pack("<2i", 646, 647))
open("damaged.hdf5", "wb").write(content[:at] + struct.pack("<2i", 646, 999999) + content[at + 8:])'
exits 2 "$CAROM" solve damaged.hdf5
grep -q "index, is 999999, out of range" err || fail "damaged: $(cat err)"
cp err damaged.text
exits 2 ranks 3 "$CAROM_MPI" solve damaged.hdf5
once "index, is 999999, out of range"
grep -qxF "$(grep 'out of range' damaged.text)" err || fail "damaged: $(cat err)"
exits 2 ranks 2 "$CAROM_MPI" solve damaged.hdf5 --method sweeps
once "index, is 999999, out of range"
# a file that cannot be read does not keep the others from being solved; options of PETSc are let through
exits 2 ranks 2 "$CAROM_MPI" solve nothing.hdf5 grid.hdf5 -contact_mat_mumps_icntl_14 40
grep -q "grid.hdf5 .*ok" out || fail "what it says: $(cat out)"
exits 0 ranks 2 "$CAROM_MPI" solve grid.hdf5 --history history.csv --quiet
[ ! -s out ] || fail "not quiet: $(cat out)"
head -n 1 history.csv | grep -q "^iteration,error,seconds$" || fail "history: $(cat history.csv)"
