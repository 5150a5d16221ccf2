-- Two masses on a belt, one with friction that weakens with the slip.
local x1, x2 = coordinates("x1", "x2")
mass { x1 = 0.8, x2 = 1.2 }
force { x1 = -3 * x1 + 2 * (x2 - x1), x2 = -2 * (x2 - x1) - 0.1 * dot(x2) }
friction_force { "first", slip = dot(x1) - 0.3, bound = 0.5 }
friction_force { "second", slip = dot(x2) - 0.3, bound = 0.7 }
initial { x1 = 0.2 }
integrate { scheme = "moreau-jean", h = 0.005, until_t = 12 }
measure { far = maximum(x1), sticks = fraction(sticking "first") }
