#!/bin/sh
# The reference of the C library, made from the public headers, has every name that they declare.
set -eu
exec python3 -B "$CAROM_SOURCE_DIR/test/docs/check_api.py" "$CAROM_SOURCE_DIR"
