-- A ball on the floor: every scheme on one picture, beside the exact motion.
experiment {
  title  = "bouncing ball: every scheme against the exact motion",
  source = "L. Paoli, Time discretization of vibro-impact, 2001, sections 3a, 4b; Mathematical aspects, 2018, Figs 2-4",
  doc    = [[
A ball of unit mass above the floor q = 0. With gravity and e < 1 its impacts accumulate at
t = (u0 + vin)/g + 2 e vin/(g (1 - e)), vin = sqrt(u0^2 + 2 g q0), and it rests afterwards. Variant `free` has no gravity and
the step of the figures, 0.15: the position-level scheme paoli-schatzman comes back two steps late, q = e (t - 1 - 2 h);
the velocity-level scheme sweeping reflects at the first position that is not positive. exact_q and exact_v_q are the
exact motion, for carom converge --reference exact.]],
}

local q0 = param { "q0", 1, unit = "m", doc = "initial height", min = 0 }
local u0 = param { "u0", 0, unit = "m/s", doc = "initial velocity, upwards" }
local g  = param { "g", 9.81, unit = "m/s^2", doc = "gravity", min = 0 }
local e  = param { "e", 0.5, doc = "restitution coefficient", min = 0, max = 1 }
local h  = param { "h", 0.000625, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
local flights = setting { "flights", 40, integer = true, min = 1, max = 10000, doc = "flights in the exact motion with gravity" }
variant { "free", doc = "without gravity, h = 0.15 (2018, Figs 2-4)", g = 0, u0 = -1, h = 0.15, t_end = 1.95 }

local q = coordinates("q")
mass      (1)
potential (g * q)
contact   { "floor", gap = q, restitution = e }
initial   { q = q0, [dot(q)] = u0 }
integrate { scheme = "moreau-jean", h = h, until_t = t_end, zeno = "continue", n = 1e6 }

-- The exact motion with gravity: parabolas with rebound speeds e^i vin, then rest.
local t      = time()
local some_g = select(g, g, 1)                              -- where g = 0 its value is not used
local vin    = sqrt(u0^2 + 2 * g * q0)
local impact_time, speed = (u0 + vin) / some_g, e * vin
local exact_q = select(impact_time - t, q0 + u0 * t - g * t^2 / 2, 0)
local exact_v = select(impact_time - t, u0 - g * t, 0)
for _ = 1, flights do
  local since, landing = t - impact_time, impact_time + 2 * speed / some_g
  local flying = min(since, landing - t)
  exact_q = exact_q + select(flying, speed * since - g * since^2 / 2, 0)
  exact_v = exact_v + select(flying, speed - g * since, 0)
  impact_time, speed = landing, e * speed
end
local some_loss = select(1 - e, 1 - e, 1)
local zeno_time = select(g * (1 - e), (u0 + vin) / some_g + 2 * e * vin / (some_g * some_loss), t + 1)

-- Without gravity: straight down, then straight up with e times the speed; no impact when u0 >= 0.
local hit      = select(-u0, q0 / select(-u0, -u0, 1), t + 1)
local straight = select(hit - t, q0 + u0 * t, -e * u0 * (t - hit))
exact_q = select(g, exact_q, straight)
exact_v = select(g, exact_v, select(hit - t, u0, -e * u0))

record  { exact_q = exact_q, exact_v_q = exact_v, error = q - exact_q }
measure {
  q           = at(q, { 0.5, 1, 1.5, 2 }),
  q_end       = q,
  lowest      = minimum(q),
  error       = maximum(abs(q - exact_q)),
  impacts     = count(impact "floor"),
  zeno_time   = crossings(t - zeno_time),                   -- no value when it is not reached
}
family { scheme = { "paoli-schatzman", "sweeping", "moreau-jean", "penalty", "event-driven" } }

plot { "bouncing-ball", only = { "" }, title = "Bouncing ball", columns = 2,
  panel { title = "height", xlabel = "t", ylabel = "q",
          line { t, q, family = true, every = 0.01 }, line { t, exact_q, label = "exact", style = "dashed", every = 0.01 } },
  panel { title = "error", xlabel = "t", ylabel = "q - exact", line { t, q - exact_q, family = true, every = 0.01 } } }
plot { "bouncing-ball-free", only = { "free" }, title = "Ball without gravity, h = 0.15", xlabel = "t", ylabel = "q",
  outline { { 0, 0 }, { t_end, 0 } },
  outline { { 0, q0 }, { -q0 / min(u0, -1e-9), 0 }, { t_end, -e * u0 * (t_end + q0 / min(u0, -1e-9)) }, label = "exact", style = "dashed" },
  points { t, q, family = true } }

draw { disc(0, q + 0.1, 0.1, { name = "ball" }), wall { { -1, 0 }, { 1, 0 } }, touch("floor", { 0, 0 }, { 0, 1 }) }
