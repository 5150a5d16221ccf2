-- Spheres, boxes and capsules fall into a box; a heavy lid presses on them when lid > 0.
local n = setting { "n", 60, integer = true }
local seed = setting { "seed", 1, integer = true }
local mu = param { "mu", 0.4, min = 0 }
local lid = setting { "lid", 0 } -- mass over that of a body
local kind = setting { "kind", 0, integer = true } -- 0: spheres, 1: boxes, 2: capsules, 3: all
local across = setting { "across", 4, integer = true } -- bodies side by side
local function draw(k) -- in 0 .. 1, the same everywhere
  local x = math.sin(12.9898 * k + 78.233 * seed) * 43758.5453
  return x - math.floor(x)
end
world { gravity = { 0, 0, -9.81 } }
pair { friction = mu, restitution = 0.1 }
local width = 0.12 * across
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0, 0 }, offset = 0 } }
fixed { "right", shape = plane { normal = { -1, 0, 0 }, offset = -width } }
fixed { "front", shape = plane { normal = { 0, 1, 0 }, offset = 0 } }
fixed { "back", shape = plane { normal = { 0, -1, 0 }, offset = -width } }
for i = 0, n - 1 do
  local layer = i // (across * across)
  local place = i % (across * across)
  local at = { 0.06 + 0.12 * (place % across), 0.06 + 0.12 * (place // across), 0.06 + 0.115 * layer }
  local which, size = kind == 3 and i % 3 or kind, 0.035 + 0.012 * draw(i)
  local shape
  if which == 0 then shape = sphere { size }
  elseif which == 1 then shape = box { 1.2 * size, 1.1 * size, size }
  else shape = capsule { radius = 0.5 * size, length = size } end
  body { "b" .. i, shape = shape, density = 1000, at = at,
    rotation = { axis = { draw(i + 0.1), draw(i + 0.2), 1 }, angle = 3 * draw(i + 0.3) },
    velocity = { draw(i + 0.4) - 0.5, draw(i + 0.5) - 0.5, 0 } }
end
if lid > 0 then
  local top = 0.06 + 0.115 * (n // (across * across) + 1)
  body { "cover", shape = box { width - 0.02, width - 0.02, 0.04 }, mass = 0.3 * lid, at = { width / 2, width / 2, top } }
end
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.6 }
