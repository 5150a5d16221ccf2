-- A mass that a force shakes against a wall; what a sensor sees has some noise.
local e = param { "e", 0.6, doc = "restitution coefficient", min = 0, max = 1 }
local k = param { "k", 1, doc = "stiffness", min = 0.1, max = 10 }
local w = param { "w", 1.6, doc = "circular frequency of the force", min = 0.1, max = 5 }
local x = coordinates("x")
mass      (1)
force     { x = -k * x + cos(w * time()) }
contact   { "wall", gap = x, restitution = e }
initial   { x = 0.5 }
record    { sensor = x + 0.02 * sin(1e5 * time()^2) }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 30 }
