-- A stack of boxes in space.
experiment {
  title  = "stack of boxes",
  source = "worked example of bodies",
  doc    = [[
n equal boxes on each other, each turned a little. Interface i carries the weight of the n - i boxes above it; nothing moves, not by rounding either:
where a contact problem says that a body rests, it does.]],
}

local n    = setting { "n", 10, integer = true, min = 1, max = 200, doc = "boxes" }
local turn = setting { "turn", 0.1, unit = "rad", doc = "of each box against the one below" }
local mu   = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local g    = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local h    = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
variant { "forty", doc = "40 boxes", n = 40 }

local size, density = { 0.4, 0.3, 0.2 }, 500
world { gravity = { 0, 0, -g } }
pair  { friction = mu }
local below = fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
local force, moved, speed = {}, 0, 0
for i = 1, n do
  local z = size[3] * (i - 0.5)
  local b = body { "b" .. i, shape = box(size), density = density, at = { 0, 0, z }, rotation = { axis = { 0, 0, 1 }, angle = turn * i } }
  force[i] = impulse(b, below) / h
  moved = max(moved, hypot(b.x, hypot(b.y, b.z - z)))
  speed = max(speed, b:speed())
  below = b
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure {
  base   = force[1],
  middle = force[n // 2 + 1],
  top    = force[n],
  weight = n * density * size[1] * size[2] * size[3] * g,
  moved  = maximum(moved),
  speed  = maximum(speed),
}
plot { "stack", title = "Stack of boxes", columns = 2,
  panel { title = "stack", equal = true, xrange = { -0.5 * n * size[3], 0.5 * n * size[3] }, scene { view = { 20, 15 } } },
  panel { title = "force of the interfaces", xlabel = "interface", ylabel = "force in N", values { force } } }
