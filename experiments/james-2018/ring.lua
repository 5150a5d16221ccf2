-- Periodic motions of a ring of oscillators over a rigid obstacle, by the pattern of their impacts.
experiment {
  title  = "periodic motions of a ring of impact oscillators",
  source = "G. James, V. Acary, F. Perignon, Periodic motions of coupled impact oscillators, 2018",
  doc    = [[
p oscillators in a ring, coupling gamma, an obstacle at y = -1, elastic impacts. Particles of I2 strike at multiples of T, those of I1 half a period later; the motion is the solution of one linear system, and
a motion indeed if it keeps the inequalities (`admissible`, `margin`). Particles are numbered from 0; lists are written 49,50 or 45-55. The run follows the motion for one period by the event-driven scheme, to the
moment before its next impact at T.]],
}

local p     = setting { "p", 100, integer = true, min = 1, max = 400, doc = "particles" }
local gamma = setting { "gamma", 0.06481481481481481, doc = "coupling" }
local T     = setting { "T", 4.71238898038469, min = 1e-9, doc = "period" }
local I1    = setting { "I1", "", doc = "particles that strike at T/2" }
local I2    = setting { "I2", "50", doc = "particles that strike at 0" }

local g = ((2 * pi / 4.71238898038469)^2 - 1) / 4 -- coupling at which the out-of-phase linear mode has this period
variant { "unstable", doc = "site breather at 14/15 gamma_c: a multiplier 5.715", gamma = 14 / 15 * g }
variant { "bond", doc = "two neighbours in turns: unstable at once", I1 = "49", I2 = "50" }
variant { "in-phase-bond", doc = "two neighbours together", I2 = "49,50" }
variant { "wide", doc = "eleven particles together", I2 = "45-55" }
variant { "long-wave", doc = "a long wave: ten of thirty particles strike", p = 30, gamma = 1, T = 0.985 * 6.150225339304, I1 = "0-2,28-29", I2 = "13-17" }
variant { "resonant", doc = "no motion: the candidate penetrates", gamma = 1, p = 30, T = 3, I2 = "15" }

local orbit = ring_orbit { p = p, gamma = gamma, T = T, I1 = particle_list(I1), I2 = particle_list(I2) }
compute(function() print(orbit.verdict) end)
-- What is no motion is not started: the ring then rests.
local y, v = {}, {}
for i = 1, p do y[i], v[i] = select(orbit.admissible, orbit.y[i], 0), select(orbit.admissible, orbit.v[i], 0) end
local r = ring { p = p, gamma = gamma, y = y, v = v }
-- The motion starts just after the impacts at 0 and ends just before those at T.
integrate { scheme = "event-driven", h = T / 200, until_t = select(orbit.admissible, T * 199 / 200, T / 200) }

measure { y = orbit.y, v = orbit.v, energy = orbit.energy, max_multiplier = orbit.max_multiplier, off_circle = orbit.off_circle,
          admissible = orbit.admissible, stable = orbit.stable, margin = orbit.margin, condition = orbit.condition }

plot { "ring", title = "Ring of impact oscillators", columns = 2,
  panel { title = "displacement at t = 0", xlabel = "particle (from 1)", ylabel = "y", values { orbit.y, label = "t = 0" },
          values { orbit.y_half, label = "t = T/2", style = "cross" } },
  panel { title = "velocity just after t = 0", xlabel = "particle (from 1)", ylabel = "v", values { orbit.v } } }
