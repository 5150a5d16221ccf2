world { gravity = { 0, 0, -9.81 } }
pair { friction = 0.5, rolling = 1e-3, torsion = 1e-3 }
fixed { "f", shape = mesh { file = "m.stl" } }
body { "b", shape = convex { file = "c.obj", scale = 0.1 }, density = 1, at = { 0, 0, 1 } }
integrate { h = 1e-2, until_t = 0.05 }

--[=[ carom data: m.stl as.obj
v -1 -1 0
v 1 -1 0
v 0 1 0
f 1 2 3

]=]

--[=[ carom data: c.obj as.obj
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1

]=]
