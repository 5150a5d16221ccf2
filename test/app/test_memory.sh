#!/bin/sh
# Calls for memory that fail, four of each command; make check-memory does all.
set -eu
if [ -n "${CAROM_SANITIZED:-}" ]; then
    echo 'sanitizers have a malloc of their own, which cannot be made to refuse: skipped'
    exit 0
fi
"$CAROM_SOURCE_DIR/test/app/memory/check" "$CAROM" "$CAROM_TEST_PROGRAMS/librefuse_memory.so" 4
