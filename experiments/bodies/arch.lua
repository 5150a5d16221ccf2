-- A semicircular arch of voussoirs stands on friction alone, when it is thick enough.
experiment {
  title  = "semicircular arch of voussoirs",
  source = "M. Milankovitch, Theorie der Druckkurven, Zeitschrift fuer Mathematik und Physik 55, 1907; J. Heyman, The stone skeleton, 1966",
  doc    = [[
n voussoirs with radial joints, thickness t, mean radius R, no mortar. An arch that cannot slide stands when a line of thrust lies inside it: t/R > 0.1075
(Milankovitch; Heyman's 0.106 neglects where the weight of a voussoir acts). Thinner ones fall, by hinges at crown, haunches and springings.]],
}

local ratio = setting { "ratio", 0.115, min = 0.01, max = 1, doc = "thickness over mean radius" }
local n     = setting { "n", 27, integer = true, min = 3, max = 400, doc = "voussoirs" }
local mu    = param { "mu", 0.8, doc = "friction coefficient", min = 0 }
local h     = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 1, unit = "s", doc = "end time" }
variant { "thin", doc = "too thin: it falls", ratio = 0.09 }
variant { "slippery", doc = "friction too small: it slides", mu = 0.2 }

local R = 1
local inner, outer = R * (1 - ratio / 2), R * (1 + ratio / 2)
world { gravity = { 0, -9.81 } }
pair  { friction = mu }
local ground = fixed { "ground", shape = plane { normal = { 0, 1 }, offset = 0 } }
local crown, moved, all = 0, 0, {}
for i = 1, n do
  local a, b = math.pi * (i - 1) / n, math.pi * i / n
  local corner = { { inner, a }, { outer, a }, { outer, b }, { inner, b } }
  local points = {}
  for k = 1, 4 do points[k] = { corner[k][1] * math.cos(corner[k][2]), corner[k][1] * math.sin(corner[k][2]) } end
  -- the centre of an isosceles trapezium, on its axis
  local half, p, q = (b - a) / 2, 2 * inner * math.sin((b - a) / 2), 2 * outer * math.sin((b - a) / 2)
  local centre = math.cos(half) * (inner + (outer - inner) * (p + 2 * q) / (3 * (p + q)))
  local x, y = centre * math.cos(a + half), centre * math.sin(a + half)
  local v = body { "v" .. i, shape = polygon(points), density = 2400, at = { x, y } }
  moved = max(moved, hypot(v.x - x, v.y - y))
  all[i] = v
  if i == (n + 1) // 2 then crown = v.y - y end
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

measure {
  crown  = crown,                                             -- how far the crown has come down
  moved  = maximum(moved),
  thrust = impulse(all[(n + 1) // 2], all[(n + 1) // 2 + 1]) / h,
  load   = (impulse(all[1], ground) + impulse(all[n], ground)) / h,
}
plot { "arch", title = "Arch of voussoirs", columns = 2,
  panel { title = "half a second", equal = true, xrange = { -2.2, 2.2 }, yrange = { -0.2, 1.2 }, scene { at = 0.5 } },
  panel { title = "end", equal = true, xrange = { -2.2, 2.2 }, yrange = { -0.2, 1.2 }, scene {} } }
