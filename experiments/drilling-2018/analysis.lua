-- Local stability is not the whole story: poles, critical speed, norm and sector of every controller, and what a start-up does.
experiment {
  title  = "stability of a drill string under four controllers",
  source = "N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018, (33)-(34)",
  doc    = [[
For SoftTorque, LQG with integral action at low and high gain, and an H-infinity controller: the norm of the bit's mobility in closed loop, the largest slope of the friction law that the loop bears and the speed where it is reached, and the
sector in which the circle criterion holds. Gains come from Riccati equations solved here. The run is the linear motion of the bit and the disc above it.]],
}

local rpm  = setting { "rpm", 5.5, min = 0.01, unit = "rpm", doc = "set point" }
local Ts   = setting { "Ts", 1.232, min = 0, unit = "N m", doc = "bit torque at the start of motion" }
local Nd   = setting { "Nd", 0.5, min = 1e-6, unit = "rpm", doc = "decay speed of the bit torque" }
local J1   = setting { "J1", 0.064, min = 1e-9, unit = "kg m^2", doc = "inertia of the bit" }
local ct   = setting { "ct", 2.93, doc = "SoftTorque, proportional" }
local kt   = setting { "kt", 1.87, doc = "SoftTorque, integral" }
local t_end = setting { "t_end", 400, min = 200, max = 1e4, unit = "s", doc = "end of the start-ups that are compared" }

local cases = { { "softtorque", controller = "softtorque" }, { "lqg_low", controller = "lqg", rq = 10 }, { "lqg_high", controller = "lqg", rq = 100 },
                { "hinf", controller = "hinf" } }
local none = maximum(time(), { from = 1e9 })
local curves = {}
for _, case in ipairs(cases) do
  local name = case[1]
  local a = drill_analysis { controller = case.controller, rq = case.rq, rpm = rpm, Ts = Ts, Nd = Nd, J1 = J1, ct = ct, kt = kt }
  if a.max_real >= 0 then
    print(name .. ": the set point is unstable" .. (a.critical_rpm and string.format("; stable above %.4g rpm", a.critical_rpm) or ""))
  end
  measure { [name .. "_norm"] = a.norm, [name .. "_norm_hz"] = a.norm_hz, [name .. "_max_real"] = a.max_real,
            [name .. "_critical_slope"] = a.critical_slope or none, [name .. "_critical_rpm"] = a.critical_rpm or none,
            [name .. "_sector_low"] = a.sector_low, [name .. "_sector_high"] = a.sector_high or none }
  if name == "softtorque" then measure { slope = a.slope, torque = a.torque, poles_real = a.poles_real, poles_imaginary = a.poles_imaginary } end
  if a.gain then measure { [name .. "_gain"] = a.gain, [name .. "_observer"] = a.observer } end
  local out = drill_run { controller = case.controller, rq = case.rq, rpm = rpm, Ts = Ts, Nd = Nd, J1 = J1, ct = ct, kt = kt, t_end = t_end, outputs = 1500 }
  measure { [name .. "_stick_fraction"] = out.stick_fraction, [name .. "_first_stick"] = out.first_stick or none }
  local bit, torque = { label = name }, { label = name }
  for i = 1, #out.t do bit[i], torque[i] = { out.t[i], out.bit[i] }, { out.t[i], out.torque[i] } end
  curves[#curves + 1] = { bit = bit, torque = torque }
end
local high, low = drill_hinf { search = true }, drill_hinf { weights = "low", search = true, k = 0.001, d = 1 }
measure { hinf_gco = high.gco, hinf_weighted_norm = high.norm or none, hinf_nominal_level = high.nominal_level or none, hinf_largest_k = high.largest_k or none,
          hinf_fastest = high.fastest or none, hinf_low_nominal_level = low.nominal_level or none, hinf_low_feasible = low.feasible and 1 or 0 }

local bit, disc = coordinates("bit", "disc")
mass { bit = J1, disc = 0.708 }
potential(0.630 / 2 * (bit - disc)^2)
initial { bit = 0.1 }
integrate { h = 0.01, until_t = 10 }

-- Slope of the friction law against speed, and the slopes that the loops bear.
local law, vd = { label = "slope of the law" }, 30 / (pi * Nd)
for i = 0, 200 do
  local n = 3 + 4 * i / 200
  law[#law + 1] = { n, vd * (Ts - 0.272) * exp(-n / Nd) }
end
local function borne(controller, gain, label, style)
  local a = drill_analysis { controller = controller, rq = gain, rpm = rpm, Ts = Ts, Nd = Nd, J1 = J1, ct = ct, kt = kt }
  local slope = a.critical_slope or 0
  return outline { { 3, slope }, { 7, slope }, label = label, style = style }
end
curves[3].bit.style, curves[4].bit.style, curves[2].torque.style = "dashed", "dotted", "dotted"
plot { "analysis", title = "Controllers of a drill string", columns = 2,
  panel { title = "SoftTorque: speed of the bit", xlabel = "t [s]", ylabel = "rpm", outline(curves[1].bit) },
  panel { title = "robust controllers: speed of the bit", xlabel = "t [s]", ylabel = "rpm", outline(curves[2].bit), outline(curves[3].bit), outline(curves[4].bit) },
  panel { title = "torque of the top drive", xlabel = "t [s]", ylabel = "N m", outline(curves[1].torque), outline(curves[2].torque) },
  panel { title = "largest slopes of the law, from below: SoftTorque, LQG low, H-infinity, LQG high", xlabel = "set point [rpm]", ylabel = "N m s/rad", yrange = { 0, 0.02 }, outline(law),
          borne("softtorque", nil, nil, "dotted"), borne("lqg", 10, nil, "dashed"), borne("hinf", nil, nil, "dotted"), borne("lqg", 100, "borne by a loop", "dashed") } }
