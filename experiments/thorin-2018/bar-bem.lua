-- The bar against a wall by boundary elements in time, beside wave finite elements on the same grid.
experiment {
  title  = "bar against a wall by boundary elements in time",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, (31), with its signs corrected",
  doc    = [[
Unknown: the displacement of the end and the integrals of the strains at both ends. `difference` is the largest one from wave finite elements at the end of the bar; `returns` how far the bar is
from its start after `periods` periods. The run is a chain of masses from the same start.]],
}

local N  = setting { "N", 1, integer = true, min = -99, max = 99, doc = "family index, odd" }
local m  = setting { "m", 1, integer = true, doc = "turns" }
local d  = setting { "d", 0.5, min = 0, doc = "contact length" }
local g0 = setting { "g0", 1, min = 1e-12, doc = "gap" }
local cells = setting { "cells", 40, integer = true, min = 2, max = 10000, doc = "steps per transit" }
local periods = setting { "periods", 1, integer = true, min = 1, max = 100, doc = "periods" }

local masses = 20
local mode = bar_mode { N = N, m = m, d = d, g0 = g0, places = masses }
local request = { N = N, m = m, d = d, g0 = g0, cells = cells, periods = periods }
local boundary, wave = bar_boundary(request), bar_wave(request)
local compared = compute(function()
  if not mode.admissible then print("not a motion: " .. mode.reason) end
  local difference, t, ends, other = 0, boundary.t, boundary.right_end, wave.right_end
  for k = 1, #t do difference = max(difference, abs(other[k] - ends[k])) end
  local stride, points = math.floor((boundary.steps + 1999) / 2000), {}
  for k = 1, #t, stride do points[#points + 1] = { t[k], ends[k] } end
  return { difference = difference, points = points }
end)

local u, v = {}, {}
for i = 1, masses do u[i], v[i] = mode.u[i + 1], mode.v[i + 1] end
local chain = bar_chain { masses = masses, g0 = g0, u = u, v = v }
integrate { scheme = "event-driven", h = mode.T * periods / 400, until_t = mode.T * periods }
measure { returns = boundary.returns, difference = compared.difference, u_end = boundary.right, steps_done = boundary.steps }

plot { "bar-bem", title = "End of the bar", xlabel = "t", ylabel = "u(L, t)", curve { compared.points, label = "boundary elements" },
       line { time(), chain.tip, label = masses .. " masses", style = "dashed" } }
