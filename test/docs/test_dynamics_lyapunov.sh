#!/bin/sh
# The sessions of docs/dynamics-lyapunov.md print what the page shows.
set -eu
python3 -B "$CAROM_SOURCE_DIR/test/docs/check_sessions.py" "$CAROM_SOURCE_DIR" "$CAROM" docs/dynamics-lyapunov.md
