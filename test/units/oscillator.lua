-- A driven Duffing oscillator with a stop.
local w = param { "w", 1.9, min = 1e-6 }
local x = coordinates("x")
mass(1.3)
force { x = -x - 0.3 * x^3 - 0.1 * dot(x) + 0.9 * cos(w * time()) }
contact { "stop", gap = 0.45 - x, restitution = 0.7 }
initial { x = 0.1, [dot(x)] = 0 }
integrate { scheme = "event-driven", h = 0.05, until_t = 12 }
measure { impacts = count(impact("stop")), lowest = minimum(x) }
