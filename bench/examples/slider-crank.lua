-- A slider-crank whose slider has play in its guide: its four corners meet the guide, with friction.
local t1, t2, t3 = coordinates("crank", "rod", "slider")
local l1, l2, a, b, c = 0.153, 0.306, 0.05, 0.025, 0.001
local m1, m2, m3 = 0.038, 0.038, 0.076
local j1, j2, j3, g = 7.4e-5, 5.9e-4, 2.7e-6, 9.81
local x1, y1 = l1 / 2 * cos(t1), l1 / 2 * sin(t1)
local x2, y2 = l1 * cos(t1) + l2 / 2 * cos(t2), l1 * sin(t1) + l2 / 2 * sin(t2)
local x3, y3 = l1 * cos(t1) + l2 * cos(t2), l1 * sin(t1) + l2 * sin(t2)
local function moving(m, j, x, y, angle) return m * (dot(x)^2 + dot(y)^2) / 2 + j * dot(angle)^2 / 2 end
kinetic   (moving(m1, j1, x1, y1, t1) + moving(m2, j2, x2, y2, t2) + moving(m3, j3, x3, y3, t3))
potential (g * (m1 * y1 + m2 * y2 + m3 * y3))
for i, corner in ipairs { { -a, -b, 1 }, { a, -b, 1 }, { -a, b, -1 }, { a, b, -1 } } do
  local x = x3 + corner[1] * cos(t3) - corner[2] * sin(t3)
  local y = y3 + corner[1] * sin(t3) + corner[2] * cos(t3)
  contact { "corner" .. i, gap = b + c + corner[3] * y, slip = dot(x), restitution = 0.4, friction = 0.01 }
end
initial   { slider = 0.002, [dot(t1)] = 150, [dot(t2)] = -75 }
integrate { scheme = "moreau-jean", h = 1e-5, until_t = 0.05 }
record    { crank = t1, rod = t2, slider = t3 }
