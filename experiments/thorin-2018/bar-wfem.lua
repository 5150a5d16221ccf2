-- The bar against a wall by wave finite elements: exact where the motion fits the grid.
experiment {
  title  = "bar against a wall by wave finite elements",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, (26)-(27)",
  doc    = [[
Waves move by exactly one cell per step dt = dx/c, and the wall is a minimum of two velocities. start = "mode": the exact motion (N, m, d) over `periods` periods; "sine": released from -2 sin(pi x / 2), whose
closures do not fall on the grid, so that energy is lost in first order; "line": released from u = -x; "forced": body force; "wall": the wall moves. The run is a chain of masses from the same start.]],
}

local start = setting { "start", "mode", choices = { "mode", "sine", "line", "forced", "wall" }, doc = "where the motion begins" }
local N  = setting { "N", 1, integer = true, min = -99, max = 99, doc = "mode: family index, odd" }
local m  = setting { "m", 1, integer = true, doc = "mode: turns" }
local d  = setting { "d", 0.5, min = 0, doc = "mode: contact length" }
local cells = setting { "cells", 40, integer = true, min = 2, max = 100000, doc = "cells" }
local periods = setting { "periods", 1, integer = true, min = 1, max = 1000, doc = "mode: periods" }
local t_end = setting { "t_end", 8, min = 1e-9, doc = "other starts: end time" }
local g0 = setting { "g0", 1, min = 0, doc = "gap" }
variant { "sine", doc = "closures off the grid", start = "sine", cells = 100 }
variant { "line", doc = "released from u = -x, g0 = 1/4", start = "line", g0 = 0.25 }
variant { "forced", doc = "body force 0.2 sin(1.2 omega_1 t), g0 = 0.1, from rest", start = "forced", g0 = 0.1, cells = 400, t_end = 3 }
variant { "wall", doc = "the wall moves: 0.1 + 0.15 sin(1.2 omega_1 t)", start = "wall", g0 = 0.1, cells = 400, t_end = 12 }

local masses, u, v = 20, {}, {}
local request = { cells = cells, g0 = g0 }
local until_t = t_end
if start == "mode" then
  local mode = bar_mode { N = N, m = m, d = d, g0 = g0, places = masses }
  compute(function() if not mode.admissible then print("not a motion: " .. mode.reason) end end)
  until_t = mode.T * periods
  request.N, request.m, request.d, request.periods = N, m, d, periods
  for i = 1, masses do u[i], v[i] = mode.u[i + 1], mode.v[i + 1] end
elseif start == "sine" or start == "line" then
  local function shape(x) return start == "sine" and -2 * sin(pi * x / 2) or -x end
  request.u = {}
  for i = 0, cells do request.u[i + 1] = shape(i / cells) end
  for i = 1, masses do u[i] = shape(i / masses) end
else
  request.omega = 1.2 * pi / 2
  if start == "forced" then request.force = 0.2 else request.wall_amplitude = 0.15 end
end
if start ~= "mode" then request.t_end = t_end end
local wave = bar_wave(request)

local chain = bar_chain { masses = masses, g0 = g0, u = u, v = v }
if start == "forced" then
  local push = {}
  for i = 1, masses do push["u" .. i] = 0.2 / masses * sin(request.omega * time()) end
  force(push)
end
integrate { scheme = "event-driven", h = until_t / 400, until_t = until_t, zeno = "continue" }

measure { returns = wave.returns, steps_done = wave.steps, contact_steps = wave.contact_steps, phases = wave.phases, impulse = wave.impulse,
          u_end = wave.right, energy_start = wave.energy_start, energy_end = wave.energy_end, energy_loss = wave.energy_start - wave.energy_end }

local shown = compute(function()
  local stride, end_of_bar, energies, t, ends, energy_at = math.floor((wave.steps + 1999) / 2000), {}, {}, wave.t, wave.right_end, wave.energy
  for k = 1, #t, stride do
    end_of_bar[#end_of_bar + 1] = { t[k], ends[k] }
    energies[#energies + 1] = { t[k], energy_at[k] }
  end
  return { end_of_bar = end_of_bar, energies = energies }
end)
plot { "bar-wfem", title = "Bar against a wall", columns = 2,
  panel { title = "end of the bar", xlabel = "t", ylabel = "u(L, t)", curve { shown.end_of_bar, label = "wave finite elements" },
          line { time(), chain.tip, label = masses .. " masses", style = "dashed" } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", curve { shown.energies, label = "energy" } } }
