-- A nonsmooth mode of a chain with two impacts per period.
experiment {
  title  = "nonsmooth mode of a chain, two impacts per period",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, (5)-(7)",
  doc    = [[
The chain of one-impact-mode. Flight times sigma_1 + sigma_2 = T are found from the periodic response of the gap to its own impulses; there may be several motions (`which`, `found`).]],
}

local n = setting { "n", 2, integer = true, min = 1, max = 100, doc = "masses" }
local T = setting { "T", 8.08, min = 1e-9, doc = "period" }
local which = setting { "which", 0, integer = true, min = 0, max = 16, doc = "which of the motions found; 0: the first admissible one" }
local gap = setting { "gap", 1, min = 1e-12, doc = "gap at rest" }

local mode = impact_mode { n = n, gap = gap, T = T, impacts = 2, which = which }
compute(function() if not mode.admissible then print("not a motion: " .. mode.verdict) end end)
-- what is no motion is not started: the chain then rests
local u, v = {}, {}
for i = 1, n do u[i], v[i] = select(mode.admissible, mode.u[i], 0), select(mode.admissible, mode.v[i], 0) end
local chain = bar_chain { masses = n, g0 = gap, u = u, v = v }
local h = T / 400
integrate { scheme = "event-driven", h = h, until_t = select(mode.admissible, 2 * T - h, h) }

measure { impulse = mode.impulses[1], impulse_2 = mode.impulses[2], flight = mode.flights[1], energy = mode.energy, u = mode.u,
          max_multiplier = mode.max_multiplier, admissible = mode.admissible, found = mode.found, impacts = count(impact "wall") }
plot { "two-impact-mode", title = "Two impacts per period, T = " .. T, xlabel = "t", ylabel = "u", line { time(), chain.u[1], label = "first mass" },
       line { time(), chain.tip, label = "last mass" }, outline { { 0, gap }, { 2 * T, gap }, style = "dotted", label = "wall" } }
