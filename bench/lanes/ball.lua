-- A ball with three coordinates that bounces on a floor without friction, over its restitution.
local e = param { "e", 0.9, doc = "restitution coefficient", min = 0, max = 1 }
local x, y, phi = coordinates("x", "y", "phi")
mass      { x = 1, y = 1, phi = 0.004 }
potential (9.81 * y)
contact   { "floor", gap = y - 0.1, restitution = e }
initial   { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 10 }
measure   { y_end = y }
