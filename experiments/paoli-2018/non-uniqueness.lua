-- A smooth force for which rest and bouncing are both motions from the same start.
experiment {
  title  = "two motions from one start: rest, and bounces at alpha_n",
  source = "L. Paoli, Mathematical aspects of vibro-impact problems, 2018, the counter-example to uniqueness",
  doc    = [[
Restitution 1 and a smooth force f(t) <= 0 that is flat at t = 0. From q = u = 0 the ball may stay at rest, or bounce at the times
alpha_n = (8/3)/(n+1) - (11/6)/(n+2) + (1/6)/(n+3) with velocities 1/(n+3)! after the bounce. No scheme can tell which is "the"
motion: from rest all stay at rest; started at alpha_n on the second motion all follow that.]],
}

local start = setting { "start", 1, integer = true, min = 0, max = 6,
                        doc = "start at alpha_start on the bouncing motion; 0: at rest at t = 0" }
local h = param { "h", 3.6805555555555556e-05, doc = "time step", min = 1e-9 }
variant { "rest", doc = "from rest at t = 0", start = 0, h = 1e-3 }
variant { "alpha-3", doc = "from alpha_3, over two bounces", start = 3, h = 1.4652777777777778e-05 }

local last_arc = 12                                   -- later arcs end before t = 0.09 and are lower than 1e-18
local t_end = 1.5
local function alpha(n) return (8 / 3) / (n + 1) - (11 / 6) / (n + 2) + (1 / 6) / (n + 3) end
local function factorial(n) return n < 2 and 1 or n * factorial(n - 1) end

-- On the arc from alpha(n+1) to alpha(n) the force is 0 at first, then a bump of integral proportional to 1/n!.
local t, f = time(), 0
local bump_integral = 7.029858406610e-3               -- of exp(1/(s (s - 1))) over (0, 1)
for n = 0, last_arc do
  local from = alpha(n + 1) + (n + 5) / ((n + 1) * (n + 2) * (n + 4))
  local to   = alpha(n)
  local s    = max(min((t - from) / (to - from), 1 - 1e-9), 1e-9)
  local bump = exp(1 / (s * (s - 1))) / bump_integral
  f = f + select(min(t - from, to - t), -bump / (2 * factorial(n)), 0)
end

local q = coordinates("q")
mass    (1)
force   { q = f }
contact { "floor", gap = q, restitution = 1 }
local t0, v0 = 0, 0
if start > 0 then t0, v0 = alpha(start), 1 / factorial(start + 3) end
initial   { q = 0, [dot(q)] = v0 }
integrate { scheme = "sweeping", h = h, from_t = t0, until_t = t_end }

record  { force = f }
measure { q_1 = at(q, 1), q_end = q, tops = peaks(q), impacts = times(impact "floor") }
if t0 < 0.6 then measure { q_06 = at(q, 0.6) } end
plot { "non-uniqueness", title = "Bounces under a force that is flat at t = 0", xlabel = "t", ylabel = "q",
       line { t, q, every = 0.005 } }

draw { disc(0, q + 5e-4, 5e-4, { name = "ball" }), wall { { -0.01, 0 }, { 0.01, 0 } } }
