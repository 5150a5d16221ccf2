-- Trial 10, plates 14 to 16: chatter of a solid pulled along a wall by springs.
experiment {
  title  = "planar solid pulled along a wall with friction: sliding, chatter, jamming (plates 14 to 16)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 10",
  doc    = [[
A rigid solid with a rounded nose (radius b, centre A on the body axis at abscissa a) is pulled by springs along the
wall y = 0 and pressed against it by a torque CR. Plate 14 (CR = -700): permanent sliding, doubly periodic. CR = -800:
it jams and tips over. Plate 15 (CR = -200): one shock per period, stick, immediate take-off: chalk on a blackboard.
Plate 16 (CR = -100): two alternating kinds of shock. CR = -50: erratic shocks. Mass 1 (not printed in the source).]],
}

local CR     = param { "CR", -700, doc = "restoring torque" }
local gamma1 = param { "gamma1", 0.5, doc = "friction coefficient while the slip velocity is negative", min = 1e-12 }
local gamma2 = param { "gamma2", -0.5, doc = "minus the friction coefficient while it is positive", max = -1e-12 }
local X  = param { "X", 0.343836, doc = "initial abscissa of G" }
local Y  = param { "Y", 2.15387, doc = "initial ordinate of G" }
local TH = param { "TH", 0.841469, unit = "rad", doc = "initial angle" }
local U  = param { "U", 41.3281, doc = "initial velocity of G along x" }
local V  = param { "V", -4.9483, doc = "initial velocity of G along y" }
local OM = param { "OM", 3.85829, unit = "rad/s", doc = "initial angular velocity" }
local h  = param { "h", 0.002, unit = "s", doc = "time step", min = 1e-9 }
local av = param { "av", 0, doc = "anticipation coefficient of the contact rows", min = -2, max = 2 }
local t_end = param { "t_end", 4, unit = "s", doc = "end time" }

local plate_16 = { X = 1.14612, Y = 2.13286, TH = 0.886816, U = 27.5273, V = 6.34844, OM = -0.534209, h = 0.0005 }
local function from_plate_16(values)
  for name, value in pairs(plate_16) do values[name] = value end
  return values
end
variant { "plate-14", doc = "CR = -700: permanent contact, doubly periodic" }
variant { "plate-15", doc = "CR = -200: one shock per period, then take-off", CR = -200, X = 1.0967, Y = 2.16282,
          TH = 0.840773, U = 28.4148, V = 13.0379, OM = -7.21756, h = 0.001 }
variant { "plate-15-lower", doc = "the same with h = 0.0005, as the lower curve of plate 15", CR = -200, X = 1.0967,
          Y = 2.16282, TH = 0.840773, U = 28.4148, V = 13.0379, OM = -7.21756, h = 0.0005 }
variant (from_plate_16 { "plate-16", doc = "CR = -100: two alternating shocks", CR = -100 })
variant { "jam", doc = "CR = -800 from the data of plate 14: the solid jams and tips over", CR = -800 }
variant (from_plate_16 { "erratic", doc = "CR = -50 from the data of plate 16: erratic shocks", CR = -50 })

local a, b, gyration, DX, DY = -1.73205, 1, 1, 0, 1.6
local YR, VR, RX, RY = 2.7, 30, 200, 2000

local x, y, theta = coordinates("x", "y", "theta")
kinetic ((dot(x)^2 + dot(y)^2 + gyration^2 * dot(theta)^2) / 2)
local dx = DX * cos(theta) - DY * sin(theta)
local dy = DX * sin(theta) + DY * cos(theta)
local XR = VR * time()
local Fx, Fy = -RX * (x + dx - XR), -RY * (y + dy - YR)
force   { x = Fx, y = Fy, theta = dx * Fy - dy * Fx + CR }
contact { "wall", gap = y + a * cos(theta) - b, slip = dot(x) + dot(theta) * y,
          friction = { backward = gamma1, forward = -gamma2 } }
-- The printed start of plate 14 violates the contact by 3.1e-4.
initial { x = X, y = Y, theta = TH, [dot(x)] = U, [dot(y)] = V, [dot(theta)] = OM, gap_tolerance = 1e-3 }
integrate { scheme = "moreau-friction", h = h, until_t = t_end, av = av }

-- velocity of the lowest particle of the nose, shown in plates 15 and 16
local nose_vx = dot(x) - dot(theta) * (a * cos(theta) - b)
local nose_vy = dot(y) - dot(theta) * a * sin(theta)
record  { relative_x = x - XR, nose_vx = nose_vx, nose_vy = nose_vy, impulse = impulse "wall" }
measure {
  shock_times      = times(impact "wall"),
  release_times    = times(release "wall"),
  shocks           = count(impact "wall"),
  contact_fraction = fraction(touching "wall"),
  stick_fraction   = fraction(sticking "wall"),
  theta_min        = minimum(theta),
  theta_max        = maximum(theta),
  nose_vx_min      = minimum(nose_vx),
  relative_x_min   = minimum(x - XR, { from = t_end / 2 }),
  relative_x_max   = maximum(x - XR, { from = t_end / 2 }),
}

local ax, ay = x - a * sin(theta), y + a * cos(theta)      -- centre A of the nose
local tip_x, tip_y = ax - 3 * sin(theta), ay + 3 * cos(theta)
plot { "trial-10-motion", title = "Trial 10: the body axis from the nose centre A, every 0.008 s", xlabel = "x", ylabel = "y",
  equal = true, outline { { -2, b }, { 16, b }, label = "A at this height: contact" },
  segments { ax, ay, tip_x, tip_y, every = 0.008, to = 0.4 } }
plot { "trial-10-velocity", title = "Trial 10: horizontal velocity of the lowest particle", xlabel = "t",
  ylabel = "horizontal velocity", line { time(), nose_vx, to = 0.8 } }
plot { "trial-10-phase", title = "Trial 10: the regime, second half of the run", columns = 2,
  panel { title = "relative trajectory of G", xlabel = "x - XR", ylabel = "y", line { x - XR, y, from = t_end / 2 } },
  panel { title = "velocity of the lowest particle", xlabel = "horizontal", ylabel = "vertical",
          line { nose_vx, nose_vy, from = t_end / 2 } } }

draw { disc(ax - XR, ay, b, { name = "nose" }), rod({ ax - XR, ay }, { tip_x - XR, tip_y }, 0.3), pin { x - XR, y }, wall { { -6, 0 }, { 6, 0 } },
       spring({ 0, YR }, { x + dx - XR, y + dy }), touch("wall", { ax - XR, 0 }, { 0, 1 }) }
