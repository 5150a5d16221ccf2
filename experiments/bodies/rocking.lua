-- A slender block rocks on a floor that moves as recorded.
experiment {
  title  = "rocking block under a recorded base motion",
  source = "G.W. Housner, The behavior of inverted pendulum structures during earthquakes, Bulletin of the Seismological Society of America 53, 1963: the block; the record is ours",
  doc    = [[
The accelerations of the floor are a list in the model file, 0.05 s apart and linear between; its velocity is their exact integral. The block stands
still on the floor as long as the acceleration stays below g b/h (width over height), rocks above, and may fall. Each impact takes some of its
spin: the ratio of spins is 1 - 3/2 sin^2(alpha), tan(alpha) = b/h (Housner), when it does not slide.]],
}

local width  = setting { "width", 0.2, unit = "m", doc = "of the block", min = 1e-6 }
local height = setting { "height", 0.8, unit = "m", doc = "of the block", min = 1e-6 }
local scale  = param { "scale", 1, doc = "factor of the record" }
local mu     = param { "mu", 1, doc = "friction coefficient", min = 0 }
local g      = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local h      = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 6, unit = "s", doc = "end time" }
variant { "calm", doc = "too weak a motion to lift the block", scale = 0.55 }
variant { "falls", doc = "one and a half times as strong: it falls", scale = 1.5 }

-- Accelerations in m/s^2, every 0.05 s.
local step = 0.05
local record_of = {
  0.00, 0.12, 0.21, 0.08, -0.25, -0.55, -0.42, 0.16, 0.83, 1.02, 0.39, -0.71, -1.48, -1.22, 0.07, 1.52, 2.11, 1.34, -0.40, -2.06,
  -2.61, -1.69, 0.28, 2.23, 3.05, 2.37, 0.49, -1.72, -3.24, -3.41, -2.11, 0.21, 2.57, 3.83, 3.62, 2.02, -0.42, -2.74, -4.02, -3.82,
  -2.31, -0.08, 2.12, 3.56, 3.88, 3.01, 1.27, -0.80, -2.57, -3.51, -3.39, -2.31, -0.64, 1.09, 2.39, 2.95, 2.69, 1.77, 0.48, -0.80,
  -1.72, -2.07, -1.83, -1.14, -0.23, 0.63, 1.22, 1.43, 1.26, 0.81, 0.23, -0.31, -0.68, -0.82, -0.72, -0.45, -0.12, 0.19, 0.39, 0.45,
  0.38, 0.22, 0.04, -0.12, -0.20, -0.21, -0.15, -0.07, 0.02, 0.07, 0.09, 0.07, 0.04, 0.01, -0.02, -0.03, -0.02, -0.01, 0.00, 0.00,
}
-- Acceleration and velocity as functions of time: a balanced tree of selects over the pieces.
local before, pieces = 0, #record_of - 1
local velocity_at = {}
for i = 1, pieces do
  velocity_at[i] = before
  before = before + step * (record_of[i] + record_of[i + 1]) / 2
end
local function tree(from, to, piece)
  if from == to then return piece(from) end
  local middle = (from + to) // 2
  return select(time() - step * middle, tree(middle + 1, to, piece), tree(from, middle, piece))
end
local function since(i) return time() - step * (i - 1) end
local last = pieces + 1                                   -- after the record the floor keeps its velocity
local acceleration_of_floor = scale * tree(1, last, function(i)
  return i == last and 0 or record_of[i] + (record_of[i + 1] - record_of[i]) / step * since(i)
end)
local velocity_of_floor = scale * tree(1, last, function(i)
  return i == last and before or velocity_at[i] + record_of[i] * since(i) + (record_of[i + 1] - record_of[i]) / (2 * step) * since(i)^2
end)

world { gravity = { 0, -g } }
pair  { friction = mu }
local floor = driven { "floor", shape = plane { normal = { 0, 1 }, offset = 0 }, velocity = { velocity_of_floor, 0 } }
local block = body { "block", shape = box { width, height }, density = 2400, at = { 0, height / 2 } }
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

local largest = 0
for i = 1, #record_of do largest = math.max(largest, math.abs(record_of[i])) end
measure {
  tilt        = maximum(abs(block.phi)),
  tilt_end    = block.phi,
  rocks_from  = g * width / height,                    -- acceleration at which it lifts
  largest     = largest * scale,                       -- acceleration of the floor
  floor_speed = maximum(abs(velocity_of_floor)),
  slid        = maximum(abs(block:point({ 0, -height / 2 }).x - floor.x)),
  lowest      = minimum(min(block:point({ -width / 2, -height / 2 }).y, block:point({ width / 2, -height / 2 }).y)),
}
plot { "rocking", title = "Block on a floor that shakes", columns = 2,
  panel { title = "acceleration of the floor", xlabel = "t", ylabel = "a", line { time(), acceleration_of_floor } },
  panel { title = "velocity of the floor", xlabel = "t", ylabel = "v", line { time(), velocity_of_floor } },
  panel { title = "tilt", xlabel = "t", ylabel = "phi", line { time(), block.phi } },
  panel { title = "end", equal = true, scene {} } }
