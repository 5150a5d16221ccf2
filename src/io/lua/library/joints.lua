-- Joints between bodies with shapes: ball, hinge, slider, cylindrical, universal, weld, distance. Anchors and axes are given in
-- space, at the start; the two bodies do not touch each other.
--
-- `fail` raises an error at the line of the model file.
local fail = ...

local function is_body(v) return type(v) == "userdata" and tostring(v):sub(1, 5) == "body " end

local function check(who, spec, known)
  if type(spec) ~= "table" or type(spec[1]) ~= "string" then fail(who .. " begins with a name: " .. who .. " { \"name\", a, b, ... }") end
  local label = who .. " '" .. spec[1] .. "'"
  for key in pairs(spec) do
    local found = math.type(key) == "integer"
    for _, name in ipairs(known) do found = found or name == key end
    if not found then fail(label .. ": unknown key '" .. tostring(key) .. "'; known are " .. table.concat(known, ", ")) end
  end
  if not is_body(spec[2]) or not is_body(spec[3]) then fail(label .. " connects two bodies: " .. who .. " { \"name\", a, b, ... }") end
  if spec[2] == spec[3] then fail(label .. " connects a body with itself; it takes two different ones") end
  if not spec[2]:is_free() and not spec[3]:is_free() then fail(label .. ": one of its bodies must be free") end
  spec[2]:pass(spec[3])
  return label, spec[2], spec[3]
end

-- Whether a list has `count` entries.
local function vector(label, spec, key, count)
  local list = spec[key]
  if type(list) ~= "table" or (count and #list ~= count) then
    fail(label .. " needs " .. key .. " = a list of " .. (count or "two or three") .. " numbers, in space")
  end
  return list
end

local function minus(a, b)
  local d = {}
  for k = 1, #a do d[k] = a[k] - b[k] end
  return d
end

local function dot_product(a, b)
  local sum = 0
  for k = 1, #a do sum = sum + a[k] * b[k] end
  return sum
end

local function unit(label, axis)
  local square = dot_product(axis, axis)
  if type(square) == "number" and not (square > 0) then fail(label .. ": the axis is zero") end
  local length = sqrt(square)
  local u = {}
  for k = 1, #axis do u[k] = axis[k] / length end
  return u
end

-- Two unit vectors beside a unit vector of plain numbers.
local function beside(label, u)
  for k = 1, 3 do
    if type(u[k]) ~= "number" then fail(label .. ": the axis must be plain numbers (a setting, not a param)") end
  end
  local least = 1
  for k = 2, 3 do if abs(u[k]) < abs(u[least]) then least = k end end
  local e = { 0, 0, 0 }
  e[least] = 1
  local s = dot_product(e, u)
  local n = unit(label, { e[1] - s * u[1], e[2] - s * u[2], e[3] - s * u[3] })
  return n, { u[2] * n[3] - u[3] * n[2], u[3] * n[1] - u[1] * n[3], u[1] * n[2] - u[2] * n[1] }
end

-- A direction that goes with a body.
local function carried(body, direction) return body:direction(body:attach_direction(direction)) end
-- Where the points are that are at `at` at the start.
local function points(a, b, at) return a:point(a:attach(at)), b:point(b:attach(at)) end

-- Spring, damper, limits and motor of the coordinate that a joint leaves free; `push` is a force along it.
local function equip(label, spec, b, coordinate, push)
  local limits, motor = spec.limits, spec.motor
  if limits ~= nil then
    if type(limits) ~= "table" or limits[1] == nil or limits[2] == nil then fail(label .. ": limits = { lowest, highest }") end
    b:limit(spec[1] .. "-low", coordinate - limits[1], limits.restitution)
    b:limit(spec[1] .. "-high", limits[2] - coordinate, limits.restitution)
  end
  if motor ~= nil then
    if type(motor) ~= "table" or motor.speed == nil or motor.torque == nil then fail(label .. ": motor = { speed = ..., torque = ... }") end
    b:motor(spec[1] .. "-motor", coordinate, motor.speed, motor.torque)
  end
  local spring, damper = spec.spring, spec.damper
  if spring ~= nil then
    if type(spring) ~= "table" or spring.stiffness == nil then fail(label .. ": spring = { stiffness = ..., rest = 0 }") end
    potential(spring.stiffness / 2 * (coordinate - (spring.rest or 0))^2)
  end
  if damper ~= nil then push(-damper * dot(coordinate)) end
end

-- A force f along `axis` (in space, now) on b at its point, and against it on a.
local function pull(a, b, pa, pb, axis)
  return function(f)
    local forward, back = {}, {}
    for k = 1, #axis do forward[k], back[k] = f * axis[k], -f * axis[k] end
    if b:is_free() then force { b, forward, at = pb } end
    if a:is_free() then force { a, back, at = pa } end
  end
end

local function twist(a, b, axis)
  return function(moment)
    local forward, back = moment, -moment
    if axis then
      forward, back = {}, {}
      for k = 1, 3 do forward[k], back[k] = moment * axis[k], -moment * axis[k] end
    end
    if b:is_free() then torque { b, forward } end
    if a:is_free() then torque { a, back } end
  end
end

local function common_point(a, b, at)
  local pa, pb = points(a, b, at)
  return minus(pb, pa)
end

function ball(spec)
  local label, a, b = check("ball", spec, { "at" })
  local d = common_point(a, b, vector(label, spec, "at", 3))
  joint { spec[1], d[1], d[2], d[3] }
end

-- Angle of b against a about the axis u, from the start: n and m are perpendicular to it.
local function angle_of(a, b, u, n, m)
  local na, ma, nb = carried(a, n), carried(a, m), carried(b, n)
  return atan2(dot_product(nb, ma), dot_product(nb, na))
end

function hinge(spec)
  local label, a, b = check("hinge", spec, { "at", "axis", "spring", "damper", "limits", "motor" })
  local at = vector(label, spec, "at")
  local d = common_point(a, b, at)
  if #at == 2 then
    joint { spec[1], d[1], d[2] }
    local angle = b.phi - a.phi - (b:start_angle() - a:start_angle())
    equip(label, spec, b, angle, twist(a, b))
    return { angle = angle }
  end
  local u = unit(label, vector(label, spec, "axis", 3))
  local n, m = beside(label, u)
  local ua = carried(a, u)
  joint { spec[1], d[1], d[2], d[3], dot_product(ua, carried(b, n)), dot_product(ua, carried(b, m)) }
  local angle = angle_of(a, b, u, n, m)
  equip(label, spec, b, angle, twist(a, b, ua))
  return { angle = angle }
end

-- No relative turn, for axes that are one at the start.
local function no_turn(a, b, u, n, m)
  return dot_product(carried(a, n), carried(b, m)), dot_product(carried(a, m), carried(b, u)), dot_product(carried(a, u), carried(b, n))
end

function slider(spec)
  local label, a, b = check("slider", spec, { "at", "axis", "spring", "damper", "limits", "motor" })
  local at = vector(label, spec, "at")
  local pa, pb = points(a, b, at)
  local d = minus(pb, pa)
  local u = unit(label, vector(label, spec, "axis", #at))
  local ua = carried(a, u)
  if #at == 2 then
    local n = carried(a, { -u[2], u[1] })
    joint { spec[1], dot_product(d, n), b.phi - a.phi - (b:start_angle() - a:start_angle()) }
  else
    local n, m = beside(label, u)
    joint { spec[1], dot_product(d, carried(a, n)), dot_product(d, carried(a, m)), no_turn(a, b, u, n, m) }
  end
  local way = dot_product(d, ua)
  equip(label, spec, b, way, pull(a, b, pa, pb, ua))
  return { way = way }
end

function cylindrical(spec)
  local label, a, b = check("cylindrical", spec, { "at", "axis", "spring", "damper", "limits", "motor" })
  local at = vector(label, spec, "at", 3)
  local pa, pb = points(a, b, at)
  local d = minus(pb, pa)
  local u = unit(label, vector(label, spec, "axis", 3))
  local n, m = beside(label, u)
  local ua, na, ma, ub = carried(a, u), carried(a, n), carried(a, m), carried(b, u)
  joint { spec[1], dot_product(d, na), dot_product(d, ma), dot_product(ub, na), dot_product(ub, ma) }
  local way = dot_product(d, ua)
  equip(label, spec, b, way, pull(a, b, pa, pb, ua))
  return { way = way, angle = angle_of(a, b, u, n, m) }
end

function universal(spec)
  local label, a, b = check("universal", spec, { "at", "axis", "axis2" })
  local d = common_point(a, b, vector(label, spec, "at", 3))
  local u, w = unit(label, vector(label, spec, "axis", 3)), unit(label, vector(label, spec, "axis2", 3))
  local c = dot_product(u, w)
  if type(c) == "number" and abs(c) > 1e-9 then fail(label .. ": axis and axis2 must be perpendicular") end
  joint { spec[1], d[1], d[2], d[3], dot_product(carried(a, u), carried(b, w)) }
end

function weld(spec)
  local label, a, b = check("weld", spec, { "at" })
  local at = vector(label, spec, "at")
  local d = common_point(a, b, at)
  if #at == 2 then
    joint { spec[1], d[1], d[2], b.phi - a.phi - (b:start_angle() - a:start_angle()) }
  else
    joint { spec[1], d[1], d[2], d[3], no_turn(a, b, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }) }
  end
end

-- distance { "rod", a, b, from = point, to = point, length = ... }: the statement `distance` comes here with such bodies.
function distance_of_bodies(spec)
  local label, a, b = check("distance", spec, { "from", "to", "length" })
  local pa = a:point(a:attach(vector(label, spec, "from")))
  local pb = b:point(b:attach(vector(label, spec, "to")))
  local d = minus(pb, pa)
  local length = sqrt(dot_product(d, d))
  local start = minus(spec.to, spec.from)
  local apart = false
  for k = 1, #start do apart = apart or type(start[k]) ~= "number" or start[k] ~= 0 end
  if not apart then fail(label .. ": from and to are one point, and give no direction; a ball or a hinge holds two points together") end
  joint { spec[1], length - (spec.length or sqrt(dot_product(start, start))) }
  return { length = length }
end
