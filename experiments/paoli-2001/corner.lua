-- A particle runs into a wedge: corners are where schemes and limits disagree.
experiment {
  title  = "particle in a corner: orthogonal corner and wedges",
  source = "L. Paoli, Time discretization of vibro-impact, 2001; Mathematical aspects, 2018 (examples of corner and wedge)",
  doc    = [[
The particle moves without force between the walls y >= 0 and x sin(angle) - y cos(angle) >= 0. In the orthogonal corner two
motions keep the energy when it slides along one wall into the other: straight back, or up the other wall; the impact law
in the kinetic metric selects the first. In an obtuse wedge the motion jumps when the start passes the line into the corner:
eps shifts the start across its velocity. The published examples are mirrored: their x is -x here.]],
}

local angle = param { "angle", 90, unit = "degrees", doc = "angle of the wedge", min = 1, max = 179 }
local x0  = param { "x0", 1, doc = "initial position" }
local y0  = param { "y0", 0, doc = "initial position" }
local u0  = param { "u0", -1, doc = "initial velocity along x" }
local v0  = param { "v0", 0, doc = "initial velocity along y" }
local eps = param { "eps", 0, doc = "shift of the start across its velocity, to the right of it when positive" }
local e   = param { "e", 1, doc = "restitution coefficient", min = 0, max = 1 }
local h   = param { "h", 0.0078125, doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 2, doc = "end time" }

-- The published obtuse wedge: phi1 = y, phi2 = 2 y - x, start (eps, 1), velocity (0, -1).
local obtuse = 180 - math.atan(1 / 2) * 180 / pi
local function obtuse_wedge(name, shift)
  variant { name, doc = "phi1 = y, phi2 = 2 y - x (mirrored), eps = " .. shift, angle = obtuse, x0 = 0, y0 = 1, u0 = 0, v0 = -1,
            eps = shift, h = 1 / 2500 }
end
obtuse_wedge("wedge-obtuse-left", -0.05)
obtuse_wedge("wedge-obtuse-right", 0.05)

-- Towards the corner along the bisector, just left and just right of it.
for _, degrees in ipairs { 45, 60, 90, 120, 150 } do
  local c, s = cos(degrees * pi / 360), sin(degrees * pi / 360)
  local small = 1e-6
  variant { "wedge-" .. degrees, doc = "along the bisector of " .. degrees .. " degrees, both sides of the corner, e = 0, 0.5, 1",
            angle = degrees, x0 = c, y0 = s, u0 = -c, v0 = -s, eps = small,
            family = { eps = { -small, small, -small, small, -small, small }, e = { 0, 0, 0.5, 0.5, 1, 1 } } }
end

local x, y  = coordinates("x", "y")
local th    = angle * pi / 180
local speed = max(hypot(u0, v0), 1e-300)
mass      (1)
contact   { "floor", gap = y, restitution = e }
contact   { "wall", gap = x * sin(th) - y * cos(th), restitution = e }
initial   { x = x0 + eps * v0 / speed, y = y0 - eps * u0 / speed, [dot(x)] = u0, [dot(y)] = v0 }
integrate { scheme = "event-driven", h = h, until_t = t_end }

measure { x_end = x, y_end = y, impacts = count(impact()) }
family  { scheme = { "event-driven", "paoli-schatzman", "sweeping" } }

plot { "corner", title = "Particle in a corner", xlabel = "x", ylabel = "y", equal = true,
       outline { { 0, 0 }, { 1.5, 0 } }, outline { { 0, 0 }, { 1.5 * cos(th), 1.5 * sin(th) } },
       line { x, y, family = true, every = 0.02 }, points { x, y, every = 0.25, numbered = true } }

draw { disc(x, y, 0.02, { name = "particle" }), path { x, y }, wall { { 0, 0 }, { 1.5, 0 } }, wall { { 1.5 * cos(th), 1.5 * sin(th) }, { 0, 0 } },
       touch("floor", { x, 0 }, { 0, 1 }), touch("wall", { x, y }, { sin(th), -cos(th) }) }
