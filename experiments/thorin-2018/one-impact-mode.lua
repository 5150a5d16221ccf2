-- A nonsmooth mode of a chain: one impact per period, in closed form.
experiment {
  title  = "nonsmooth mode of a chain, one impact per period",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, (47)",
  doc    = [[
n masses and springs, fixed at one end; the last mass meets a wall, elastically, once per period T. The chain of the source is the unit bar: k = n, m = 1/n (the defaults, 0). `admissible` is 0 when the wall would
have to pull or the gap closes between impacts. The run follows the motion by the event-driven scheme.]],
}

local n = setting { "n", 2, integer = true, min = 1, max = 200, doc = "masses" }
local T = setting { "T", 4.4, min = 1e-9, doc = "period" }
local k = setting { "k", 0, min = 0, doc = "stiffness of a spring; 0: n" }
local m = setting { "m", 0, min = 0, doc = "mass; 0: 1/n" }
local gap = setting { "gap", 1, min = 1e-12, doc = "gap at rest" }
local stiffness, each = k > 0 and k or n, m > 0 and m or 1 / n

local mode = impact_mode { n = n, m = each, k = stiffness, gap = gap, T = T }
compute(function() if not mode.admissible then print("not a motion: " .. mode.verdict) end end)

local names, start = {}, { gap_tolerance = 1e-6 }
for i = 1, n do names[i] = "u" .. i end
local u = coordinates(names)
mass(each)
for i = 1, n do
  potential(stiffness / 2 * (u[i] - (i > 1 and u[i - 1] or 0))^2)
  -- what is no motion is not started: the chain then rests
  start[names[i]], start[dot(u[i])] = select(mode.admissible, mode.u[i], 0), select(mode.admissible, mode.v[i], 0)
end
contact { "wall", gap = gap - u[n], restitution = 1 }
initial(start)
local h = T / 400
integrate { scheme = "event-driven", h = h, until_t = select(mode.admissible, 2 * T - h, h) }

measure { impulse = mode.impulses[1], energy = mode.energy, u = mode.u, v = mode.v, max_multiplier = mode.max_multiplier,
          admissible = mode.admissible, impacts = count(impact "wall"), impact_times = times(impact "wall") }
plot { "one-impact-mode", title = "One impact per period, T = " .. T, columns = 2,
  panel { title = "displacements", xlabel = "t", ylabel = "u", line { time(), u[1], label = "first mass" }, line { time(), u[n], label = "last mass" },
          outline { { 0, gap }, { 2 * T, gap }, style = "dotted", label = "wall" } },
  panel { title = "last mass", xlabel = "u", ylabel = "velocity", line { u[n], dot(u[n]) } } }

local apart = 1.5 * gap + 1 / n -- displacements are as large as the gap
local masses_drawn = { wall { { 0, apart }, { 0, -apart } }, wall { { n * apart + gap + apart / 6, -apart }, { n * apart + gap + apart / 6, apart } } }
for i = 1, n do
  local before = i > 1 and (i - 1) * apart + u[i - 1] or 0
  masses_drawn[#masses_drawn + 1] = spring({ before, 0 }, { i * apart + u[i], 0 })
  masses_drawn[#masses_drawn + 1] = disc(i * apart + u[i], 0, apart / 6)
end
draw(masses_drawn)
