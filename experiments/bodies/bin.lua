-- Discs fall into a bin and come to rest.
experiment {
  title  = "discs in a bin",
  source = "worked example of bodies",
  doc    = [[
n discs of different radii start in rows above the floor of a bin and fall into it. Each pair that comes near is found, each step is one contact
problem. Everything comes to rest; the floor then carries the weight that the walls do not.]],
}

local n  = setting { "n", 20, integer = true, min = 1, max = 20000, doc = "discs" }
local e  = param { "e", 0.2, doc = "restitution coefficient", min = 0, max = 1 }
local mu = param { "mu", 0.3, doc = "friction coefficient", min = 0 }
local h  = param { "h", 5e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
local seed = setting { "seed", 0, integer = true, min = 0, max = 1000, doc = "other radii and places" }
variant { "hundred", doc = "100 discs", n = 100 }
variant { "bouncy", doc = "restitution 0.8", e = 0.8 }

for _ = 1, seed do math.random() end
local rows = setting { "rows", 10, integer = true, min = 1, max = 1000, doc = "at most so many rows at the start: many discs make a wide bin" }
local r, columns = 0.05, math.max(math.ceil(math.sqrt(n)), math.ceil(n / rows))
local half = 1.2 * r * columns + 0.4 * r
world { gravity = { 0, -9.81 } }
pair  { friction = mu, restitution = e }
local floor = fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0 }, offset = -half } }
fixed { "right", shape = plane { normal = { -1, 0 }, offset = -half } }

local kinetic, lowest, widest, highest = 0, 1e9, 0, 0
for i = 1, n do
  local radius = r * (0.8 + 0.2 * math.random())
  local column, row = (i - 1) % columns, (i - 1) // columns
  local d = body { "d" .. i, shape = disc { radius }, density = 1000,
                   at = { 2.4 * r * (column - (columns - 1) / 2) + 0.2 * r * (math.random() - 0.5), 1.2 * r + 2.4 * r * row } }
  kinetic = kinetic + d:kinetic()
  lowest  = min(lowest, d.y - radius)
  widest  = max(widest, abs(d.x) + radius)
  highest = max(highest, d.y + radius)
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

measure {
  kinetic_end = kinetic, kinetic_most = maximum(kinetic),
  below       = minimum(lowest),           -- how far a disc is in the floor
  outside     = maximum(widest - half),    -- and in a wall
  height      = highest,
}
local top = 2.5 * r * ((n - 1) // columns + 1)
plot { "bin", title = "Discs in a bin", columns = 3,
  panel { title = "start", equal = true, xrange = { -1.1 * half, 1.1 * half }, yrange = { -0.1 * half, top }, scene { at = 0 } },
  panel { title = "t = 0.2", equal = true, xrange = { -1.1 * half, 1.1 * half }, yrange = { -0.1 * half, top }, scene { at = 0.2 } },
  panel { title = "end", equal = true, xrange = { -1.1 * half, 1.1 * half }, yrange = { -0.1 * half, top }, scene {} } }
plot { "bin-energy", title = "Discs in a bin: kinetic energy", xlabel = "t in s", ylabel = "kinetic energy in J", line { time(), kinetic } }
