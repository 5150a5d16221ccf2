-- One contact u = q + W r by Uzawa's predictor and corrector.
experiment {
  title  = "one contact with orthotropic friction",
  source = "G. de Saxce, The bipotential method for Coulomb's dry friction, 2018, section 9",
  doc    = [[
u = q + W r with a full matrix W; friction of row `case` of Table 1, an initial gap. `power` is the bipotential's part above the dissipated power: zero exactly on the law, whoever found r. `state` is 0 open, 1 slip, 2 stick. rho = 0
takes 1 / largest eigenvalue of W. The run is a body with mass matrix W^-1 that arrives with velocity q: its one inelastic impact is the same problem, where there is no gap.]],
}

local case = setting { "case", 3, integer = true, min = 1, max = 5, doc = "row of Table 1" }
local q_n  = setting { "q_n", -1, doc = "free motion, normal" }
local q_x  = setting { "q_x", 0.5, doc = "along x" }
local q_y  = setting { "q_y", 0.4, doc = "along y" }
local axes = setting { "axes", 0, min = -100, max = 100, unit = "rad", doc = "angle of the axes of friction against x" }
local gap  = setting { "gap", 0, min = 0, doc = "initial gap" }
local rho  = setting { "rho", 0, min = 0, doc = "step; 0: automatic" }
local tolerance = setting { "tolerance", 1e-14, min = 0, max = 1, doc = "relative change at which iterations end" }
variant { "stick", doc = "a free motion that friction stops", q_x = 0.1, q_y = -0.05 }
variant { "turned", doc = "axes of friction turned by half a radian", axes = 0.5 }
variant { "gap", doc = "with an initial gap", gap = 0.3 }
variant { "open", doc = "a free motion that opens", q_n = 0.2 }

local table_1 = { { .2, .2, .2, .2 }, { .3, .25, .3, .25 }, { .3, .15, .3, .15 }, { .3, .15, .2, .2 }, { .3, .15, .05, .2 } }
local row = table_1[case]
local W = { 1, .2, .1, .2, 1.5, .3, .1, .3, 2 }
local request = { W = W, q = { q_n, q_x, q_y }, gap = gap, axes = axes, mu_x = row[1], mu_y = row[2], p_x = row[3], p_y = row[4], tolerance = tolerance }
if rho > 0 then request.rho = rho end
local found = contact_solve(request)

-- inverse of W by its cofactors
local function minor(i, j)
  local a, b, c, d = i % 3 + 1, (i + 1) % 3 + 1, j % 3 + 1, (j + 1) % 3 + 1
  return W[3 * (a - 1) + c] * W[3 * (b - 1) + d] - W[3 * (a - 1) + d] * W[3 * (b - 1) + c]
end
local det = W[1] * minor(1, 1) + W[2] * minor(1, 2) + W[3] * minor(1, 3)
local M = {}
for i = 1, 3 do
  M[i] = {}
  for j = 1, 3 do M[i][j] = minor(j, i) / det end
end
local n, x, y = coordinates("n", "x", "y")
mass(M)
contact { "surface", gap = n, slip = { dot(x), dot(y) }, friction = { ellipse = { row[1], row[2] }, axes = axes, slip_potential = { row[3], row[4] } } }
initial { [dot(n)] = q_n, [dot(x)] = q_x, [dot(y)] = q_y }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1e-3 }

measure { r_n = found.r[1], r_x = found.r[2], r_y = found.r[3], u_n = found.u[1], u_x = found.u[2], u_y = found.u[3], state = found.state[1], iterations = found.iterations,
          power = found.power, penetration = found.penetration, outside = found.outside, error = found.error, halvings = found.halvings,
          body_u_n = dot(n), body_u_x = dot(x), body_u_y = dot(y) }

local changes = compute(function()
  if not found.converged then print("no convergence: lower rho") end
  local points = {}
  for k = 1, found.iterations < 60 and found.iterations or 60 do
    request.iterations = k
    local part = contact_solve(request)
    if part.change > 0 then points[#points + 1] = { k, log(part.change) / log(10) } end
  end
  return { points = points }
end)
plot { "contact", title = "Uzawa's iteration", xlabel = "iteration", ylabel = "log10 of the change", curve { changes.points, label = "|r' - r|" } }

draw { arrow({ 0, 0 }, { dot(x), dot(y) }, { name = "velocity along the surface", scale = 1 }), text({ 0, 0 }, "contact") }
