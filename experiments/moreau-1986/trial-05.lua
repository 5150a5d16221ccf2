-- Trial 5, plate 6: the particle of trial 4 by the inelastic algorithm.
experiment {
  title  = "the particle of trial 4 by INEL: violation and loss of energy (plate 6)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 5",
  doc    = [[
The same motion as trial 4, computed by INEL with anticipation coefficients 0.3 to 0.7. The wall is respected
best with av = 0.5, better than by ELAST; but each step along the curved wall loses kinetic energy, close to 20 %
of the initial one after a revolution, so that the angle falls behind the exact 5.939 at t = 0.5.]],
}

local h      = param { "h", 0.005, unit = "s", doc = "time step", min = 1e-9 }
local omega0 = param { "omega0", math.sqrt(200), unit = "rad/s", doc = "initial angular velocity" }
local av     = param { "av", 0.5, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local R, gravity = 40, 1000

local x, y = coordinates("x", "y")
kinetic   ((dot(x)^2 + dot(y)^2) / 2)
potential (gravity * y)
contact   { "wall", gap = R^2 - x^2 - y^2 }
initial   { x = 0, y = -R, [dot(x)] = R * omega0 }
integrate { scheme = "inel", h = h, until_t = 1, av = av }

local angle     = atan2(x, -y)
local violation = 1e6 * (hypot(x, y) - R) / R
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
family { av = { 0.3, 0.4, 0.5, 0.6, 0.7 } }

plot { "trial-05", columns = 2, title = "Trial 5: particle inside a circle, scheme inel",
  panel { title = "energy", xlabel = "t", ylabel = "change / initial kinetic energy",
          line { time(), change, family = true } },
  panel { title = "violation of the wall", xlabel = "t", ylabel = "violation (1e-6 R)",
          line { time(), violation, family = true } } }

draw { disc(x, y, 2.5, { name = "particle" }), path { x, y }, wall(arc(0, 0, R)), touch("wall", { x, y }, { -x / hypot(x, y), -y / hypot(x, y) }) }
