-- A forced, damped chain against a wall: how many impacts per period?
experiment {
  title  = "forced response of a chain against a wall",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, figures 15 to 18, 25 to 28",
  doc    = [[
n masses and springs of the unit bar (m = 1/n, k = n), damping C = cd K, a force F cos(2 pi t / T) on the first or last mass or shared by all, a wall at the last one with restitution e. The source does not say where its
force acts. Moreau-Jean steps from rest; measures look at the last `seen` of `periods` periods.]],
}

local n  = setting { "n", 5, integer = true, min = 1, max = 200, doc = "masses" }
local place = setting { "place", "first", choices = { "first", "last", "distributed" }, doc = "where the force acts" }
local T  = param { "T", 4.4, min = 1e-9, doc = "period of the force" }
local F  = param { "F", 5, doc = "amplitude" }
local cd = param { "cd", 0.1, min = 0, doc = "damping over stiffness" }
local e  = param { "e", 1, min = 0, max = 1, doc = "restitution" }
local g0 = param { "g0", 1, min = 0, doc = "gap" }
local steps   = param { "steps", 2000, integer = true, min = 10, doc = "steps per period" }
local periods = param { "periods", 100, integer = true, min = 1, doc = "periods" }
local seen    = param { "seen", 12, integer = true, min = 1, doc = "periods that are looked at" }
variant { "two-periods", doc = "F = 4, C = 0.02 K: the response has twice the period", F = 4, cd = 0.02 }
variant { "chatter", doc = "F = 14 on the last mass, C = K", F = 14, cd = 1, place = "last" }
variant { "restitution", doc = "T = 5.9, force 2/n on every mass, C = 0.05 K: does e matter?", T = 5.9, F = 2, cd = 0.05, place = "distributed", steps = 4000, periods = 60,
          seen = 1, family = { e = { 1, 0.7, 0 } } }

local names = {}
for i = 1, n do names[i] = "u" .. i end
local u = coordinates(names)
local k, t = n, time()
mass(1 / n)
local push = {}
for i = 1, n do
  local left, right = i > 1 and u[i - 1] or 0, u[i + 1]
  potential(k / 2 * (u[i] - left)^2)
  local rate = 2 * dot(u[i]) - (i > 1 and dot(u[i - 1]) or 0) - (i < n and dot(u[i + 1]) or 0)
  if i == n then rate = dot(u[n]) - (n > 1 and dot(u[n - 1]) or 0) end
  local share = place == "distributed" and 1 / n or (place == "first" and i == 1 or place == "last" and i == n) and 1 or 0
  push[names[i]] = -cd * k * rate + share * F * cos(2 * pi * t / T)
end
force(push)
contact { "wall", gap = g0 - u[n], restitution = e }
integrate { scheme = "moreau-jean", h = T / steps, until_t = periods * T }

local window = { from = (periods - seen) * T, to = periods * T }
record  { tip = u[n], energy = energy() }
measure { impacts_seen = count(impact "wall", window), tip_min = minimum(u[n], window), tip_max = maximum(u[n], window),
          energy_mean = mean(energy(), window), hardest = maximum(impulse "wall", window) }
plot { "forced", title = "Forced chain", columns = 2,
  panel { title = "last mass, at the end", xlabel = "t", ylabel = "u", line { t, u[n], from = (periods - 4) * T, family = true },
          outline { { (periods - 4) * T, g0 }, { periods * T, g0 }, style = "dotted" } },
  panel { title = "phase portrait, at the end", xlabel = "u", ylabel = "velocity", line { u[n], dot(u[n]), from = (periods - 4) * T, family = true } } }

local apart = 1.5 * g0 + 1 / n -- displacements are as large as the gap
local masses_drawn = { wall { { 0, apart }, { 0, -apart } }, wall { { n * apart + g0 + apart / 6, -apart }, { n * apart + g0 + apart / 6, apart } } }
for i = 1, n do
  local before = i > 1 and (i - 1) * apart + u[i - 1] or 0
  masses_drawn[#masses_drawn + 1] = spring({ before, 0 }, { i * apart + u[i], 0 })
  masses_drawn[#masses_drawn + 1] = disc(i * apart + u[i], 0, apart / 6)
end
draw(masses_drawn)
