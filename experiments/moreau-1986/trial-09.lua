-- Trial 9, plates 11 to 13: a small object on a vibrating table, with static and dynamic friction.
experiment {
  title  = "particle on a vibrating table with dry friction (plates 11 to 13)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 9",
  doc    = [[
The table's frame Oxyz vibrates: its origin moves as Oc cos(wt + phase) + Os sin(wt + phase), and it turns by the angle
|A| sin(wt) about the fixed direction A through O. In that frame the table is the fixed wall z >= 0, and the particle
feels gravity, the frame's acceleration and Coriolis forces. Units: centimetre, second.
Plate 11: circular translation; the relative motion tends to a uniform circle. Plate 12: oscillating rotation about an
inclined axis; all paths head for the half-line x = 0, y > 0. Plate 13: an inclined conveyor with attracting lines.]],
}

local rho   = param { "rho", 5, unit = "cm", doc = "radius of the circular translation of O", min = 0 }
local freq  = param { "freq", 3.183099, unit = "Hz", doc = "frequency of the table", min = 1e-9 }
local mu_s  = param { "mu_s", 0.6, doc = "static friction coefficient", min = 0 }
local mu_d  = param { "mu_d", 0.4, doc = "dynamic friction coefficient", min = 0 }
local N     = param { "steps_per_period", 100, doc = "time steps per period", min = 2, integer = true }
local J     = param { "start_phase", 0, doc = "the motion starts at t = start_phase * h", min = 0, integer = true }
local periods = param { "periods", 40, doc = "number of periods", min = 1e-3 }
local x0    = param { "x0", 0, unit = "cm", doc = "initial position on the table" }
local y0    = param { "y0", 0, unit = "cm", doc = "initial position on the table" }
local sense = param { "sense", -1, doc = "sense of the eccentric of plate 13: -1 or 1", min = -1, max = 1, integer = true }
local oc_y  = param { "oc_y", 0, unit = "cm", doc = "amplitude of the origin along y (plate 13)" }
local phase = param { "phase", 0, unit = "rad", doc = "phase advance of the origin's vibration" }
local Ax    = param { "Ax", 0, unit = "rad", doc = "rotation vector A" }
local Ay    = param { "Ay", 0, unit = "rad", doc = "rotation vector A" }
local Az    = param { "Az", 0, unit = "rad", doc = "rotation vector A" }
local gx    = param { "gx", 0, unit = "cm/s^2", doc = "gravity along x (an inclined table)" }
local gz    = param { "gz", -981, unit = "cm/s^2", doc = "gravity along z" }

variant { "plate-11", doc = "circular translation, relative motion tends to a circle" }
variant { "plate-12", doc = "oscillating rotation about (0, -1, 1)", rho = 0, freq = 10, mu_s = 0.4, mu_d = 0.4,
          steps_per_period = 26, start_phase = 6, periods = 15, x0 = 1.5, y0 = -12, Ay = -0.04, Az = 0.04,
          family = { y0 = { -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1 } } }
local conveyor_starts = {}
for i = 0, 9 do conveyor_starts[i + 1] = 5 + i * 125 / 9 end
variant { "plate-13", doc = "inclined conveyor, eccentric turning clockwise", rho = 0, freq = 10, mu_s = 0.4,
          mu_d = 0.4, steps_per_period = 50, periods = 50, x0 = 0, y0 = 5, sense = -1, oc_y = 0.5, Ax = 0.01,
          gx = 220.677, gz = -955.8571, family = { y0 = conveyor_starts } }
variant { "plate-13-lower", doc = "inclined conveyor, eccentric turning the other way", rho = 0, freq = 10,
          mu_s = 0.4, mu_d = 0.4, steps_per_period = 50, periods = 50, x0 = 0, y0 = 5, sense = 1, oc_y = 0.5,
          Ax = 0.01, gx = 220.677, gz = -955.8571, family = { y0 = conveyor_starts } }

local x, y, z = coordinates("x", "y", "z")
local q, u = { x, y, z }, { dot(x), dot(y), dot(z) }

-- vectors as tables of three expressions
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local function scale(s, a) return { s * a[1], s * a[2], s * a[3] } end
local function sum(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
local function inner(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local w = 2 * pi * freq
local C, S = cos(w * time()), sin(w * time())
local Cp, Sp = cos(w * time() + phase), sin(w * time() + phase)
local A = { Ax, Ay, Az }
local amplitude = sqrt(inner(A, A) + 1e-300) -- not 0, so that derivatives by A at A = 0 are those of angle times axis
local axis = scale(1 / amplitude, A)
local angle = amplitude * S
local omega, omega_rate = scale(w * C, A), scale(-w^2 * S, A)
local origin_acceleration = { -w^2 * rho * Cp, -w^2 * (sense * oc_y * Cp + rho * Sp), 0 }
local g = sum({ gx, 0, gz }, scale(-1, origin_acceleration))        -- in the fixed frame
local g_table = sum(sum(scale(cos(angle), g), scale(-sin(angle), cross(axis, g))),
                    scale(inner(axis, g) * (1 - cos(angle)), axis)) -- in the table's frame
local Q = sum(sum(g_table, scale(-1, cross(omega_rate, q))),
              sum(scale(-1, cross(omega, cross(omega, q))), scale(-2, cross(omega, u))))

mass      (1)
force     { x = Q[1], y = Q[2], z = Q[3] }
contact   { "table", gap = z, slip = { dot(x), dot(y) }, friction = { static = mu_s, dynamic = mu_d } }
initial   { x = x0, y = y0 }
local h, period = 1 / (N * freq), 1 / freq
local start = J * h
integrate { scheme = "moreau-friction", h = h, from_t = start, until_t = start + periods * period }

local speed = hypot(dot(x), dot(y))
local last_period = { from = start + (periods - 1) * period + h / 2 }
record  { speed = speed }
measure {
  -- over one period of a regular polygon the variance of x is r^2 / 2, exactly
  radius   = deviation(sqrt(2) * x, last_period),
  speed    = mean(speed, last_period),
  centre_x = mean(x, last_period),
  centre_y = mean(y, last_period),
  x        = at(x, { start + period, start + 5 * period, start + periods * period }),
  y        = at(y, { start + period, start + 5 * period, start + periods * period }),
  z_max    = maximum(z),
  contact_fraction = fraction(touching "table"),
  stick_fraction   = fraction(sticking "table"),
}

plot { "trial-09", only = { "", "plate-11" }, title = "Trial 9, plate 11: table in circular translation", columns = 2,
  panel { title = "path on the table", xlabel = "x", ylabel = "y", equal = true, line { x, y } },
  panel { title = "relative speed", xlabel = "t", ylabel = "speed", line { time(), speed } } }
plot { "trial-09-plate-12", only = { "plate-12" }, columns = 2,
  title = "Trial 9, plate 12: table oscillating about (0, -1, 1), 12 starts, 15 periods",
  panel { title = "from above", xlabel = "y", ylabel = "x", equal = true, line { y, x, family = true } },
  panel { title = "from the side", xlabel = "y", ylabel = "z", line { y, z, family = true } } }
plot { "trial-09-plate-13", only = { "plate-13" }, title = "Trial 9, plate 13: conveyor, clockwise eccentric",
  xlabel = "x", ylabel = "y", equal = true, line { x, y, family = true } }
plot { "trial-09-plate-13-lower", only = { "plate-13-lower" },
  title = "Trial 9, plate 13: conveyor, counter-clockwise eccentric",
  xlabel = "x", ylabel = "y", equal = true, line { x, y, family = true } }

draw { disc(x, y, 0.6, { name = "particle on the table" }), path { x, y }, text({ 0, 0 }, "O") }
