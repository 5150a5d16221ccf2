#!/bin/sh
# Pages about the code name files that exist, and every folder of src/.
set -eu
exec python3 -B "$CAROM_SOURCE_DIR/test/docs/check_names.py" "$CAROM_SOURCE_DIR"
