#!/bin/sh
# Differences of whole runs beside a kink and on it: not the mean of both slopes.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

# y'' = -max(p, KINK): a method that has no exact derivatives, and a contact that is never struck
cat > model.lua << 'LUA'
local p = param { "p", 1 }
local y = coordinates("y")
mass(1)
force { y = -max(p, KINK) }
contact { "floor", gap = y + 10, restitution = 0.5 }
integrate { h = 0.01, until_t = 1, impact_law = "lzb", impact_method = "time" }
measure { depth = -y, place = y }
LUA
slope() { # KINK: method, d y / d p, d v / d p, d depth / d p, breaks
    sed "s/KINK/$1/" model.lua > case.lua
    "$CAROM" run case.lua --sensitivity p --json > case.json
    python3 -c '
import json
s = json.load(open("case.json"))["sensitivity"]
near = lambda x: None if x is None else round(x, 6) + 0.0
print(s["method"], near(s["q"]["y"]["p"]), near(s["v"]["y"]["p"]), near(s["measures"]["depth"]["p"]), len(s["breaks"]))'
}
same() {
    found=$(slope "$1")
    [ "$found" = "$2" ] || fail "kink at $1: $found instead of $2"
}
below=$(slope 0.5)
case $below in
    'differences -0.5'*' -1.0 0.5'*' 0') ;;
    *) fail "without a kink: $below" ;;
esac
same 1.5 'differences 0.0 0.0 0.0 0'
same 1.0000005 'differences 0.0 0.0 0.0 0' # right beside it, on the flat side
same 0.9999995 "$below"                    # ... and on the other
same 1 'differences None None None 1'      # on it: told, and no number
has case.json 'do not converge: the motion jumps or has a kink there'
