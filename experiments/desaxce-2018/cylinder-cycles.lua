-- The elastic cylinder pressed down and let go again, twice: friction leaves a loop.
experiment {
  title  = "load cycles of an elastic cylinder with orthotropic friction",
  source = "G. de Saxce, The bipotential method for Coulomb's dry friction, 2018, section 10, figure 9",
  doc    = [[
The cylinder of desaxce-2018/cylinder; its top moves down in `steps` equal steps to `press` and back, `cycles` times, each step one contact problem for the increments of slip. P is the rim at 45 degrees. `force_1` and `slip_1` (N, mm) are those of the first
step, `force_top` and `slip_top` at the largest load, `force_back_k` and `slip_back_k` after k steps back (the first five). `linear` is how far loading is from a straight line, `first_back_slip` how far P slides in the first step back, `repeat_force` and
`repeat_slip` how far the last cycle is from the first, all relative.]],
}

local case   = setting { "case", 3, integer = true, min = 1, max = 5, doc = "row of Table 1" }
local core   = setting { "core", 4, integer = true, min = 2, max = 12, doc = "cells across the core, even" }
local rings  = setting { "rings", 1, integer = true, min = 1, max = 12, doc = "rings around it" }
local layers = setting { "layers", 5, integer = true, min = 1, max = 20, doc = "over the height" }
local press  = setting { "press", 0.1, min = 1e-9, doc = "how far the top moves down", unit = "mm" }
local steps  = setting { "steps", 5, integer = true, min = 1, max = 100, doc = "on the way down" }
local cycles = setting { "cycles", 2, integer = true, min = 1, max = 10, doc = "down and up" }
local tolerance = setting { "tolerance", 1e-10, min = 0, max = 1, doc = "relative change at which sweeps end" }
variant { "published", doc = "1280 bricks", core = 8, rings = 2, layers = 10 }

local table_1 = { { .2, .2, .2, .2 }, { .3, .25, .3, .25 }, { .3, .15, .3, .15 }, { .3, .15, .2, .2 }, { .3, .15, .05, .2 } }
local row = table_1[case]
local cycles_of = compute(function()
  local body = cylinder_contact { R = 10, height = 10, E = 210000, nu = 0.3, core = core, rings = rings, layers = layers }
  local P, best = 1, math.huge
  for i = 1, body.contacts do
    local d = (body.x[i] - 10 * sqrt(0.5))^2 + (body.y[i] - 10 * sqrt(0.5))^2
    if d < best then P, best = i, d end
  end

  local path = {}
  for _ = 1, cycles do
    for k = 1, steps do path[#path + 1] = { -press * k / steps, 0, 0 } end
    for k = steps - 1, 0, -1 do path[#path + 1] = { -press * k / steps, 0, 0 } end
  end
  local found = contact_history { W = body.W, path = path, mu_x = row[1], mu_y = row[2], p_x = row[3], p_y = row[4], tolerance = tolerance }

  local load, slip, power, sweeps = {}, {}, 0, 0
  for k = 1, #path do
    load[k], slip[k] = found.force[k][1], sqrt(found.slip[k][2 * P - 1]^2 + found.slip[k][2 * P]^2)
    power, sweeps = max(power, abs(found.power[k])), sweeps + found.iterations[k]
  end
  local linear, repeat_force, repeat_slip = 0, 0, 0
  for k = 1, steps do linear = max(linear, max(abs(load[k] / (k * load[1]) - 1), abs(slip[k] / (k * slip[1]) - 1))) end
  for k = 1, 2 * steps do
    local later = k + 2 * steps * (cycles - 1)
    repeat_force = max(repeat_force, abs(load[later] - load[k]) / load[steps])
    repeat_slip = max(repeat_slip, abs(slip[later] - slip[k]) / slip[steps])
  end
  local results = { force_1 = load[1], slip_1 = slip[1], force_top = load[steps], slip_top = slip[steps], linear = linear, first_back_slip = abs(slip[steps + 1] - slip[steps]) / slip[steps],
                    repeat_force = repeat_force, repeat_slip = repeat_slip, dissipation = found.dissipation[#path], power = power, sweeps = sweeps, contacts = body.contacts }
  for k = 1, steps < 5 and steps or 5 do
    results["force_back_" .. k], results["slip_back_" .. k] = load[steps + k], slip[steps + k]
  end

  local forces, below, slips = { { 0, 0 } }, { { 0, 0 } }, { { 0, 0 } }
  for k, at in ipairs(path) do
    local down = -at[1]
    forces[k + 1], slips[k + 1] = { down, load[k] / 1000 }, { down, slip[k] }
    below[k + 1] = { down, (down / press * load[steps] - load[k]) / 1000 }
  end
  results.forces, results.below, results.slips = forces, below, slips
  return results
end)
local named = {}
for _, name in ipairs { "force_1", "slip_1", "force_top", "slip_top", "linear", "first_back_slip", "repeat_force", "repeat_slip", "dissipation", "power", "sweeps", "contacts" } do
  named[name] = cycles_of[name]
end
for k = 1, steps < 5 and steps or 5 do
  named["force_back_" .. k], named["slip_back_" .. k] = cycles_of["force_back_" .. k], cycles_of["slip_back_" .. k]
end
measure(named)

plot { "cylinder-cycles", title = "Load cycles of a cylinder on a plate", columns = 3,
  panel { title = "force", xlabel = "top moved down (mm)", ylabel = "force (kN)", curve { cycles_of.forces } },
  panel { title = "how far the force is below the loading line", xlabel = "top moved down (mm)", ylabel = "force (kN)", curve { cycles_of.below } },
  panel { title = "slip of the rim at 45 degrees", xlabel = "top moved down (mm)", ylabel = "slip (mm)", curve { cycles_of.slips } } }
