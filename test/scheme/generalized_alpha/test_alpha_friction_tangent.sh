#!/bin/sh
# Derivatives of steps of generalized-alpha with friction agree with differences of whole runs: in the plane, where it sticks and
# slips, in space, with joints.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/scheme/tangent_helpers.sh
. "$CAROM_SOURCE_DIR/test/scheme/tangent_helpers.sh"

cat > plane.lua << 'LUA'
local mu, k = param { "mu", 0.3 }, param { "k", 40 }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2 + 0.2*dot(x)*dot(y))
potential(9.81*y + k*x^2/2)
contact { "floor", gap = y + 0.03*x^2, slip = dot(x) - 0.2*sin(5*time()), restitution = 0.3, friction = { backward = mu, forward = 1.5*mu } }
initial { x = 0.5, y = 0.0103 }
integrate { scheme = "generalized-alpha", h = 0.002, until_t = 0.61, tolerance = 1e-12 }
LUA
"$CAROM" run plane.lua --csv plane.csv --quiet
grep -q stick plane.csv || fail 'it never sticks'
grep -q slip plane.csv || fail 'it never slips'
agrees plane.lua

cat > space.lua << 'LUA'
local mu, k, e = param { "mu", 0.3 }, param { "k", 40 }, param { "e", 0.3 }
local x, y, z = coordinates("x", "y", "z")
kinetic((dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + 0.2*dot(x)*dot(z))
potential(9.81*z + k*(x^2 + 0.6*y^2 + 0.3*x*y)/2)
contact { "floor", gap = z + 0.03*x*y, slip = { dot(x) + 0.1*sin(3*time()), dot(y) }, restitution = e, friction = FRICTION }
initial { x = 0.5, y = -0.3, z = 0.0103, [dot(x)] = 0.4, [dot(y)] = 1.1 }
integrate { scheme = "generalized-alpha", h = 0.002, until_t = 0.16, tolerance = 1e-12 }
measure { total = total(impulse "floor") }
LUA
for friction in 'mu' '{ ellipse = { mu, 0.5*mu }, axes = k/60 }' '{ polygon = { {mu, 0}, {0, mu}, {-mu, 0.05}, {0, -mu*mu} } }'; do
    sed "s|FRICTION|$friction|" space.lua > case.lua
    agrees case.lua
    [ "${CAROM_SANITIZED:-}" != yes ] || break
done

cat > arm.lua << 'LUA'
local m, J, g, mu, w0 = param { "m", 1 }, param { "J", 0.1 }, param { "g", 9.81 }, param { "mu", 0.2 }, param { "w0", 3 }
local L = param { "L", 0.7 }
local a = body2d { "a", mass = m, inertia = J, pinned = { { -L, 0 }, ground, { 0, 0 } }, phi = 0.3, omega = w0, gravity = -g }
local b = body2d { "b", mass = 0.6 * m, inertia = 0.5 * J, pinned = { { -0.3, 0 }, a, { L, 0 } }, phi = -0.2, omega = 1, gravity = -g }
revolute { "pin", a, { -L, 0 }, ground, { 0, 0 } }
revolute { "elbow", b, { -0.3, 0 }, a, { L, 0 } }
contact { "wall", gap = b.x + 1.2, slip = dot(b.y), restitution = 0.4, friction = mu }
force { [a.phi] = -0.1 * dot(a.phi) }
integrate { scheme = "generalized-alpha", h = 0.005, until_t = 1.1, tolerance = 1e-12 }
measure { energy = energy(), x = b.x }
LUA
agrees arm.lua
