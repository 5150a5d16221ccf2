-- Crossing beams over stops, one under every crossing: loads that come and go lift them and strike them on the stops.
experiment {
  title  = "grid of beams on stops",
  source = "worked example of large contact problems",
  doc    = [[
nx ny crossings of straight beams of Euler and Bernoulli, whose ends outside are clamped; six coordinates per crossing, masses of two bays at each. Under each crossing a pin
reaches down to a stop, which rubs on it. Load, gaps and steel are those of `large grid` (docs/scale.md); here the vertical load comes and goes.]],
}

local nx = setting { "nx", 4, integer = true, min = 1, max = 300, doc = "crossings along x" }
local ny = setting { "ny", 3, integer = true, min = 1, max = 300, doc = "along y" }
local load_of = setting { "load", "shaken", choices = { "shaken", "constant" }, doc = "comes and goes, or stays" }
local E    = param { "E", 2e8, unit = "kN/m^2", doc = "Young's modulus", min = 1e-9 }
local G    = param { "G", 8e7, unit = "kN/m^2", doc = "shear modulus", min = 1e-9 }
local rho  = param { "rho", 7.8, unit = "t/m^3", doc = "density", min = 1e-12 }
local size = param { "size", 0.02, unit = "m", doc = "side of the square sections", min = 1e-6 }
local bay  = param { "bay", 0.5, unit = "m", doc = "between crossings", min = 1e-6 }
local pin  = param { "pin", 0.05, unit = "m", doc = "length of the pins", min = 0 }
local play = param { "play", 1e-4, unit = "m", doc = "mean gap above the stops", min = 0 }
local F    = param { "F", 0.1, unit = "kN", doc = "mean load of a crossing, down" }
local freq = param { "freq", 15, unit = "Hz", doc = "of the load", min = 0 }
local mu   = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local e    = param { "e", 0, doc = "restitution of the stops", min = 0, max = 1 }
local step = param { "h", 1e-4, unit = "s", min = 1e-9, doc = "time step" }
local t_end = param { "t_end", 0.2, unit = "s", min = 1e-9, doc = "duration" }
variant { "constant", doc = "the load stays: what the grid comes to", load = "constant" }

local names, count = {}, nx * ny
for x = 1, nx do for y = 1, ny do
  for _, axis in ipairs { "ux", "uy", "uz", "rx", "ry", "rz" } do names[#names + 1] = axis .. x .. "_" .. y end
end end
local all = coordinates(names)
-- Displacement (1 to 3) or rotation (4 to 6) of a crossing; the clamped ends outside do not move.
local function moves(x, y, k)
  if x < 1 or y < 1 or x > nx or y > ny then return 0 end
  return all[6 * ((x - 1) * ny + y - 1) + k]
end

-- Energies of one bay: of a spring, and of bending, 2 EI/l (r^2 + r s + s^2 - 3 p (r + s) + 3 p^2) with the slopes r, s of its ends and p between them.
local area, second, polar = size^2, size^4 / 12, 0.141 * size^4
local function stretched(k, from, to) return k / 2 * (to - from)^2 end
local function bent(d0, d1, r, s)
  local p = (d1 - d0) / bay
  return 2 * E * second / bay * (r^2 + r * s + s^2 - 3 * p * (r + s) + 3 * p^2)
end
-- A rotation about y lowers what is ahead along x, one about z moves it along y; one about x lifts what is ahead along y, one about z moves it along -x.
local function beam_along_x(x, y)
  local function at(k) return moves(x, y, k), moves(x + 1, y, k) end
  local z0, z1 = at(3)
  local b0, b1 = at(5)
  local y0, y1 = at(2)
  local c0, c1 = at(6)
  return stretched(E * area / bay, at(1)) + stretched(G * polar / bay, at(4)) + bent(z0, z1, -b0, -b1) + bent(y0, y1, c0, c1)
end
local function beam_along_y(x, y)
  local function at(k) return moves(x, y, k), moves(x, y + 1, k) end
  local z0, z1 = at(3)
  local a0, a1 = at(4)
  local x0, x1 = at(1)
  local c0, c1 = at(6)
  return stretched(E * area / bay, at(2)) + stretched(G * polar / bay, at(5)) + bent(z0, z1, a0, a1) + bent(x0, x1, -c0, -c1)
end
for x = 0, nx do for y = 0, ny do
  if y > 0 then potential(beam_along_x(x, y)) end
  if x > 0 then potential(beam_along_y(x, y)) end
end end

local weight = 2 * rho * area * bay
local inertia, forces = {}, {}
local pressed, rubbed, open, touching, highest, deepest = 0, 0, 0, 0, 0, 0
local t = time()
for x = 1, nx do for y = 1, ny do
  local c, name = (x - 1) * ny + y - 1, "stop" .. x .. "_" .. y
  local u = {}
  for k = 1, 6 do
    u[k] = moves(x, y, k)
    inertia[u[k]] = k <= 3 and weight or weight * bay^2 / 24
  end
  local comes = load_of == "shaken" and sin(2 * pi * freq * t) or 1
  forces[u[1]] = 0.4 * F * (1 + math.sin(0.7 * c))
  forces[u[2]] = 0.2 * F * math.cos(1.3 * c)
  forces[u[3]] = -F * (1 + math.sin(0.37 * c)) * comes
  contact { name, gap = play * (1 + math.cos(2.1 * c)) + u[3],
    slip = { dot(u[1]) - pin * dot(u[5]), dot(u[2]) + pin * dot(u[4]) }, restitution = e, friction = mu }
  local N = impulse(name) / step
  pressed, rubbed = pressed + N, rubbed + hypot(impulse(name, 1), impulse(name, 2)) / step
  touching = touching + select(N, 1, 0)
  highest, deepest = max(highest, u[3]), min(deepest, gap(name))
end end
mass(inertia)
force(forces)
integrate { scheme = "moreau-jean", h = step, until_t = t_end, theta = load_of == "shaken" and 0.5 or 1 }

record  { pressed = pressed, rubbed = rubbed, touching = touching, highest = highest }
measure {
  pressed = pressed, rubbed = rubbed, touching = touching,       -- forces of all stops in the last step, kN; how many
  -- the hardest blow of a step, kN s
  blow = maximum(step * pressed), highest = maximum(highest), deepest = minimum(deepest),
  mean_touching = mean(touching),
}
local middle_x, middle_y = (nx + 1) // 2, (ny + 1) // 2
plot { "grid", title = "Grid of beams on stops", columns = 3,
  panel { title = "middle crossing", xlabel = "t in s", ylabel = "mm", line { t, 1e3 * moves(middle_x, middle_y, 3), label = "up" } },
  panel { title = "forces of all stops", xlabel = "t in s", ylabel = "kN", line { t, pressed, label = "normal" }, line { t, rubbed, label = "friction" } },
  panel { title = "stops that press", xlabel = "t in s", ylabel = "number", line { t, touching } } }

-- The beams, displaced a hundred times.
local shape = {}
local function point(x, y) return { x * bay + 100 * moves(x, y, 1), y * bay + 100 * moves(x, y, 2), 100 * moves(x, y, 3) } end
local function strip(last, at)
  local points = {}
  for k = 0, last do points[k + 1] = point(at(k)) end
  shape[#shape + 1] = deformed(points)
end
for y = 1, ny do strip(nx + 1, function(k) return k, y end) end
for x = 1, nx do strip(ny + 1, function(k) return x, k end) end
for x = 1, nx do for y = 1, ny do shape[#shape + 1] = touch("stop" .. x .. "_" .. y, point(x, y), { 0, 0, 1 }) end end
draw(shape)
