-- Two masses on springs; one strikes a wall without loss.
local x1, x2 = coordinates("x1", "x2")
mass { x1 = 1, x2 = 1 }
potential(0.5 * x1^2 + 0.5 * (x2 - x1)^2)
contact { "wall", gap = 1 - x2, restitution = 1 }
initial { x1 = 0.3, x2 = 0.9 }
integrate { scheme = "event-driven", h = 0.1, until_t = 10 }
