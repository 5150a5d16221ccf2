-- A force u^2: the velocity becomes infinite in finite time without any impact.
experiment {
  title  = "blow-up in finite time: force u^2",
  source = "L. Paoli, Mathematical aspects of vibro-impact problems, 2018, the example of blow-up",
  doc    = [[
u = 1/(1/u0 - t), q = q0 - ln(1 - u0 t): the motion ends at t = 1/u0 without any impact. A run past that time (variant `past`)
ends with status `blowup` and keeps what was computed.]],
}

local q0 = param { "q0", 1, doc = "initial position", min = 0 }
local u0 = param { "u0", 2, doc = "initial velocity", min = 1e-9 }
local h  = param { "h", 0.001, doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 0.4, doc = "end time; the motion ends at 1/u0" }
variant { "past", doc = "to t = 0.6, past the end of the motion at 0.5", t_end = 0.6 }

local q = coordinates("q")
mass      (1)
force     { q = dot(q)^2 }
contact   { "floor", gap = q }
initial   { q = q0, [dot(q)] = u0 }
integrate { scheme = "sweeping", h = h, until_t = t_end }

-- The exact motion exists before t = 1/u0 only; `known` is a window that stops short of it.
local remaining = max(1 - u0 * time(), 1e-6)
local exact_q, exact_v = q0 - log(remaining), u0 / remaining
local known = { to = 0.999 / u0 }
record  { exact_q = exact_q, exact_v_q = exact_v }
measure { q_end = q, u_end = dot(q), exact_q_end = final(exact_q, known), exact_u_end = final(exact_v, known) }

plot { "blow-up", title = "Blow-up in finite time", xlabel = "t", ylabel = "q",
       line { time(), q, label = "computed", to = known.to },
       line { time(), exact_q, label = "exact", style = "dashed", to = known.to } }

draw { disc(0, q + 0.1, 0.1, { name = "ball" }), wall { { -1, 0 }, { 1, 0 } } }
