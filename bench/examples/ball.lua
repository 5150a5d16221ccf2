-- A ball that bounces on the floor, with three coordinates and one frictionless contact.
local x, y, phi = coordinates("x", "y", "phi")
local m, r, g = 1, 0.1, 9.81
mass      { x = m, y = m, phi = 2 / 5 * m * r^2 }
potential (m * g * y)
contact   { "floor", gap = y - r, restitution = 0.9 }
initial   { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 10 }
record    { position = y, velocity = dot(y) }
