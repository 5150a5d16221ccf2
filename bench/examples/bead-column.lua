-- Ten beads above each other fall on the floor.
local n, r, g = 10, 0.1, 9.81
local names, start = {}, {}
for i = 1, n do names[i] = "y" .. i; start[names[i]] = 0.2 * (i - 1) + 0.15 + 0.02 * (i - 1) end
local y = coordinates(names)
mass (1)
for i = 1, n do potential(g * y[i]) end
contact { "floor", gap = y[1] - r, restitution = 0.6 }
for i = 2, n do contact { "pair" .. i, gap = y[i] - y[i - 1] - 2 * r, restitution = 0.6 } end
initial (start)
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
record { bead01 = y[1], bead05 = y[5], bead10 = y[10] }
