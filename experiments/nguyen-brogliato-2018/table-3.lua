-- Table 3: how many binary collisions does a disordered chain need?
experiment {
  title  = "table 3: number of binary collisions in a disordered chain",
  source = "N.S. Nguyen, B. Brogliato, Comparisons of multiple-impact laws for multibody systems, 2018, table 3",
  doc    = [[
Random masses 1/2 + u, u uniform; the source does not say which it took. Collisions from left to right and in random order are counted
until no pair approaches by more than 1e-9; a count at `limit` means that there was no end.]],
}

local n  = setting { "n", 10, integer = true, min = 2, max = 200, doc = "balls" }
local en = setting { "en", 0.9, min = 0, max = 1, doc = "Newton's restitution of a collision" }
local seed = setting { "seed", 1, integer = true, min = 1, doc = "seed of the masses" }
local order_seed = setting { "order_seed", 1, integer = true, min = 1, doc = "seed of the random order" }
local limit = setting { "limit", 1000000, min = 1, doc = "most collisions" }

local x, masses = seed, {}
for i = 1, n do
  x = 16807 * x % 2147483647
  masses[i] = 0.5 + x / 2147483647
end
local c = chain { balls = n, mass = masses, restitution = en }
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = "binary" }

local function count(order)
  return collide { masses = masses, law = "binary", restitution = en, order = order, seed = order_seed,
                   tolerance = 1e-9, limit = limit }
end
local lr, rl, random = count("lr"), count("rl"), count("random")
measure { lr = lr.collisions, rl = rl.collisions, random = random.collisions,
          v_last_lr = lr.velocity[n], v_last_random = random.velocity[n] }
plot { "velocities", title = "The order of collisions matters", xlabel = "ball", ylabel = "velocity",
       values { lr.velocity, label = "left to right" }, values { rl.velocity, label = "right to left", style = "cross" },
       values { random.velocity, label = "random order", style = "circle" } }
