-- Local stability is not the whole story: poles, critical speed, norm and sector of every controller, and what a start-up does.
experiment {
  title  = "stability of a drill string under four controllers",
  source = "N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018, (33)-(34)",
  doc    = [[
For SoftTorque, LQG with integral action at low and high gain, and an H-infinity controller: the norm of the bit's mobility in closed loop, the largest slope of the friction law that the loop bears and the speed where it is reached, and the
sector in which the circle criterion holds. Gains come from Riccati equations solved here.]],
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
local names = { "SoftTorque", "LQG, low gain", "LQG, high gain", "H-infinity" }
local bit, torque = {}, {}
local slopes = { title = "slope of the friction law, and what each loop bears", xlabel = "set point [rpm]", ylabel = "N m s/rad", yrange = { 0, 0.02 } }
for i, case in ipairs(cases) do
  local name = case[1]
  local a = drill_analysis { controller = case.controller, rq = case.rq, rpm = rpm, Ts = Ts, Nd = Nd, J1 = J1, ct = ct, kt = kt }
  local bears = compute(function()
    if a.max_real >= 0 then
      print(name .. ": the set point is unstable" .. (a.critical_rpm and string.format("; stable above %.4g rpm", a.critical_rpm) or ""))
    end
    return { points = { { 3, a.critical_slope or 0 }, { 7, a.critical_slope or 0 } } }
  end)
  measure { [name .. "_norm"] = a.norm, [name .. "_norm_hz"] = a.norm_hz, [name .. "_max_real"] = a.max_real,
            [name .. "_critical_slope"] = a.critical_slope, [name .. "_critical_rpm"] = a.critical_rpm,
            [name .. "_sector_low"] = a.sector_low, [name .. "_sector_high"] = a.sector_high }
  if name == "softtorque" then measure { slope = a.slope, torque = a.torque, poles_real = a.poles_real, poles_imaginary = a.poles_imaginary } end
  if case.controller == "lqg" then measure { [name .. "_gain"] = a.gain, [name .. "_observer"] = a.observer } end
  local out = drill_run { controller = case.controller, rq = case.rq, rpm = rpm, Ts = Ts, Nd = Nd, J1 = J1, ct = ct, kt = kt, t_end = t_end, outputs = 1500 }
  measure { [name .. "_stick_fraction"] = out.stick_fraction, [name .. "_first_stick"] = out.first_stick }
  bit[i], torque[i] = curve { x = out.t, y = out.bit, label = names[i] }, curve { x = out.t, y = out.torque, label = names[i] }
  slopes[i] = curve { bears.points, label = names[i], style = "dashed" }
end
local high, low = drill_hinf { search = true, scales = true }, drill_hinf { weights = "low", search = true, k = 0.001, d = 1 }
measure { hinf_gco = high.gco, hinf_weighted_norm = high.norm, hinf_nominal_level = high.nominal_level, hinf_largest_k = high.largest_k, hinf_best_d = high.best_d, hinf_best_k = high.best_k,
          hinf_fastest = high.fastest, hinf_low_nominal_level = low.nominal_level, hinf_low_feasible = low.feasible }

-- Slope of the friction law against speed, and the slopes that the loops bear.
local law, vd = { label = "slope of the law" }, 30 / (pi * Nd)
for i = 0, 200 do
  local n = 3 + 4 * i / 200
  law[#law + 1] = { n, vd * (Ts - 0.272) * exp(-n / Nd) }
end
slopes[#slopes + 1] = curve(law)
plot { "analysis", title = "Controllers of a drill string", columns = 2,
  panel { title = "speed of the bit", xlabel = "t [s]", ylabel = "rpm", bit[1], bit[4] },
  panel { title = "speed of the bit, robust controllers", xlabel = "t [s]", ylabel = "rpm", yrange = { 0, 8 }, bit[2], bit[3], bit[4] },
  panel { title = "torque of the top drive", xlabel = "t [s]", ylabel = "N m", torque[1], torque[2] },
  panel(slopes) }
