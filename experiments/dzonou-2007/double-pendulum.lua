-- A double pendulum whose tip meets a wall: full mass matrix that depends on the position.
experiment {
  title  = "double pendulum against a wall",
  source = "Dzonou, Monteiro Marques, Paoli, 2007 (named there without data; the data are those of case DP-A)",
  doc    = [[
Point masses m1 and m2 on massless rods l1 and l2, angles from the downward vertical; only the tip meets the wall x = xw, from
its left. The mass matrix is full and depends on the position, so that the metric of the impact law matters. All time-stepping
schemes come to the event-driven motion with first order.]],
}

local m1 = param { "m1", 1, unit = "kg", doc = "mass of the elbow", min = 1e-9 }
local m2 = param { "m2", 1, unit = "kg", doc = "mass of the tip", min = 1e-9 }
local l1 = param { "l1", 1, unit = "m", doc = "upper rod", min = 1e-9 }
local l2 = param { "l2", 1, unit = "m", doc = "lower rod", min = 1e-9 }
local g  = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local xw = param { "xw", -0.3, unit = "m", doc = "position of the wall" }
local th1 = param { "th1", -0.9, unit = "rad", doc = "initial angle of the upper rod" }
local th2 = param { "th2", -0.6, unit = "rad", doc = "initial angle of the lower rod" }
local w1 = param { "w1", 0, unit = "rad/s", doc = "initial angular velocity of the upper rod" }
local w2 = param { "w2", 0, unit = "rad/s", doc = "initial angular velocity of the lower rod" }
local e  = param { "e", 0.5, doc = "restitution coefficient", min = 0, max = 1 }
local h  = param { "h", 0.001, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
variant { "inelastic", doc = "e = 0: the tip stays at the wall for a while", e = 0 }
variant { "elastic", doc = "e = 1: the energy is constant", e = 1 }

local a, b   = coordinates("angle1", "angle2")
local x1, y1 = l1 * sin(a), -l1 * cos(a)
local x2, y2 = x1 + l2 * sin(b), y1 - l2 * cos(b)
kinetic   (m1 * (dot(x1)^2 + dot(y1)^2) / 2 + m2 * (dot(x2)^2 + dot(y2)^2) / 2)
potential (m1 * g * y1 + m2 * g * y2)
contact   { "wall", gap = xw - x2, restitution = e }
initial   { angle1 = th1, angle2 = th2, [dot(a)] = w1, [dot(b)] = w2 }
integrate { scheme = "sweeping", h = h, until_t = t_end, zeno = "continue", n = 1e6 }

local instants = { 0.5, 1, 1.5, 2 }
record  { tip_x = x2, tip_y = y2 }
measure {
  angle1       = at(a, instants),
  angle2       = at(b, instants),
  angle1_end   = a,
  angle2_end   = b,
  energy_end   = energy(),
  deepest      = minimum(gap "wall"),
  impact_times = times(impact "wall"),
}
family { scheme = { "sweeping", "paoli-schatzman", "moreau-jean", "penalty", "event-driven" } }

plot { "double-pendulum", title = "Double pendulum against a wall", columns = 2,
  panel { title = "path of the tip", xlabel = "x", ylabel = "y", equal = true,
          outline { { xw, -(l1 + l2) }, { xw, -(l1 + l2) / 2 } },
          line { x2, y2, every = 0.01 }, points { x2, y2, every = 0.25, numbered = true } },
  panel { title = "gap", xlabel = "t", ylabel = "gap", line { time(), gap "wall", family = true, every = 0.01 } } }

local r = (l1 + l2) / 40
draw { segment({ 0, 0 }, { x1, y1 }), segment({ x1, y1 }, { x2, y2 }), pin { 0, 0 }, disc(x1, y1, r), disc(x2, y2, r, { name = "tip" }), path { x2, y2 },
       wall { { xw, -(l1 + l2) * 1.2 }, { xw, (l1 + l2) / 2 } }, touch("wall", { x2, y2 }, { -1, 0 }) }
