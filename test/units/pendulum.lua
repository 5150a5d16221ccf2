-- A double pendulum of joints that strikes a wall.
local x1, y1, x2, y2 = coordinates("x1", "y1", "x2", "y2")
mass { x1 = 1, y1 = 1, x2 = 0.5, y2 = 0.5 }
potential(9.81 * (y1 + 0.5 * y2))
joint { "a", x1^2 + y1^2 - 1 }
joint { "b", (x2 - x1)^2 + (y2 - y1)^2 - 0.49 }
contact { "wall", gap = x2 + 0.3, restitution = 0.5 }
initial { x1 = 0.6, y1 = -0.8, x2 = 1.3, y2 = -0.8 }
integrate { scheme = "moreau-jean", h = 0.002, until_t = 2 }
measure { low = minimum(y2), impacts = count(impact("wall")) }
