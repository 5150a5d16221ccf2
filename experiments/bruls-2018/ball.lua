-- A ball on the floor: the smallest model with accumulating impacts, for the nonsmooth generalized-alpha method.
experiment {
  title  = "ball on the floor by the nonsmooth generalized-alpha method",
  source = "after O. Bruls, V. Acary, A. Cardona, 2018 (their scheme; the ball is a unit test of our own)",
  doc    = [[
A ball of mass m above the floor, restitution e. With m g > 0 and v0 = 0 the first impact is at t1 = sqrt(2 q0/g), and the impacts
accumulate at t1 (1 + 2 e/(1 - e)). `gate` 1 keeps a contact that rebounds out of the acceleration level: then energy does not
rise after impacts, by O(h), as it does in the published scheme.]],
}

local m  = param { "m", 1, unit = "kg", doc = "mass", min = 1e-9 }
local g  = param { "g", 10, unit = "m/s^2", doc = "gravity", min = 1e-9 }
local q0 = param { "q0", 1, unit = "m", doc = "initial height", min = 0 }
local v0 = param { "v0", 0, unit = "m/s", doc = "initial velocity, upwards" }
local e  = param { "e", 0.5, doc = "restitution coefficient", min = 0, max = 1 }
local h  = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.8, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end = param { "t_end", 5, unit = "s", doc = "end time" }
local gate  = param { "gate", 0, integer = true, min = 0, max = 1, doc = "1: rebounding contacts stay out of the acceleration level" }
local flights = setting { "flights", 60, integer = true, min = 1, max = 10000, doc = "flights in the exact motion" }
variant { "gate", doc = "no gain of energy after impacts", gate = 1 }
variant { "lively", doc = "e = 0.8", e = 0.8 }

local q = coordinates("q")
mass      (m)
potential (m * g * q)
contact   { "floor", gap = q, restitution = e }
initial   { q = q0, [dot(q)] = v0 }
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf, gate = gate }

-- The exact motion: parabolas with rebound speeds e^i times the first, then rest.
local t   = time()
local vin = sqrt(v0^2 + 2 * g * q0)
local landing, speed = (v0 + vin) / g, e * vin
local exact_q = select(landing - t, q0 + v0 * t - g * t^2 / 2, 0)
local exact_energy = select(landing - t, m * vin^2 / 2, 0)
for _ = 1, flights do
  local since, next_landing = t - landing, landing + 2 * speed / g
  local flying = min(since, next_landing - t)
  exact_q = exact_q + select(flying, speed * since - g * since^2 / 2, 0)
  exact_energy = exact_energy + select(flying, m * speed^2 / 2, 0)
  landing, speed = next_landing, e * speed
end

record  { exact_q = exact_q, exact_energy = exact_energy, force = impulse "floor" / h }
measure {
  impact_times = times(impact "floor"),
  closed_from  = last(impact "floor"),
  q            = at(q, { 0.6, 1, 2 }),
  v            = at(dot(q), { 0.6, 1, 2 }),
  impulse_sum  = total(impulse "floor"),
  lowest       = minimum(q),
  error        = maximum(abs(q - exact_q)),
  energy_end   = energy(),
  q_end        = q,
}
family { scheme = { "generalized-alpha", "moreau-jean" } }

plot { "nonsmooth-ball", title = "Ball on the floor", columns = 2,
  panel { title = "gap", xlabel = "t", ylabel = "q", line { t, q, family = true, every = 0.005 },
          line { t, exact_q, label = "exact", style = "dashed", every = 0.005 } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", line { t, energy(), family = true, every = 0.005 },
          line { t, exact_energy, label = "exact", style = "dashed", every = 0.005 } },
  panel { title = "error", xlabel = "t", ylabel = "q - exact", line { t, q - exact_q, family = true, every = 0.005 } },
  panel { title = "contact force (at impacts: impulse/h)", xlabel = "t", ylabel = "force", yrange = { 0, 3 * m * g },
          line { t, impulse "floor" / h, family = true },
          outline { { 0, m * g }, { t_end, m * g }, label = "m g", style = "dashed" } } }

draw { disc(0, q + 0.1, 0.1, { name = "ball" }), wall { { -1, 0 }, { 1, 0 } }, touch("floor", { 0, 0 }, { 0, 1 }) }
