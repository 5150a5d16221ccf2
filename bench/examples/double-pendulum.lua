-- A double pendulum whose tip meets a wall.
local a, b   = coordinates("angle1", "angle2")
local x1, y1 = sin(a), -cos(a)
local x2, y2 = x1 + sin(b), y1 - cos(b)
kinetic   (dot(x1)^2 / 2 + dot(y1)^2 / 2 + dot(x2)^2 / 2 + dot(y2)^2 / 2)
potential (9.81 * y1 + 9.81 * y2)
contact   { "wall", gap = -0.3 - x2, restitution = 0.5 }
initial   { angle1 = -0.9, angle2 = -0.6 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
record    { angle1 = a, angle2 = b }
