-- Spheres, or discs in the plane, that resist rolling: they fall onto a floor, into a bin, or into a box with a heavy lid.
local n = setting { "n", 60, integer = true }
local seed = setting { "seed", 1, integer = true }
local flat = setting { "flat", 0, integer = true } -- 1: discs in the plane
local walls = setting { "walls", 0, integer = true } -- 1: between walls
local lid = setting { "lid", 0 } -- mass over that of a body
local across = setting { "across", 4, integer = true } -- bodies side by side at the start
local mu = param { "mu", 0.5, min = 0 }
local rolling = param { "rolling", 0.1, min = 0 } -- over the largest radius
local torsion = param { "torsion", 0, min = 0 } -- likewise
local function draw(k) -- in 0 .. 1, the same everywhere
  local x = math.sin(12.9898 * k + 78.233 * seed) * 43758.5453
  return x - math.floor(x)
end
local radius, gap = 0.05, 0.104
local width = gap * across
pair { friction = mu, restitution = 0.1, rolling = rolling * radius, torsion = flat == 0 and torsion * radius or nil }
if flat == 1 then
  world { gravity = { 0, -9.81 } }
  fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
  if walls == 1 then
    fixed { "left", shape = plane { normal = { 1, 0 }, offset = 0 } }
    fixed { "right", shape = plane { normal = { -1, 0 }, offset = -width } }
  end
else
  world { gravity = { 0, 0, -9.81 } }
  fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
  if walls == 1 then
    fixed { "left", shape = plane { normal = { 1, 0, 0 }, offset = 0 } }
    fixed { "right", shape = plane { normal = { -1, 0, 0 }, offset = -width } }
    fixed { "front", shape = plane { normal = { 0, 1, 0 }, offset = 0 } }
    fixed { "back", shape = plane { normal = { 0, -1, 0 }, offset = -width } }
  end
end
local layer_size = flat == 1 and across or across * across
for i = 0, n - 1 do
  local size = radius * (0.8 + 0.19 * draw(i))
  local layer, place = i // layer_size, i % layer_size
  local x, z = gap * (place % across + 0.5), 0.052 + gap * layer
  if flat == 1 then
    body { "b" .. i, shape = disc { size }, density = 1000, at = { x, z }, velocity = { draw(i + 0.4) - 0.5, 0 } }
  else
    body { "b" .. i, shape = sphere { size }, density = 1000, at = { x, gap * (place // across + 0.5), z },
      velocity = { draw(i + 0.4) - 0.5, draw(i + 0.5) - 0.5, 0 }, spin = { draw(i + 0.6), draw(i + 0.7), 4 * draw(i + 0.8) } }
  end
end
if lid > 0 then
  local top = 0.052 + gap * (n // layer_size + 1)
  if flat == 1 then
    body { "cover", shape = box { width - 0.02, 0.04 }, mass = 8 * lid, at = { width / 2, top } }
  else
    body { "cover", shape = box { width - 0.02, width - 0.02, 0.04 }, mass = 0.5 * lid, at = { width / 2, width / 2, top } }
  end
end
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.6 }
