-- Gaps and slips of simple shapes in the plane, for contact { "name", disc_disc { ... }, friction = 0.3 }:
--
--   disc_disc { a, b, radius = }               two discs                       n from a to b
--   disc_ring { a, b, radius =, ring = }       disc a inside the ring b        n inwards
--   disc_line { a, radius =, from =, to = }    a disc left of a line           n to the left of from -> to
--   corner_line { a, { u, v }, from =, to = }  a corner of a body, likewise
--   corner_disc { a, { u, v }, b, radius = }   a corner of a against the disc b, n from b to the corner
--
-- A place is a body, which turns, or { x, y } or { x, y, angle }, expressions each. The slip is the velocity of the touching
-- particle of the second shape of discs, and of the disc or corner everywhere else, relative to the other particle, along t.
--
-- `fail` raises an error at the line of the model file.
local fail = ...

-- ---- arguments ------------------------------------------------------------------------------------------

local function is_value(v) return type(v) == "number" or type(v) == "userdata" end
local function is_body(v) return type(v) == "table" and v.is_body == true end

local function check_keys(who, spec, known, example)
  if type(spec) ~= "table" or is_body(spec) then fail(who .. " takes a table: " .. example) end
  for key in pairs(spec) do
    local found = math.type(key) == "integer"
    for _, name in ipairs(known) do found = found or name == key end
    if not found then fail(who .. ": unknown key '" .. tostring(key) .. "'; known are " .. table.concat(known, ", ")) end
  end
end

-- No more entries than there are places for: a radius that stands by place would be lost.
local function check_count(who, spec, count, example)
  if #spec ~= count then fail(who .. ": " .. #spec .. " entries without a name, " .. count .. " are needed: " .. example) end
end

local function number_of(who, what, value)
  if not is_value(value) then fail(who .. " needs " .. what .. " = a number or an expression; got " .. type(value)) end
  if type(value) == "number" and not (value > 0 and value < math.huge) then
    fail(who .. ": " .. what .. " = " .. value .. " must be positive")
  end
  return value
end

local function pair_of(who, what, list)
  if type(list) ~= "table" or is_body(list) or #list ~= 2 or not is_value(list[1]) or not is_value(list[2]) then
    fail(who .. ": " .. what .. " must be { x, y }, two numbers or expressions")
  end
  return list[1], list[2]
end

-- Where the middle of a disc is, and how fast it turns.
local function place_of(who, entry, value)
  if is_body(value) then
    return { x = value.x, y = value.y, turning = type(value.phi) == "number" and 0 or dot(value.phi) }
  end
  if type(value) ~= "table" or #value < 2 or #value > 3 then
    fail(who .. ": entry " .. entry .. " must be a body, or { x, y } or { x, y, angle }; got a " .. type(value))
  end
  for i = 1, #value do
    if not is_value(value[i]) then fail(who .. ": entry " .. entry .. ": its entry " .. i .. " is a " .. type(value[i])) end
  end
  return { x = value[1], y = value[2], turning = value[3] and dot(value[3]) or 0 }
end

-- A point that goes with a body, given in the frame of the body; without a body it is where it is.
local function corner_of(who, spec)
  if is_body(spec[1]) then
    pair_of(who, "the corner, in the frame of the body,", spec[2])
    return spec[1].point(spec[2])
  end
  return pair_of(who, "entry 1, the corner (or a body and its corner),", spec[1])
end

-- ---- lines ----------------------------------------------------------------------------------------------

local line_keys = { "radius", "from", "to", "on", "speed" }

-- The line from P to Q: its direction e, and the velocity along e of its particles. A line on a body goes with it.
local function line_of(who, spec)
  local px, py = pair_of(who, "from", spec.from)
  local qx, qy = pair_of(who, "to", spec.to)
  if spec.on ~= nil then
    if not is_body(spec.on) then fail(who .. ": on must be a body; from and to are then points of its frame") end
    px, py = spec.on.point { px, py }
    qx, qy = spec.on.point { qx, qy }
  end
  local dx, dy = qx - px, qy - py
  local length = hypot(dx, dy)
  if type(length) == "number" and not (length > 0) then fail(who .. ": from and to are one point; a line needs two") end
  local ex, ey = dx / length, dy / length
  if spec.speed ~= nil and not is_value(spec.speed) then fail(who .. ": speed must be a number or an expression") end
  return { x = px, y = py, ex = ex, ey = ey, speed = ex * dot(px) + ey * dot(py) + (spec.speed or 0) }
end

-- Of the point (x, y): its height over the line, and its velocity along it. The touching particle of the line is s e from P,
-- and moves as fast along e as P does, however the line turns.
local function over_line(line, x, y)
  local height = line.ex * (y - line.y) - line.ey * (x - line.x)
  return height, line.ex * dot(x) + line.ey * dot(y) - line.speed
end

function disc_line(spec)
  local example = "disc_line { body, radius = 0.1, from = { 0, 0 }, to = { 1, 0 } }, the disc left of the line"
  check_keys("disc_line", spec, line_keys, example)
  check_count("disc_line", spec, 1, example)
  local a, r = place_of("disc_line", 1, spec[1]), number_of("disc_line", "radius", spec.radius)
  local height, slip = over_line(line_of("disc_line", spec), a.x, a.y)
  return { gap = height - r, slip = slip + r * a.turning }
end

function corner_line(spec)
  local example = "corner_line { body, { 0.5, 0 }, from = { 0, 0 }, to = { 1, 0 } }, the corner left of the line"
  check_keys("corner_line", spec, { "from", "to", "on", "speed" }, example)
  check_count("corner_line", spec, is_body(spec[1]) and 2 or 1, example)
  local x, y = corner_of("corner_line", spec)
  local height, slip = over_line(line_of("corner_line", spec), x, y)
  return { gap = height, slip = slip }
end

-- ---- discs ----------------------------------------------------------------------------------------------

-- From a to b: the distance d, and the velocity of b against a along t = n turned by a right angle to the left.
local function from_to(a, b, dx, dy, d)
  return (dx * (dot(b.y) - dot(a.y)) - dy * (dot(b.x) - dot(a.x))) / d
end

local function radii_of(who, radius)
  if is_value(radius) then radius = { radius, radius } end
  if type(radius) ~= "table" or #radius ~= 2 then fail(who .. " needs radius = a number for both, or { of the first, of the second }") end
  return number_of(who, "the first radius", radius[1]), number_of(who, "the second radius", radius[2])
end

-- gap = |d| - ra - rb,  slip = t . d' - ra omega_a - rb omega_b
local function between(a, ra, b, rb)
  local dx, dy = b.x - a.x, b.y - a.y
  local d = hypot(dx, dy)
  return { gap = d - ra - rb, slip = from_to(a, b, dx, dy, d) - ra * a.turning - rb * b.turning }
end

function disc_disc(spec)
  local example = "disc_disc { a, b, radius = { 0.1, 0.2 } }"
  check_keys("disc_disc", spec, { "radius" }, example)
  check_count("disc_disc", spec, 2, example)
  local a, b = place_of("disc_disc", 1, spec[1]), place_of("disc_disc", 2, spec[2])
  local ra, rb = radii_of("disc_disc", spec.radius)
  return between(a, ra, b, rb)
end

function corner_disc(spec)
  local example = "corner_disc { a, { 0.5, 0 }, b, radius = 0.1 }: a corner of a, the disc b"
  check_keys("corner_disc", spec, { "radius" }, example)
  local disc_entry = is_body(spec[1]) and 3 or 2
  check_count("corner_disc", spec, disc_entry, example)
  local x, y = corner_of("corner_disc", spec)
  local disc = place_of("corner_disc", disc_entry, spec[disc_entry])
  return between(disc, number_of("corner_disc", "radius", spec.radius), { x = x, y = y, turning = 0 }, 0)
end

-- gap = R - r - |d|,  slip = t . d' + r omega_a - R omega_b,  d from the middle of the ring to that of the disc. The 1e-9 keeps
-- the direction defined where both are one.
function disc_ring(spec)
  local example = "disc_ring { a, b, radius = 0.1, ring = 1 }: disc a inside the ring b"
  check_keys("disc_ring", spec, { "radius", "ring" }, example)
  check_count("disc_ring", spec, 2, example)
  local a, b = place_of("disc_ring", 1, spec[1]), place_of("disc_ring", 2, spec[2])
  local r, ring = number_of("disc_ring", "radius", spec.radius), number_of("disc_ring", "ring", spec.ring)
  if type(r) == "number" and type(ring) == "number" and not (ring > r) then
    fail("disc_ring: a disc of radius " .. r .. " does not fit into a ring of radius " .. ring)
  end
  local dx, dy = a.x - b.x, a.y - b.y
  local d = sqrt(dx^2 + dy^2 + (1e-9 * (ring - r))^2)
  return { gap = ring - r - d, slip = from_to(b, a, dx, dy, d) + r * a.turning - ring * b.turning }
end
