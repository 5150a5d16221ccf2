-- An oscillator under a harmonic force, against a wall: some 10 ms for each point of a sweep (t_end = 10: a quarter of it).
local w = param { "w", 2.6, min = 0 }
local e = param { "e", 0.8, min = 0, max = 1 }
local t_end = param { "t_end", 40, min = 0 }
local x = coordinates("x")
mass(1)
force { x = -x - 0.05 * dot(x) + cos(w * time()) }
contact { "wall", gap = x, restitution = e }
initial { x = 0.5 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = t_end }
measure { impacts = count(impact "wall"), largest = maximum(x) }
