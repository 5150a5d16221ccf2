-- Mechanisms in the plane: bodies, joints between their points, a joint with clearance, elastic bars and beams.
--
--   local crank = body2d { "crank", mass = 1, inertia = 0.1, at = { 0.5, 0, 0 }, velocity = { 0, 1, 2 } }
--   revolute  { "pin", crank, { -0.5, 0 }, ground, { 0, 0 } }
--   clearance { "play", crank, { 0.5, 0 }, rod, { -1, 0 }, radius = 1e-3, restitution = 0.5 }
--
-- A body is a table: x, y, phi (symbols), point { a, b } (where its point (a, b) is) and start (values). Starts
-- are collected here and given to `initial` when the file calls it, or `integrate`, whichever comes first.
--
-- `fail` raises an error at the line of the model file.
local fail = ...

local starts, closed = {}, false -- { symbol, value } each; closed: `initial` has been called

-- ---- arguments ------------------------------------------------------------------------------------------

local function is_value(v) return type(v) == "number" or type(v) == "userdata" end
local function is_body(v) return type(v) == "table" and v.is_body == true end

local function check_keys(who, spec, known)
  if type(spec) ~= "table" then fail(who .. " takes a table: " .. who .. " { \"name\", ... }") end
  for key in pairs(spec) do
    local found = math.type(key) == "integer"
    for _, name in ipairs(known) do found = found or name == key end
    if not found then
      fail(who .. ": unknown key '" .. tostring(key) .. "'; known are " .. table.concat(known, ", "))
    end
  end
  if type(spec[1]) ~= "string" then fail(who .. " begins with a name: " .. who .. " { \"name\", ... }") end
  return who .. " '" .. spec[1] .. "'"
end

local function value_of(label, spec, key, default)
  local value = spec[key]
  if value == nil then value = default end
  if value == nil then fail(label .. " needs " .. key .. " = a number or an expression") end
  if not is_value(value) then
    fail(label .. ": " .. key .. " must be a number or an expression; got a " .. type(value))
  end
  return value
end

local function positive_of(label, spec, key, default)
  local value = value_of(label, spec, key, default)
  if type(value) == "number" and not (value > 0) then fail(label .. ": " .. key .. " = " .. value .. " must be positive") end
  return value
end

local function list_of(label, list, count, example)
  if type(list) ~= "table" or is_body(list) or #list ~= count then fail(label .. " must be " .. example) end
  for i = 1, count do
    if not is_value(list[i]) then fail(label .. " must be " .. example .. "; entry " .. i .. " is a " .. type(list[i])) end
  end
  return list
end

local function whole_of(label, spec, key)
  local n = spec[key]
  if type(n) ~= "number" or n < 1 or n ~= math.floor(n) then
    fail(label .. ": " .. key .. " must be a whole number from 1, a plain one (a setting, not a param)")
  end
  return n
end

-- ---- bodies ---------------------------------------------------------------------------------------------

local function turned(x, y, phi, p)
  local c, s = cos(phi), sin(phi)
  return x + p[1] * c - p[2] * s, y + p[1] * s + p[2] * c
end

-- start: x, y, phi and their rates at the start
local function make_body(name, x, y, phi, start)
  local body = { is_body = true, name = name, x = x, y = y, phi = phi, start = start }
  local label = "point of '" .. name .. "'"
  local function check(a, b) return list_of(label, is_body(a) and b or a, 2, "{ a, b }, in the frame of the body") end
  function body.point(a, b) return turned(x, y, phi, check(a, b)) end
  function body.point_at_start(a, b)
    local p = check(a, b)
    local px, py = turned(start[1], start[2], start[3], p)
    return px, py, start[4] - start[6] * (py - start[2]), start[5] + start[6] * (px - start[1])
  end
  return body
end

ground = make_body("ground", 0, 0, 0, { 0, 0, 0, 0, 0, 0 })

local function need_open(label)
  if closed then fail(label .. " comes after initial or integrate; bodies come first") end
end

-- Coordinates with their values and rates at the start.
local function moving(names, values, rates)
  local q = coordinates(names)
  for i, symbol in ipairs(q) do
    starts[#starts + 1] = { symbol, values[i] }
    starts[#starts + 1] = { dot(symbol), rates[i] }
  end
  return q
end

-- gravity = 9.81 pulls down; gravity = { ax, ay } is an acceleration.
local function weigh(label, given, mass, x, y)
  if given == nil then return end
  local a = is_value(given) and { 0, -given } or list_of(label .. ": gravity", given, 2, "a number or { ax, ay }")
  potential(-mass * (a[1] * x + a[2] * y))
end

-- The start of a body that hangs with its point on one of another body.
local function hung(label, spec)
  local pin = spec.pinned
  if spec.at ~= nil or spec.velocity ~= nil then
    fail(label .. ": pinned tells where it is; give phi and omega beside it, not at and velocity")
  end
  if type(pin) ~= "table" or #pin ~= 3 or not is_body(pin[2]) then
    fail(label .. ": pinned must be { { a, b }, body, { a, b } }: its own point, and that of another body or ground")
  end
  local own = list_of(label .. ": the first point of pinned", pin[1], 2, "{ a, b }")
  local phi, omega = value_of(label, spec, "phi", 0), value_of(label, spec, "omega", 0)
  local px, py, vx, vy = pin[2].point_at_start(pin[3])
  local rx, ry = turned(0, 0, phi, own)
  return { px - rx, py - ry, phi, vx + omega * ry, vy - omega * rx, omega }
end

local function start_of(label, spec)
  if spec.pinned ~= nil then return hung(label, spec) end
  if spec.phi ~= nil or spec.omega ~= nil then
    fail(label .. ": phi and omega go with pinned; otherwise write at = { x, y, phi } and velocity = { vx, vy, omega }")
  end
  local at = spec.at == nil and { 0, 0, 0 } or list_of(label .. ": at", spec.at, 3, "{ x, y, phi }")
  local rate = spec.velocity == nil and { 0, 0, 0 } or list_of(label .. ": velocity", spec.velocity, 3, "{ vx, vy, omega }")
  return { at[1], at[2], at[3], rate[1], rate[2], rate[3] }
end

-- A rigid body: coordinates name_x, name_y of its mass centre, and its angle name_phi.
function body2d(spec)
  local label = check_keys("body2d", spec, { "mass", "inertia", "at", "velocity", "gravity", "pinned", "phi", "omega" })
  need_open(label)
  local name, m, J = spec[1], positive_of(label, spec, "mass"), positive_of(label, spec, "inertia")
  local s = start_of(label, spec)
  local q = moving({ name .. "_x", name .. "_y", name .. "_phi" }, { s[1], s[2], s[3] }, { s[4], s[5], s[6] })
  kinetic((m * (dot(q[1])^2 + dot(q[2])^2) + J * dot(q[3])^2) / 2)
  weigh(label, spec.gravity, m, q[1], q[2])
  local body = make_body(name, q[1], q[2], q[3], s)
  body.mass, body.inertia = m, J
  return body
end

-- ---- joints ---------------------------------------------------------------------------------------------

-- Reads "name", body, { a, b }, [value,] body, { a, b }; a point that is left out is the body's origin.
local function read_pair(label, spec, value_name)
  local place, pair, value = 2, {}, nil
  for k = 1, 2 do
    local body, point = spec[place], spec[place + 1]
    if not is_body(body) then
      fail(label .. ": entry " .. place .. " must be a body: of body2d, a node of beam2d, or ground; got a " .. type(body))
    end
    place = place + 1
    if type(point) == "table" and not is_body(point) then
      list_of(label .. ": a point", point, 2, "{ a, b }, in the frame of its body")
      place = place + 1
    else point = { 0, 0 } end
    pair[k] = { body = body, point = point }
    if k == 1 and value_name then
      value = spec[place]
      if not is_value(value) then fail(label .. ": entry " .. place .. " must be the " .. value_name) end
      place = place + 1
    end
  end
  if spec[place] ~= nil then fail(label .. ": entry " .. place .. " is too much") end
  if pair[1].body == pair[2].body then fail(label .. " joins '" .. pair[1].body.name .. "' to itself") end
  return pair[1], pair[2], value
end

-- From the point of the first body to that of the second.
local function offset(a, b)
  local xa, ya = a.body.point(a.point)
  local xb, yb = b.body.point(b.point)
  return xb - xa, yb - ya
end

-- A body is drawn by what joins its mass centre and its joints.
local function draw_arm(end_)
  local body = end_.body
  if body == ground or (end_.point[1] == 0 and end_.point[2] == 0) then return end
  local x, y = body.point(end_.point)
  draw { segment({ body.x, body.y }, { x, y }, { name = body.name }), automatic = true }
end

local function draw_joint(a, b)
  local x, y = a.body.point(a.point)
  draw_arm(a)
  draw_arm(b)
  draw { pin { x, y }, automatic = true }
end

local function draw_between(a, b, how)
  local xa, ya = a.body.point(a.point)
  local xb, yb = b.body.point(b.point)
  draw { how({ xa, ya }, { xb, yb }), automatic = true }
end

-- Two points are one: two equations.
function revolute(spec)
  local label = check_keys("revolute", spec, {})
  local a, b = read_pair(label, spec)
  local dx, dy = offset(a, b)
  joint { spec[1], -dx, -dy }
  draw_joint(a, b)
end

-- The point of the second body stays on a line of the first (through its point, at an angle to it), and the
-- angle between the bodies stays as it is at the start: two equations.
function prismatic(spec)
  local label = check_keys("prismatic", spec, {})
  local a, b, angle = read_pair(label, spec, "angle of the line, in the frame of the first body")
  local dx, dy = offset(a, b)
  local direction = a.body.phi + angle
  joint { spec[1], dy * cos(direction) - dx * sin(direction),
          b.body.phi - a.body.phi - (b.body.start[3] - a.body.start[3]) }
  draw_arm(b)
  local x, y = b.body.point(b.point)
  draw { pin { x, y }, automatic = true }
end

-- Two points keep their distance, as by a massless rod: one equation.
function distance(spec)
  if type(spec) == "table" and type(spec[2]) == "userdata" then return distance_of_bodies(spec) end
  local label = check_keys("distance", spec, { "length" })
  local a, b = read_pair(label, spec)
  local dx, dy = offset(a, b)
  joint { spec[1], hypot(dx, dy) - positive_of(label, spec, "length") }
  draw_arm(a)
  draw_arm(b)
  draw_between(a, b, segment)
end

-- A pin with play: the journal, centred at the point of the second body, moves inside the bearing of the first.
--   gap = radius - |d|, d between the centres;  slip = t . d' + journal omega_b - (journal + radius) omega_a
-- with t across d. The 1e-9 keeps the direction d/|d| defined where the centres meet.
function clearance(spec)
  local label = check_keys("clearance", spec, { "radius", "journal", "restitution", "friction" })
  local a, b = read_pair(label, spec)
  local radius = positive_of(label, spec, "radius")
  local dx, dy = offset(a, b)
  local d = sqrt(dx^2 + dy^2 + (1e-9 * radius)^2)
  local made = { spec[1], gap = radius - d, restitution = spec.restitution, friction = spec.friction }
  if spec.friction ~= nil then
    if spec.journal == nil then fail(label .. ": friction needs journal = the radius of the pin, for the slip at its surface") end
    local r = value_of(label, spec, "journal")
    local turning = 0
    if b.body ~= ground then turning = turning + r * dot(b.body.phi) end
    if a.body ~= ground then turning = turning - (r + radius) * dot(a.body.phi) end
    made.slip = (dx * dot(dy) - dy * dot(dx)) / d + turning
  end
  contact(made)
  draw_arm(a)
  draw_arm(b)
  local r, xa, ya = spec.journal or radius, a.body.point(a.point)
  local xb, yb = b.body.point(b.point)
  draw { disc(xa, ya, r + radius, { fill = false, name = "bearing" }), disc(xb, yb, r, { name = "journal" }),
         touch(spec[1], { xa + (r + radius) * dx / d, ya + (r + radius) * dy / d }, { -dx / d, -dy / d }), automatic = true }
  return { dx = dx, dy = dy, distance = d }
end

-- ---- elastic members ------------------------------------------------------------------------------------

local function mass_kind(label, spec)
  local kind = spec.mass or "consistent"
  if kind ~= "consistent" and kind ~= "lumped" then fail(label .. ": mass is \"consistent\" or \"lumped\"") end
  return kind
end

-- Kinetic energy of a linear element of mass m with end velocities v and w.
local function element_kinetic(kind, m, v, w)
  if kind == "lumped" then return m * (v^2 + w^2) / 4 end
  return m * (v^2 + v * w + w^2) / 6
end

-- A bar along x by its upper and lower edge, and lines across that move with it.
local most_drawn = 400
local function draw_bar(u, places, length)
  local n, half = #places, length / 40
  if n > most_drawn then return end
  local outline = { closed = true }
  for i = 1, n do
    outline[i] = { places[i] + u[i], -half }
    outline[2 * n + 1 - i] = { places[i] + u[i], half }
  end
  local items, step = { deformed(outline), automatic = true }, math.max(1, n // 20)
  for i = 1, n, step do items[#items + 1] = segment(outline[i], outline[2 * n + 1 - i]) end
  draw(items)
end

-- A linear elastic bar along its axis: displacements name_0 ... name_N of its nodes.
function bar(spec)
  local label = check_keys("bar", spec, { "elements", "length", "E", "A", "rho", "mass", "displacement", "velocity" })
  need_open(label)
  local n, kind = whole_of(label, spec, "elements"), mass_kind(label, spec)
  local length, A = positive_of(label, spec, "length"), positive_of(label, spec, "A", 1)
  local E, rho = positive_of(label, spec, "E"), positive_of(label, spec, "rho")
  local l = length / n
  local names, places, values, rates, v = {}, {}, {}, {}, {}
  local function field(key, x)
    if type(spec[key]) == "function" then return spec[key](x) end
    return value_of(label, spec, key, 0)
  end
  for i = 1, n + 1 do
    names[i], places[i] = spec[1] .. "_" .. (i - 1), (i - 1) * l
    values[i], rates[i] = field("displacement", places[i]), field("velocity", places[i])
  end
  local u = moving(names, values, rates)
  for i = 1, n + 1 do v[i] = dot(u[i]) end
  for i = 1, n do
    kinetic(element_kinetic(kind, rho * A * l, v[i], v[i + 1]))
    potential(E * A / l * (u[i + 1] - u[i])^2 / 2)
  end
  local function force(i) return E * A / l * (u[i + 1] - u[i]) end
  draw_bar(u, places, length)
  return { u = u, v = v, place = places, nodes = n + 1, force = force }
end

-- Energy of a two-node geometrically exact element, one point of integration (stretch, shear, curvature).
local function beam_element(a, b, l, EA, GA, EI)
  local c, s = cos((a.phi + b.phi) / 2), sin((a.phi + b.phi) / 2)
  local dx, dy = b.x - a.x, b.y - a.y
  local stretch, shear, curvature = (dx * c + dy * s) / l - 1, (dy * c - dx * s) / l, (b.phi - a.phi) / l
  potential(l / 2 * (EA * stretch^2 + GA * shear^2 + EI * curvature^2))
end

-- A node of a beam, with those coordinates that its support leaves free.
local function beam_node(name, s, fixed)
  local keys, part, names, values, rates = { "x", "y", "phi" }, { s[1], s[2], s[3] }, {}, {}, {}
  for k = 1, 3 do
    if not fixed[keys[k]] then
      names[#names + 1], values[#values + 1], rates[#rates + 1] = name .. "_" .. keys[k], s[k], s[k + 3]
    end
  end
  local free = #names > 0 and moving(names, values, rates) or {}
  local taken = 0
  for k = 1, 3 do
    if not fixed[keys[k]] then
      taken = taken + 1
      part[k] = free[taken]
    end
  end
  return make_body(name, part[1], part[2], part[3], s)
end

local function rate_of(expression) return type(expression) == "number" and 0 or dot(expression) end

local beam_keys = { "elements", "length", "E", "A", "I", "nu", "rho", "shear", "mass", "root", "at", "velocity", "gravity",
                    "pinned", "phi", "omega" }
local roots = { free = {}, hinged = { x = true, y = true }, clamped = { x = true, y = true, phi = true } }

-- A geometrically exact beam in the plane, straight and without strain at the start; `at` is its first node.
function beam2d(spec)
  local label = check_keys("beam2d", spec, beam_keys)
  need_open(label)
  local n, kind, fixed = whole_of(label, spec, "elements"), mass_kind(label, spec), roots[spec.root or "free"]
  if not fixed then fail(label .. ": root is \"free\", \"hinged\" (x and y fixed) or \"clamped\"") end
  local l = positive_of(label, spec, "length") / n
  local E, A, I, rho = positive_of(label, spec, "E"), positive_of(label, spec, "A"), positive_of(label, spec, "I"), positive_of(label, spec, "rho")
  local G = E / (2 * (1 + value_of(label, spec, "nu", 0.3)))
  local line = make_body(spec[1], 0, 0, 0, start_of(label, spec))
  local nodes = {}
  for i = 0, n do
    local x, y, vx, vy = line.point_at_start { i * l, 0 }
    nodes[i + 1] = beam_node(spec[1] .. "_" .. i, { x, y, line.start[3], vx, vy, line.start[6] }, i == 0 and fixed or roots.free)
  end
  for i = 1, n do
    local a, b = nodes[i], nodes[i + 1]
    for _, key in ipairs { "x", "y", "phi" } do
      local m = rho * l * (key == "phi" and I or A)
      kinetic(element_kinetic(kind, m, rate_of(a[key]), rate_of(b[key])))
    end
    beam_element(a, b, l, E * A, G * A * value_of(label, spec, "shear", 5 / 6), E * I)
    for _, node in ipairs { a, b } do weigh(label, spec.gravity, rho * A * l / 2, node.x, node.y) end
  end
  if n <= most_drawn then
    local line_drawn = { name = spec[1] }
    for i = 1, n + 1 do line_drawn[i] = { nodes[i].x, nodes[i].y } end
    draw { deformed(line_drawn), pin { nodes[1].x, nodes[1].y }, automatic = true }
  end
  return { node = nodes, root = nodes[1], tip = nodes[n + 1], elements = n }
end

-- ---- the start ------------------------------------------------------------------------------------------

local set_initial, set_integrate = initial, integrate

function initial(spec)
  if type(spec) ~= "table" or #starts == 0 or closed then return set_initial(spec) end
  closed = true
  local all = {}
  for key, value in pairs(spec) do all[key] = value end
  for _, pair in ipairs(starts) do all[pair[1]] = pair[2] end
  set_initial(all)
end

function integrate(spec)
  if #starts > 0 and not closed then initial {} end
  closed = true
  set_integrate(spec)
end
