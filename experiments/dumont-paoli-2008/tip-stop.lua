-- A steel pipe with two stops at its tip.
experiment {
  title  = "beam with stops at its tip",
  source = "Y. Dumont, L. Paoli, Numerical simulation of a model of vibrations with joint clearance, 2008, section 2 (the Signorini condition at x = L)",
  doc    = [[
The beam of `convex` with one pair of stops at its end: the model of a joint with clearance. The amplitude of the
middle and the largest reaction against clearance and frequency are what a designer looks at first:

  carom sweep dumont-paoli-2008/tip-stop --over clearance=0.005:0.05:16 --over freq=4:20:33 \
              --measure mid_amplitude,max_reaction --set t_end=5 --plot pictures]],
}

local basis = setting { "basis", "p3", choices = { "p3", "bspline" }, doc = "Hermite cubics or cubic B-splines" }
local J     = setting { "J", 40, integer = true, max = 100000, doc = "elements" }
local dt    = param { "dt", 1e-3, unit = "s", doc = "time step" }
local beta  = param { "beta", 0.5, doc = "Newmark parameter, in [0, 1/2]" }
local L     = param { "L", 10, unit = "m", doc = "length" }
local k2    = param { "k2", 282.84, unit = "m^4/s^2", doc = "bending coefficient E I / (rho S)" }
local freq  = param { "freq", 10, unit = "rad/s", doc = "frequency of the load sin(freq t)" }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
local clearance = param { "clearance", 0.02, unit = "m", doc = "distance of the stops from the tip at rest" }

local u = beam { "u", length = L, elements = J, basis = basis, k2 = k2, left = "clamped", right = "free",
  acceleration = function(_, t) return sin(freq * t) end,
  stops        = { { "stop", x = L, lower = -clearance, upper = clearance } } }
integrate { scheme = "newmark-contact", h = dt, until_t = t_end, beta = beta }

local t, tip, mid = time(), u:at(L), u:at(L / 2)
local reaction = (impulse("stop_lower") - impulse("stop_upper")) / dt      -- force per rho S, upwards positive
record  { tip = tip, mid = mid, reaction = reaction, E = 2 * energy() }
measure {
  tip           = tip,
  mid           = mid,
  tip_amplitude = maximum(abs(tip)),
  mid_amplitude = maximum(abs(mid)),
  max_reaction  = maximum(abs(reaction)),
  impulse       = total(impulse("stop_lower") + impulse("stop_upper")),
  impacts       = count(impact()),
  first_contact = first(touching()),
  contact_steps = steps(touching()),
  penetration_lower = maximum(max(-clearance - tip, 0)),
  penetration_upper = maximum(max(tip - clearance, 0)),
  energy        = 2 * energy(),
}

plot { "shapes", title = "Beam with stops at its tip, every 0.05 s", xlabel = "x", ylabel = "u",
  profile { every = 0.05 }, outline(u:obstacle("lower")), outline(u:obstacle("upper")) }
plot { "motion", title = "Beam with stops at its tip", columns = 1,
  panel { xlabel = "t", ylabel = "u", line { t, tip, label = "tip" }, line { t, mid, label = "middle" } },
  panel { xlabel = "t", ylabel = "reaction / rho S", line { t, reaction } } }
