-- Three balls in a row; the first strikes the others.
local x1, x2, x3 = coordinates("x1", "x2", "x3")
mass { x1 = 1, x2 = 1.5, x3 = 0.7 }
contact { "a", gap = x2 - x1, restitution = 0.9 }
contact { "b", gap = x3 - x2, restitution = 0.8 }
initial { [dot(x1)] = 1 }
integrate { scheme = "event-driven", h = 0.1, until_t = 0.5 }
