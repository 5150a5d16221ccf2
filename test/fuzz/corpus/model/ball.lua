local e = param { "e", 0.5, min = 0, max = 1, doc = "restitution" }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2) / 2) potential(9.81 * y)
contact { "floor", gap = y, slip = dot(x), friction = 0.3, restitution = e }
initial { y = 1, [dot(x)] = 1 } integrate { scheme = "moreau-jean", h = 1e-2, until_t = 1 }
record { height = y } measure { top = maximum(y), n = count(impact "floor"), a = at(y, every(0.1)) }
plot { "p", title = "t", x = time(), y = { x, y } } variant { "v", e = 0.9 } family { e = { 0, 1 } }
