#!/bin/sh
# The documents know every command and option, scheme, solver and law that the program has.
set -eu
exec python3 -B "$CAROM_SOURCE_DIR/test/docs/check_complete.py" "$CAROM_SOURCE_DIR" "$CAROM"
