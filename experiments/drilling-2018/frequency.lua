-- Modes of the drill string and what controllers make of the mobility of its bit.
experiment {
  title  = "frequencies of a drill string, open and controlled",
  source = "N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018",
  doc    = [[
Frequencies, damping and shapes of the four discs, and the bit's mobility (torque at the bit to its speed) without a controller, with SoftTorque and with two robust controllers at the slope of the friction law at `rpm`. SoftTorque damps the
first mode and leaves the third, which is 5e-4 Hz wide. The run is the free motion of the four discs from a twist in mode `mode`.]],
}

local rpm  = setting { "rpm", 5.5, min = 0.01, unit = "rpm", doc = "set point: its slope is in the closed loops" }
local J1   = setting { "J1", 0.064, min = 1e-9, unit = "kg m^2", doc = "inertia of the bit" }
local mode = setting { "mode", 3, integer = true, min = 1, max = 3, doc = "mode of the free motion" }

local modes = drill_modes { J1 = J1 }
local at = { 0.05, 0.1, 0.3, 0.5 }
local open = drill_response { controller = "none", J1 = J1, f = at }

local J = { J1, 0.708, 0.708, 2.845 }
local th = coordinates { "th1", "th2", "th3", "th4" }
mass { th1 = J[1], th2 = J[2], th3 = J[3], th4 = J[4] }
local springs, dampers = { { 1, 2, 0.630 }, { 2, 3, 1.799 }, { 3, 4, 1.097 } }, { { 2, 3, 0.0018 }, { 3, 4, 0.0024 }, { 1, 4, 0.0005 } }
for _, s in ipairs(springs) do potential(s[3] / 2 * (th[s[1]] - th[s[2]])^2) end
for _, s in ipairs(dampers) do
  local rate = s[3] * (dot(th[s[1]]) - dot(th[s[2]]))
  force { ["th" .. s[1]] = -rate, ["th" .. s[2]] = rate }
end
-- A twist of the bit alone, and the frequency at which the bit passes through its place relative to the top drive.
initial { th1 = modes.bit[mode + 1], th4 = modes.top[mode + 1] }
integrate { h = 0.01, until_t = 60 }

local loops = { none = drill_analysis { controller = "none", rpm = rpm, J1 = J1, slope = 0 }, soft = drill_analysis { rpm = rpm, J1 = J1 } }
measure { f = { modes.hertz[2], modes.hertz[3], modes.hertz[4] }, damping = { modes.damping[2], modes.damping[3], modes.damping[4] },
          third_bit = modes.bit[4], third_top = modes.top[4], mobility = open.bit, top_to_bit = open.top_to_bit,
          open_peak = loops.none.norm, open_peak_hz = loops.none.norm_hz, softtorque_peak = loops.soft.norm, softtorque_peak_hz = loops.soft.norm_hz,
          passes = crossings(th[1] - th[4]) }

local f = {}
for i = 0, 240 do f[#f + 1] = 0.03 * (1 / 0.03)^(i / 240) end
for m = 2, 4 do for i = -30, 30 do f[#f + 1] = modes.hertz[m] * (1 + (i / 30)^3 * 0.06) end end
table.sort(f)
local slope = loops.soft.slope
local function decibels(controller, delta, style, label, which)
  local answer = drill_response { controller = controller, J1 = J1, slope = delta, f = f }
  local points = { label = label or controller, style = style }
  for i = 1, #f do points[i] = { f[i], 20 * log(answer[which or "bit"][i]) / log(10) } end
  return outline(points)
end
local range = { -50, 80 }
plot { "frequency", title = "Drill string: frequency responses", columns = 2,
  panel { title = "bit torque to bit speed: SoftTorque", xlabel = "f [Hz]", ylabel = "dB", yrange = range, decibels("none", 0, "dotted", "no controller"), decibels("softtorque", slope, "solid", "SoftTorque") },
  panel { title = "bit torque to bit speed: LQG", xlabel = "f [Hz]", ylabel = "dB", yrange = range, decibels("none", 0, "dotted", "no controller"), decibels("lqg", slope, "solid", "LQG") },
  panel { title = "bit torque to bit speed: H-infinity", xlabel = "f [Hz]", ylabel = "dB", yrange = range, decibels("none", 0, "dotted", "no controller"), decibels("hinf", slope, "solid", "H-infinity") },
  panel { title = "top torque to bit speed", xlabel = "f [Hz]", ylabel = "dB", decibels("none", 0, "solid", "no controller", "top_to_bit") } }
