-- Energy of a beam that is thrown against convex walls.
experiment {
  title  = "energy of a beam between convex obstacles, without load",
  source = "Y. Dumont, L. Paoli, Numerical simulation of a model of vibrations with joint clearance, 2008, section 5, Figs 4-7",
  doc    = [[
The beam starts bent, u = 0.005 x^2, with the velocity -v_scale x, and flies between walls u = +-(0.2 + 0.3 (x - L/2)^2).
The discrete energy E (twice the mechanical energy per rho S) is constant between impacts for every beta and never
increases: an impact at a node takes energy away. The family shows beta = 1/2 and 1/4.]],
}

local basis = setting { "basis", "p3", choices = { "p3", "bspline" }, doc = "Hermite cubics or cubic B-splines" }
local J     = setting { "J", 40, integer = true, max = 100000, doc = "elements" }
local dt    = param { "dt", 1e-3, unit = "s", doc = "time step" }
local beta  = param { "beta", 0.5, doc = "Newmark parameter, in [0, 1/2]" }
local L     = param { "L", 10, unit = "m", doc = "length" }
local k2    = param { "k2", 282.84, unit = "m^4/s^2", doc = "bending coefficient E I / (rho S)" }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
local v_scale = param { "v_scale", 1, unit = "1/s", doc = "the initial velocity is -v_scale x" }

local function wall(x) return 0.2 + 0.3 * (x - L / 2)^2 end
local u = beam { "u", length = L, elements = J, basis = basis, k2 = k2, left = "clamped", right = "free",
  displacement = function(x) return 0.005 * x^2 end,
  velocity     = function(x) return -v_scale * x end,
  obstacles    = { { lower = function(x) return -wall(x) end, upper = wall } } }
integrate { scheme = "newmark-contact", h = dt, until_t = t_end, beta = beta }

local t, tip, E = time(), u:at(L), 2 * energy()
record  { tip = tip, mid = u:at(L / 2), touching = u:touching(), E = E }
measure {
  energy            = E,
  energy_at         = at(E, { 0, 0.05, 0.1, 0.2, 0.5, 1, 2 }),
  tip               = tip,
  tip_at            = at(tip, { 1, 2 }),
  mid               = u:at(L / 2),
  first_contact     = first(touching()),
  contact_steps     = steps(touching()),
  penetration_lower = maximum(u:penetration("lower")),
  penetration_upper = maximum(u:penetration("upper")),
}
family { beta = { 0.5, 0.25 } }

plot { "energy", title = "Discrete energy", xlabel = "t", ylabel = "E", line { t, E, family = true } }
plot { "shapes", title = "Beam thrown between convex walls, every 0.05 s", xlabel = "x", ylabel = "u",
  yrange = { -8, 8 },
  profile { every = 0.05 }, outline(u:obstacle("lower")), outline(u:obstacle("upper")) }
plot { "contacts", title = "Where and when the beam touches", xlabel = "x", ylabel = "t",
  contact_map { "lower", label = "lower wall" }, contact_map { "upper", label = "upper wall" } }
