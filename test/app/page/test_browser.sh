#!/bin/sh
# Report pages of ten experiments in a real browser, opened from files: they get ready without a word on the console and without
# a request, play, show at t what the run's JSON has at t, hide curves, and obey keys. Needs node, npm and chromium.
set -eu
# shellcheck source=test/app/page/browser_helpers.sh
. "$CAROM_SOURCE_DIR/test/app/page/browser_helpers.sh"
need_browser

# page NAME T EXPERIMENT OPTION...: NAME.html, and NAME.json with the state at T
page() {
    name=$1 t=$2
    shift 2
    names="$names $name"
    if ! "$CAROM" run "$@" --report "$name.html" --at "$t" --json >"$name.json" 2>messages; then
        cat messages >&2
        exit 1
    fi
}
names=
page ball 1.3 bruls-2018/ball
if [ -z "${CAROM_SANITIZED:-}" ]; then # which has no say in the browser: three pages tell what the program wrote
    page trial-08 0.8 moreau-1986/trial-08
    page double-pendulum 0.9 dzonou-2007/double-pendulum
    page convex 0.02 dumont-paoli-2008/convex
    page slider-crank 0.05 mechanisms/slider-crank-clearance
    page chain 0.7 mechanisms/chain
    page ring 1.7 james-2018/ring
    page sink 33 lamarque-2018/energy-sink --until 40
fi
page bin 0.4 bodies/bin --set n=200 --until 0.45
page kapla 0.4 bodies/kapla --variant shaken
# shellcheck disable=SC2086 # names have no blanks
node "$CAROM_SOURCE_DIR/test/app/page/browser.mjs" "${CAROM_SHOTS:-.}" $names
