-- beam { ... } beside bodies: the same beam of Hermite cubics, made of coordinates, so that expressions, contacts and joints can
-- take its displacement: u:at(x). Without bodies the statement is a model of its own.
--
--   world { gravity = { 0, -9.81 } }
--   local u = beam { "u", length = 2, elements = 10, E = 2.1e11, rho = 7800, section = rectangle { width = 0.05, height = 0.01 } }
--   contact { "lands", gap = ball.y - 0.1 - u:at(1.5) }
--
-- `fail` raises an error at the line of the model file.
local fail = ...

local known = { "length", "elements", "k2", "E", "rho", "section", "damping", "left", "right", "load", "acceleration", "restitution",
                "obstacles", "stops", "forces", "basis" }
local ends = { clamped = { u = true, slope = true }, pinned = { u = true }, guided = { slope = true }, free = {} }

local function is_value(v) return type(v) == "number" or type(v) == "userdata" end

local function plain(label, value, key)
  if type(value) ~= "number" then fail(label .. ": " .. key .. " must be a plain number beside bodies (a setting, not a param)") end
  return value
end

local function positive(label, value, key)
  if not is_value(value) then fail(label .. " needs " .. key .. " = a number or an expression") end
  if type(value) == "number" and not (value > 0) then fail(label .. ": " .. key .. " = " .. value .. " must be positive") end
  return value
end

local function check(spec)
  if type(spec[1]) ~= "string" then fail("beam begins with a name: beam { \"u\", length = 1, elements = 10, ... }") end
  local label = "beam '" .. spec[1] .. "'"
  for key in pairs(spec) do
    local found = math.type(key) == "integer"
    for _, name in ipairs(known) do found = found or name == key end
    if not found then
      if key == "displacement" or key == "velocity" then
        fail(label .. ": beside bodies a beam starts straight and at rest; give other starts of its coordinates by initial { ... }")
      end
      fail(label .. ": '" .. tostring(key) .. "' is not known beside bodies; known are " .. table.concat(known, ", "))
    end
  end
  if spec.basis ~= nil and spec.basis ~= "p3" then fail(label .. ": beside bodies the basis is \"p3\"") end
  return label
end

-- Mass per length and bending stiffness.
local function material(label, spec)
  if spec.k2 ~= nil then return 1, positive(label, spec.k2, "k2") end
  local section = spec.section
  if type(section) ~= "table" then fail(label .. " needs k2, or E, rho and section") end
  return positive(label, spec.rho, "rho") * positive(label, section.area, "area of the section"),
         positive(label, spec.E, "E") * positive(label, section.inertia, "inertia of the section")
end

-- Hermite's cubics on an element of length l at s = 0 ... l, their first and second derivatives.
local function shapes(l, s, derivative)
  local r = s / l
  if derivative == 0 then
    return { 1 - 3 * r^2 + 2 * r^3, l * (r - 2 * r^2 + r^3), 3 * r^2 - 2 * r^3, l * (r^3 - r^2) }
  elseif derivative == 1 then
    return { (6 * r^2 - 6 * r) / l, 1 - 4 * r + 3 * r^2, (6 * r - 6 * r^2) / l, 3 * r^2 - 2 * r }
  end
  return { (12 * r - 6) / l^2, (6 * r - 4) / l, (6 - 12 * r) / l^2, (6 * r - 2) / l }
end

local function element_matrices(l)
  local mass = { { 156, 22 * l, 54, -13 * l }, { 22 * l, 4 * l^2, 13 * l, -3 * l^2 },
                 { 54, 13 * l, 156, -22 * l }, { -13 * l, -3 * l^2, -22 * l, 4 * l^2 } }
  local stiffness = { { 12, 6 * l, -12, 6 * l }, { 6 * l, 4 * l^2, -6 * l, 2 * l^2 },
                      { -12, -6 * l, 12, -6 * l }, { 6 * l, 2 * l^2, -6 * l, 4 * l^2 } }
  for i = 1, 4 do
    for j = 1, 4 do
      mass[i][j] = mass[i][j] * l / 420
      stiffness[i][j] = stiffness[i][j] / l^3
    end
  end
  return mass, stiffness
end

-- 1/2 v.A v
local function half_square(A, v)
  local sum = 0
  for i = 1, 4 do
    for j = 1, 4 do
      if v[i] ~= 0 and v[j] ~= 0 then sum = sum + A[i][j] * v[i] * v[j] end
    end
  end
  return sum / 2
end

-- 0 or a symbol; comparisons with symbols are not allowed, so zeros are Lua's number.
local function rate(v) return type(v) == "number" and 0 or dot(v) end

local function make_nodes(label, spec, n)
  local left, right = ends[spec.left or "clamped"], ends[spec.right or "free"]
  if not left or not right then fail(label .. ": left and right are \"clamped\", \"pinned\", \"guided\" or \"free\"") end
  local nodes = {}
  for i = 0, n do
    local held = i == 0 and left or i == n and right or ends.free
    nodes[i] = { u = held.u and 0 or coordinates(spec[1] .. "_" .. i), slope = held.slope and 0 or coordinates(spec[1] .. "_slope_" .. i) }
  end
  return nodes
end

local function values(a, b) return { a.u, a.slope, b.u, b.slope } end

-- Adds f times the shapes to the forces of an element's coordinates.
local function add_forces(forces, q, shape, f)
  for k = 1, 4 do
    if type(q[k]) ~= "number" then forces[q[k]] = (forces[q[k]] or 0) + shape[k] * f end
  end
end

local gauss = { { 0, 128 / 225 }, { 1 / 3 * math.sqrt(5 - 2 * math.sqrt(10 / 7)), (322 + 13 * math.sqrt(70)) / 900 },
                { 1 / 3 * math.sqrt(5 + 2 * math.sqrt(10 / 7)), (322 - 13 * math.sqrt(70)) / 900 } }

-- The integral of f(x, t) times the shapes over an element that begins at x0.
local function spread(forces, q, l, x0, f)
  for _, point in ipairs(gauss) do
    for side = point[1] == 0 and 1 or -1, 1, 2 do
      local s = l / 2 * (1 + side * point[1])
      local value = type(f) == "function" and f(x0 + s, time()) or f
      add_forces(forces, q, shapes(l, s, 0), l / 2 * point[2] * value)
    end
  end
end

local function damp(label, spec, forces, q, mass, stiffness)
  local d = spec.damping
  if d == nil then return end
  if type(d) ~= "table" then fail(label .. ": damping = { mass = a, stiffness = b }") end
  for i = 1, 4 do
    local sum = 0
    for j = 1, 4 do
      if type(q[j]) ~= "number" then sum = sum + ((d.mass or 0) * mass[i][j] + (d.stiffness or 0) * stiffness[i][j]) * dot(q[j]) end
    end
    if type(q[i]) ~= "number" then forces[q[i]] = (forces[q[i]] or 0) - sum end
  end
end

-- Element and place in it; a place between two elements belongs to the first one.
local function locate(label, self, x)
  plain(label, x, "the place x")
  if not (x >= 0 and x <= self.length * (1 + 1e-12)) then fail(label .. ": x = " .. x .. " is not on the beam, 0 to " .. self.length) end
  local i = math.max(1, math.min(self.elements, math.ceil(x / self.l - 1e-9)))
  return i, math.min(math.max(x - (i - 1) * self.l, 0), self.l)
end

local function interpolate(self, i, s, derivative)
  local q, shape, sum = values(self.node[i - 1], self.node[i]), shapes(self.l, s, derivative), 0
  for k = 1, 4 do sum = sum + shape[k] * q[k] end
  return sum
end

local methods = {}

function methods.at(self, x)
  local i, s = locate(self.label, self, x)
  return interpolate(self, i, s, 0)
end

function methods.slope(self, x)
  local i, s = locate(self.label, self, x)
  return interpolate(self, i, s, 1)
end

function methods.velocity(self, x) return dot(self:at(x)) end

-- E I u'', at a node the mean of both sides.
function methods.moment(self, x)
  local i, s = locate(self.label, self, x)
  local m = self.bending * interpolate(self, i, s, 2)
  if i < self.elements and self.l - s < 1e-9 * self.l then m = (m + self.bending * interpolate(self, i + 1, 0, 2)) / 2 end
  return m
end

local function make_contacts(label, spec, self)
  for i = 0, self.elements do
    for _, obstacle in ipairs(spec.obstacles or {}) do
      local x = i * self.l
      if type(self.node[i].u) ~= "number" and x >= (obstacle.from or 0) - 1e-12 and x <= (obstacle.to or self.length) + 1e-12 then
        local lower, upper = obstacle.lower, obstacle.upper
        if type(lower) == "function" then lower = lower(x) end
        if type(upper) == "function" then upper = upper(x) end
        if lower ~= nil then contact { "lower_" .. i, gap = self.node[i].u - lower, restitution = spec.restitution } end
        if upper ~= nil then contact { "upper_" .. i, gap = upper - self.node[i].u, restitution = spec.restitution } end
      end
    end
  end
  for _, stop in ipairs(spec.stops or {}) do
    if type(stop) ~= "table" or type(stop[1]) ~= "string" or stop.x == nil then fail(label .. ": a stop is { \"name\", x = ..., lower = ..., upper = ... }") end
    local u = self:at(stop.x)
    if stop.lower ~= nil then contact { stop[1] .. "_lower", gap = u - stop.lower, restitution = spec.restitution } end
    if stop.upper ~= nil then contact { stop[1] .. "_upper", gap = stop.upper - u, restitution = spec.restitution } end
  end
end

-- What beam { ... } calls where there are bodies.
function beam_beside_bodies(spec)
  local label = check(spec)
  local length, n = plain(label, spec.length, "length"), spec.elements
  if not (length > 0) then fail(label .. ": length = " .. length .. " must be positive") end
  if type(n) ~= "number" or n < 1 or n ~= math.floor(n) then fail(label .. ": elements must be a whole number from 1") end
  local per_length, bending = material(label, spec)
  local l = length / n
  local self = { label = label, length = length, elements = n, l = l, bending = bending, node = make_nodes(label, spec, n) }
  for name, method in pairs(methods) do self[name] = method end
  local mass, stiffness = element_matrices(l)
  for i = 1, 4 do
    for j = 1, 4 do mass[i][j], stiffness[i][j] = per_length * mass[i][j], bending * stiffness[i][j] end
  end
  local forces = {}
  for i = 1, n do
    local q = values(self.node[i - 1], self.node[i])
    local v = { rate(q[1]), rate(q[2]), rate(q[3]), rate(q[4]) }
    kinetic(half_square(mass, v))
    potential(half_square(stiffness, q))
    damp(label, spec, forces, q, mass, stiffness)
    if spec.load ~= nil then spread(forces, q, l, (i - 1) * l, spec.load) end
    if spec.acceleration ~= nil then
      local a = spec.acceleration
      spread(forces, q, l, (i - 1) * l, function(x, t) return per_length * (type(a) == "function" and a(x, t) or a) end)
    end
  end
  for _, given in ipairs(spec.forces or {}) do
    if type(given) ~= "table" or given.value == nil then fail(label .. ": a force is { x = ..., value = ... }") end
    local i, s = locate(label, self, given.x)
    add_forces(forces, values(self.node[i - 1], self.node[i]), shapes(l, s, 0), given.value)
  end
  if next(forces) ~= nil then force(forces) end
  make_contacts(label, spec, self)
  return self
end
