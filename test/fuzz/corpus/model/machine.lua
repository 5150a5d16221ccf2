world { gravity = { 0, -9.81 } } pair { friction = 0.4, restitution = 0.2 } pair { "s", "r", friction = 0.9, rolling = 1e-2 }
local f = fixed { "f", shape = polyline { { -1, 1 }, { 0, 0 }, { 1, 1 } }, material = "r", at = { 0, -1 }, rotation = 0.1 }
local a = body { "a", shape = polygon { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 0.5 } }, mass = 1, inertia = 2, at = { 0, 1 }, spin = 1 }
local b = body { "b", shape = compound { { box { 1, 0.1 } }, { disc { 0.2 }, at = { 0.5, 0 } } }, density = 2, material = "s", at = { 3, 1 } }
local c = body { "c", shape = capsule { radius = 0.05, length = 0.4 }, mass = 1, inertia = 0.1, centre = { 0.01, 0 }, at = { 6, 1 } }
local p = hinge { "p", f, a, at = { 0, 1 }, motor = { speed = 2, torque = 4 }, limits = { -1, 1, restitution = 0.5 } }
local q = slider { "q", a, b, at = { 1, 1 }, axis = { 1, 0 }, spring = { stiffness = 3, rest = 0 }, damper = 1 }
distance { "d", b, c, from = { 3, 1 }, to = { 6, 1 }, length = 3 } a:pass(c)
torque { a, -0.1 * dot(a.phi) } force { b, { 1, sin(time()) }, at = b:point { 0, 0.1 } }
stop { "up", when = a.y - 9 } integrate { h = 1e-3, until_t = 0.1, threads = 2, impact_law = "moreau" }
record { w = q.way, r = reaction("d", 1) }
measure { t = first(impact(a, f)), n = count(impact(a)), i = maximum(impulse(a, f)), h = fraction(touching(a, f)), k = a:kinetic() }
plot { "s", columns = 2, panel { equal = true, scene { at = 0 } }, panel { scene { every = 0.1 } } }
