-- Table 4: below which restitution does a chain stay together?
experiment {
  title  = "table 4: restitution under which all balls stay together",
  source = "N.S. Nguyen, B. Brogliato, Comparisons of multiple-impact laws for multibody systems, 2018, table 4",
  doc    = [[
Hertz contacts. Neighbours are "stuck" when their velocities differ by less than 1e-3 of the striker's. `threshold` is found by halving
[low, high] `halvings` times, taking the answer as monotone.]],
}

local n  = setting { "n", 10, integer = true, min = 2, max = 100, doc = "balls" }
local es = setting { "es", 0.5, min = 0.01, max = 1, doc = "energetic restitution of the run" }
local low  = setting { "low", 0.01, min = 0.01, max = 1, doc = "stuck here" }
local high = setting { "high", 0.99, min = 0.01, max = 1, doc = "not stuck here" }
local halvings = setting { "halvings", 10, integer = true, min = 0, max = 40, doc = "steps of the search" }

local c = chain { balls = n, restitution = es }
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = "lzb" }

local masses = {}
for i = 1, n do masses[i] = 1 end
local search = compute(function()
  local function largest_difference(e)
    local v = collide { masses = masses, law = "lzb", restitution = e, tolerance = 1e-7, limit = 2e7 }.velocity
    local largest = 0
    for i = 2, n do largest = max(largest, abs(v[i] - v[i - 1])) end
    return largest
  end
  local low, high = low, high
  for _ = 1, halvings do
    local middle = (low + high) / 2
    if largest_difference(middle) < 1e-3 then low = middle else high = middle end
  end
  return { threshold = (low + high) / 2 }
end)

local difference = 0
for i = 2, n do difference = max(difference, abs(c.v[i] - c.v[i - 1])) end
measure { max_difference = difference, stuck = select(1e-3 - difference, 1, 0), threshold = search.threshold }
plot { "velocities", title = "Velocities after the impact", xlabel = "ball", ylabel = "velocity", values { c.v, label = "es = " .. es } }
