-- A ball breaks a wall of bricks.
experiment {
  title  = "wall of bricks hit by a ball",
  source = "worked example of bodies",
  doc    = [[
A wall in running bond, dry, of whole and half bricks; a heavy ball flies into it. Before the impact the wall stands still.]],
}

local rows    = setting { "rows", 4, integer = true, min = 1, max = 60, doc = "rows of bricks" }
local columns = setting { "columns", 3, integer = true, min = 1, max = 60, doc = "bricks in a row" }
local speed   = param { "speed", 5, unit = "m/s", doc = "of the ball", min = 0 }
local mu      = param { "mu", 0.6, doc = "friction coefficient", min = 0 }
local e       = param { "e", 0.1, doc = "restitution coefficient", min = 0, max = 1 }
local h       = param { "h", 3e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end   = param { "t_end", 0.4, unit = "s", doc = "end time" }
variant { "calm", doc = "the ball stands still: so does the wall", speed = 0 }

local long, deep, high, r = 0.24, 0.115, 0.071, 0.1
world { gravity = { 0, 0, -9.81 } }
pair  { friction = mu, restitution = e }
local floor = fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
local moved, lowest, kinetic = 0, 1e9, 0
local function brick(row, i, x, length)
  local z = high * (row - 0.5)
  local b = body { "b" .. row .. "_" .. i, shape = box { length, deep, high }, density = 1800, at = { x, 0, z } }
  moved   = max(moved, hypot(b.x - x, hypot(b.y, b.z - z)))
  lowest  = min(lowest, b.z)
  kinetic = kinetic + b:kinetic()
end
for row = 1, rows do
  local x = -columns * long / 2
  local odd = row % 2 == 1
  for i = 1, odd and columns or columns + 1 do
    local length = (not odd and (i == 1 or i == columns + 1)) and long / 2 or long
    brick(row, i, x + length / 2, length)
    x = x + length
  end
end
local z = high * rows * 0.6
local ball = body { "ball", shape = sphere { r }, density = 7800, at = { 0.03, -0.1 - deep / 2 - r, z < r and r or z }, velocity = { 0, speed, 0 } }
integrate { scheme = "moreau-jean", h = h, until_t = t_end, tolerance = 1e-6 }

measure {
  hit        = first(impact(ball)),
  moved      = maximum(moved),
  lowest     = minimum(lowest),
  ball_speed = ball:speed(),
  kinetic_bricks = maximum(kinetic),
}
plot { "wall", title = "Wall hit by a ball", columns = 2,
  panel { title = "t = 0", equal = true, xrange = { -0.6, 0.9 }, yrange = { -0.2, 0.6 }, scene { at = 0, view = { 35, 20 } } },
  panel { title = "t = 0.1", equal = true, xrange = { -0.6, 0.9 }, yrange = { -0.2, 0.6 }, scene { at = 0.1, view = { 35, 20 } } },
  panel { title = "t = 0.2", equal = true, xrange = { -0.6, 0.9 }, yrange = { -0.2, 0.6 }, scene { at = 0.2, view = { 35, 20 } } },
  panel { title = "end", equal = true, xrange = { -0.6, 0.9 }, yrange = { -0.2, 0.6 }, scene { view = { 35, 20 } } } }
