-- A rigid pendulum whose mass centre meets a wall: joints and a contact.
experiment {
  title  = "bouncing rigid pendulum: joints and accumulating impacts",
  source = "O. Bruls, V. Acary, A. Cardona, On the constraints formulation in the nonsmooth generalized-alpha method, 2018, section 6.1",
  doc    = [[
The pendulum of bruls-2018/pendulum with a wall x >= L sqrt(2)/2, that is |angle| <= pi/4. It falls from angle theta0 at rest, bounces
with restitution e, and stays at the wall. Restitution and end time are not printed in the source; e = 0.8 and t_end = 6 are ours.
`level` 0 is pva, 4 is pvv, the older method; `strategy` and `gate` say which contacts take part at the acceleration level.]],
}

local L  = param { "L", 1, unit = "m", doc = "pin to mass centre", min = 1e-9 }
local m  = param { "m", 1, unit = "kg", doc = "mass", min = 1e-9 }
local J  = param { "J", 0.1, unit = "kg m^2", doc = "inertia about the mass centre", min = 1e-9 }
local a_g   = param { "a_g", 10, unit = "m/s^2", doc = "gravity" }
local gsign = param { "gsign", -1, doc = "-1: gravity along -y; 1: along +y", min = -1, max = 1 }
local theta0 = param { "theta0", pi / 12, unit = "rad", doc = "initial angle from the x-axis", min = -pi / 4, max = pi / 4 }
local e  = param { "e", 0.8, doc = "restitution coefficient", min = 0, max = 1 }
local h  = param { "h", 1e-3, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.9, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end = param { "t_end", 6, unit = "s", doc = "end time" }
local level = param { "level", 0, integer = true, min = 0, max = 4, doc = "joints of generalized-alpha: 0 pva, 4 pvv" }
local strategy = param { "strategy", 3, integer = true, min = 1, max = 3, doc = "acceleration level: 1 nothing, 2 joints, 3 contacts too" }
local gate  = param { "gate", 0, integer = true, min = 0, max = 1, doc = "1: rebounding contacts stay out of the acceleration level" }
variant { "pvv", doc = "smooth part with joints at velocity level", level = 4 }
variant { "gate", doc = "no gain of energy after impacts", gate = 1 }
variant { "rho-1", doc = "no numerical damping", rho_inf = 1 }
variant { "pvv-rho-1", doc = "the older method without numerical damping", level = 4, rho_inf = 1 }

local rod = body2d { "rod", mass = m, inertia = J, pinned = { { -L, 0 }, ground, { 0, 0 } }, phi = theta0, gravity = -gsign * a_g }
revolute  { "pin", rod, { -L, 0 }, ground, { 0, 0 } }
contact   { "wall", gap = rod.x - L * sqrt(2) / 2, restitution = e }
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf, constraints = level, strategy = strategy - 1, gate = gate, joints = "end" } -- joints: of moreau-jean, as in the source

local g1, g2   = rod:point { -L, 0 }
local position = max(abs(g1), abs(g2))
local velocity = max(abs(dot(g1)), abs(dot(g2)))
record  { res_pos = position, res_vel = velocity, theta = rod.phi, force = impulse "wall" / h }
measure {
  impact_times = times(impact "wall"),
  closed_from  = last(impact "wall"),
  drift        = maximum(position),
  drift_end    = position,
  drift_rate   = maximum(velocity),
  theta_1      = at(rod.phi, 1),
  w_1          = at(dot(rod.phi), 1),
  energy_1     = at(energy(), 1),
  deepest      = minimum(gap "wall"),
  energy_end   = energy(),
  force_end    = impulse "wall" / h,
}
family { scheme = { "generalized-alpha", "moreau-jean" } }

-- Exact energies: the floor of the fall, and what is left above it after each impact.
local lowest = -m * a_g * L * sqrt(2) / 2
local first  = m * a_g * L * (sqrt(2) / 2 - gsign * sin(theta0))
local levels = {}
for k = 0, 6 do
  local E = lowest + e^(2 * k) * first
  levels[#levels + 1] = outline { { 0, E }, { t_end, E }, style = "dotted", label = k == 0 and "exact, after k impacts" or nil }
end

local t = time()
plot { "bouncing-pendulum", title = "Bouncing pendulum", columns = 2,
  panel { title = "gap", xlabel = "t", ylabel = "gap", line { t, gap "wall", family = true, every = 0.005 } },
  panel { title = "velocity of the gap", xlabel = "t", ylabel = "gap'", line { t, dot(gap "wall"), family = true, every = 0.005 } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", line { t, energy(), family = true, every = 0.005 }, table.unpack(levels) },
  panel { title = "force of the wall (at impacts: impulse/h)", xlabel = "t", ylabel = "force", yrange = { -5, 40 },
          line { t, impulse "wall" / h, family = true } } }
plot { "bouncing-pendulum-residuals", title = "Joint equations: log10 of the residual", columns = 2,
  panel { title = "position", xlabel = "t", ylabel = "log10 |g|", line { t, log(max(position, 1e-18)) / log(10), family = true, every = 0.005 } },
  panel { title = "velocity", xlabel = "t", ylabel = "log10 |g'|", line { t, log(max(velocity, 1e-18)) / log(10), family = true, every = 0.005 } } }

draw { segment({ 0, 0 }, { rod.x, rod.y }), disc(rod.x, rod.y, L / 20, { name = "mass" }), pin { 0, 0 }, path { rod.x, rod.y },
       wall { { L * sqrt(2) / 2, 0 }, { L * sqrt(2) / 2, -1.5 * L } }, touch("wall", { rod.x, rod.y }, { 1, 0 }), alone = true }
