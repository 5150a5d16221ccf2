local n = setting { "n", 3, integer = true } local names = {}
for i = 1, n do names[i] = "q" .. i end
local q = coordinates(names) mass(1)
for i = 2, n do potential(select(q[i] - q[i - 1], 1, 2) * (q[i] - q[i - 1])^2) end
joint { "hold", q[1] - sin(time()) } table.sort(names) print(table.concat(names, ","), string.rep("x", 3))
integrate { h = 1, until_t = 2 }
