#!/bin/sh
# Derivatives of steps whose positions are projected on the joints agree with differences of whole runs, with an impact and friction.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"

cat > arm.lua << 'LUA'
local m, J, g, mu, w0 = param { "m", 1 }, param { "J", 0.1 }, param { "g", 9.81 }, param { "mu", 0.2 }, param { "w0", 3 }
local L = param { "L", 0.7 }
local a = body2d { "a", mass = m, inertia = J, pinned = { { -L, 0 }, ground, { 0, 0 } }, phi = 0.3, omega = w0, gravity = -g }
local b = body2d { "b", mass = 0.6 * m, inertia = 0.5 * J, pinned = { { -0.3, 0 }, a, { L, 0 } }, phi = -0.2, omega = 1, gravity = -g }
revolute { "pin", a, { -L, 0 }, ground, { 0, 0 } }
revolute { "elbow", b, { -0.3, 0 }, a, { L, 0 } }
contact { "wall", gap = b.x + 1.2, slip = dot(b.y), restitution = 0.4, friction = mu }
force { [a.phi] = -0.1 * dot(a.phi) }
integrate { scheme = "moreau-jean", h = 0.005, until_t = 1.1, projection = "on" }
measure { hits = count(impact "wall"), energy = energy(), x = b.x }
LUA
"$CAROM" run arm.lua --json > arm.json
grep -q '"hits":[1-9]' arm.json || fail 'the wall is not hit'
"$CAROM_TEST_PROGRAMS/make_sensitivities" arm.lua > out || {
    cat out
    fail 'they disagree'
}
if grep -q 'up to t =\|not judged' out; then
    cat out
    fail 'it has breaks, or differences do not converge'
fi
