-- A point pressed on a surface by springs and dragged along a line, step by step.
experiment {
  title  = "dragged point with orthotropic friction",
  source = "G. de Saxce, The bipotential method for Coulomb's dry friction, 2018, section 9: law (25) on increments",
  doc    = [[
Springs of stiffness 1000 hold a point to a driver that stands 1e-3 below the surface (pressure 1) and moves along `angle` in `steps` steps of 5e-5. Each step is one contact problem for the increment of displacement. The force tends to the slip reaction of
the surface (desaxce-2018/slip-reaction). `sticking` counts steps without slip. The run is the same point with a mass and a damper, dragged slowly.]],
}

local case  = setting { "case", 3, integer = true, min = 1, max = 5, doc = "row of Table 1" }
local angle = setting { "angle", 45, min = -360, max = 360, unit = "deg", doc = "direction of the driver" }
local steps = setting { "steps", 40, integer = true, min = 1, max = 5000, doc = "load steps" }

local table_1 = { { .2, .2, .2, .2 }, { .3, .25, .3, .25 }, { .3, .15, .3, .15 }, { .3, .15, .2, .2 }, { .3, .15, .05, .2 } }
local row, k = table_1[case], 1000
local W = { 1 / k, 0, 0, 0, 1 / k, 0, 0, 0, 1 / k }
local c, s = cos(angle * pi / 180), sin(angle * pi / 180)
local dragged = compute(function()
  local r, u, loss, sticking = { 0, 0, 0 }, { 0, 0 }, 0, 0
  local forces, path = { { 0, 0 } }, { { 0, 0 } }
  for step = 1, steps do
    local d = 5e-5 * step
    local found = contact_solve { W = W, q = { -1e-3, d * c - u[1], d * s - u[2] }, mu_x = row[1], mu_y = row[2], p_x = row[3], p_y = row[4], start = r, tolerance = 1e-14 }
    r = found.r
    local dx, dy = found.u[2], found.u[3]
    if dx * dx + dy * dy < 1e-18 then sticking = sticking + 1 end
    u = { u[1] + dx, u[2] + dy }
    loss = loss - r[2] * dx - r[3] * dy
    forces[step + 1] = { d, -(r[2] * c + r[3] * s) }
    path[step + 1] = { u[1], u[2] }
  end
  return { r = r, u = u, loss = loss, sticking = sticking, forces = forces, path = path }
end)

-- slowly: 1 s per load step of 5e-5, against a period of 0.02 s
local x, y, z = coordinates("x", "y", "z")
local t, m, damping = time(), 0.01, 6
mass(m)
local drive = 5e-5 * t
force { x = k * (drive * c - x) - damping * dot(x), y = k * (drive * s - y) - damping * dot(y), z = k * (-1e-3 - z) - damping * dot(z) }
contact { "surface", gap = z, slip = { dot(x), dot(y) }, friction = { ellipse = { row[1], row[2] }, slip_potential = { row[3], row[4] } } }
integrate { scheme = "moreau-jean", h = 5e-3, until_t = steps }
measure { r_x = dragged.r[2], r_y = dragged.r[3], u_x = dragged.u[1], u_y = dragged.u[2], dissipation = dragged.loss, sticking = dragged.sticking, run_u_x = x, run_u_y = y }

plot { "dragged-point", title = "Dragged point", columns = 2,
  panel { title = "force along the driver", xlabel = "driver", ylabel = "force", curve { dragged.forces, label = "load steps" }, line { drive, k * (drive - (x * c + y * s)), label = "run", style = "dashed" } },
  panel { title = "path of the point", xlabel = "x", ylabel = "y", curve { dragged.path, label = "load steps" }, line { x, y, label = "run", style = "dashed" } } }

draw { disc(x, y, 5e-5, { name = "point" }), path { x, y } }
