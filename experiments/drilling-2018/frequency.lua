-- Modes of the drill string and what controllers make of the mobility of its bit.
experiment {
  title  = "frequencies of a drill string, open and controlled",
  source = "N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018",
  doc    = [[
Frequencies, damping and shapes of the four discs, and the bit's mobility (torque at the bit to its speed) without a controller, with SoftTorque and with two robust controllers at the slope of the friction law at `rpm`. SoftTorque damps the
first mode and leaves the third, which is 5e-4 Hz wide.]],
}

local rpm  = setting { "rpm", 5.5, min = 0.01, unit = "rpm", doc = "set point: its slope is in the closed loops" }
local J1   = setting { "J1", 0.064, min = 1e-9, unit = "kg m^2", doc = "inertia of the bit" }

local modes = drill_modes { J1 = J1 }
local at = { 0.05, 0.1, 0.3, 0.5 }
local open = drill_response { controller = "none", J1 = J1, f = at }

local loops = { none = drill_analysis { controller = "none", rpm = rpm, J1 = J1, slope = 0 }, soft = drill_analysis { rpm = rpm, J1 = J1 } }
measure { f = { modes.hertz[2], modes.hertz[3], modes.hertz[4] }, damping = { modes.damping[2], modes.damping[3], modes.damping[4] },
          third_bit = modes.bit[4], third_top = modes.top[4], mobility = open.bit, top_to_bit = open.top_to_bit,
          open_peak = loops.none.norm, open_peak_hz = loops.none.norm_hz, softtorque_peak = loops.soft.norm, softtorque_peak_hz = loops.soft.norm_hz }

local shown = compute(function()
  local f = {}
  for i = 0, 240 do f[#f + 1] = 0.03 * (1 / 0.03)^(i / 240) end
  for m = 2, 4 do for i = -30, 30 do f[#f + 1] = modes.hertz[m] * (1 + (i / 30)^3 * 0.06) end end
  table.sort(f)
  local function decibels(controller, slope, which)
    local answer, points = drill_response { controller = controller, J1 = J1, slope = slope, f = f }, {}
    for i = 1, #f do points[i] = { f[i], 20 * log(answer[which][i]) / log(10) } end
    return points
  end
  local slope = loops.soft.slope
  return { none = decibels("none", 0, "bit"), softtorque = decibels("softtorque", slope, "bit"), lqg = decibels("lqg", slope, "bit"), hinf = decibels("hinf", slope, "bit"),
           top = decibels("none", 0, "top_to_bit") }
end)
local function beside(label, controller)
  return panel { title = "bit torque to bit speed: " .. label, xlabel = "f [Hz]", ylabel = "dB", yrange = { -50, 80 }, curve { shown.none, label = "no controller" }, curve { shown[controller], label = label } }
end
plot { "frequency", title = "Drill string: frequency responses", columns = 2, beside("SoftTorque", "softtorque"), beside("LQG", "lqg"), beside("H-infinity", "hinf"),
  panel { title = "top torque to bit speed", xlabel = "f [Hz]", ylabel = "dB", curve { shown.top, label = "no controller" } } }
