-- A row of dominoes falls.
experiment {
  title  = "dominoes",
  source = "worked example of bodies",
  doc    = [[
n dominoes in a row in the plane; the first one is pushed. After some dominoes the wave has a speed of its own, whatever the push.]],
}

local n       = setting { "n", 20, integer = true, min = 2, max = 1000, doc = "dominoes" }
local spacing = setting { "spacing", 0.02, unit = "m", doc = "from one to the next", min = 1e-6 }
local push    = param { "push", 6, unit = "rad/s", doc = "spin of the first one", min = 0 }
local mu      = param { "mu", 0.3, doc = "friction between dominoes", min = 0 }
local mu_floor = param { "mu_floor", 0.8, doc = "friction on the floor", min = 0 }
local e       = param { "e", 0, doc = "restitution coefficient", min = 0, max = 1 }
local h       = param { "h", 5e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end   = param { "t_end", 1, unit = "s", doc = "end time" }
variant { "pushed", doc = "a stronger push: the same wave", push = 15 }

local thick, high = 0.008, 0.048
world { gravity = { 0, -9.81 } }
pair  { friction = mu, restitution = e }
pair  { "domino", "floor", friction = mu_floor }
local floor = fixed { "floor", shape = plane { normal = { 0, 1 }, offset = 0 }, material = "floor" }
local d, hits, fallen, lowest = {}, {}, 0, 1
for i = 1, n do
  local spin = i == 1 and -push or 0
  d[i] = body { "d" .. i, shape = box { thick, high }, density = 1800, material = "domino", at = { (i - 1) * spacing, high / 2 },
                spin = spin, velocity = { i == 1 and push * high / 2 or 0, i == 1 and -push * thick / 2 or 0 } }
  fallen = fallen + select(-d[i].phi - 0.5, 1, 0)
  lowest = min(lowest, d[i].y)
end
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

local half = n // 2
measure {
  hit_half = first(impact(d[half], d[half + 1])),
  hit_last = first(impact(d[n - 1], d[n])),
  fallen   = fallen,
  lowest   = minimum(lowest),
}
plot { "dominoes", title = "Dominoes", columns = 1,
  panel { title = "t = 0.2", equal = true, xrange = { -2 * spacing, (n + 2) * spacing }, yrange = { -0.2 * high, 1.3 * high }, scene { at = 0.2 } },
  panel { title = "t = 0.4", equal = true, xrange = { -2 * spacing, (n + 2) * spacing }, yrange = { -0.2 * high, 1.3 * high }, scene { at = 0.4 } },
  panel { title = "end", equal = true, xrange = { -2 * spacing, (n + 2) * spacing }, yrange = { -0.2 * high, 1.3 * high }, scene {} } }
plot { "dominoes-fallen", title = "Dominoes: how many have turned by more than half a radian", xlabel = "t in s", ylabel = "number", line { time(), fallen } }
