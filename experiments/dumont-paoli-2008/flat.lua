-- A steel pipe whose outer half vibrates between two flat walls.
experiment {
  title  = "beam with flat obstacles on its outer half",
  source = "Y. Dumont, L. Paoli, Numerical simulation of a model of vibrations with joint clearance, 2008, section 5, Figs 2, 3, Tables 1, 3",
  doc    = [[
As `convex`, but the walls u = +-clearance cover L/2 <= x <= L only: large parts of the beam lie on them at once. The
published penetrations (Table 3) could not be reproduced; see the page of this experiment.]],
}

local basis = setting { "basis", "p3", choices = { "p3", "bspline" }, doc = "Hermite cubics or cubic B-splines" }
local J     = setting { "J", 40, integer = true, max = 100000, doc = "elements" }
local dt    = param { "dt", 1e-3, unit = "s", doc = "time step" }
local beta  = param { "beta", 0.5, doc = "Newmark parameter, in [0, 1/2]" }
local L     = param { "L", 10, unit = "m", doc = "length" }
local k2    = param { "k2", 282.84, unit = "m^4/s^2", doc = "bending coefficient E I / (rho S)" }
local freq  = param { "freq", 10, unit = "rad/s", doc = "frequency of the load sin(freq t)" }
local t_end = param { "t_end", 1, unit = "s", doc = "end time" }
local clearance = param { "clearance", 0.01, unit = "m", doc = "distance of the walls from the beam at rest" }

local u = beam { "u", length = L, elements = J, basis = basis, k2 = k2, left = "clamped", right = "free",
  acceleration = function(_, t) return sin(freq * t) end,
  obstacles    = { { lower = -clearance, upper = clearance, from = L / 2, to = L } } }
integrate { scheme = "newmark-contact", h = dt, until_t = t_end, beta = beta }

local t, tip, mid = time(), u:at(L), u:at(L / 2)
local reaction = (u:impulse("lower") - u:impulse("upper")) / dt      -- force per rho S, upwards positive
record  { tip = tip, mid = mid, reaction = reaction, touching = u:touching(), E = 2 * energy() }
measure {
  tip               = tip,
  mid               = mid,
  tip_at            = at(tip, { 0.2, 0.3, 0.4, 0.6, 1 }),
  mid_at            = at(mid, { 0.2, 0.3, 0.4, 0.6, 1 }),
  tip_amplitude     = maximum(abs(tip)),
  max_reaction      = maximum(abs(reaction)),
  first_contact     = first(touching()),
  contact_steps     = steps(touching()),
  penetration_lower = maximum(u:penetration("lower")),
  penetration_upper = maximum(u:penetration("upper")),
  energy            = 2 * energy(),
}

plot { "shapes", title = "Beam with flat walls, every 0.02 s from 0.52 to 0.78", xlabel = "x", ylabel = "u",
  profile { every = 0.02, from = 0.52, to = 0.78 }, outline(u:obstacle("lower")), outline(u:obstacle("upper")) }
plot { "motion", title = "Beam with flat walls on its outer half", columns = 1,
  panel { xlabel = "t", ylabel = "u", line { t, tip, label = "tip" }, line { t, mid, label = "middle" } },
  panel { xlabel = "t", ylabel = "reaction / rho S", line { t, reaction } } }
plot { "contacts", title = "Where and when the beam touches", xlabel = "x", ylabel = "t",
  contact_map { "lower", label = "lower wall" }, contact_map { "upper", label = "upper wall" } }
