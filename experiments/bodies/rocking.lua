-- A slender block rocks on a floor that moves as the ground did at El Centro in 1940.
experiment {
  title  = "rocking block under a recorded base motion",
  source = "G.W. Housner, The behavior of inverted pendulum structures during earthquakes, Bulletin of the Seismological Society of America 53, 1963: the block. Imperial Valley earthquake, 18 May 1940, El Centro, north-south, edition of 1560 points 0.02 s apart: the record",
  doc    = [[
The floor has the recorded accelerations, straight lines between them; its velocity is their exact integral. The block stands still on the floor as long
as the acceleration stays below g b/h (width over height), rocks above, and may fall. Each impact takes some of its spin: the ratio of
spins is 1 - 3/2 sin^2(alpha), tan(alpha) = b/h (Housner), when it does not slide. The record is file el-centro-1940.csv beside the model.]],
}

local width  = setting { "width", 0.8, unit = "m", doc = "of the block", min = 1e-6 }
local height = setting { "height", 4, unit = "m", doc = "of the block", min = 1e-6 }
local scale  = param { "scale", 1, doc = "factor of the record" }
local mu     = param { "mu", 1, doc = "friction coefficient", min = 0 }
local g      = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local h      = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 31, unit = "s", doc = "end time" }
variant { "calm", doc = "0.6 of the record: too weak to lift the block", scale = 0.6 }
variant { "slides", doc = "on a floor so smooth that it slides and does not rock", mu = 0.15 }
variant { "falls", doc = "a block of the same form, a quarter as large: it falls", width = 0.2, height = 1 }

local record_of = table_of { file = "el-centro-1940.csv", time = "t", column = "a", outside = "zero" }
local a = scale * 9.81 * record_of(time())                 -- the record is in units of g
local v = scale * 9.81 * record_of:integral(time())

world { gravity = { 0, -g } }
pair  { friction = mu }
local floor = driven { "floor", shape = plane { normal = { 0, 1 }, offset = 0 }, velocity = { v, 0 } }
local block = body { "block", shape = box { width, height }, density = 2400, at = { 0, height / 2 } }
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

measure {
  tilt       = maximum(abs(block.phi)),
  tilt_end   = block.phi,
  swings     = crossings(abs(block.phi) - 1e-4),         -- leaves its base, comes down on it, in turn: an impact for each two
  rocks_from = g * width / height,                       -- acceleration at which it lifts
  largest    = maximum(abs(a)),                          -- acceleration of the floor,
  speed      = maximum(abs(v)),                          -- velocity,
  way        = maximum(abs(floor.x)),                    -- and way
  slid       = maximum(abs(block:point({ 0, -height / 2 }).x - floor.x)),
  lowest     = minimum(min(block:point({ -width / 2, -height / 2 }).y, block:point({ width / 2, -height / 2 }).y)),
}
plot { "rocking", title = "Block on the ground of El Centro, 1940", columns = 1,
  panel { title = "acceleration of the ground", xlabel = "t in s", ylabel = "m/s^2", line { time(), a } },
  panel { title = "way of the ground", xlabel = "t in s", ylabel = "m", line { time(), floor.x } },
  panel { title = "tilt of the block", xlabel = "t in s", ylabel = "rad", line { time(), block.phi } } }
