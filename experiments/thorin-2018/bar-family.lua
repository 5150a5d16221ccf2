-- An exact periodic motion of an elastic bar against a wall, and what a chain of masses makes of it.
experiment {
  title  = "exact periodic motions of a bar against a wall",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, (20)-(25)",
  doc    = [[
Fixed at one end, free to meet a wall at the other: waves travel, contact lasts, energy is conserved without any impact law. Family (N, m), member d: the wall is
left at t = 0, met at t1, left again at T; d/c is how long contact lasts. Measures are those of the exact motion; `admissible` is 0 when it is no motion (the reason is
printed). The run is a chain of masses with an elastic impact law, started in the same state.]],
}

local N  = setting { "N", 1, integer = true, min = -99, max = 99, doc = "family index, odd" }
local m  = setting { "m", 1, integer = true, doc = "turns: d + N c T = 4 L m" }
local d  = setting { "d", 0.5, min = 0, doc = "contact length c t2" }
local L  = setting { "L", 1, min = 1e-12, doc = "length" }
local c  = setting { "c", 1, min = 1e-12, doc = "speed of waves" }
local g0 = setting { "g0", 1, min = 1e-12, doc = "gap at rest" }
local masses = setting { "masses", 20, integer = true, min = 1, max = 200, doc = "of the chain that is run" }
variant { "second", doc = "the second mode, N = 3", N = 3, d = 0.125 }

local mode = bar_mode { N = N, m = m, d = d, L = L, c = c, g0 = g0, places = masses }
compute(function() if not mode.admissible then print("not a motion: " .. mode.reason) end end)
local u, v = {}, {}
for i = 1, masses do u[i], v[i] = mode.u[i + 1], mode.v[i + 1] end
local chain = bar_chain { masses = masses, L = L, c = c, g0 = g0, u = u, v = v }
integrate { scheme = "event-driven", h = mode.T / 400, until_t = 2 * mode.T }

measure { T = mode.T, t1 = mode.t1, t2 = mode.t2, alpha = mode.alpha, energy = mode.energy, frequency_ratio = mode.frequency_ratio,
          admissible = mode.admissible, chain_energy = energy(), chain_impacts = count(impact "wall") }

-- The end of the bar over two periods.
plot { "bar-family", title = "End of the bar", xlabel = "t", ylabel = "u(L, t)", outline { x = mode.end_t, y = mode.end_u, label = "exact" },
       line { time(), chain.tip, label = masses .. " masses" }, outline { { 0, g0 }, { 2 * mode.T, g0 }, style = "dotted", label = "wall" } }
