-- A box and a ball fall on a floor, in space.
world { gravity = { 0, 0, -9.81 } }
pair  { friction = 0.4, restitution = 0.3 }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
local box = body { "box", shape = box { 0.3, 0.2, 0.1 }, density = 700, at = { 0, 0, 0.4 }, spin = { 1, 2, 0.5 } }
local ball = body { "ball", shape = sphere { 0.07 }, density = 900, at = { 0.05, 0.02, 0.8 } }
integrate { scheme = "moreau-jean", h = 0.001, until_t = 0.7 }
measure { height = ball.z, way = box.x }
