-- A ball on a plane that goes up and down.
local y = coordinates "y"
local r, g, a, w = 0.1, 9.81, 0.05, 12
mass      (1)
potential (g * y)
contact   { "plane", gap = y - r - a * sin(w * time()), restitution = 0.6 }
initial   { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 10 }
record    { position = y, velocity = dot(y) }
