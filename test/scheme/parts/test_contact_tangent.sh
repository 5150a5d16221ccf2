#!/bin/sh
# Derivatives of steps with every law of friction agree with differences of whole runs: slipping, sticking, along edges and at
# vertices, coefficients that depend on parameters.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/scheme/tangent_helpers.sh
. "$CAROM_SOURCE_DIR/test/scheme/tangent_helpers.sh"

cat > space.lua << 'LUA'
local mu, k = param { "mu", 0.3 }, param { "k", 40 }
local x, y, z = coordinates("x", "y", "z")
kinetic((dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + 0.2*dot(x)*dot(z))
potential(9.81*z + k*(x^2 + 0.6*y^2 + 0.3*x*y)/2)
contact { "floor", gap = z + 0.03*x*y, slip = { dot(x) + 0.1*sin(3*time()), dot(y) }, restitution = 0.3, friction = FRICTION }
initial { x = 0.5, y = -0.3, z = 0.0103, [dot(x)] = 0.4, [dot(y)] = 1.1 }
integrate { scheme = "moreau-jean", h = 0.002, until_t = 0.61, tolerance = 1e-13 }
LUA
for friction in 'mu' '{ ellipse = { mu, 0.5*mu }, axes = k/60 }' \
    '{ ellipse = { mu, 0.5*mu }, axes = 0.4, slip_potential = { 0.2*mu, 0.01*k } }' \
    '{ polygon = { {mu, 0}, {0, mu}, {-mu, 0.05}, {0, -mu*mu} } }' \
    '{ polygon = { {mu, -mu}, {mu, mu}, {-mu, mu}, {-mu, -mu} } }' '{ static = 1.4*mu, dynamic = mu }'; do
    sed "s|FRICTION|$friction|" space.lua > case.lua
    agrees case.lua 0.15
    [ "${CAROM_SANITIZED:-}" = yes ] || agrees case.lua 0.61
done

# Moreau's law of impact, which rebounds along the slip, too
sed 's|FRICTION|mu|; s|restitution = 0.3|restitution = 0.01*k|; s|tolerance|impact_law = "moreau", tolerance|' space.lua > case.lua
agrees case.lua 0.35

cat > plane.lua << 'LUA'
local mu, k = param { "mu", 0.3 }, param { "k", 40 }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2 + 0.2*dot(x)*dot(y))
potential(9.81*y + k*x^2/2)
contact { "floor", gap = y + 0.03*x^2, slip = dot(x) - 0.2*sin(5*time()), restitution = 0.3, friction = { backward = mu, forward = 1.5*mu } }
initial { x = 0.5, y = 0.0103 }
integrate { scheme = "moreau-jean", h = 0.002, until_t = 0.61 }
LUA
agrees plane.lua 0.61

cat > force.lua << 'LUA'
local mu, k = param { "mu", 1.3 }, param { "k", 40 }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2 + 0.2*dot(x)*dot(y))
potential(k*x^2/2 + 10*(x-y)^2)
friction_force { "slide", slip = dot(x) - 0.2*sin(5*time()), bound = mu + 0.1*x^2 }
initial { x = 0.5, y = 0.0103 }
integrate { scheme = "moreau-jean", h = 0.002, until_t = 0.61 }
LUA
agrees force.lua 0.61
