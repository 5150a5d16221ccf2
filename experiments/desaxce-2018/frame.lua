-- Limit load of a portal frame whose right foot stands on the ground with friction.
experiment {
  title  = "limit load of a frame with a frictional foot",
  source = "G. de Saxce, The bipotential method for Coulomb's dry friction, 2018, sections 11 and 12, figure 10, Tables 2 to 4",
  doc    = [[
Columns of height a, span 2a, left foot built in, right foot on the ground; P horizontal at the top and P vertical at mid-span; alpha = P a / Mp. Each linear program takes the friction bound mu N from the one before; the first lets the foot neither
slide nor lift. alpha_1 ... alpha_5 are the load factors of the first programs, alpha the limit: 1.5 + mu/(1 - mu) below mu = 1/2, then 2.5. `defect` is the bipotential's part above the power, zero at a limit state.]],
}

local mu  = setting { "mu", 0.2, min = 0, max = 10, doc = "friction coefficient of the foot" }
local Mp1 = setting { "Mp1", 1, min = 1e-9, doc = "capacity of the left foot; the other sections have 1" }
local geometry = setting { "geometry", "no", choices = { "no", "yes" }, doc = "yes: equilibrium from nodes and bars; no: equations (44) to (47)" }
local tolerance = setting { "tolerance", 1e-10, min = 0, max = 1, doc = "of load factor and pressure between two programs" }
variant { "strong-foot", doc = "a left foot twice as strong", Mp1 = 2 }
variant { "bars", doc = "the same frame by its nodes and bars", geometry = "yes" }

local huge = math.huge
local limit
if geometry == "yes" then
  if Mp1 ~= 1 then error("geometry = \"yes\" has equal capacities: leave Mp1 = 1") end
  limit = frame_limit { tolerance = tolerance,
    nodes = { { 0, 0, support = "clamped" }, { 0, 1, load = { 1, 0 } }, { 1, 1, load = { 0, -1 } }, { 2, 1 },
              { 2, 0, support = "friction", normal = { 0, 1 }, mu = mu } },
    bars = { { 1, 2, moment = 1 }, { 2, 3, moment = 1 }, { 3, 4, moment = 1 }, { 4, 5, moment = 1 } } }
else
  limit = limit_load { tolerance = tolerance,
    matrix = { { 0, 0, 0, -1, 2, -1 }, { 0, 0, -1, 1, 0, -1 }, { 1, 0, 0, 0, 0, 1 }, { 0, -1, 0, 0, 1, -1 } },
    load = { 1, 1, 0, 0 }, capacity = { huge, huge, Mp1, 1, 1, 1 }, supports = { { tangent = 1, normal = 2, mu = mu } } }
end
local programs = compute(function()
  if not limit.converged then print("the friction bounds have not settled") end
  if limit.degenerate then print("several mechanisms have this load factor") end
  local alphas, points = limit.alphas, {}
  local last, first = #alphas, {}
  for k = 1, 5 do first[k] = alphas[k < last and k or last] end
  for k = 1, last do points[k] = { k, alphas[k] } end
  return { n = limit.normals[last], t = abs(limit.tangents[last]), alpha = first, points = points }
end)
measure { alpha = limit.alpha, n = programs.n, t = programs.t, alpha_1 = programs.alpha[1], alpha_2 = programs.alpha[2], alpha_3 = programs.alpha[3], alpha_4 = programs.alpha[4], alpha_5 = programs.alpha[5],
          programs = limit.programs, hinges = limit.hinges, slides = limit.slides, degenerate = limit.degenerate, defect = limit.defect, associated = limit.associated }

local closed = { label = "closed form, Mp1 = 1" }
for k = 0, 70 do
  local m = k / 100
  closed[k + 1] = { m, m < 0.5 and 1.5 + m / (1 - m) or 2.5 }
end
plot { "frame", title = "Frame with a frictional foot", columns = 2,
  panel { title = "limit load against mu", xlabel = "mu", ylabel = "alpha", curve(closed), curve { { mu, limit.alpha }, style = "circle", label = "this frame" } },
  panel { title = "load factor of each program", xlabel = "program", ylabel = "alpha", curve { programs.points, label = "programs" } } }
