-- The cost of the law: a thousand steel beads.
experiment {
  title  = "1000 steel beads, struck at 1 m/s",
  source = "N.S. Nguyen, B. Brogliato, Comparisons of multiple-impact laws for multibody systems, 2018, section 4.3",
  doc    = [[
Hertz contacts between steel balls of 1 cm radius. The source integrates the impact with steps of 1e-8 s (2.9e6 of them) or of
1e-6 N s (2.2e7). `method = "time"`, `step = 1e-8` is its scheme; the default locates the changes of phase.]],
}

local n   = setting { "n", 1000, integer = true, min = 2, doc = "beads" }
local E   = setting { "E", 203e9, min = 1, unit = "Pa", doc = "Young's modulus" }
local nu  = setting { "nu", 0.3, min = 0, max = 0.5, doc = "Poisson's ratio" }
local r   = setting { "r", 0.01, min = 1e-9, unit = "m", doc = "radius" }
local rho = setting { "rho", 7780, min = 1e-9, unit = "kg/m3", doc = "density" }
local es  = setting { "es", 1, min = 0, max = 1, doc = "energetic restitution" }
local method = setting { "method", "events", choices = { "events", "time", "impulse", "implicit" },
                         doc = "how lzb is integrated" }
local step = setting { "step", 0, min = 0, doc = "its step, s or N s; 0: automatic" }
variant { "published", doc = "the source's scheme and step", method = "time", step = 1e-8 }

local m = 4 / 3 * pi * r^3 * rho
local K = E * sqrt(2 * r) / (3 * (1 - nu^2))
local masses = {}
for i = 1, n do masses[i] = m end

-- A thousand balls would be slow as a motion; the impact itself is all there is to see.
local out = collide { masses = masses, law = "lzb", stiffness = K, exponent = 1.5, restitution = es,
                      method = method, step = step, tolerance = method == "time" and 1e-6 or 0, limit = 1e8 }
local shown = min(n, 10)
local c = chain { balls = shown, mass = m, velocity = function(i) return out.velocity[n - shown + i] end }
integrate { scheme = "event-driven", h = 1, until_t = 1 }

local share, mean, squares = {}, 0, 0
for i = 1, n do
  share[i] = out.velocity[i]^2
  mean = mean + share[i] / n
end
for i = 1, n do squares = squares + (share[i] - mean)^2 / n end

measure { v_1 = out.velocity[1], v_2 = out.velocity[2], v_before_last = out.velocity[n - 1],
          v_last = out.velocity[n], energy_error = out.energy_ratio - 1,
          steps = out.steps, duration = out.duration, cke = sqrt(squares) / mean,
          stiffness = K, mass = m }
plot { "velocities", title = "Velocities of the last beads", xlabel = "bead, counted from n - 10", ylabel = "velocity",
       values { c.v, label = "lzb" } }
