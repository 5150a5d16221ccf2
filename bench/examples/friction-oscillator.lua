-- A mass on a spring, on a rough floor, driven: it sticks and slips.
local x, y = coordinates("x", "y")
local g, k, mu, a, w = 9.81, 1, 0.3, 4.5, 0.7
mass      (1)
potential (g * y + k * x^2 / 2)
force     { x = a * cos(w * time()) }
contact   { "floor", gap = y, slip = dot(x), restitution = 0, friction = mu }
initial   { x = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 20 }
record    { position = x, velocity = dot(x) }
