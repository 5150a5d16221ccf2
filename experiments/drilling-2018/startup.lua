-- Start-up of a drill string: SoftTorque ends in stick-slip, a robust controller does not.
experiment {
  title  = "start-up of a drill string with friction at the bit",
  source = "N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018",
  doc    = [[
Four discs from bit to top drive, Coulomb friction on all of them, a set-valued torque that weakens with speed at the bit. To 3.5 rpm off bottom in 30 s; from 110 to 170 s to `rpm` with full weight on bit.
Controllers: softtorque (ct, kt), lqg (observer with integral action), hinf; the last two are designed for the published string at 5.5 rpm, whatever J1, Ts and Nd the string has here; file (numbers in controller_file). kick > 0: starts on the set point instead, with the bit slower by
this part. first_stick is that after 110 s (with kick: after the start); the other measures are those of the last 150 s. A study: drill_run has a stepper of its own.]],
}

local controller = setting { "controller", "softtorque", choices = { "softtorque", "lqg", "hinf", "none", "file" }, doc = "controller of the top drive" }
local controller_file = setting { "controller_file", "", doc = "with controller = file: nc, ne, then A, B, C, D row by row; from the current directory" }
local rpm   = setting { "rpm", 5.5, min = 0.01, max = 1000, unit = "rpm", doc = "set point" }
local Ts    = setting { "Ts", 1.232, min = 0, unit = "N m", doc = "bit torque at the start of motion" }
local Td    = setting { "Td", 0.272, min = 0, unit = "N m", doc = "bit torque at high speed" }
local Nd    = setting { "Nd", 0.5, min = 1e-6, unit = "rpm", doc = "decay speed of the bit torque" }
local Tini  = setting { "Tini", 0.136, min = 0, unit = "N m", doc = "bit torque off bottom" }
local J1    = setting { "J1", 0.064, min = 1e-9, unit = "kg m^2", doc = "inertia of the bit" }
local ct    = setting { "ct", 2.93, unit = "N m s/rad", doc = "SoftTorque, proportional" }
local kt    = setting { "kt", 1.87, unit = "N m/rad", doc = "SoftTorque, integral" }
local rq    = setting { "rq", 10, min = 0, doc = "lqg: weight of the bit speed; 10 low gain, 100 high gain" }
local switch_rq = setting { "switch_rq", 0, min = 0, doc = "lqg: weight after switch_at; 0: no switch" }
local switch_at = setting { "switch_at", 210, min = 0, unit = "s", doc = "lqg: time of the switch" }
local kick  = setting { "kick", 0, min = 0, max = 2, doc = "part of the bit's speed taken away at the set point; 0: start-up" }
local limit = setting { "limit", 0, min = 0, unit = "N m", doc = "largest torque of the top drive; 0: none" }
local theta = setting { "theta", 0.5, min = 0.5, max = 1, doc = "of the time step; 1 damps falsely" }
local h     = setting { "h", 1e-3, min = 1e-7, unit = "s", doc = "time step" }
local t_end = setting { "t_end", 400, min = 1e-3, max = 1e5, unit = "s", doc = "end" }
variant { "lqg", doc = "observer-based controller, low gain", controller = "lqg" }
variant { "lqg-high", doc = "high gain", controller = "lqg", rq = 100 }
variant { "switched", doc = "low gain to 210 s, then high gain", controller = "lqg", switch_rq = 100 }
variant { "hinf", doc = "H-infinity controller, high-gain weights", controller = "hinf" }
variant { "kick", doc = "SoftTorque on the set point, bit slowed by 30 %", kick = 0.3 }

local out = drill_run { controller = controller, controller_file = controller == "file" and controller_file or nil, rpm = rpm, Ts = Ts, Td = Td, Nd = Nd, Tini = Tini, J1 = J1, ct = ct, kt = kt, rq = rq, switch_rq = switch_rq, switch_at = switch_at,
                        constant = kick > 0, kick = kick > 0 and kick or -1, limit = limit, theta = theta, h = h, t_end = t_end }

measure { first_move = out.first_move, first_stick = out.first_stick, period = out.period, stick_fraction = out.stick_fraction,
          bit_min_rpm = out.bit_min_rpm, bit_max_rpm = out.bit_max_rpm, top_min_rpm = out.top_min_rpm, top_max_rpm = out.top_max_rpm,
          torque_min = out.torque_min, torque_max = out.torque_max, slips_per_period = out.slips_per_period, first_moves = out.first_moves,
          early_bit_min_rpm = out.early_bit_min_rpm, early_bit_max_rpm = out.early_bit_max_rpm, steps_done = out.steps }

local late = compute(function()
  if out.unstable then
    local why = out.critical_slope and string.format(": the loop bears a slope of %.4g N m s/rad, the law has %.4g; stable above %.4g rpm", out.critical_slope, out.slope, out.critical_rpm)
    print("the set point is unstable" .. (why or ", whatever the slope of the law"))
  end
  local t, bit, pipe, points = out.t, out.bit, out.pipe, {}
  for i = 1, #t do if t[i] >= max(0, t_end - 150) then points[#points + 1] = { bit[i], pipe[i] } end end
  if #points == 0 then points[1] = { bit[#bit], pipe[#pipe] } end
  return { points = points }
end)
local function path(list, label, style) return curve { x = out.t, y = list, label = label, style = style } end
plot { "startup", title = "Start-up, " .. controller, columns = 2,
  panel { title = "speed of the bit", xlabel = "t [s]", ylabel = "rpm", path(out.bit, "bit"), path(out.reference, "set point", "dashed") },
  panel { title = "speed of the top drive", xlabel = "t [s]", ylabel = "rpm", path(out.top, "top"), path(out.reference, "set point", "dashed") },
  panel { title = "torque of the top drive", xlabel = "t [s]", ylabel = "N m", path(out.torque, "drive"), path(out.pipe, "pipe below") },
  panel { title = "phase portrait, last 150 s", xlabel = "bit [rpm]", ylabel = "torque of the pipe [N m]", curve { late.points, label = "pipe against bit" } } }
