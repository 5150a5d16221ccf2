-- For tests of the program: x'' + 0.05 x' + x = cos(w t), with a wall at 0.
local e = param { "e", 0.8, min = 0, max = 1 }
local w = param { "w", 2.6, min = 0.1 }
local x = coordinates("x")
mass(1)
force { x = -x - 0.05*dot(x) + cos(w*time()) }
contact { "wall", gap = x, restitution = e }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.05, until_t = 50 }
