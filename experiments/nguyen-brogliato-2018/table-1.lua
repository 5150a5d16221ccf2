-- Tables 1 and 2: one sweep of binary collisions along a chain, and what it leaves undone.
experiment {
  title  = "tables 1 and 2: one sweep of binary collisions, from left to right",
  source = "N.S. Nguyen, B. Brogliato, Comparisons of multiple-impact laws for multibody systems, 2018, tables 1 and 2",
  doc    = [[
Each contact collides once, in order. sweep_1 ... sweep_n are the velocities then; some pairs still approach. The run itself goes on
until none does (status of the law in the warnings: with losses the collisions need not end).]],
}

local n  = setting { "n", 10, integer = true, min = 2, max = 20, doc = "balls" }
local en = setting { "en", 0.5, min = 0, max = 1, doc = "Newton's restitution of a collision" }
local eps = setting { "eps", 1, min = 1e-6, doc = "mass of every second ball" }
variant { "decorated", doc = "table 2: seven balls, every second one of mass 1/2, elastic", n = 7, en = 1, eps = 0.5 }

local c = chain { balls = n, pattern = "decorated", ratio = eps, restitution = en }
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = "binary" }

local once = collide { masses = c.mass, law = "binary", restitution = en, once = true }
local all  = collide { masses = c.mass, law = "binary", restitution = en, tolerance = 1e-9, limit = 1e6 }
local approaching = 0
for i = 2, n do approaching = approaching + select(once.velocity[i - 1] - 1e-12 - once.velocity[i], 1, 0) end
local named = {}
for i = 1, n do
  named["sweep_" .. i] = once.velocity[i]
  named["v_" .. i] = c.v[i]
end
named.approaching = approaching
named.collisions = all.collisions
measure(named)

plot { "velocities", title = "Binary collisions, left to right", xlabel = "ball", ylabel = "velocity",
       values { once.velocity, label = "one sweep", style = "circle" }, values { c.v, label = "until none approaches" } }
