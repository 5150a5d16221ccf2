-- Discs run through the neck of an hourglass.
experiment {
  title  = "hourglass",
  source = "worked example of bodies; the law of flow: W.A. Beverloo, H.A. Leniger, J. van de Velde, Chemical Engineering Science 15, 1961",
  doc    = [[
A funnel in the plane with a neck of a given width. Discs run through it one after the other; the flow does not depend on how many are above, other
than that of water, and grows like the width less some discs to the power 3/2.]],
}

local n     = setting { "n", 50, integer = true, min = 1, max = 5000, doc = "discs" }
local neck  = setting { "neck", 4, min = 1, max = 50, doc = "width of the neck in diameters of a disc" }
local lower = setting { "lower", 0, integer = true, min = 0, max = 1, doc = "1: the lower half is there, too; 0: discs fall away" }
local mu    = param { "mu", 0.4, doc = "friction coefficient", min = 0 }
local e     = param { "e", 0.1, doc = "restitution coefficient", min = 0, max = 1 }
local h     = param { "h", 2.5e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 1, unit = "s", doc = "end time" }
variant { "wide", doc = "neck of 8 diameters", neck = 8 }
variant { "narrow", doc = "neck of 1.5 diameters: discs close it", neck = 1.5 }
variant { "whole", doc = "with its lower half", lower = 1 }

local r = 0.02
local half, w, depth = neck * r, 16 * r, 32 * r
local high = w - half + 2.1 * r * math.ceil(n / 14) + 2 * r
world { gravity = { 0, -9.81 } }
pair  { friction = mu, restitution = e }
for side = -1, 1, 2 do
  local glass = { { side * w, high }, { side * w, w - half }, { side * half, 0 } }
  if lower == 1 then
    glass[4], glass[5] = { side * w, half - w }, { side * w, -depth - r }
  end
  fixed { side < 0 and "left" or "right", shape = polyline(glass) }
end
if lower == 1 then fixed { "floor", shape = plane { normal = { 0, 1 }, offset = -depth } } end
local passed, outside = 0, -1
for i = 1, n do
  local radius = r * (0.9 + 0.1 * math.random())
  local column, row = (i - 1) % 14, (i - 1) // 14
  local d = body { "d" .. i, shape = disc { radius }, density = 2500,
                   at = { 2.1 * r * (column - 6.5), w - half + 2.1 * r * (row + 0.5) } }
  passed  = passed + select(-d.y, 1, 0)
  -- how far a disc that is still above is in the slope of the glass
  outside = max(outside, select(d.y - radius, (abs(d.x) - half - d.y) / sqrt(2) + radius, -1))
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end, tolerance = 1e-6 }
measure {
  passed  = passed,
  quarter = crossings(passed - 0.25 * n),       -- when so many were through
  three_quarters = crossings(passed - 0.75 * n),
  outside = maximum(outside),
}
plot { "hourglass", title = "Hourglass", columns = 3,
  panel { title = "t = 0", equal = true, xrange = { -1.2 * w, 1.2 * w }, yrange = { -depth, high }, scene { at = 0 } },
  panel { title = "t = 0.3", equal = true, xrange = { -1.2 * w, 1.2 * w }, yrange = { -depth, high }, scene { at = 0.3 } },
  panel { title = "t = 0.6", equal = true, xrange = { -1.2 * w, 1.2 * w }, yrange = { -depth, high }, scene { at = 0.6 } } }
plot { "hourglass-flow", title = "Hourglass: discs that are through", xlabel = "t in s", ylabel = "number", line { time(), passed } }
