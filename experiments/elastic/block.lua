-- An elastic block is pressed on a rigid foundation and dragged over it: a contact with friction under every node of its lower face.
experiment {
  title  = "elastic block pressed and dragged on a rigid foundation",
  source = "worked example of large contact problems",
  doc    = [[
nx ny nz nodes that move, hexahedra with eight nodes, trilinear displacements, 2 x 2 x 2 points of Gauss. The top, one layer above, is held and moved: down by `press`, along x by `drag` and along
y by a third of it. The foundation curves away from the middle, by `crown` at the middles of its sides. The motion is slow against the waves in the block: each step is a contact problem like that
of `large block` (docs/scale.md), but friction remembers the way. It is pressed in the first half of the time and dragged in the second; variant `together`: both at once.]],
}

local nx = setting { "nx", 6, integer = true, min = 2, max = 200, doc = "nodes along x" }
local ny = setting { "ny", 6, integer = true, min = 2, max = 200, doc = "along y" }
local nz = setting { "nz", 2, integer = true, min = 1, max = 100, doc = "layers of nodes below the top" }
local nu = setting { "nu", 0.3, min = -0.99, max = 0.499, doc = "Poisson's number" }
local order = setting { "order", "press-first", choices = { "press-first", "together" }, doc = "of pressing and dragging" }
local E     = param { "E", 30, unit = "Pa", doc = "Young's modulus", min = 1e-9 }
local rho   = param { "rho", 1e-2, unit = "kg/m^3", doc = "density", min = 1e-15 }
local press = param { "press", 0.01, unit = "m", doc = "way of the top, down" }
local drag  = param { "drag", 0.008, unit = "m", doc = "and along x" }
local crown = param { "crown", 0.007, unit = "m", doc = "depth of the foundation under the middles of the sides", min = 0 }
local mu    = param { "mu", 0.5, doc = "friction coefficient", min = 0 }
local steps = param { "steps", 50, integer = true, min = 1, doc = "time steps" }
local t_end = param { "t_end", 1, unit = "s", doc = "time of the whole way", min = 1e-9 }
variant { "together", doc = "pressed and dragged at once, on a straight way", order = "together" }

local sides = { 1, 1, 0.3 }
local side  = { sides[1] / (nx - 1), sides[2] / (ny - 1), sides[3] / nz }

-- Corner a = 0 .. 7 of an element is at bit 0, 1, 2 of a along x, y, z.
local function corner(a, axis) return a // 2^(axis - 1) % 2 end

-- d N_a / d x_axis at a point of [0, 1]^3
local function slope(a, axis, at)
  local product = (2 * corner(a, axis) - 1) / side[axis]
  for other = 1, 3 do
    if other ~= axis then product = product * (corner(a, other) == 1 and at[other] or 1 - at[other]) end
  end
  return product
end

-- K_ai,bj = integral of lambda s_ai s_bj + G s_aj s_bi + G delta_ij s_a.s_b, for E = 1
local shear, lambda = 1 / (2 * (1 + nu)), nu / ((1 + nu) * (1 - 2 * nu))
local element = {}
for k = 1, 24 * 24 do element[k] = 0 end
for g = 0, 7 do
  local at, s = {}, {}
  for axis = 1, 3 do at[axis] = 0.5 + (corner(g, axis) - 0.5) / sqrt(3) end
  for a = 0, 7 do s[a] = { slope(a, 1, at), slope(a, 2, at), slope(a, 3, at) } end
  for a = 0, 7 do for b = 0, 7 do
    local both = s[a][1] * s[b][1] + s[a][2] * s[b][2] + s[a][3] * s[b][3]
    for i = 1, 3 do for j = 1, 3 do
      local k = 24 * (3 * a + i - 1) + 3 * b + j
      element[k] = element[k] + side[1] * side[2] * side[3] / 8 * (lambda * s[a][i] * s[b][j] + shear * s[a][j] * s[b][i] + (i == j and shear * both or 0))
    end end
  end end
end

-- Coordinates: displacements against the top, which moves; nothing moves against it where the block is held.
local half = 0.5 * (1 + 1e-9) -- the step that ends at half the time belongs to the pressing
local way = time() / t_end
local down, along = way, way
if order == "press-first" then down, along = min(way, half) / half, max(way - half, 0) / (1 - half) end
local top = { drag * along, drag / 3 * along, -press * down }
local names = {}
for x = 1, nx do for y = 1, ny do for z = 1, nz do
  for _, axis in ipairs { "x", "y", "z" } do names[#names + 1] = "u" .. axis .. x .. "_" .. y .. "_" .. z end
end end end
local u = coordinates(names)
local function first_of(x, y, z) return 3 * (((x - 1) * ny + y - 1) * nz + z - 1) end
local function moves(x, y, z, axis) -- in space
  return z > nz and top[axis] or top[axis] + u[first_of(x, y, z) + axis]
end

-- K of the whole, its upper triangle by rows, and volumes of the nodes
local K, volume = {}, {}
for i = 1, #u do K[i], volume[i] = {}, 0 end
local function add_element(x, y, z)
  local place = {}
  for a = 0, 7 do
    local above = z + corner(a, 3)
    if above <= nz then place[a] = first_of(x + corner(a, 1), y + corner(a, 2), above) end
  end
  for a, from in pairs(place) do
    for i = 1, 3 do volume[from + i] = volume[from + i] + side[1] * side[2] * side[3] / 8 end
    for b, to in pairs(place) do for i = 1, 3 do for j = 1, 3 do
      local row, column = from + i, to + j
      if row <= column then K[row][column] = (K[row][column] or 0) + element[24 * (3 * a + i - 1) + 3 * b + j] end
    end end end
  end
end
for x = 1, nx - 1 do for y = 1, ny - 1 do for z = 1, nz do add_element(x, y, z) end end end

local inertia = {}
for i = 1, #u do
  inertia[u[i]] = rho * volume[i]
  local pull = K[i][i] / 2 * u[i]
  for j = i + 1, #u do
    if K[i][j] and K[i][j] ~= 0 then pull = pull + K[i][j] * u[j] end
  end
  potential(E * u[i] * pull)
end
mass(inertia)

local h = t_end / steps
local normal, along_x, along_y, open, sliding, ratio, deepest = 0, 0, 0, 0, 0, 0, 0
local closed = 1e-9 -- m: a contact that rests at gap 0 stays closed, whatever rounding does
local over = {}
for x = 1, nx do
  over[x] = {}
  for y = 1, ny do
    local name, a, b = "c" .. x .. "_" .. y, 2 * (x - 1) / (nx - 1) - 1, 2 * (y - 1) / (ny - 1) - 1
    contact { name, gap = crown * (a^2 + b^2) - closed + moves(x, y, 1, 3), slip = { dot(moves(x, y, 1, 1)), dot(moves(x, y, 1, 2)) }, friction = mu }
    local N, X, Y = impulse(name) / h, impulse(name, 1) / h, impulse(name, 2) / h
    over[x][y] = { N, X, Y, hypot(X, Y) }
    normal, along_x, along_y = normal + N, along_x + X, along_y + Y
    open    = open + select(N, 0, 1)
    sliding = sliding + select(N, select((1 - 1e-6) * mu * N - hypot(X, Y), 0, 1), 0)
    ratio   = max(ratio, select(N, hypot(X, Y) / select(N, N, 1), 0))
    deepest = min(deepest, gap(name))
  end
end
local sticking_now = nx * ny - open - sliding
initial { gap_tolerance = 2 * closed }
integrate { scheme = "moreau-jean", h = h, until_t = t_end, theta = 1, prediction = 0 } -- prediction: what gapes at the start of a step is open

record  { normal = normal, along_x = along_x, along_y = along_y, open = open, sliding = sliding, sticking = sticking_now }
measure {
  normal = normal, along_x = along_x, along_y = along_y,                              -- forces of the foundation on the block, N
  ratio  = hypot(along_x, along_y) / select(normal, normal, 1), ratio_most = ratio,   -- of all, and of the contact that rubs most
  open   = open, sliding = sliding, sticking = sticking_now,
  deepest = minimum(deepest), energy_end = energy(),
}

local middle, row = (ny + 1) // 2, { {}, {}, {} }
for x = 1, nx do
  local f = over[x][middle]
  row[1][x], row[2][x], row[3][x] = f[1], mu * f[1], f[4]
end
local t = time()
plot { "block", title = "Elastic block, pressed and dragged", columns = 3,
  panel { title = "forces", xlabel = "t in s", ylabel = "N", line { t, normal, label = "normal" }, line { t, hypot(along_x, along_y), label = "friction" } },
  panel { title = "contacts", xlabel = "t in s", ylabel = "number", line { t, open, label = "open" }, line { t, sliding, label = "slide" }, line { t, sticking_now, label = "stick" } },
  panel { title = "middle row at the end", xlabel = "node along x", ylabel = "N", values { row[1], label = "normal" }, values { row[2], label = "\\mu normal", style = "plus" }, values { row[3], label = "friction", style = "cross" } } }

-- The lower face and the upright edges, displaced ten times.
local shape = {}
local function point(x, y, z)
  return { (x - 1) * side[1] + 10 * moves(x, y, z, 1), (y - 1) * side[2] + 10 * moves(x, y, z, 2), (z - 1) * side[3] + 10 * moves(x, y, z, 3) }
end
local function strip(count, at)
  local points = {}
  for k = 1, count do points[k] = point(at(k)) end
  shape[#shape + 1] = deformed(points)
end
for y = 1, ny do strip(nx, function(k) return k, y, 1 end) end
for x = 1, nx do strip(ny, function(k) return x, k, 1 end) end
for x = 1, nx, nx - 1 do for y = 1, ny, ny - 1 do strip(nz + 1, function(k) return x, y, k end) end end
for x = 1, nx do for y = 1, ny do shape[#shape + 1] = touch("c" .. x .. "_" .. y, point(x, y, 1), { 0, 0, 1 }) end end
draw(shape)
