-- Trial 8, plate 10: a bar inside a circle, two constraints at once.
experiment {
  title  = "bar inside a circle, two contacts, by INEL with violation correction (plate 10)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 8",
  doc    = [[
A straight bar AB (GA = 37.5, GB = 12.5, radius of gyration 21.65) moves in a vertical plane inside a circle of
radius 45. Both ends touch at the start; A leaves, B leaves, A strikes again by an inelastic shock, then B. The bar
is drawn every 0.05 s and numbered as in the plate. With smaller steps B strikes later and later, and the exact motion has
no second contact of B before t = 1.5: the end of the plate is an artefact of the step's dissipation.]],
}

local h  = param { "h", 0.01, unit = "s", doc = "time step", min = 1e-9 }
local av = param { "av", 0.5, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local correction = param { "correction", 1, doc = "1: violated contacts are moved back in each step, 0: not",
                           min = 0, max = 1, integer = true }
local t_end = param { "t_end", 1.5, unit = "s", doc = "end time" }
local a, b, k, r, gravity = 37.5, 12.5, 21.65, 45, 981

local x, y, theta = coordinates("x", "y", "theta")          -- centre of mass G, angle from Ox to AB
kinetic   ((dot(x)^2 + dot(y)^2 + k^2 * dot(theta)^2) / 2)
potential (gravity * y)
local function gap_of_end(s)                                -- end at G + s (cos theta, sin theta)
  return r^2 - (x^2 + y^2 + 2 * s * (x * cos(theta) + y * sin(theta)) + s^2)
end
contact   { "A", gap = gap_of_end(-a) }
contact   { "B", gap = gap_of_end(b) }
-- The printed start violates the contact of A by 0.0185 (in units of length squared): it comes from an earlier run.
initial   { x = 35.72, y = -16.7431, theta = 4.59648,
            [dot(x)] = 121.734, [dot(y)] = 260.301, [dot(theta)] = 7.26448, gap_tolerance = 0.02 }
integrate { scheme = "inel", h = h, until_t = t_end, av = av, correction = correction }

local xa, ya = x - a * cos(theta), y - a * sin(theta)
local xb, yb = x + b * cos(theta), y + b * sin(theta)
record  { impulse_A = impulse "A", impulse_B = impulse "B" }
measure {
  A_leaves = times(release "A"), A_strikes = times(impact "A"),
  B_leaves = times(release "B"), B_strikes = times(impact "B"),
  x_at_1 = at(x, 1), y_at_1 = at(y, 1), theta_at_1 = at(theta, 1),
}

plot { "trial-08", title = "Trial 8: bar inside a circle, every 0.05 s", xlabel = "x", ylabel = "y", equal = true,
  circle { 0, 0, r },
  segments { xa, ya, xb, yb, every = 0.05 },
  points { xa, ya, every = 0.05, style = "plus", label = "end A", numbered = true },
  points { xb, yb, every = 0.05, style = "cross", label = "end B" } }

draw { rod({ xa, ya }, { xb, yb }, 0.8, { name = "bar" }), path { xa, ya }, path { xb, yb }, text({ xa, ya }, "A"), text({ xb, yb }, "B"),
       wall(arc(0, 0, r)), touch("A", { xa, ya }, { -xa / r, -ya / r }), touch("B", { xb, yb }, { -xb / r, -yb / r }) }
