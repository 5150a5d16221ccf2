-- A four-bar linkage: a closed loop of three bodies and four pins, with a stop for the rocker.
experiment {
  title  = "four-bar linkage with a stop",
  source = "worked example of the mechanism library",
  doc    = [[
Crank, coupler and rocker between two fixed pins. Nine coordinates, eight joint equations, one freedom left; the joints are independent. The
crank starts with the speed w0, gravity acts, and the rocker's end bounces off a wall x = wall with restitution e.]],
}

local a = param { "a", 1, unit = "m", doc = "crank", min = 1e-9 }
local b = param { "b", 3.5, unit = "m", doc = "coupler", min = 1e-9 }
local c = param { "c", 3, unit = "m", doc = "rocker", min = 1e-9 }
local d = param { "d", 4, unit = "m", doc = "distance of the fixed pins", min = 1e-9 }
local m = param { "m", 1, unit = "kg/m", doc = "mass per length", min = 1e-9 }
local g = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local e = param { "e", 0.6, doc = "restitution coefficient", min = 0, max = 1 }
local wall_x = param { "wall", 2.2, unit = "m", doc = "place of the wall, left of the rocker's end" }
local phi0 = param { "phi0", 1, unit = "rad", doc = "initial angle of the crank" }
local w0   = param { "w0", 6, unit = "rad/s", doc = "initial speed of the crank" }
local h = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.8, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end = param { "t_end", 3, unit = "s", doc = "end time" }
local gate  = param { "gate", 1, integer = true, min = 0, max = 1, doc = "1: rebounding contacts stay out of the acceleration level" }
variant { "free", doc = "no wall in reach: the energy is constant", wall = -10 }

-- Angles of coupler and rocker from the triangle of crank end and fixed pin; their rates from the closed loop.
local px, py = a * cos(phi0), a * sin(phi0)
local f      = hypot(d - px, py)
local phi3   = atan2(-py, d - px) + acos((f^2 + b^2 - c^2) / (2 * f * b))
local phi4   = atan2(py + b * sin(phi3), px + b * cos(phi3) - d)
local w3     = -a * w0 * sin(phi0 - phi4) / (b * sin(phi3 - phi4))
local w4     = a * w0 * sin(phi0 - phi3) / (c * sin(phi4 - phi3))

local function link(name, length, phi, omega, on, at)
  return body2d { name, mass = m * length, inertia = m * length^3 / 12, pinned = { { -length / 2, 0 }, on, at }, phi = phi, omega = omega, gravity = g }
end
local crank   = link("crank", a, phi0, w0, ground, { 0, 0 })
local coupler = link("coupler", b, phi3, w3, crank, { a / 2, 0 })
local rocker  = link("rocker", c, phi4, w4, ground, { d, 0 })
revolute { "A", crank, { -a / 2, 0 }, ground, { 0, 0 } }
revolute { "B", crank, { a / 2, 0 }, coupler, { -b / 2, 0 } }
revolute { "C", coupler, { b / 2, 0 }, rocker, { c / 2, 0 } }
revolute { "D", rocker, { -c / 2, 0 }, ground, { d, 0 } }
local tip_x, tip_y = rocker:point { c / 2, 0 }
contact   { "stop", gap = tip_x - wall_x, restitution = e }
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf, gate = gate }

local bx, by = coupler:point { -b / 2, 0 }
local cx, cy = coupler:point { b / 2, 0 }
local ax, ay = crank:point { a / 2, 0 }
measure {
  drift        = maximum(max(max(abs(ax - bx), abs(ay - by)), max(abs(cx - tip_x), abs(cy - tip_y)))),
  impact_times = times(impact "stop"),
  crank_end    = crank.phi,
  rocker_end   = rocker.phi,
  deepest      = minimum(gap "stop"),
  energy_end   = energy(),
  energy_start = at(energy(), 0),
}
family { scheme = { "generalized-alpha", "moreau-jean" } }

plot { "four-bar", title = "Four-bar linkage with a stop", columns = 2,
  panel { title = "linkage", xlabel = "x", ylabel = "y", equal = true, outline { { wall_x, 2.1 }, { wall_x, 2.7 }, label = "wall" },
          segments { 0, 0, ax, ay, every = 0.1, to = 1, label = "crank" }, segments { bx, by, cx, cy, every = 0.1, to = 1, label = "coupler" },
          segments { d, 0, tip_x, tip_y, every = 0.1, to = 1, label = "rocker" } },
  panel { title = "gap", xlabel = "t", ylabel = "gap", line { time(), gap "stop", family = true } },
  panel { title = "angular velocity of the crank", xlabel = "t", ylabel = "w", line { time(), dot(crank.phi), family = true } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", line { time(), energy(), family = true } } }

draw { wall { { wall_x, 2.7 }, { wall_x, 2.1 } }, touch("stop", { tip_x, tip_y }, { 1, 0 }), path { tip_x, tip_y } }
