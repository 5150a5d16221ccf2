-- The ball on a stiff spring and damper that together give the restitution e.
experiment {
  title  = "penalised ball: restitution from a spring and a damper",
  source = "L. Paoli, Mathematical aspects of vibro-impact problems, 2018, (9)-(10)",
  doc    = [[
While q < 0 a spring n q and a damper 2 zeta sqrt(n) q' act, zeta(e) = -ln e / sqrt(pi^2 + ln^2 e). As n grows the motion tends
to the one with restitution e, with an error of order n^(-1/2). Without gravity a contact lasts pi / sqrt(n (1 - zeta^2)) and
the ball leaves with exactly e times its speed.]],
}

local q0 = param { "q0", 1, doc = "initial height", min = 0 }
local u0 = param { "u0", -1, doc = "initial velocity, upwards" }
local g  = param { "g", 0, doc = "gravity", min = 0 }
local e  = param { "e", 0.5, doc = "restitution coefficient", min = 0, max = 1 }
local n  = param { "n", 1e4, doc = "stiffness per unit mass", min = 1e-6 }
local h  = param { "h", 0.0002, doc = "interval between outputs", min = 1e-9 }
local t_end = param { "t_end", 2, doc = "end time" }
variant { "gravity", doc = "dropped from rest with g = 9.81", g = 9.81, u0 = 0 }

local q = coordinates("q")
mass      (1)
potential (g * q)
contact   { "floor", gap = q, restitution = e }
initial   { q = q0, [dot(q)] = u0 }
integrate { scheme = "penalty", h = h, until_t = t_end, n = n }

local logarithm = log(max(e, 1e-300))
local zeta = select(e, -logarithm / sqrt(pi^2 + logarithm^2), 1)
measure {
  q_15    = at(q, 1.5),
  q_end   = q,
  deepest = minimum(q),
  impacts = count(impact "floor"),
  damping_ratio = zeta,
}
family { n = { 1e4, 1e6, 1e8 } }
plot { "penalty", title = "Penalised ball", xlabel = "t", ylabel = "q", line { time(), q, family = true, every = 0.005 } }

draw { disc(0, q + 0.1, 0.1, { name = "ball" }), wall { { -1, 0 }, { 1, 0 } }, touch("floor", { 0, 0 }, { 0, 1 }) }
