#!/bin/sh
# Exact derivatives of some experiments agree with differences of whole runs; make check-long asks it of all.
set -eu
set -- moreau-1986/trial-02 moreau-1986/trial-07 desaxce-2018/contact
if [ "${CAROM_SANITIZED:-}" != yes ]; then
    set -- "$@" bodies/tippe-top moreau-1986/trial-05 moreau-1986/trial-10 dzonou-2007/double-pendulum bruls-2018/pendulum paoli-2018/blow-up
fi
"$CAROM_SOURCE_DIR/test/experiments/across/sensitivities" "$CAROM_TEST_PROGRAMS" "$CAROM_SOURCE_DIR/experiments" \
    "$@" > lines || {
    cat lines
    exit 1
}
if sed '$d' lines | grep -v ' agree in '; then
    echo 'FAILED: an experiment has no exact derivatives any more'
    exit 1
fi
tail -n 1 lines | grep -q "^$# experiments: $# exact, 0 by differences only, 0 not comparable, 0 without a motion, 0 disagree; " || {
    echo 'FAILED: the last line does not say so'
    tail -n 1 lines
    exit 1
}
