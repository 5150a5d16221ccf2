-- Trial 2, plate 3: a pendulum held by a unilateral circular wall, ELAST against the naive reflection.
experiment {
  title  = "pendulum on a circular wall: ELAST against plain reflection (plate 3)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 2",
  doc    = [[
A particle of unit mass in the field (0, 8) moves inside the circle of centre (0, -60) and radius 60, starting at
(0, 0) with velocity (25, 0). The exact motion keeps contact: a pendulum of amplitude 1.214337 rad and period
18.941615. ELAST stays on the circle to plotting accuracy; the reflection rule (scheme billiard) bounces more and
more and gains energy.]],
}

local h  = param { "h", 0.1, unit = "s", doc = "time step", min = 1e-9 }
local u0 = param { "u0", 25, doc = "initial horizontal velocity" }
local av = param { "av", 0, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local R, field = 60, 8

local x, y = coordinates("x", "y")
kinetic   ((dot(x)^2 + dot(y)^2) / 2)
potential (-field * y)
contact   { "wall", gap = -(x^2 + y^2 + 2 * R * y) }
initial   { x = 0, y = 0, [dot(x)] = u0 }
integrate { scheme = "elast", h = h, until_t = 40, av = av }

local deviation = hypot(x, y + R) - R
local change    = (energy() - u0^2 / 2) / (u0^2 / 2)
record  { deviation = deviation, energy_change = change }
measure {
  x = at(x, { 20, 40 }),
  y = at(y, { 20, 40 }),
  deviation_min = minimum(deviation),
  deviation_max = maximum(deviation),
  energy_change = final(change),
  zero_crossings = crossings(atan2(x, y + R)),
}
family { scheme = { "elast", "billiard" } }

plot { "trial-02", title = "Trial 2: pendulum on a circular wall", columns = 2,
  panel { title = "path to t = 20", xlabel = "x", ylabel = "y", equal = true, xrange = { -70, 70 }, yrange = { -60, 10 },
          circle { 0, -R, R }, line { x, y, family = true, to = 20 } },
  panel { title = "distance outside the circle", xlabel = "t", ylabel = "radial deviation",
          line { time(), deviation, family = true, to = 20 } } }

draw { disc(x, y, 2, { name = "particle" }), path { x, y }, segment({ 0, -R }, { x, y }, { dashed = true }), wall(arc(0, -R, R)) }
