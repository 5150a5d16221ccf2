-- A pyramid of boxes stands still.
experiment {
  title  = "pyramid of boxes",
  source = "worked example of bodies",
  doc    = [[
Rows of boxes in the plane, one box less in each row, every box on two others. It stands: the floor carries the weight, n m g h in each step, and
nothing moves. Contacts of a wall of boxes outnumber what statics determines; friction that is not needed is one of many solutions.]],
}

local rows = setting { "rows", 8, integer = true, min = 1, max = 200, doc = "rows of boxes" }
local mu   = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local e    = param { "e", 0, doc = "restitution coefficient", min = 0, max = 1 }
local g    = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local h    = param { "h", 2e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 1, unit = "s", doc = "end time" }
variant { "large", doc = "20 rows, 210 boxes", rows = 20 }

local edge, apart = 0.5, 0.1
world { gravity = { 0, -g } }
pair  { friction = mu, restitution = e }
local floor = fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 } }
local moved, speed, load, boxes = 0, 0, 0, 0
for row = 1, rows do
  for i = 1, rows + 1 - row do
    local x, y = (edge + apart) * (i - 1 - (rows - row) / 2), edge * (row - 0.5)
    local b = body { "b" .. row .. "_" .. i, shape = box { edge, edge }, density = 400, at = { x, y } }
    moved = max(moved, hypot(b.x - x, b.y - y))
    speed = max(speed, b:speed())
    if row == 1 then load = load + impulse(b, floor) end
    boxes = boxes + 1
  end
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure {
  moved  = maximum(moved),
  speed  = maximum(speed),
  load   = load / h,                              -- force of the floor
  weight = boxes * 400 * edge^2 * g,
}
plot { "pyramid", title = "Pyramid of boxes", equal = true, scene {} }
