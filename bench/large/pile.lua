-- Equal spheres fall into a box and come to rest: `large settled` makes a contact problem of the last row of a run.
experiment {
  title  = "spheres in a box",
  source = "benchmark of large contact problems",
  doc    = "n equal spheres start in layers above the floor of a box, a little beside their places, and fall.",
}

local n      = setting { "n", 300, integer = true, min = 1, max = 100000, doc = "spheres" }
local radius = setting { "radius", 0.05, min = 1e-6, doc = "of a sphere, m" }
local half   = setting { "half", 0.33, min = 1e-6, doc = "half the width of the box, m" }
local mu     = param { "mu", 0.4, doc = "friction coefficient", min = 0 }
local h      = param { "h", 2e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 1, unit = "s", doc = "end time" }

local apart = 2.15 -- radii from centre to centre at the start
local side = math.floor(2 * half / (apart * radius))
world { gravity = { 0, 0, -9.81 } }
pair  { friction = mu, restitution = 0 }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
fixed { "left", shape = plane { normal = { 1, 0, 0 }, offset = -half } }
fixed { "right", shape = plane { normal = { -1, 0, 0 }, offset = -half } }
fixed { "front", shape = plane { normal = { 0, 1, 0 }, offset = -half } }
fixed { "back", shape = plane { normal = { 0, -1, 0 }, offset = -half } }
local kinetic = 0
for i = 0, n - 1 do
  local x, y, z = i % side, i // side % side, i // (side * side)
  local function near(k) return apart * radius * (k - (side - 1) / 2) + 0.1 * radius * (math.random() - 0.5) end
  local b = body { "s" .. i, shape = sphere { radius }, density = 1000, at = { near(x), near(y), radius * (1.05 + apart * z) } }
  kinetic = kinetic + b:kinetic()
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure { kinetic_end = kinetic }
