-- A pipe on a shaker, guided with clearance: what a steam generator tube does in its support plate.
experiment {
  title  = "pipe driven by a shaker, guided with clearance",
  source = "L. Paoli, Time discretization of vibro-impact, 2001, section 3c, Figs 2-5 (the paper gives h = 1e-4 only; the data are ours)",
  doc    = [[
A steel tube clamped at x = 0 is driven by force sin(2 pi freq t) at x_force; at x_guide it may move between gap_lower and
gap_upper. Finite differences in space as published (grid = paper, a beam of length L + dx; half and ghost are of second
order), Newmark's method with beta = 1/4 in time, restitution e at the guide. Reactions are newtons: positive at the lower
stop. Peaks of the reaction grow like 1/h, the impulse does not: compare impulses. With e > 0 and a step that does not
resolve the fastest vibration the scheme creates energy (a warning says so): e = 0 is the value for structures.
Variants: pipe-10 has 10 nodes, pipe-b starts with the first mode and has no force.]],
}

local nodes = setting { "nodes", 50, integer = true, max = 100000, doc = "nodes, d" }
local grid  = setting { "grid", "paper", choices = { "paper", "half", "ghost" }, doc = "where the nodes stand" }
local start = setting { "start", "rest", choices = { "rest", "mode" }, doc = "at rest, or moving in the first mode" }
local L     = param { "L", 1, unit = "m", doc = "length" }
local E     = param { "E", 2e11, unit = "Pa", doc = "Young's modulus" }
local rho   = param { "rho", 7800, unit = "kg/m^3", doc = "density" }
local D_out = param { "D_out", 0.022, unit = "m", doc = "outer diameter" }
local D_in  = param { "D_in", 0.018, unit = "m", doc = "inner diameter" }
local x_guide = param { "x_guide", 0.6, unit = "m", doc = "place of the guide (nearest node)" }
local x_force = param { "x_force", 0.3, unit = "m", doc = "place of the shaker (nearest node)" }
local x_obs   = param { "x_obs", 1, unit = "m", doc = "place of observation" }
local gap_lower = param { "gap_lower", -1e-3, unit = "m", doc = "lower stop of the guide" }
local gap_upper = param { "gap_upper", 1e-3, unit = "m", doc = "upper stop of the guide" }
local force = param { "force", 20, unit = "N", doc = "amplitude of the shaker" }
local freq  = param { "freq", 20, unit = "Hz", doc = "frequency of the shaker" }
local e     = param { "e", 0, doc = "restitution at the guide; a numerical parameter here", min = 0, max = 1 }
local h     = param { "h", 1e-4, unit = "s", doc = "time step" }
local t_end = param { "t_end", 0.2, unit = "s", doc = "end time" }
local v_mode = param { "v_mode", 0.3, unit = "m/s", doc = "velocity of the first mode at the guide (start = mode)" }
variant { "pipe-10", doc = "10 nodes", nodes = 10 }
variant { "pipe-b", doc = "no force, starts in the first mode", force = 0, start = "mode", t_end = 0.1 }

local t = time()
local u = beam { "u", length = L, elements = nodes, basis = "difference", grid = grid,
  E = E, rho = rho, section = tube { outer = D_out, inner = D_in },
  forces      = { { x = x_force, value = force * sin(2 * pi * freq * t) } },
  stops       = { { "guide", x = x_guide, lower = gap_lower, upper = gap_upper } },
  restitution = e,
  velocity    = start == "mode" and { mode = 1, x = x_guide, value = v_mode } or nil }
integrate { scheme = "newmark-contact", h = h, until_t = t_end, beta = 0.25, load = "instant" }

local observed, guided = u:at(x_obs), u:at(x_guide)
local R = (impulse("guide_lower") - impulse("guide_upper")) / h
record  { observed = observed, guided = guided, R = R, shaker = force * sin(2 * pi * freq * t), E = energy() }
measure {
  first_contact_step = first_step(touching()),
  reaction_there     = at(R, first(touching())),
  max_reaction       = maximum(abs(R)),
  impulse            = total(h * R),
  impulse_lower      = total(impulse "guide_lower"),
  impulse_upper      = total(impulse "guide_upper"),
  contact_steps      = steps(touching()),
  impacts            = count(impact()),
  first_contact      = first(touching()),
  observed           = observed,
  observed_at        = at(observed, { 0.04, 0.05, 0.06, 0.08, 0.1, 0.2 }),
  observed_max       = maximum(abs(observed)),
  observed_rms       = rms(observed),
  guide_violation    = maximum(max(gap_lower - guided, guided - gap_upper)),
  energy             = energy(),
}

plot { "guided-pipe", title = "Pipe driven by a shaker, guided with clearance", columns = 1,
  panel { xlabel = "t", ylabel = "u [m]", line { t, observed, label = "at x_obs" }, line { t, guided, label = "at the guide" },
          outline { { 0, gap_lower }, { t_end, gap_lower } }, outline { { 0, gap_upper }, { t_end, gap_upper } } },
  panel { xlabel = "t", ylabel = "reaction [N]", line { t, R } },
  panel { xlabel = "t", ylabel = "energy [J]", line { t, energy() } } }
plot { "guided-pipe-impact", title = "The first contacts", columns = 1,
  panel { xlabel = "t", ylabel = "u at the guide [m]", line { t, guided, from = 0.045, to = 0.055 }, outline { { 0.045, gap_lower }, { 0.055, gap_lower } } },
  panel { xlabel = "t", ylabel = "reaction [N]", line { t, R, from = 0.045, to = 0.055 } } }
plot { "guided-pipe-shapes", title = "Shapes of the pipe, every 0.005 s", xlabel = "x [m]", ylabel = "u [m]",
  profile { every = 0.005 }, outline(u:obstacle("lower")), outline(u:obstacle("upper")) }
