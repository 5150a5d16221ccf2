-- The drill string at full scale: finite elements, their modes and reduction, stick-slip under SoftTorque.
experiment {
  title  = "drill string of 6249 m by finite elements",
  source = "N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018, (1)-(7); element data not published: a demonstration set",
  doc    = [[
17 torsion elements in three sections, fitted to the published frequencies, length and inertia. From rest at a constant set point with full weight on bit; measures are those after `from`. string = "rig" is the setup of four discs scaled up
(torques times 6250, angles times 10).]],
}

local string_ = setting { "string", "elements", choices = { "elements", "rig" }, doc = "which string" }
local rpm   = setting { "rpm", 50, min = 0.1, unit = "rpm", doc = "set point" }
local ct    = setting { "ct", 1829, unit = "N m s/rad", doc = "SoftTorque, proportional" }
local kt    = setting { "kt", 1177, unit = "N m/rad", doc = "SoftTorque, integral" }
local kept  = setting { "kept", 4, integer = true, min = 1, max = 4, doc = "modes of the reduced model" }
local start = setting { "start", "rest", choices = { "rest", "slow" }, doc = "rest: constant set point; slow: 35 rpm off bottom first" }
local theta = setting { "theta", 0.5, min = 0.5, max = 1, doc = "of the time step" }
local h     = setting { "h", 1e-3, min = 1e-7, unit = "s", doc = "time step" }
local from  = setting { "from", 100, min = 0, unit = "s", doc = "measures look at the time after this" }
local t_end = setting { "t_end", 200, min = 1, max = 1e5, unit = "s", doc = "end" }
variant { "fast", doc = "140 rpm", rpm = 140 }
variant { "slow-start", doc = "35 to 50 rpm: no stick-slip in this damped set", start = "slow", t_end = 400, from = 250 }
variant { "rig", doc = "the setup, scaled up, at 55 rpm", string = "rig", rpm = 55, start = "slow", t_end = 400, from = 250 }

local out = drill_run { string = string_, rpm = rpm, ct = ct, kt = kt, constant = start == "rest", stick_from = start == "rest" and 0 or 110, theta = theta, h = h, t_end = t_end, from = from }
local late = compute(function()
  if out.unstable then
    local why = out.critical_slope and string.format(": the loop bears a slope of %.4g N m s/rad, the law has %.4g; stable above %.4g rpm", out.critical_slope, out.slope, out.critical_rpm)
    print("the set point is unstable" .. (why or ", whatever the slope of the law"))
  end
  local t, bit, pipe, points = out.t, out.bit, out.pipe, {}
  for i = 1, #t do if t[i] >= from then points[#points + 1] = { bit[i], pipe[i] } end end
  return { points = points }
end)
local lumped, consistent = drill_modes { string = string_, kept = kept }, drill_modes { string = string_, kept = kept, consistent = true }

measure { stick_fraction = out.stick_fraction, bit_min_rpm = out.bit_min_rpm, bit_max_rpm = out.bit_max_rpm, top_min_rpm = out.top_min_rpm, top_max_rpm = out.top_max_rpm,
          period = out.period, first_move = out.first_move, first_stick = out.first_stick, inertia = lumped.inertia,
          f = { lumped.hertz[2], lumped.hertz[3], lumped.hertz[4] }, f_consistent = { consistent.hertz[2], consistent.hertz[3], consistent.hertz[4] },
          bit_row = { abs(lumped.bit[1]), abs(lumped.bit[2]), abs(lumped.bit[3]), abs(lumped.bit[4]) },
          response = lumped.response, reduced_response = lumped.reduced_response }

local function path(list, label) return curve { x = out.t, y = list, label = label } end
plot { "field-scale", title = "Drill string at full scale, " .. rpm .. " rpm", columns = 3,
  panel { title = "speeds", xlabel = "t [s]", ylabel = "rpm", path(out.bit, "bit"), path(out.top, "top drive") },
  panel { title = "torque", xlabel = "t [s]", ylabel = "N m", path(out.torque, "drive"), path(out.pipe, "pipe below") },
  panel { title = "phase portrait", xlabel = "bit [rpm]", ylabel = "torque of the pipe [N m]", curve { late.points, label = "pipe against bit" } } }
