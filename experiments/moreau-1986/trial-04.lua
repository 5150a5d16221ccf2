-- Trial 4, plate 5: a particle runs round the inside of a circle, one constraint, elastic shocks.
experiment {
  title  = "particle inside a circle by ELAST: angle, violation and energy (plate 5)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 4",
  doc    = [[
A particle of unit mass in a uniform field (0, -1000) is confined to a disk of radius 40 and starts at the bottom,
fast enough to keep contact all the way round. The plate compares the angle and the violation of the wall for
five anticipation coefficients av of the tangent cone; av = 0 is best. The exact motion is a pendulum.]],
}

local h      = param { "h", 0.005, unit = "s", doc = "time step", min = 1e-9 }
local omega0 = param { "omega0", math.sqrt(200), unit = "rad/s", doc = "initial angular velocity" }
local av     = param { "av", 0, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local R, gravity = 40, 1000

local x, y = coordinates("x", "y")
kinetic   ((dot(x)^2 + dot(y)^2) / 2)
potential (gravity * y)
contact   { "wall", gap = R^2 - x^2 - y^2 }
initial   { x = 0, y = -R, [dot(x)] = R * omega0 }
integrate { scheme = "elast", h = h, until_t = 1, av = av }

local angle     = atan2(x, -y)                       -- from the start, counter-clockwise
local violation = 1e6 * (hypot(x, y) - R) / R        -- millionths of the radius
local initial_kinetic = R^2 * omega0^2 / 2
local change    = (energy() - (initial_kinetic - gravity * R)) / initial_kinetic
record  { violation = violation, energy_change = change }
measure {
  theta          = at(unwrap(angle), every(0.1)),
  violation      = at(violation, every(0.1)),
  energy_change  = at(change, every(0.1)),
  mean_violation = mean(abs(violation)),
  rms_violation  = rms(violation),
}
family { av = { -0.02, -0.01, 0, 0.01, 0.02 } }

plot { "trial-04", columns = 2, title = "Trial 4: particle inside a circle, scheme elast",
  panel { title = "path", xlabel = "x", ylabel = "y", equal = true,
          circle { 0, 0, R }, line { x, y }, points { x, y, every = 0.1, numbered = true } },
  panel { title = "violation of the wall", xlabel = "t", ylabel = "violation (1e-6 R)",
          line { time(), violation, family = true } } }

draw { disc(x, y, 2.5, { name = "particle" }), path { x, y }, wall(arc(0, 0, R)), touch("wall", { x, y }, { -x / hypot(x, y), -y / hypot(x, y) }) }
