-- A ball strikes a row of balls at rest that touch each other: who leaves with which velocity?
experiment {
  title  = "one ball strikes a chain of touching balls",
  source = "N.S. Nguyen, B. Brogliato, Comparisons of multiple-impact laws for multibody systems, 2018, section 5.1",
  doc    = [[
One multiple impact, then free flight. The compliance inside the impact (law lzb: force K x^eta, energetic restitution es) decides how
the wave spreads. Moreau's law and binary collisions of the same chain stand beside it: phi_* is how far their outcome is (percent),
good_* how many balls are within 5 %. Sweeps over eta, alpha, es and eps give the figures 9 to 26 of the source.]],
}

local n   = setting { "n", 100, integer = true, min = 2, doc = "balls" }
local eta = setting { "eta", 1.5, min = 1e-3, doc = "exponent of the contact force: 1 linear, 3/2 Hertz" }
local es  = setting { "es", 1, min = 0, max = 1, doc = "energetic restitution (Moreau and binary take the same)" }
local alpha = setting { "alpha", 0, doc = "stiffness K_i = 1 + alpha (i-1); negative: growing to the left" }
local eps = setting { "eps", 1, min = 1e-6, doc = "mass of every second ball" }
local law = setting { "law", "lzb", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of impact" }
local method = setting { "method", "events", choices = { "events", "time", "impulse", "implicit" },
                         doc = "how lzb is integrated" }
local step = setting { "step", 0, min = 0, doc = "its step; 0: automatic" }

variant { "linear", doc = "linear springs in the contacts", eta = 1 }
variant { "stiffening", doc = "K_i = 1 + 20 (i-1): energy spreads most (section 5.1.2)", alpha = 20 }
variant { "dissipative", doc = "restitution 0.95 (section 5.1.3)", es = 0.95 }
variant { "decorated", doc = "101 balls, every second one of mass 0.64 (section 5.1.4)", n = 101, eps = 0.64 }

local function stiffness(i) return alpha >= 0 and 1 + alpha * (i - 1) or 1 - alpha * (n - 1 - i) end
local c = chain { balls = n, pattern = "decorated", ratio = eps, stiffness = stiffness, exponent = eta, restitution = es }
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = law, impact_method = method, impact_step = step }

-- The other laws on the same chain. Binary collisions that lose energy need not end: then the last speeds below 1e-9 are left.
local moreau = collide { masses = c.mass, law = "moreau", restitution = es }
local binary = collide { masses = c.mass, law = "binary", restitution = es, tolerance = 1e-9, limit = 1e6 }

local forward, momentum, ker, difference = 0, 0, 0, 0
for i = 1, n do
  forward  = forward + select(c.v[i] - 1e-3, 1, 0)
  momentum = momentum + c.mass[i] * c.v[i]
  ker      = ker + c.mass[i] * c.v[i]^2 / c.mass[1]
  if i > 1 then difference = max(difference, abs(c.v[i] - c.v[i - 1])) end
end

record  { energy = energy() }
measure { v_first = c.v[1], v_second = c.v[2], v_before_last = c.v[n - 1], v_last = c.v[n],
          cke = dispersion(c), ker = ker, forward = forward, momentum_error = momentum / c.mass[1] - 1,
          max_difference = difference,
          phi_moreau = velocity_gap(c, moreau.velocity), phi_binary = velocity_gap(c, binary.velocity),
          good_moreau = good_velocities(c, moreau.velocity), good_binary = good_velocities(c, binary.velocity) }

plot { "velocities", title = "Velocities after the impact", xlabel = "ball", ylabel = "velocity",
       values { c.v, label = law }, values { moreau.velocity, label = "moreau", style = "cross" },
       values { binary.velocity, label = "binary", style = "plus" } }
