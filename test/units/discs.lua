-- Twelve discs fall into a bin.
world { gravity = { 0, -9.81 } }
pair  { friction = 0.3, restitution = 0.2 }
fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0 }, offset = -0.25 } }
fixed { "right", shape = plane { normal = { -1, 0 }, offset = -0.25 } }
local height = 0
for i = 1, 12 do
  local d = body { "d" .. i, shape = disc { 0.04 + 0.001 * (i % 5) }, density = 900,
                   at = { 0.11 * ((i - 1) % 4 - 1.5) + 0.003 * (i % 3), 0.06 + 0.11 * ((i - 1) // 4) } }
  height = max(height, d.y)
end
integrate { scheme = "moreau-jean", h = 0.001, until_t = 0.4 }
measure { height = height }
