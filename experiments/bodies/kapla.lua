-- A tower of planks.
experiment {
  title  = "tower of planks",
  source = "worked example of bodies",
  doc    = [[
Levels of planks, laid flat, three side by side apart from each other and crosswise to those below; planks are those of the toy, 120 x 24 x 8 mm. It stands; on a floor that shakes harder than friction holds (variant `shaken`) it slides.]],
}

local levels = setting { "levels", 6, integer = true, min = 1, max = 200, doc = "levels" }
local each   = setting { "each", 3, integer = true, min = 2, max = 5, doc = "planks of a level" }
local mu     = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local g      = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local shake  = param { "shake", 0, unit = "m/s^2", doc = "amplitude of the floor's acceleration", min = 0 }
local hertz  = param { "hertz", 4, unit = "1/s", doc = "of the floor's motion", min = 0 }
local h      = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 0.5, unit = "s", doc = "end time" }
variant { "shaken", doc = "on a floor that shakes harder than friction holds", shake = 8 }

local long, wide, high, density = 0.12, 0.024, 0.008, 600
local w = 2 * pi * hertz
world { gravity = { 0, 0, -g } }
pair  { friction = mu }
local floor = driven { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 }, velocity = { shake / w * sin(w * time()), 0, 0 } }
local moved, speed, load = 0, 0, 0
for level = 1, levels do
  for k = 1, each do
    local aside = (long - wide) * ((k - 1) / (each - 1) - 0.5)
    local along_x = level % 2 == 1
    local x, y, z = along_x and 0 or aside, along_x and aside or 0, high * (level - 0.5)
    local p = body { "p" .. level .. "_" .. k, shape = along_x and box { long, wide, high } or box { wide, long, high }, density = density, at = { x, y, z } }
    moved = max(moved, hypot(p.x - x, hypot(p.y - y, p.z - z)))
    speed = max(speed, p:speed())
    if level == 1 then load = load + impulse(p, floor) end
  end
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end, tolerance = 1e-6 }
measure {
  moved  = maximum(moved),
  speed  = maximum(speed),
  load   = load / h,
  weight = levels * each * density * long * wide * high * g,
}
plot { "kapla", title = "Tower of planks", columns = 2,
  panel { title = "from in front", equal = true, scene {} },
  panel { title = "askew", equal = true, scene { view = { 30, 35 } } } }
