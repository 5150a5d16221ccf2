-- Impacts that accumulate: the event-driven scheme estimates the time at which there are infinitely many.
experiment {
  title  = "bouncing ball: impacts that accumulate (Zeno)",
  source = "L. Paoli, Mathematical aspects of vibro-impact problems, 2018, the bouncing ball",
  doc    = [[
For e < 1 the ball makes infinitely many impacts before t = (u0 + vin)/g + 2 e vin/(g (1 - e)), vin = sqrt(u0^2 + 2 g q0), and
rests afterwards. The event-driven scheme stops there with status `zeno` and the estimated time; with
--option zeno=continue it closes the contact and goes on.]],
}

local q0 = param { "q0", 1, unit = "m", doc = "initial height", min = 0 }
local u0 = param { "u0", 0, unit = "m/s", doc = "initial velocity, upwards" }
local g  = param { "g", 9.81, unit = "m/s^2", doc = "gravity", min = 1e-9 }
local e  = param { "e", 0.5, doc = "restitution coefficient", min = 0, max = 0.999 }
local h  = param { "h", 0.01, unit = "s", doc = "interval between outputs", min = 1e-9 }
local t_end = param { "t_end", 30, unit = "s", doc = "end time" }

local q = coordinates("q")
mass      (1)
potential (g * q)
contact   { "floor", gap = q, restitution = e }
initial   { q = q0, [dot(q)] = u0 }
integrate { scheme = "event-driven", h = h, until_t = t_end }

local vin = sqrt(u0^2 + 2 * g * q0)
measure { exact_zeno_time = (u0 + vin) / g + 2 * e * vin / (g * (1 - e)), last_output = time() }
plot { "zeno", title = "Impacts that accumulate", xlabel = "t", ylabel = "q", line { time(), q } }

draw { disc(0, q + 0.1, 0.1, { name = "ball" }), wall { { -1, 0 }, { 1, 0 } }, touch("floor", { 0, 0 }, { 0, 1 }) }
