-- A drill string of one's own, as a model: bit, n equal discs of pipe, top drive with SoftTorque.
experiment {
  title  = "a drill string of one's own: n discs between bit and top drive",
  source = "the equations of N. van de Wouw, T. Vromen, M. J. M. van Helmond, P. Astrid, A. Doris, H. Nijmeijer, Elimination of stick-slip vibrations in drilling systems, 2018, (8), (16), (17), (37); values of carom's own",
  doc    = [[
The pipe of the published setup as n equal discs: the same inertia, stiffness and friction of the walls in all. start = "set-point" begins in steady rotation with the bit slower by `kick`; start = "rest" brings the set point up in `ramp` seconds.
Measures but first_stick are those after `from`. A model like any other: copy the file and change J, k, Tw, the bit. Scheme dai-theta; dai-euler is for comparison: it takes the part h/tau of the damping away, so that h must stay well below tau.]],
}

local n     = setting { "n", 10, integer = true, min = 1, max = 60, doc = "discs between bit and top drive" }
local start = setting { "start", "set-point", choices = { "set-point", "rest" }, doc = "how it begins" }
local rpm   = param { "rpm", 5.5, unit = "rpm", min = 0.1, doc = "set point" }
local kick  = param { "kick", 0.9, min = 0, max = 2, doc = "part of the bit's speed taken away at the set point" }
local ramp  = param { "ramp", 30, unit = "s", min = 0.01, doc = "start from rest: the set point is reached after this" }
local Ts    = param { "Ts", 1.232, unit = "N m", min = 0, doc = "bit torque at the start of motion" }
local Td    = param { "Td", 0.272, unit = "N m", min = 0, doc = "bit torque at high speed" }
local Nd    = param { "Nd", 0.5, unit = "rpm", min = 1e-6, doc = "decay speed of the bit torque" }
local J1    = param { "J1", 0.064, unit = "kg m^2", min = 1e-9, doc = "inertia of the bit" }
local pipe  = param { "pipe", 1.416, unit = "kg m^2", min = 1e-9, doc = "inertia of the pipe in all" }
local Jn    = param { "Jn", 2.845, unit = "kg m^2", min = 1e-9, doc = "inertia of the top drive" }
local k     = param { "k", 0.3273, unit = "N m/rad", min = 1e-9, doc = "stiffness from bit to top drive" }
local tau   = param { "tau", 1e-3, unit = "s", min = 0, doc = "damping of the pipe, per stiffness" }
local Tw    = param { "Tw", 5.335, unit = "N m", min = 0, doc = "friction of the walls on the pipe in all" }
local Tn    = param { "Tn", 0.662, unit = "N m", min = 0, doc = "friction of the top drive" }
local ct    = param { "ct", 2.93, unit = "N m s/rad", doc = "SoftTorque, proportional" }
local kt    = param { "kt", 1.87, unit = "N m/rad", doc = "SoftTorque, integral" }
local h     = param { "h", 1e-3, unit = "s", min = 1e-9, doc = "time step" }
local from  = param { "from", 100, unit = "s", min = 0, doc = "measures look at the time after this" }
local t_end = param { "t_end", 200, unit = "s", min = 1e-3, doc = "end" }
variant { "rest", doc = "from rest, the set point raised in 30 s", start = "rest" }
variant { "weak", doc = "a kick that dies out", kick = 0.5 }
variant { "fast", doc = "at 20 rpm the same kick dies out", rpm = 20 }

local J, springs, walls = { J1 }, {}, {}
for i = 1, n do J[i + 1], walls[i] = pipe / n, Tw / n end
J[n + 2], walls[n + 1] = Jn, Tn
for i = 1, n + 1 do springs[i] = (n + 1) * k end
local s = drill_string { J = J, k = springs, d = tau * (n + 1) * k, Tw = walls, bit = { Ts = Ts, Td = Td, Nd = Nd } }

local torque
if start == "set-point" then
  torque = soft_torque { s, ct = ct, kt = kt, rpm = rpm, feedforward = s.torque(rpm) }
  initial(s.on_set_point(rpm, kick))
else
  local t = time()
  local rising = min(t, ramp)
  torque = soft_torque { s, ct = ct, kt = kt, rpm = rpm * rising / ramp, feedforward = s.torque(rpm) * rising / ramp,
                         reference_angle = pi / 30 * rpm * (rising^2 / (2 * ramp) + t - rising) }
end
integrate { scheme = "dai-theta", h = h, until_t = t_end }

local late = { from = from }
record  { bit_rpm = s.bit, top_rpm = s.top, pipe_torque = s.pipe, drive_torque = torque }
measure { stick_fraction = fraction(sticking "bit", late), first_stick = first(sticking "bit"), bit_max_rpm = maximum(s.bit, late), bit_min_rpm = minimum(s.bit, late),
          top_max_rpm = maximum(s.top, late), top_min_rpm = minimum(s.top, late), torque_max = maximum(torque, late) }
plot { "own-string", title = "A drill string of one's own", columns = 2,
  panel { title = "speeds", xlabel = "t [s]", ylabel = "rpm", line { time(), s.bit, label = "bit" }, line { time(), s.top, label = "top drive" } },
  panel { title = "phase portrait", xlabel = "bit [rpm]", ylabel = "torque of the pipe [N m]", line { s.bit, s.pipe, from = from, to = t_end } } }
