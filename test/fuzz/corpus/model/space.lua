world { gravity = { 0, 0, -9.81 } } pair { friction = 0.4, rolling = 1e-3, torsion = 1e-3 }
fixed { "g", shape = heightfield { dx = 1, dy = 1, { 0, 0, 0 }, { 0, 0.2, 0 }, { 0, 0, 0 } } }
fixed { "m", shape = mesh { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, triangles = { { 1, 2, 3 } } }, at = { 9, 9, 0 } }
local d = driven { "d", shape = box { 4, 1, 0.1 }, at = { 0, 5, 0 }, velocity = { 0.5 * cos(time()), 0, 0 }, spin = { 0, 0, 1 } }
local a = body { "a", shape = sphere { 0.1 }, density = 9, at = { 0, 0, 1 }, spin = { 0, 1, 0 }, velocity = { 1, 0, 0 } }
local b = body { "b", shape = cylinder { radius = 0.1, height = 0.3 }, density = 1, at = { 1, 0, 1 }, rotation = { axis = { 1, 1, 0 }, angle = 1 } }
local c = body { "c", shape = convex { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, density = 1, at = { 3, 0, 2 }, rotation = { 1, 0, 0, 1 } }
local e = body { "e", shape = compound { { box { 1, 2, 0.5 } }, { sphere { 0.3 }, at = { 0, 0, 1 } } }, density = 1, at = { 6, 0, 2 } }
local k = body { "k", shape = capsule { radius = 0.1, length = 1 }, mass = 1, inertia = { 1, 1, 0.5 }, at = { 0, 3, 2 } }
ball { "j1", a, b, at = { 0, 0, 0 } } hinge { "j2", b, c, at = { 2, 0, 1 }, axis = { 0, 1, 0 }, limits = { -1, 1 } }
local z = cylindrical { "j3", c, e, at = { 4, 0, 1 }, axis = { 1, 0, 0 }, damper = 0.1 }
universal { "j4", d, k, at = { 0, 4, 1 }, axis = { 0, 1, 0 }, axis2 = { 0, 0, 1 } } weld { "j5", k, a, at = { 0, 1, 1 } }
torque { c, { 0, 0, -0.1 * c.wz } } potential(40 / 2 * ((e.x - 6)^2 + e.y^2)) integrate { h = 1e-3, until_t = 0.1, tolerance = 1e-6 }
measure { x = a.x, q = b.qw, v = a:speed(), p = c:point({ 0, 0, 1 }).z, u = e:direction({ 1, 0, 0 }).x }
plot { "s", scene { at = 0, view = { 30, 20 } } }
