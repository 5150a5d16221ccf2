-- A slider-crank mechanism whose slider pin has play.
experiment {
  title  = "slider-crank with clearance at the slider pin",
  source = "worked example of the mechanism library",
  doc    = [[
Crank, rod and slider in a horizontal plane. The rod's end carries a pin that moves freely inside a bearing of the slider, with the radial
clearance c: impacts with restitution e and Coulomb friction mu. A motor holds the speed of the crank.]],
}

local l1 = param { "l1", 0.1, unit = "m", doc = "crank", min = 1e-9 }
local l2 = param { "l2", 0.3, unit = "m", doc = "rod", min = 1e-9 }
local m1 = param { "m1", 0.5, unit = "kg", doc = "mass of the crank", min = 1e-9 }
local m2 = param { "m2", 0.8, unit = "kg", doc = "mass of the rod", min = 1e-9 }
local m3 = param { "m3", 1, unit = "kg", doc = "mass of the slider", min = 1e-9 }
local c  = param { "c", 5e-4, unit = "m", doc = "radial clearance", min = 1e-9 }
local r  = param { "r", 0.01, unit = "m", doc = "radius of the pin", min = 0 }
local e  = param { "e", 0.5, doc = "restitution coefficient", min = 0, max = 1 }
local w0 = param { "w0", 30, unit = "rad/s", doc = "speed of the crank" }
local k  = param { "k", 2, unit = "N m s", doc = "motor: torque per difference of speed", min = 0 }
local h  = param { "h", 2e-5, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.8, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local turns = param { "turns", 2, doc = "turns of the crank", min = 0 }
local mu = setting { "mu", 0.1, min = 0, doc = "friction coefficient; 0: a contact without friction" }
variant { "smooth", doc = "without friction", mu = 0 }
variant { "wide", doc = "ten times the clearance", c = 5e-3 }

local crank = body2d { "crank", mass = m1, inertia = m1 * l1^2 / 12, pinned = { { -l1 / 2, 0 }, ground, { 0, 0 } }, omega = w0 }
local rod   = body2d { "rod", mass = m2, inertia = m2 * l2^2 / 12, pinned = { { -l2 / 2, 0 }, crank, { l1 / 2, 0 } }, omega = -w0 * l1 / l2 }
local slider = body2d { "slider", mass = m3, inertia = 1e-4, at = { l1 + l2, 0, 0 } }
revolute  { "main", crank, { -l1 / 2, 0 }, ground, { 0, 0 } }
revolute  { "crankpin", crank, { l1 / 2, 0 }, rod, { -l2 / 2, 0 } }
prismatic { "guide", ground, { 0, 0 }, 0, slider, { 0, 0 } }
local play = clearance { "bearing", slider, { 0, 0 }, rod, { l2 / 2, 0 }, radius = c, journal = r, restitution = e,
                         friction = mu > 0 and mu or nil }
force     { [crank.phi] = k * (w0 - dot(crank.phi)) }
integrate { scheme = "moreau-jean", h = h, until_t = turns * 2 * pi / w0, rho_inf = rho_inf }

-- Without play the slider would be here.
local ideal = l1 * cos(crank.phi) + sqrt(l2^2 - (l1 * sin(crank.phi))^2)
local gx, gy = rod:point { -l2 / 2, 0 }
local px, py = crank:point { l1 / 2, 0 }
local drift  = max(abs(gx - px), abs(gy - py))

record  { slider = slider.x, ideal = ideal, play_x = play.dx, play_y = play.dy, force = impulse "bearing" / h }
measure {
  impacts      = count(impact "bearing"),
  contact      = fraction(touching "bearing"),
  off          = maximum(abs(slider.x - ideal)),
  deepest      = minimum(gap "bearing"),
  hardest      = maximum(impulse "bearing"),
  speed        = mean(dot(crank.phi)),
  drift        = maximum(drift),
  slider_end   = slider.x,
  crank_end    = crank.phi,
}

local t = time()
local ex, ey = rod:point { l2 / 2, 0 }
plot { "slider-crank-clearance", title = "Slider-crank with clearance", columns = 2,
  panel { title = "mechanism", xlabel = "x", ylabel = "y", equal = true,
          segments { 0, 0, px, py, every = 0.02, to = 0.2, label = "crank" },
          segments { px, py, ex, ey, every = 0.02, to = 0.2, label = "rod" },
          points { slider.x, slider.y, every = 0.02, to = 0.2, label = "slider", style = "circle" } },
  panel { title = "pin in its bearing", xlabel = "dx", ylabel = "dy", equal = true, circle { 0, 0, c, style = "dashed" },
          line { play.dx, play.dy } },
  panel { title = "velocity of the slider", xlabel = "t", ylabel = "v", line { t, dot(slider.x), label = "with play" },
          line { t, dot(ideal), label = "ideal", style = "dashed" } },
  panel { title = "impulse of the bearing per step / h", xlabel = "t", ylabel = "force", yrange = { 0, 500 }, line { t, impulse "bearing" / h } } }

draw { polygon { { slider.x - 2 * r, -1.5 * r }, { slider.x + 2 * r, -1.5 * r }, { slider.x + 2 * r, 1.5 * r }, { slider.x - 2 * r, 1.5 * r }, fill = false },
       wall { { l2 - l1, -1.5 * r }, { l2 + 2 * l1, -1.5 * r } }, wall { { l2 + 2 * l1, 1.5 * r }, { l2 - l1, 1.5 * r } } }
