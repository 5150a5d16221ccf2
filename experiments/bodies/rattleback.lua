-- A rattleback: it turns freely one way, and changes its mind the other way.
experiment {
  title  = "rattleback",
  source = "H. Bondi, The rigid body dynamics of unidirectional spin, Proceedings of the Royal Society A 405, 1986: the mechanism",
  doc    = [[
A half ellipsoid whose principal axes of inertia are turned against those of its belly. Spun against its sense it begins to rattle, stops, and
turns the other way. The belly is the hull of points on an ellipsoid, close where it touches: rolling over their facets costs a little energy.]],
}

local spin  = param { "spin", -5, unit = "rad/s", doc = "at the start, about the vertical" }
local skew  = param { "skew", 0.15, unit = "rad", doc = "of the axes of inertia against those of the belly" }
local mu    = param { "mu", 0.9, doc = "friction coefficient", min = 0 }
local tilt  = param { "tilt", 0.02, unit = "rad", doc = "about its long axis at the start" }
local h     = param { "h", 5e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 4, unit = "s", doc = "end time" }
local rings = setting { "rings", 24, integer = true, min = 4, max = 200, doc = "rings of points of the belly" }
local around = setting { "around", 48, integer = true, min = 6, max = 400, doc = "points of a ring" }
variant { "with", doc = "spun in its own sense: it goes on", spin = 5 }

-- Half axes of the ellipsoid; its lower half is the body.
local a, b, c = 0.1, 0.02, 0.02
local points = { { 0, 0, -c } }
for i = 1, rings do
  local s = (i / rings)^1.5 * math.pi / 2          -- from the lowest point to the rim
  for k = 1, around do
    local p = 2 * math.pi * k / around
    points[#points + 1] = { a * math.sin(s) * math.cos(p), b * math.sin(s) * math.sin(p), -c * math.cos(s) }
  end
end
-- Of the homogeneous half ellipsoid: centre 3/8 c below the rim; inertia about it.
local m    = 0.1
local Jx, Jy, Jz = m / 5 * (b^2 + c^2) - m * (3 / 8 * c)^2, m / 5 * (a^2 + c^2) - m * (3 / 8 * c)^2, m / 5 * (a^2 + b^2)
local C, S = cos(skew), sin(skew)
world { gravity = { 0, 0, -9.81 } }
pair  { friction = mu }
local floor = fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
local stone = body { "stone", shape = convex(points), mass = m, centre = { 0, 0, -3 / 8 * c },
                     inertia = { C^2 * Jx + S^2 * Jy, S^2 * Jx + C^2 * Jy, Jz, C * S * (Jx - Jy), 0, 0 },
                     at = { 0, 0, 5 / 8 * c + 0.0001 }, rotation = { axis = { 1, 0, 0 }, angle = tilt }, spin = { 0, 0, spin } }
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

local long = stone:direction { 1, 0, 0 }
local pitch = asin(long.z)
measure {
  spin_end  = stone.wz,
  spin_low  = minimum(stone.wz), spin_high = maximum(stone.wz),
  reversals = crossings(stone.wz),
  rattle    = maximum(abs(pitch)),
  energy_end = energy(), energy_start = at(energy(), 0),
}
plot { "rattleback", title = "Rattleback", columns = 2,
  panel { title = "spin about the vertical", xlabel = "t in s", ylabel = "rad/s", line { time(), stone.wz } },
  panel { title = "pitch of its long axis", xlabel = "t in s", ylabel = "rad", line { time(), pitch } },
  panel { title = "start", equal = true, yrange = { -0.04, 0.08 }, scene { at = 0, view = { 20, 20 } } },
  panel { title = "energy", xlabel = "t in s", ylabel = "J", line { time(), energy() } } }
