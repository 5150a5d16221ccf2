-- Discs that resist rolling heap.
experiment {
  title  = "heap of discs with rolling friction",
  source = "worked example of bodies",
  doc    = [[
Discs fall upon a floor, in loose columns. With friction alone they roll away and nothing stays; with rolling friction, a moment up to
its coefficient times the normal force at each contact, they heap. The angle is that of the triangle with the same mean height and the same mean distance from the middle.]],
}

local n       = setting { "n", 120, integer = true, min = 1, max = 20000, doc = "discs" }
local columns = setting { "columns", 6, integer = true, min = 1, max = 1000, doc = "discs side by side at the start" }
local rolling = param { "rolling", 0.1, doc = "rolling coefficient over the largest radius", min = 0 }
local mu      = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local h       = param { "h", 5e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end   = param { "t_end", 3, unit = "s", doc = "end time" }
variant { "steep", doc = "twice the rolling coefficient", rolling = 0.2 }
variant { "free", doc = "without: they roll away", rolling = 0 }

local r = 0.01
world { gravity = { 0, -9.81 } }
pair  { friction = mu, rolling = rolling * r }
local floor = fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
local kinetic, high, wide, lowest = 0, 0, 0, 1
for i = 1, n do
  local radius = r * (0.8 + 0.2 * math.random())
  local column, row = (i - 1) % columns, (i - 1) // columns
  local d = body { "d" .. i, shape = disc { radius }, density = 2500,
                   at = { 2.5 * r * (column - (columns - 1) / 2) + 0.5 * r * (math.random() - 0.5), 1.2 * r + 2.1 * r * row } }
  kinetic = kinetic + d:kinetic()
  high    = high + (d.y - radius) / n
  wide    = wide + abs(d.x) / n
  lowest  = min(lowest, d.y - radius)
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure {
  angle       = atan2(high, wide) * 180 / math.pi, -- of a triangle: mean height 1/3 of its height, mean distance 1/3 of half its base
  high        = high,
  wide        = wide,
  kinetic_end = kinetic, kinetic_most = maximum(kinetic),
  below       = minimum(lowest),                   -- how far a disc is in the floor
}
plot { "heap", title = "Heap of discs", columns = 2,
  panel { title = "start", equal = true, scene { at = 0 } },
  panel { title = "end", equal = true, xrange = { -0.4, 0.4 }, scene {} } }
