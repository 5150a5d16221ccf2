-- Trial 6, plate 7: a particle thrown into a conical vase, out over its rim, and onto the ground.
experiment {
  title  = "particle in a conical vase, by INEL (plate 7)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 6",
  doc    = [[
Free flight into the vase 9x^2 + 9y^2 <= 4z^2 (rim at z = 45, radius 30), an inelastic shock, frictionless sliding
without loss of contact, exit over the rim, a second parabola, and an inelastic shock on the ground z = 0 that keeps
the horizontal velocity. The vase wall exists only where z < 45 and x^2 + y^2 < 900.]],
}

local h  = param { "h", 0.002, unit = "s", doc = "time step", min = 1e-9 }
local av = param { "av", 0.5, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local x0 = param { "x0", 45, unit = "cm", doc = "initial position" }
local y0 = param { "y0", 25, unit = "cm", doc = "initial position" }
local z0 = param { "z0", 70, unit = "cm", doc = "initial height" }
local u0 = param { "u0", -170, unit = "cm/s", doc = "initial velocity along x" }
local v0 = param { "v0", -30, unit = "cm/s", doc = "initial velocity along y" }
local w0 = param { "w0", 60, unit = "cm/s", doc = "initial velocity along z" }
local gravity, rim, rim_radius = 981, 45, 30

local x, y, z = coordinates("x", "y", "z")
kinetic   ((dot(x)^2 + dot(y)^2 + dot(z)^2) / 2)
potential (gravity * z)
local in_vase = min(rim - z, rim_radius^2 - x^2 - y^2)     -- > 0 where the wall is
contact   { "vase", gap = select(in_vase, 4 * z^2 - 9 * x^2 - 9 * y^2, 1) }
contact   { "ground", gap = z }
initial   { x = x0, y = y0, z = z0, [dot(x)] = u0, [dot(y)] = v0, [dot(z)] = w0 }
integrate { scheme = "inel", h = h, until_t = 1.3, av = av }

measure {
  cone_hit   = first(impact "vase"),
  rim_exit   = last(release "vase"),
  ground_hit = first(impact "ground"),
  lowest_z   = minimum(z, { to = 0.75 }),
  x_end = final(x), y_end = final(y), z_end = final(z),
}

plot { "trial-06", title = "Trial 6: particle in a conical vase (marks every 0.1)", columns = 2,
  panel { title = "from the front", xlabel = "x", ylabel = "z", equal = true,
          outline { { -rim_radius, rim }, { 0, 0 }, { rim_radius, rim } }, outline { { -60, 0 }, { 60, 0 } },
          line { x, z }, points { x, z, every = 0.1, numbered = true } },
  panel { title = "from above", xlabel = "x", ylabel = "y", equal = true,
          circle { 0, 0, rim_radius }, line { x, y }, points { x, y, every = 0.1, numbered = true } } }

local vase = { disc({ x, y, z }, 1.5, { name = "particle" }), path { x, y, z } }
for k = 1, 6 do
  local ring = { closed = true }
  for i = 1, 48 do
    local r = rim_radius * k / 6
    ring[i] = { r * cos(2 * pi * i / 48), r * sin(2 * pi * i / 48), rim * k / 6 }
  end
  vase[#vase + 1] = deformed(ring)
end
for i = 1, 8 do vase[#vase + 1] = segment({ 0, 0, 0 }, { rim_radius * cos(pi * i / 4), rim_radius * sin(pi * i / 4), rim }) end
draw(vase)
