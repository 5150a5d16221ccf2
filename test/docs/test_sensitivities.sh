#!/bin/sh
# What the sessions of docs/dynamics-sensitivities.md show is what carom prints.
set -eu
exec python3 -B "$CAROM_SOURCE_DIR/test/docs/check_sessions.py" "$CAROM_SOURCE_DIR" "$CAROM" docs/dynamics-sensitivities.md
