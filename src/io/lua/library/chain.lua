-- Balls in a row on a line: coordinates, masses, contacts and start in one statement.
--
--   local c = chain { balls = 5, exponent = 1.5, restitution = 0.9, wall = true }
--   c.x[i], c.v[i]: position and velocity of ball i; c.mass[i]; c.contact[j]: name of contact j
--
-- `fail` raises an error at the line of the model file.
local fail = ...

local known = { "balls", "mass", "pattern", "ratio", "radius", "spacing", "velocity", "stiffness", "exponent",
                "restitution", "wall", "name" }

-- One value per item: a number or expression for all, a list, or a function of the number.
local function spread(given, count, what, default)
  local values = {}
  local kind = type(given)
  if kind == "table" and #given ~= count then
    fail("chain: " .. what .. " has " .. #given .. " values; it takes one, or " .. count)
  end
  for i = 1, count do
    local value = given
    if given == nil then value = default
    elseif kind == "table" then value = given[i]
    elseif kind == "function" then value = given(i) end
    if value == nil then fail("chain: " .. what .. " gives nothing for number " .. i) end
    values[i] = value
  end
  return values
end

local function pattern_masses(spec, n)
  local pattern, ratio = spec.pattern, spec.ratio
  if pattern == nil then return spread(spec.mass, n, "mass", 1) end
  if ratio == nil then fail("chain: pattern = \"" .. pattern .. "\" takes a ratio, as in ratio = 0.5") end
  local base = spec.mass == nil and 1 or spec.mass
  if type(base) == "table" or type(base) == "function" then
    fail("chain: with a pattern, mass is that of the first ball: one value")
  end
  local mass = {}
  for i = 1, n do
    if pattern == "decorated" then mass[i] = i % 2 == 0 and base * ratio or base
    elseif pattern == "tapered" then mass[i] = i == 1 and base or mass[i - 1] * ratio
    elseif pattern == "stepped" then mass[i] = 2 * i > n and base * ratio or base
    else fail("chain: unknown pattern '" .. pattern .. "'; it is decorated, tapered or stepped") end
  end
  return mass
end

local function check(spec)
  if type(spec) ~= "table" then fail("chain takes a table: chain { balls = 5 }") end
  for key in pairs(spec) do
    local found = false
    for _, name in ipairs(known) do found = found or name == key end
    if not found then
      fail("chain: unknown key '" .. tostring(key) .. "'; known are " .. table.concat(known, ", "))
    end
  end
  local n = spec.balls
  if type(n) ~= "number" or n < 1 or n ~= math.floor(n) then
    fail("chain: balls must be a whole number from 1, a plain one (a setting, not a param)")
  end
  if n == 1 and not spec.wall then fail("chain: one ball and no wall has no contact") end
end

-- Balls without a radius are drawn side by side, one unit of the row each.
local function chain_drawing(x, radius, n, wall_at)
  local points = true
  for i = 1, n do points = points and radius[i] == 0 end
  local items = { automatic = true }
  for i = 1, n do
    local shift, r = points and i or 0, points and 0.45 or radius[i]
    items[i] = disc(x[i] + shift, 0, r, { name = "ball " .. i })
  end
  if wall_at then
    local at, size = wall_at + (points and n + 0.45 or 0), points and 1 or 2 * radius[n]
    items[n + 1] = wall { { at, -size }, { at, size } }
  end
  return items
end

function chain(spec)
  check(spec)
  local n, has_wall, name = spec.balls, spec.wall, spec.name or ""
  local contacts = has_wall and n or n - 1
  local names = {}
  for i = 1, n do names[i] = name .. "x" .. i end
  local x = coordinates(names)
  local m = pattern_masses(spec, n)
  local radius = spread(spec.radius, n, "radius", 0)
  local spacing = spread(spec.spacing, contacts, "spacing", 0)
  local velocity = spread(spec.velocity, n, "velocity", 0)
  if spec.velocity == nil then
    for i = 1, n do velocity[i] = (has_wall or i == 1) and 1 or 0 end
  end
  local stiffness = spread(spec.stiffness, contacts, "stiffness", 1)
  local exponent = spread(spec.exponent, contacts, "exponent", 1.5)
  local restitution = spread(spec.restitution, contacts, "restitution", 1)

  local masses, start, place = {}, {}, 0
  local v, contact_names = {}, {}
  for i = 1, n do
    if i > 1 then place = place + radius[i - 1] + radius[i] + spacing[i - 1] end
    v[i] = dot(x[i])
    masses[names[i]] = m[i]
    start[names[i]] = place
    start[v[i]] = velocity[i]
  end
  mass(masses)
  for j = 1, contacts do
    local at_wall = j == n
    contact_names[j] = name .. (at_wall and "wall" or "c" .. j)
    contact { contact_names[j],
              gap = at_wall and place + spacing[n] - x[n] or x[j + 1] - x[j] - (radius[j] + radius[j + 1]),
              stiffness = stiffness[j], exponent = exponent[j], restitution = restitution[j] }
  end
  initial(start)
  if n <= 1000 then draw(chain_drawing(x, radius, n, has_wall and place + spacing[n])) end
  return { x = x, v = v, mass = m, contact = contact_names, balls = n, contacts = contacts }
end

-- How kinetic energy spreads over the balls: standard deviation of m v^2 / 2 over its mean
-- (Nguyen and Brogliato 2018, (40)).
function dispersion(c)
  if type(c) ~= "table" or type(c.v) ~= "table" then fail("dispersion takes what chain { ... } returned") end
  local share, total = {}, 0
  for i = 1, c.balls do
    share[i] = c.mass[i] * c.v[i]^2 / 2
    total = total + share[i]
  end
  local mean, squares = total / c.balls, 0
  for i = 1, c.balls do squares = squares + (share[i] - mean)^2 end
  return sqrt(squares / c.balls) / mean
end

local function check_chain(c, other, who)
  if type(c) ~= "table" or type(c.v) ~= "table" then fail(who .. " takes what chain { ... } returned") end
  if type(other) ~= "userdata" and (type(other) ~= "table" or #other ~= c.balls) then -- or what a study finds
    fail(who .. ": the other velocities are a list of " .. c.balls)
  end
end

-- 100 |other - v| / |v| (their (38)): how far the outcome of another law is from this one.
function velocity_gap(c, other)
  check_chain(c, other, "velocity_gap")
  local difference, size = 0, 0
  for i = 1, c.balls do
    difference = difference + (other[i] - c.v[i])^2
    size = size + c.v[i]^2
  end
  return 100 * sqrt(difference) / sqrt(size)
end

-- How many balls of another outcome are within 5 % of |v| (their (39)).
function good_velocities(c, other)
  check_chain(c, other, "good_velocities")
  local count, size = 0, 0
  for i = 1, c.balls do size = size + c.v[i]^2 end
  for i = 1, c.balls do count = count + select(0.05 * sqrt(size) - abs(other[i] - c.v[i]), 1, 0) end
  return count
end
