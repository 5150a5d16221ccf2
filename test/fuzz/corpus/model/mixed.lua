local w = param { "w", 60 } world { gravity = { 0, -9.81 } } local y, a = coordinates("y", "a")
local u = beam { "u", length = 2, elements = 4, E = 7e10, rho = 2700, section = rectangle { width = 0.4, height = 0.04 }, damping = { stiffness = 1e-4 } }
local b = body { "b", shape = box { 0.3, 0.2 }, density = 50, at = { 0, 0.1 } }
kinetic(20 * dot(y)^2 / 2 + 0.1 * cos(a) * dot(a) * dot(y) + 0.5 * dot(a)^2 / 2) potential(4e4 * y^2 / 2 + (b.x - y)^2)
force { y = -200 * dot(y), a = 5 * (w - dot(a)) } local p = b:point { 0.1, -0.1 }
contact { "l", gap = p.y - y, slip = dot(p.x), friction = { static = 0.4, dynamic = 0.3 }, restitution = 0.1 }
joint { "j", b.x - y } friction_force { "f", slip = dot(b.x) - dot(y), bound = 1 }
contact { "board", gap = b.y - u:at(1.9), restitution = 0 } initial { y = 0, [dot(a)] = w } integrate { h = 5e-4, until_t = 0.01 }
record { g = gap "l", i = impulse "l", s = u:moment(0) } measure { n = count(impact "l"), t = times(release()), s = fraction(sticking "l") }
