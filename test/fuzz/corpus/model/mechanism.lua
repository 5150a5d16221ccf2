local a = body2d { "a", mass = 1, inertia = 0.1, at = { 0, 2, 0.5 }, gravity = 9.81 } local b = body2d { "b", mass = 1, inertia = 0.1, at = { 1, 2, 0 } }
revolute { "p", a, { 0.5, 0 }, ground, { 0, 0 } } prismatic { "g", ground, { 0, 0 }, 0, b, { 0, 0 } } distance { "r", a, { 0, 0 }, b, { 0, 0 }, length = 1 }
clearance { "c", b, { 0, 0 }, a, { 0.15, 0 }, radius = 5e-4 }
contact { "ab", disc_disc { a, b, radius = { 0.1, 0.2 } }, friction = 0.3 } contact { "d", disc_ring { a, { 0, 0 }, radius = 0.1, ring = 1 } }
contact { "t", corner_disc { a, { 0.5, 0 }, b, radius = 0.1 } } contact { "f", corner_line { b, { 0.5, -0.1 }, from = { 0, 0 }, to = { 1, 0 } } }
local u = bar { "u", elements = 4, length = 1, E = 1, rho = 1 } local v = beam2d { "v", elements = 2, length = 1, E = 2.1e11, A = 1e-4, I = 8.33e-10, rho = 7800 }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 0.01 } measure { x = reaction("p", 1), e = energy() }
