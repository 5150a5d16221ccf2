#!/bin/sh
# Ranks, all of them, or mpirun are killed at random moments: every sweep is resumed, loses nothing and repeats nothing.
set -eu

# shellcheck source=test/mpi/helpers.sh
. "$CAROM_SOURCE_DIR/test/mpi/helpers.sh"

"$CAROM_SOURCE_DIR/test/mpi/kills" "$CAROM" "$CAROM_MPI" "${MPI_KILLS:-8}"
