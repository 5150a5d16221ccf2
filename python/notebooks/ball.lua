experiment { title = "A bouncing ball" }
local x, y = coordinates("x", "y")
local e = param { "e", 0.8, min = 0, max = 1, doc = "restitution" }
kinetic((dot(x)^2 + dot(y)^2) / 2)
potential(9.81 * y)
contact { "floor", gap = y, slip = dot(x), restitution = e, friction = 0.3 }
initial { x = 0, y = 1, [dot(x)] = 1 }
draw { disc(x, y + 0.05, 0.05), wall { { -0.2, 0 }, { 2, 0 } }, path { x, y + 0.05 } }
integrate { scheme = "moreau-jean", h = 0.001, until_t = 3 }
