#!/bin/sh
# Six kills (four with sanitizers) at random moments, of runs, sweeps and continuations; make check-long does two hundred.
set -eu
if [ -n "${CAROM_SANITIZED:-}" ]; then kills=4; fi
"$CAROM_SOURCE_DIR/test/app/kills" "$CAROM" "${kills:-6}"
