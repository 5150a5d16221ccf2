-- A steel pipe that vibrates between two convex walls.
experiment {
  title  = "beam between convex obstacles",
  source = "Y. Dumont, L. Paoli, Numerical simulation of a model of vibrations with joint clearance, 2008, section 5, Fig. 1, Tables 1, 2",
  doc    = [[
A beam clamped at x = 0, shaken by the uniform load sin(freq t), between walls u = +-(gap + curvature (x - L/2)^2).
Every step is a quadratic program: the nodes stay between the walls, the beam between two nodes may enter them
(penetration_lower, penetration_upper: 19 places per element). energy is the E of the paper, twice the mechanical
energy per rho S. The published penetrations (Table 2) could not be reproduced; see the page of this experiment.]],
}

local basis = setting { "basis", "p3", choices = { "p3", "bspline" }, doc = "Hermite cubics or cubic B-splines" }
local J     = setting { "J", 40, integer = true, max = 100000, doc = "elements" }
local dt    = param { "dt", 1e-3, unit = "s", doc = "time step" }
local beta  = param { "beta", 0.5, doc = "Newmark parameter, in [0, 1/2]" }
local L     = param { "L", 10, unit = "m", doc = "length" }
local k2    = param { "k2", 282.84, unit = "m^4/s^2", doc = "bending coefficient E I / (rho S)" }
local freq  = param { "freq", 10, unit = "rad/s", doc = "frequency of the load sin(freq t)" }
local t_end = param { "t_end", 1, unit = "s", doc = "end time" }
local gap   = param { "gap", 0.005, unit = "m", doc = "distance of the walls at L/2" }
local curvature = param { "curvature", 0.03, unit = "1/m", doc = "the walls are gap + curvature (x - L/2)^2" }

local function wall(x) return gap + curvature * (x - L / 2)^2 end
local u = beam { "u", length = L, elements = J, basis = basis, k2 = k2, left = "clamped", right = "free",
  acceleration = function(_, t) return sin(freq * t) end,
  obstacles    = { { lower = function(x) return -wall(x) end, upper = wall } } }
integrate { scheme = "newmark-contact", h = dt, until_t = t_end, beta = beta }

local t, tip, mid = time(), u:at(L), u:at(L / 2)
local reaction = (u:impulse("lower") - u:impulse("upper")) / dt      -- force per rho S, upwards positive
record  { tip = tip, mid = mid, reaction = reaction, touching = u:touching(), E = 2 * energy() }
measure {
  tip               = tip,
  mid               = mid,
  tip_at            = at(tip, { 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 1 }),
  mid_at            = at(mid, { 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 1 }),
  tip_amplitude     = maximum(abs(tip)),
  max_reaction      = maximum(abs(reaction)),
  first_contact     = first(touching()),
  contact_steps     = steps(touching()),
  penetration_lower = maximum(u:penetration("lower")),
  penetration_upper = maximum(u:penetration("upper")),
  energy            = 2 * energy(),
}

plot { "shapes", title = "Beam between convex walls, every 0.02 s from 0.42 to 0.78", xlabel = "x", ylabel = "u",
  yrange = { -0.12, 0.12 },
  profile { every = 0.02, from = 0.42, to = 0.78 }, outline(u:obstacle("lower")), outline(u:obstacle("upper")) }
plot { "motion", title = "Beam between convex walls", columns = 1,
  panel { xlabel = "t", ylabel = "u", line { t, tip, label = "tip" }, line { t, mid, label = "middle" } },
  panel { xlabel = "t", ylabel = "reaction / rho S", line { t, reaction } } }
plot { "contacts", title = "Where and when the beam touches", xlabel = "x", ylabel = "t",
  contact_map { "lower", label = "lower wall" }, contact_map { "upper", label = "upper wall" } }
