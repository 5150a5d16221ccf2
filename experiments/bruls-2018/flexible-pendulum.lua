-- A flexible beam on a hinge falls against a wall: stiff waves, intermittent contact.
experiment {
  title  = "bouncing flexible pendulum: a geometrically exact beam",
  source = "O. Bruls, V. Acary, A. Cardona, On the constraints formulation in the nonsmooth generalized-alpha method, 2018, section 6.2",
  doc    = [[
A steel beam of length L, hinged at one end and horizontal at rest, falls; its tip meets the wall x >= L sqrt(2)/2, inelastically. Gravity
is not printed: 10 fits the published time of the first contact. The hinge's coordinates are left out, so there are no joints.
What happens during contact is chaotic: only the first contact, the phases of contact and their order of size can be compared.]],
}

local L   = param { "L", 1, unit = "m", doc = "length", min = 1e-9 }
local A   = param { "A", 1e-4, unit = "m^2", doc = "cross-section", min = 1e-12 }
local I   = param { "I", 8.33e-10, unit = "m^4", doc = "second moment of area", min = 1e-18 }
local E   = param { "E", 2.1e11, unit = "Pa", doc = "Young's modulus", min = 1 }
local nu  = param { "nu", 0.3, doc = "Poisson's ratio", min = 0, max = 0.5 }
local rho = param { "rho", 7800, unit = "kg/m^3", doc = "density", min = 1e-9 }
local g   = param { "g", 10, unit = "m/s^2", doc = "gravity" }
local e   = param { "e", 0, doc = "restitution coefficient", min = 0, max = 1 }
local h   = param { "h", 5e-6, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.8, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end = param { "t_end", 0.37, unit = "s", doc = "end time" }
local level = param { "level", 0, integer = true, min = 0, max = 4, doc = "generalized-alpha: 0 pva, 4 pvv" }
local N   = setting { "N", 4, integer = true, min = 1, max = 100, doc = "elements" }
variant { "pvv", doc = "the older method", level = 4 }
variant { "fall", doc = "free fall before contact, large steps", h = 1e-4, t_end = 0.3 }

local b = beam2d { "b", elements = N, length = L, E = E, A = A, I = I, nu = nu, rho = rho, root = "hinged", gravity = g }
contact   { "wall", gap = b.tip.x - L * sqrt(2) / 2, restitution = e }
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf, constraints = level }

record  { force = impulse "wall" / h }
measure {
  first_contact = first(impact "wall"),
  first_phase_end    = last(touching "wall", { to = 0.334 }),
  second_phase_begin = first(touching "wall", { from = 0.334 }),
  last_contact  = last(touching "wall"),
  active_steps  = count(touching "wall"),
  impulse_sum   = total(impulse "wall"),
  tip_x         = at(b.tip.x, 0.3),
  tip_y         = at(b.tip.y, 0.3),
  tip_phi       = at(b.tip.phi, 0.3),
  root_phi      = at(b.root.phi, 0.3),
  energy_0_3    = at(energy(), 0.3),
  energy_end    = energy(),
  deepest       = minimum(gap "wall"),
}

local t = time()
plot { "flexible-pendulum", only = { "", "pvv" }, title = "Flexible pendulum against a wall", columns = 3,
  panel { title = "gap", xlabel = "t", ylabel = "gap", line { t, gap "wall", from = 0.325, to = 0.35 } },
  panel { title = "contact force", xlabel = "t", ylabel = "force", line { t, impulse "wall" / h, from = 0.325, to = 0.35 } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", line { t, energy(), from = 0.325, to = 0.35 } } }
local shape = { "flexible-pendulum-shapes", title = "Flexible pendulum", xlabel = "x", ylabel = "y", equal = true,
                outline { { L * sqrt(2) / 2, -L }, { L * sqrt(2) / 2, 0 }, label = "wall" } }
for i = 1, N do
  shape[#shape + 1] = segments { b.node[i].x, b.node[i].y, b.node[i + 1].x, b.node[i + 1].y, every = 0.03 }
end
plot(shape)

draw { wall { { L * sqrt(2) / 2, 0 }, { L * sqrt(2) / 2, -L } }, touch("wall", { b.tip.x, b.tip.y }, { 1, 0 }) }
