#!/bin/sh
# What is wrong is told once, with the exit status of carom, and no rank hangs.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

for n in 1 2; do
    exits 2 ranks $n "$CAROM_MPI" sweep ball.lua --over q=0:1:3
    once "carom: cannot sweep: unknown parameter 'q'"
    exits 2 ranks $n "$CAROM_MPI" sweep ball.lua --over e=0:2:3
    once 'carom: '
    exits 2 ranks $n "$CAROM_MPI" sweep nothing.lua --over e=0:1:3
    once 'nothing.lua'
    exits 2 ranks $n "$CAROM_MPI" sweep ball.lua --over e=0:1:3 --threads 0
    once 'carom sweep: '
    exits 2 ranks $n "$CAROM_MPI" converge ball.lua --h 0.01
    once 'carom: 1 step size'
    exits 2 ranks $n "$CAROM_MPI" nosuch
    once "unknown command 'nosuch'"
    exits 2 ranks $n "$CAROM_MPI" resume nothing.csv
    once 'there is nothing to resume'
done

exits 2 ranks 4 "$CAROM_MPI" sweep ball.lua --over e=0:2:3
once 'carom: '

# no point can be started: found by whoever computes it
exits 2 ranks 3 "$CAROM_MPI" sweep ball.lua --over scheme=dai-newmark,newmark-nothing
once 'carom: '

# a command that ranks do not share, here because of an option
exits 0 ranks 2 "$CAROM_MPI" run ball.lua --certify --json
once 'carom-mpi: run is done by one rank'
[ "$(grep -c '"status":"ok"' out)" -eq 1 ] || fail 'carom-mpi run: not one JSON object'
exits 0 ranks 2 "$CAROM_MPI" --version
[ "$(wc -l < out)" -eq 1 ] || fail "--version: $(cat out)"

# what a model prints is shown once
{ cat ball.lua; echo 'print("written by the model")'; } > prints.lua
exits 0 ranks 3 "$CAROM_MPI" sweep prints.lua --over e=0:0.9:4 --quiet
once 'written by the model'

# files that cannot be written
exits 2 ranks 2 "$CAROM_MPI" sweep ball.lua --over e=0:0.9:4 --quiet --csv no/such/place.csv
once 'no/such/place.csv'
