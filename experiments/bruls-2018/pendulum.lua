-- A pendulum as a mechanism: three coordinates, two joint equations, without contact.
experiment {
  title  = "pendulum with joint equations: position, velocity and acceleration level",
  source = "O. Bruls, V. Acary, A. Cardona, On the constraints formulation in the nonsmooth generalized-alpha method, 2018, section 5",
  doc    = [[
A rod with its mass centre at distance L from a pin, coordinates x, y of the centre and the angle. The joint equations can hold at
the position (p), the velocity (v), both (pv), or at the acceleration too (pva). `level` chooses: 0 pva, 1 p, 2 v, 3 pv. Variant
post-impact starts with wrong accelerations, as a step with an impact leaves them behind.]],
}

local L  = param { "L", 1, unit = "m", doc = "pin to mass centre", min = 1e-9 }
local m  = param { "m", 1, unit = "kg", doc = "mass", min = 1e-9 }
local J  = param { "J", 0.1, unit = "kg m^2", doc = "inertia about the mass centre", min = 1e-9 }
local a_g   = param { "a_g", 10, unit = "m/s^2", doc = "gravity" }
local gsign = param { "gsign", -1, doc = "-1: gravity along -y; 1: along +y", min = -1, max = 1 }
local theta0 = param { "theta0", pi / 6, unit = "rad", doc = "initial angle from the x-axis" }
local w0     = param { "w0", 10, unit = "rad/s", doc = "initial angular velocity" }
local h  = param { "h", 2e-3, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.9, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
local level = param { "level", 0, integer = true, min = 0, max = 4, doc = "joints of generalized-alpha: 0 pva, 1 p, 2 v, 3 pv, 4 pvv" }
local wrong = param { "wrong", 0, integer = true, min = 0, max = 1, doc = "1: start with zero accelerations (start=zero)" }
variant { "post-impact", doc = "zero initial accelerations (Fig. 3)", wrong = 1, t_end = 1 }
variant { "post-impact-rho-1", doc = "the same without numerical damping", wrong = 1, rho_inf = 1, t_end = 1 }
variant { "up", doc = "gravity along +y", gsign = 1 }

local rod = body2d { "rod", mass = m, inertia = J, pinned = { { -L, 0 }, ground, { 0, 0 } }, phi = theta0, omega = w0,
                     gravity = -gsign * a_g }
revolute  { "pin", rod, { -L, 0 }, ground, { 0, 0 } }
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf, constraints = level, start = wrong }

local g1, g2   = rod:point { -L, 0 }
local position = max(abs(g1), abs(g2))
local velocity = max(abs(dot(g1)), abs(dot(g2)))
record  { res_pos = position, res_vel = velocity, theta = rod.phi }
measure {
  drift        = maximum(position),
  drift_end    = position,
  drift_rate   = maximum(velocity),
  theta_1      = at(rod.phi, 1),
  w_1          = at(dot(rod.phi), 1),
  theta_end    = rod.phi,
  w_end        = dot(rod.phi),
  energy_end   = energy(),
}
family { level = { 0, 1, 2, 3 } }

local function digits(residual) return log(max(residual, 1e-18)) / log(10) end
plot { "pendulum-residuals", title = "Residual of the joint equations (level 0 pva, 1 p, 2 v, 3 pv)", columns = 2,
  panel { title = "position", xlabel = "t", ylabel = "log10 |g|", line { time(), digits(position), family = true } },
  panel { title = "velocity", xlabel = "t", ylabel = "log10 |g'|", line { time(), digits(velocity), family = true } },
  panel { title = "position, first 40 ms", xlabel = "t", ylabel = "|g|", line { time(), position, family = true, to = 0.04 } },
  panel { title = "velocity, first 40 ms", xlabel = "t", ylabel = "|g'|", line { time(), velocity, family = true, to = 0.04 } } }
plot { "pendulum-motion", title = "Pendulum with joint equations (level 0 pva, 1 p, 2 v, 3 pv)", columns = 2,
  panel { title = "angular velocity", xlabel = "t", ylabel = "w", line { time(), dot(rod.phi), family = true } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", line { time(), energy(), family = true } } }

draw { segment({ 0, 0 }, { rod.x, rod.y }), disc(rod.x, rod.y, L / 20, { name = "mass" }), pin { 0, 0 }, path { rod.x, rod.y }, alone = true }
