-- An elastic bar of 100 elements flies against a wall.
local n, E, rho, L = 100, 900, 1, 10
local b = bar { "u", elements = n, length = L, E = E, A = 1, rho = rho, mass = "consistent", velocity = -10 }
contact   { "wall", gap = 0.5037 + b.u[1], restitution = 0 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
record    { first = b.u[1], last = b.u[n + 1], middle = b.u[n / 2 + 1] }
