-- A chain of n links that falls on a floor and comes to rest: how time and memory of a step grow with n.
experiment {
  title = "A chain of n links falls on a floor",
  source = "bench/run-links",
  doc = [[
Boxes in the plane (hinges between them), capsules in space (ball joints), with friction at the floor. The chain is a
wave, so that some links land before others. It lands from t = 0.15 on; in the plane arches stand where friction holds their feet,
and everything rests before t = 1. With lies = 1 it lies on the floor from the start.]],
}

local n      = setting { "n", 100, integer = true, min = 1, max = 1000000, doc = "links" }
local space  = setting { "space", 0, integer = true, min = 0, max = 1, doc = "1: in space, with ball joints" }
local lies   = setting { "lies", 0, integer = true, min = 0, max = 1, doc = "1: on the floor from the start" }
local mu     = param { "mu", 0.4, doc = "friction", min = 0 }
local h      = param { "h", 1e-3, doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 0.5, doc = "end time" }
local length, thickness, wave, slope = 0.1, 0.02, 20, lies == 1 and 0 or 0.4

world { gravity = space == 1 and { 0, 0, -9.81 } or { 0, -9.81 } }
pair  { friction = mu, restitution = 0 }
local floor = fixed { "floor", shape = plane { normal = space == 1 and { 0, 0, 1 } or { 0, 1 }, offset = 0 } }
local kinetic, last = 0, nil
local x, y, z = 0, 0, lies == 1 and thickness / 2 or 0.12
for i = 1, n do
  local up = slope * math.sin(2 * math.pi * i / wave)
  local aside = 0.3 * math.cos(2 * math.pi * i / (3 * wave))
  local link
  if space == 1 then
    local d = { math.cos(up) * math.cos(aside), math.cos(up) * math.sin(aside), math.sin(up) }
    local s = math.sqrt(d[1]^2 + d[2]^2)               -- from z to d
    link = body { "b" .. i, shape = capsule { radius = thickness / 2, length = length - thickness }, density = 1000,
                  at = { x + length / 2 * d[1], y + length / 2 * d[2], z + length / 2 * d[3] },
                  rotation = { axis = { -d[2] / s, d[1] / s, 0 }, angle = math.acos(d[3]) } }
    if last then ball { "j" .. i, last, link, at = { x, y, z } } end
    x, y, z = x + length * d[1], y + length * d[2], z + length * d[3]
  else
    link = body { "b" .. i, shape = box { length - thickness, thickness }, density = 1000,
                  at = { x + length / 2 * math.cos(up), z + length / 2 * math.sin(up) }, rotation = up }
    if last then hinge { "j" .. i, last, link, at = { x, z } } end
    x, z = x + length * math.cos(up), z + length * math.sin(up)
  end
  kinetic = kinetic + link:kinetic()
  last = link
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure { kinetic_end = kinetic, energy_end = energy(), carried = impulse(floor) / h }
