#!/bin/sh
# What the sessions of docs/mpi.md show is what carom prints; those that need MPI are not run.
set -eu
exec python3 -B "$CAROM_SOURCE_DIR/test/docs/check_sessions.py" "$CAROM_SOURCE_DIR" "$CAROM" docs/mpi.md
