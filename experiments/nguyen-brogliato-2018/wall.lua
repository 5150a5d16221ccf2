-- A chain of touching balls is thrown against a wall.
experiment {
  title  = "a chain of touching balls hits a wall",
  source = "N.S. Nguyen, B. Brogliato, Comparisons of multiple-impact laws for multibody systems, 2018, section 5.2",
  doc    = [[
Ball 1 is the one farthest from the wall ("top"), ball n touches it. Moreau's law and binary collisions throw all balls back with e;
with compliance the top ball leaves with almost twice its speed.]],
}

local n   = setting { "n", 100, integer = true, min = 1, doc = "balls" }
local eta = setting { "eta", 1.5, min = 1e-3, doc = "exponent of the contact force" }
local es  = setting { "es", 1, min = 0, max = 1, doc = "energetic restitution" }
local k_wall = setting { "k_wall", 1, min = 1e-9, doc = "stiffness of the wall's contact over that between balls" }
local law = setting { "law", "lzb", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of impact" }
local method = setting { "method", "events", choices = { "events", "time", "impulse", "implicit" },
                         doc = "how lzb is integrated" }
local step = setting { "step", 0, min = 0, doc = "its step; 0: automatic" }
variant { "linear", doc = "linear springs: most balls in the middle stay together", eta = 1 }
variant { "dissipative", doc = "restitution 0.99: half the energy is lost", es = 0.99 }

local c = chain { balls = n, wall = true, exponent = eta, restitution = es,
                  stiffness = function(i) return i == n and k_wall or 1 end }
-- Binary collisions are treated from the wall outwards.
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = law, impact_order = "rl",
            impact_method = method, impact_step = step }
local moreau = collide { masses = c.mass, law = "moreau", restitution = es, wall = true }

local ker, stuck = 0, 0
for i = 1, n do
  ker = ker + c.v[i]^2 / n
  if i > 1 then stuck = stuck + select(0.005 - abs(c.v[i] - c.v[i - 1]), 1, 0) end
end
record  { energy = energy() }
measure { v_top = c.v[1], v_middle = c.v[(n + 1) // 2], v_bottom = c.v[n], ker = ker, stuck = stuck,
          phi_moreau = velocity_gap(c, moreau.velocity), wall_impulse = total(impulse "wall") }

plot { "velocities", title = "Velocities after the impact with the wall", xlabel = "ball (1: top, n: at the wall)",
       ylabel = "velocity", values { c.v, label = law }, values { moreau.velocity, label = "moreau", style = "cross" } }
