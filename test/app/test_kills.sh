#!/bin/sh
# Ten kills at random moments, of runs, sweeps and continuations; make check-long does two hundred.
set -eu
"$CAROM_SOURCE_DIR/test/app/kills" "$CAROM" 10
