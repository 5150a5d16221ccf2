-- Trial 7, plates 8 and 9: a particle inside a sphere.
experiment {
  title  = "particle inside a sphere, by INEL (plate 8)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 7",
  doc    = [[
Free flight, an inelastic shock a little before t = 0.1, sliding, loss of contact a little after 0.2, a second shock
a little after 0.6, then a spherical pendulum to t = 2.5. The exact lobes have equal heights; the computed second lobe
is lower because each step along the wall loses energy, less so with the smaller step of plate 9.]],
}

local h  = param { "h", 0.005, unit = "s", doc = "time step", min = 1e-9 }
local av = param { "av", 0.5, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local x0 = param { "x0", -20, unit = "cm", doc = "initial position" }
local y0 = param { "y0", 10, unit = "cm", doc = "initial position" }
local z0 = param { "z0", -30, unit = "cm", doc = "initial height" }
local u0 = param { "u0", -250, unit = "cm/s", doc = "initial velocity along x" }
local v0 = param { "v0", 0, unit = "cm/s", doc = "initial velocity along y" }
local w0 = param { "w0", 300, unit = "cm/s", doc = "initial velocity along z" }
variant { "plate-9", h = 0.002, doc = "the same with h = 0.002 (plate 9)" }
local gravity, R = 981, 45

local x, y, z = coordinates("x", "y", "z")
kinetic   ((dot(x)^2 + dot(y)^2 + dot(z)^2) / 2)
potential (gravity * z)
contact   { "sphere", gap = R^2 - x^2 - y^2 - z^2 }
initial   { x = x0, y = y0, z = z0, [dot(x)] = u0, [dot(y)] = v0, [dot(z)] = w0 }
integrate { scheme = "inel", h = h, until_t = 2.5, av = av }

record  { violation = hypot(hypot(x, y), z) - R }
measure {
  shock_times   = times(impact "sphere"),
  release_times = times(release "sphere"),
  lobes         = peaks(z, { from = 0.7 }),
  energy_end    = final(energy()),
  violation_max = maximum(hypot(hypot(x, y), z) - R),
  x_end = final(x), y_end = final(y), z_end = final(z),
}

plot { "trial-07", title = "Trial 7: particle inside a sphere (marks every 0.1)", columns = 2,
  panel { title = "from the front", xlabel = "y", ylabel = "z", equal = true,
          circle { 0, 0, R }, line { y, z }, points { y, z, every = 0.1, numbered = true } },
  panel { title = "from above", xlabel = "x", ylabel = "y", equal = true,
          circle { 0, 0, R }, line { x, y }, points { x, y, every = 0.1, numbered = true } } }

local sphere = { disc({ x, y, z }, 1.5, { name = "particle" }), path { x, y, z } }
for k = 0, 5 do
  local meridian, parallel = { closed = true }, { closed = true }
  for i = 1, 48 do
    local a, b = 2 * pi * i / 48, -pi / 2 + pi * (k + 1) / 7
    meridian[i] = { R * cos(a) * cos(pi * k / 6), R * cos(a) * sin(pi * k / 6), R * sin(a) }
    parallel[i] = { R * cos(b) * cos(a), R * cos(b) * sin(a), R * sin(b) }
  end
  sphere[#sphere + 1] = deformed(meridian)
  sphere[#sphere + 1] = deformed(parallel)
end
draw(sphere)
