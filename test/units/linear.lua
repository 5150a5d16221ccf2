-- A driven linear oscillator against a wall.
local w = param { "w", 2.6, min = 1e-6 }
local x = coordinates("x")
mass(1.1)
force { x = -1.1 * x - 0.06 * dot(x) + 1.1 * cos(w * time()) }
contact { "wall", gap = x, restitution = 0.8 }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.05, until_t = 40, zeno = "continue" }
measure { impacts = count(impact("wall")), largest = maximum(x) }
