-- Equal spheres fall into a box and come to rest: a pile of any size, from which `large settled` makes contact problems.
experiment {
  title  = "spheres in a box",
  source = "worked example of bodies",
  doc    = [[
n equal spheres start a little beside the places of a lattice above the floor of a box, each above one of the layer below, and fall together. A
pile of any size: the width of the box says how high it is.]],
}

local n      = setting { "n", 60, integer = true, min = 1, max = 100000, doc = "spheres" }
local radius = setting { "radius", 0.05, min = 1e-6, unit = "m", doc = "of a sphere" }
local half   = setting { "half", 0.22, min = 1e-6, unit = "m", doc = "half the width of the box" }
local mu     = param { "mu", 0.4, doc = "friction coefficient", min = 0 }
local h      = param { "h", 2e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 1, unit = "s", doc = "end time" }

local apart = 2.15 -- radii from centre to centre at the start
local side = math.floor(2 * half / (apart * radius))
if side < 1 then error("half is " .. half .. ": a box for a sphere of radius " .. radius .. " needs " .. 1.075 * radius .. " or more") end
world { gravity = { 0, 0, -9.81 } }
pair  { friction = mu, restitution = 0 }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0, 0 }, offset = -half } }
fixed { "right", shape = plane { normal = { -1, 0, 0 }, offset = -half } }
fixed { "front", shape = plane { normal = { 0, 1, 0 }, offset = -half } }
fixed { "back", shape = plane { normal = { 0, -1, 0 }, offset = -half } }

local kinetic, mean, lowest, widest = 0, 0, 1e9, 0
for i = 0, n - 1 do
  local x, y, z = i % side, i // side % side, i // (side * side)
  local function near(k) return apart * radius * (k - (side - 1) / 2) + 0.1 * radius * (math.random() - 0.5) end
  local b = body { "s" .. i, shape = sphere { radius }, density = 1000, at = { near(x), near(y), radius * (1.05 + apart * z) } }
  kinetic = kinetic + b:kinetic()
  mean    = mean + b.z / n
  lowest  = min(lowest, b.z - radius)
  widest  = max(widest, abs(b.x) + radius, abs(b.y) + radius)
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

measure {
  kinetic_end = kinetic, kinetic_most = maximum(kinetic),
  height      = mean,                       -- of the centres
  below       = minimum(lowest),            -- how far a sphere is in the floor
  outside     = maximum(widest - half),     -- and in a wall
}
local top = radius * (1.2 + apart * math.ceil(n / (side * side)))
plot { "spheres", title = "Spheres in a box", columns = 3,
  panel { title = "start", equal = true, xrange = { -2 * half, 2 * half }, yrange = { -half, top + half }, scene { at = 0, view = { 20, 15 } } },
  panel { title = "end", equal = true, xrange = { -2 * half, 2 * half }, yrange = { -half, top + half }, scene { view = { 20, 15 } } },
  panel { title = "kinetic energy", xlabel = "t in s", ylabel = "kinetic energy in J", line { time(), kinetic } } }
