-- Trial 3, plate 4: the pendulum of trial 2 by ELAST with wrong anticipation.
experiment {
  title  = "pendulum on a circular wall: ELAST with anticipation -0.5 and +0.5 (plate 4)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 3",
  doc    = [[
The data of trial 2. A negative anticipation coefficient of the tangent cone makes the violation of the wall grow
steadily; a positive one makes the particle leave the wall where it should not. The energy is balanced in both.]],
}

local h  = param { "h", 0.1, unit = "s", doc = "time step", min = 1e-9 }
local u0 = param { "u0", 25, doc = "initial horizontal velocity" }
local av = param { "av", -0.5, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
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
}
family { av = { -0.5, 0, 0.5 } }

plot { "trial-03", title = "Trial 3: ELAST with anticipation", columns = 2,
  panel { title = "path to t = 20", xlabel = "x", ylabel = "y", equal = true, xrange = { -80, 80 }, yrange = { -60, 20 },
          circle { 0, -R, R }, line { x, y, family = true, to = 20 } },
  panel { title = "distance outside the circle", xlabel = "t", ylabel = "radial deviation",
          line { time(), deviation, family = true } } }

draw { disc(x, y, 2, { name = "particle" }), path { x, y }, segment({ 0, -R }, { x, y }, { dashed = true }), wall(arc(0, -R, R)) }
