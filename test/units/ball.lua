-- A ball that is thrown over a rough floor.
local e  = param { "e", 0.6, min = 0, max = 1 }
local mu = param { "mu", 0.3, min = 0 }
local x, y = coordinates("x", "y")
mass { x = 0.7, y = 0.7 }
potential(0.7 * 9.81 * y)
contact { "floor", gap = y, slip = dot(x), friction = mu, restitution = e }
initial { x = 0.1, y = 0.9, [dot(x)] = 1.3, [dot(y)] = 0.2 }
integrate { scheme = "moreau-jean", h = 0.002, until_t = 1.5 }
measure { way = x, top = maximum(y), impacts = count(impact("floor")) }
