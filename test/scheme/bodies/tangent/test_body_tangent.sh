#!/bin/sh
# Derivatives of steps of bodies agree with differences of whole runs: impacts, sticking and slipping in the plane and in space, driven
# bodies, surfaces, both laws of impact, spin, joints with and without contacts.
set -eu

# shellcheck source=test/app/helpers.sh
. "$CAROM_SOURCE_DIR/test/app/helpers.sh"
# shellcheck source=test/scheme/tangent_helpers.sh
. "$CAROM_SOURCE_DIR/test/scheme/tangent_helpers.sh"

cat > plane.lua << 'LUA'
local e, v, m, mu, y = param { "e", 0.7 }, param { "v", 2 }, param { "m", 1.5 }, param { "mu", 0.2 }, param { "y", 0.05 }
local rho = param { "rho", 1000 }
world { gravity = { 0, -1 } }
pair { friction = mu, restitution = e }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = -0.3 } }
local a = body { "a", shape = disc { 0.1 }, mass = 1, inertia = 0.005, at = { 0, y }, velocity = { v, 0 }, spin = 3 }
local b = body { "b", shape = box { 0.2, 0.3 }, density = rho, at = { 0.5, 0 }, rotation = 0.3 }
body { "c", shape = capsule { radius = 0.05, length = 0.3 }, mass = m, inertia = 0.02, at = { 0.9, 0.1 }, rotation = 1, velocity = { -1, 0 } }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.601, tolerance = 1e-13 }
measure { energy = energy(), low = minimum(a.y), push = total(impulse(a, b)) }
LUA
"$CAROM" run plane.lua --sensitivity e --json | grep -q '"method": *"exact"' || fail 'plane.lua has no exact derivatives'
agrees plane.lua

cat > surfaces.lua << 'LUA'
local e, v, mu, y = param { "e", 0.7 }, param { "v", 2 }, param { "mu", 0.4 }, param { "y", 0.25 }
local e2, w = param { "e2", 0.3 }, param { "w", 20 }
world { gravity = { 0, -9.81 } }
pair { friction = mu, restitution = e }
pair { "wood", "steel", friction = mu, restitution = e2 }
fixed { "floor", material = "steel", shape = polyline { { -2, 0.1 }, { 0.3, 0 }, { 2, 0.2 } } }
driven { "wall", shape = box { 0.2, 2 }, at = { 1, 0.5 }, velocity = { -0.2 * cos(w * time()), 0 } }
body { "a", shape = box { 0.2, 0.1 }, density = 1000, at = { 0, y }, velocity = { v, 0 }, spin = 3, material = "wood" }
body { "b", shape = polygon { { 0, 0 }, { 0.3, 0 }, { 0.3, 0.1 }, { 0.1, 0.1 }, { 0.1, 0.3 }, { 0, 0.3 } }, density = 500, at = { 0.5, 0.4 }, rotation = 0.3 }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.401, tolerance = 1e-13 }
LUA
agrees surfaces.lua
sed 's/tolerance = 1e-13/tolerance = 1e-13, impact_law = "moreau"/' surfaces.lua > moreau.lua
[ "${CAROM_SANITIZED:-}" = yes ] || agrees moreau.lua

cat > space.lua << 'LUA'
local e, v, mu, z = param { "e", 0.6 }, param { "v", 2 }, param { "mu", 0.2 }, param { "z", 0.45 }
local rho = param { "rho", 1000 }
world { gravity = { 0, 0, -9.81 } }
pair { friction = mu, restitution = e }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
body { "a", shape = box { 0.3, 0.2, 0.1 }, density = rho, at = { 0, 0, z }, velocity = { v, 0.3, 0 }, spin = { 3, 2, 1 }, rotation = { 0.9, 0.1, 0.3, 0.2 } }
body { "b", shape = sphere { 0.1 }, density = 500, at = { 0.5, 0.02, 0.2 } }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.501, tolerance = 1e-13 }
measure { energy = energy() }
LUA
agrees space.lua

cat > arm.lua << 'LUA'
local g, rho, k, mu = param { "g", 9.81 }, param { "rho", 500 }, param { "k", 3 }, param { "mu", 0.3 }
world { gravity = { 0, -g } }
pair  { friction = mu, restitution = 0.4 }
local frame = fixed { "frame", shape = plane { normal = { 0, 1 }, offset = 0 } }
local a = body { "a", shape = box { 0.4, 0.04 }, density = rho, at = { 0.2, 0.6 } }
local b = body { "b", shape = box { 0.4, 0.04 }, density = rho, at = { 0.6, 0.6 } }
local p = hinge { "p", frame, a, at = { 0, 0.6 }, spring = { stiffness = k, rest = 0.1 }, damper = 0.02 }
hinge { "q", a, b, at = { 0.4, 0.6 } }
body { "c", shape = disc { 0.06 }, density = 500, at = { 0.5, 0.06001 } }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.701, tolerance = 1e-13 }
measure { pull = maximum(abs(reaction("q", 1))), r = reaction("p", 2), angle = p.angle }
LUA
"$CAROM" run arm.lua --events events.csv --quiet
grep -q "b/" events.csv || fail "the arm strikes nothing"
agrees arm.lua

cat > arm3.lua << 'LUA'
local g, J, w = param { "g", 9.81 }, param { "J", 0.01 }, param { "w", 2 }
world { gravity = { 0, 0, -g } }
local frame = fixed { "frame", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
local a = body { "a", shape = box { 0.4, 0.04, 0.1 }, density = 500, at = { 0.2, 0, 0.6 }, spin = { w, 0, 0 } }
local b = body { "b", shape = box { 0.4, 0.04, 0.06 }, mass = 0.5, inertia = { 0.001, J, 0.01 }, at = { 0.6, 0, 0.6 }, spin = { w, 0, 0 } }
ball { "p", frame, a, at = { 0, 0, 0.6 } }
hinge { "q", a, b, at = { 0.4, 0, 0.6 }, axis = { 0, 1, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.2505, tolerance = 1e-13 }
LUA
agrees arm3.lua

cat > rolls.lua << 'LUA'
local mu, r, t, v, e = param { "mu", 0.3 }, param { "r", 0.01 }, param { "t", 0.005 }, param { "v", 1 }, param { "e", 0.4 }
world { gravity = { 0, 0, -9.81 } }
pair { friction = mu, restitution = e, rolling = r, torsion = t }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
body { "a", shape = sphere { 0.1 }, density = 500, at = { 0, 0, 0.13 }, velocity = { v, 0.2, 0 }, spin = { 1, 0, 9 } }
integrate { scheme = "moreau-jean", h = 2e-3, until_t = 0.401, tolerance = 1e-13 }
LUA
agrees rolls.lua

# What has none is left to differences, with a reason.
sed 's/damper = 0.02/limits = { -1, 2 }/' arm.lua > case.lua
"$CAROM" run case.lua --until 0.02 --sensitivity g | grep -q 'differences of whole runs.*limits and motors of joints' || fail 'limits'
sed -e 's/sphere { 0.1 }/cylinder { radius = 0.1, height = 0.1 }/' space.lua > case.lua
"$CAROM" run case.lua --until 0.02 --sensitivity e | grep -q "differences of whole runs.*cylinders, as body 'b'" || fail 'cylinders'

# Places without a derivative are told: a block that just stands on its floor, two that meet just at the end of a step.
cat > stands.lua << 'LUA'
local y, mu = param { "y", 0.1 }, param { "mu", 0.3 }
world { gravity = { 0, -9.81 } }
pair { friction = mu, restitution = 0.5 }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
body { "b", shape = box { 0.4, 0.2 }, density = 1000, at = { 0, y }, velocity = { 1, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.1 }
LUA
"$CAROM" run stands.lua --sensitivity y | grep -q 'break.*t = 0: bodies b/floor have gap 0' || fail 'a gap of 0'
if "$CAROM" run stands.lua --sensitivity mu | grep break; then fail 'a block that slides has derivatives by mu'; fi
