-- An elastic cylinder pressed on a rigid plate in one step: where does its foot slide?
experiment {
  title  = "elastic cylinder on a plate with orthotropic friction",
  source = "G. de Saxce, The bipotential method for Coulomb's dry friction, 2018, section 10",
  doc    = [[
Radius and height 10 mm, steel, the top held by a plate that moves down 0.1 mm in one step; bricks condensed to the nodes of the lower face, Uzawa's iteration over them. The published mesh is core = 8, rings = 2, layers = 10 (variant `published`); the default
is a small one. The source prints contour plots only, and does not say whether the top may slide; here it may not. `force` in kN, lengths in mm.]],
}

local case   = setting { "case", 1, integer = true, min = 1, max = 5, doc = "row of Table 1" }
local core   = setting { "core", 4, integer = true, min = 2, max = 12, doc = "cells across the core, even" }
local rings  = setting { "rings", 1, integer = true, min = 1, max = 12, doc = "rings around it" }
local layers = setting { "layers", 5, integer = true, min = 1, max = 20, doc = "over the height" }
local press  = setting { "press", 0.1, min = 1e-9, doc = "how far the top moves down", unit = "mm" }
local tolerance = setting { "tolerance", 1e-9, min = 0, max = 1, doc = "relative change at which sweeps end" }
variant { "published", doc = "1280 bricks", core = 8, rings = 2, layers = 10 }

local table_1 = { { .2, .2, .2, .2 }, { .3, .25, .3, .25 }, { .3, .15, .3, .15 }, { .3, .15, .2, .2 }, { .3, .15, .05, .2 } }
local row = table_1[case]
local foot = compute(function()
  local body = cylinder_contact { R = 10, height = 10, E = 210000, nu = 0.3, core = core, rings = rings, layers = layers }
  local q = {}
  for i = 1, body.contacts do q[3 * i - 2], q[3 * i - 1], q[3 * i] = -press, 0, 0 end
  local found = contact_solve { W = body.W, q = q, mu_x = row[1], mu_y = row[2], p_x = row[3], p_y = row[4], tolerance = tolerance }
  if not found.converged then print("no convergence") end

  local total_force, slip, where, sticking, stick_x, stick_y, rim, centre = 0, 0, 0, 0, 0, 0, 0, 0
  local rings_at, arrows, along_x, along_y = {}, {}, {}, {} -- a point that is no number lifts the pen
  local lift = { 0 / 0, 0 / 0 }
  for i = 1, body.contacts do
    local x, y, ux, uy = body.x[i], body.y[i], found.u[3 * i - 1], found.u[3 * i]
    local s, r = sqrt(ux^2 + uy^2), sqrt(x^2 + y^2)
    local pressure = found.r[3 * i - 2] / body.area[i]
    total_force = total_force + found.r[3 * i - 2] / 1000
    if s > slip + 1e-9 then slip, where = s, r > 0 and atan(abs(y) / (abs(x) + 1e-12)) * 180 / pi or 0 end
    if r < 1e-9 then centre = pressure end
    if r > 9.999 then rim = max(rim, pressure) end
    if found.state[i] == 2 then
      sticking = sticking + 1
      if abs(y) < 1e-9 then stick_x = max(stick_x, abs(x)) end
      if abs(x) < 1e-9 then stick_y = max(stick_y, abs(y)) end
    end
    if found.state[i] == 2 then
      for k = 0, 24 do rings_at[#rings_at + 1] = { x + 0.25 * cos(2 * pi * k / 24), y + 0.25 * sin(2 * pi * k / 24) } end
      rings_at[#rings_at + 1] = lift
    end
    if abs(y) < 1e-9 and x > -1e-9 then along_x[#along_x + 1] = { r, s } end
    if abs(x) < 1e-9 and y > -1e-9 then along_y[#along_y + 1] = { r, s } end
  end
  for i = 1, body.contacts do
    local x, y, scale = body.x[i], body.y[i], 2 / slip
    if found.state[i] == 1 then
      arrows[#arrows + 1], arrows[#arrows + 2], arrows[#arrows + 3] = { x, y }, { x + scale * found.u[3 * i - 1], y + scale * found.u[3 * i] }, lift
    end
  end
  local function nearer(a, b) return a[1] < b[1] end
  table.sort(along_x, nearer)
  table.sort(along_y, nearer)
  return { force = total_force, slip = slip, where = where, sticking = sticking, stick_x = stick_x, stick_y = stick_y, contacts = body.contacts, sweeps = found.iterations, centre = centre, rim = rim,
           power = found.power, penetration = found.penetration, outside = found.outside, rings = rings_at, arrows = arrows, along_x = along_x, along_y = along_y }
end)

measure { force = foot.force, max_slip = foot.slip, max_slip_angle = foot.where, sticking = foot.sticking, stick_x = foot.stick_x, stick_y = foot.stick_y, contacts = foot.contacts, sweeps = foot.sweeps,
          pressure_centre = foot.centre, pressure_rim = foot.rim, power = foot.power, penetration = foot.penetration, outside = foot.outside }
plot { "cylinder", title = "Cylinder on a plate", columns = 2,
  panel { title = "foot: slip enlarged, rings where it sticks", xlabel = "x (mm)", ylabel = "y (mm)", equal = true, circle { 0, 0, 10 }, outline { foot.rings }, outline { foot.arrows } },
  panel { title = "slip", xlabel = "distance from the axis (mm)", ylabel = "slip (mm)", curve { foot.along_x, label = "along x" }, curve { foot.along_y, label = "along y" } } }
