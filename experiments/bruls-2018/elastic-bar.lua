-- An elastic bar flies against a wall and comes back: the exact wave solution is known.
experiment {
  title  = "elastic bar against a wall: contact force, impulse and energy beside the exact wave",
  source = "O. Bruls, V. Acary, A. Cardona, On the constraints formulation in the nonsmooth generalized-alpha method, 2018, section 6.3",
  doc    = [[
N linear elements. With c = sqrt(E/rho) the bar touches from d0/v0 for 2 L/c with the constant force A v0 sqrt(E rho), and leaves
undeformed with the velocity v0. With d0 = 5, as printed, the contact time falls exactly on an output and rounding decides the first
step; d0 = 5.005 is for comparing digits. A = 1 and the end time are not printed.]],
}

local E   = param { "E", 900, unit = "Pa", doc = "Young's modulus", min = 1e-9 }
local rho = param { "rho", 1, unit = "kg/m^3", doc = "density", min = 1e-9 }
local L   = param { "L", 10, unit = "m", doc = "length", min = 1e-9 }
local A   = param { "A", 1, unit = "m^2", doc = "cross-section", min = 1e-9 }
local d0  = param { "d0", 5, unit = "m", doc = "initial distance to the wall", min = 0 }
local v0  = param { "v0", 10, unit = "m/s", doc = "initial velocity towards the wall", min = 1e-9 }
local e   = param { "e", 0, doc = "restitution coefficient of the end node", min = 0, max = 1 }
local h   = param { "h", 2e-3, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.8, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end = param { "t_end", 2, unit = "s", doc = "end time" }
local N   = setting { "N", 200, integer = true, min = 1, max = 2000, doc = "elements" }
local kind = setting { "mass", "consistent", choices = { "consistent", "lumped" }, doc = "mass matrix" }
variant { "lumped", doc = "lumped mass", mass = "lumped" }
variant { "digits", doc = "d0 = 5.005: contact between two outputs", d0 = 5.005 }

local b = bar { "u", elements = N, length = L, E = E, A = A, rho = rho, mass = kind, velocity = -v0 }
contact   { "wall", gap = d0 + b.u[1], restitution = e }
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf }

local t          = time()
local c          = sqrt(E / rho)
local t1, t2     = d0 / v0, d0 / v0 + 2 * L / c
local force      = A * v0 * sqrt(E * rho)
local exact_gap  = select(t1 - t, d0 - v0 * t, select(t2 - t, 0, v0 * (t - t2)))
local exact_force = select(min(t - t1, t2 - t), force, 0)
local drift_velocity = 0                                     -- of the mass centre
for i = 1, N + 1 do drift_velocity = drift_velocity + ((i == 1 or i == N + 1) and 0.5 or 1) * b.v[i] / N end

record  { exact_gap = exact_gap, exact_force = exact_force, force = impulse "wall" / h, centre_velocity = drift_velocity }
measure {
  impulse_sum   = total(impulse "wall"),
  gap_end       = gap "wall",
  gap_error     = mean(abs(gap "wall" - exact_gap)),
  energy_end    = energy(),
  first_contact = first(impact "wall"),
  last_contact  = last(touching "wall"),
  force_mean    = mean(impulse "wall" / h, { from = 0.6, to = 1.1 }),
  force_first   = at(impulse "wall" / h, first(impact "wall")),
  energy_first  = at(energy(), first(impact "wall")),
  velocity_end  = drift_velocity,
  deepest       = minimum(gap "wall"),
}
family { scheme = { "generalized-alpha", "moreau-jean" } }

plot { "elastic-bar", title = "Elastic bar against a wall", columns = 3,
  panel { title = "gap", xlabel = "t", ylabel = "gap", line { t, gap "wall", family = true },
          line { t, exact_gap, label = "exact", style = "dashed" } },
  panel { title = "contact force", xlabel = "t", ylabel = "force", line { t, impulse "wall" / h, family = true, from = 0.45, to = 1.3 },
          line { t, exact_force, label = "exact", style = "dashed", from = 0.45, to = 1.3 } },
  panel { title = "energy", xlabel = "t", ylabel = "energy", line { t, energy(), family = true },
          outline { { 0, rho * A * L * v0^2 / 2 }, { t_end, rho * A * L * v0^2 / 2 }, label = "exact", style = "dashed" } } }

draw { wall { { -d0, L / 8 }, { -d0, -L / 8 } }, touch("wall", { -d0, 0 }, { 1, 0 }) }
