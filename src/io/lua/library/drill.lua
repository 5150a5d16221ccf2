-- A drill string of any number of discs as a model, and the controller SoftTorque of its top drive:
--
--   local s = drill_string { J = { 0.064, 0.708, 2.845 }, k = { 0.63, 1.1 }, d = 0.002, Tw = 2, bit = { Ts = 1.2, Td = 0.3, Nd = 0.5 } }
--   soft_torque { s, ct = 2.9, kt = 1.9, rpm = 5.5, feedforward = s.torque(5.5) }
--
--   J w' + D w + K th = u e_n - [Tb(w_1), Tw_2 Sign(w_2), ..., Tw_n Sign(w_n)],   Tb(w) in Sign(w) (Td + (Ts - Td) exp(-30 |w| / (pi Nd)))
--
-- Disc 1 is the bit, disc n the top drive. `fail` raises an error at the line of the model file.
local fail = ...

local rad_per_rpm = pi / 30

local function is_value(v) return type(v) == "number" or type(v) == "userdata" end

local function check_keys(who, spec, known, example)
  if type(spec) ~= "table" then fail(who .. " takes a table: " .. example) end
  for key in pairs(spec) do
    local found = false
    for _, name in ipairs(known) do found = found or name == key end
    if not found then fail(who .. ": unknown key '" .. tostring(key) .. "'; known are " .. table.concat(known, ", ")) end
  end
end

local function value_of(who, spec, key, default)
  local value = spec[key]
  if value == nil then value = default end
  if not is_value(value) then fail(who .. " needs " .. key .. " = a number or an expression; got a " .. type(value)) end
  return value
end

local function not_negative(what, value)
  if type(value) == "number" and not (value >= 0) then fail("drill_string: " .. what .. " = " .. value .. " must not be negative") end
  return value
end

-- A list of `count` values that are not negative; where one value is enough it counts for all.
local function list_of(key, given, count, owners)
  local values = {}
  if type(given) == "table" and #given ~= count then
    fail("drill_string: " .. key .. " has " .. #given .. " values; it takes " .. count .. ", one per " .. owners)
  end
  for i = 1, count do
    local value = given
    if type(given) == "table" then value = given[i] end
    if not is_value(value) then
      fail("drill_string: " .. key .. " must be a number, or a list of " .. count .. ", one per " .. owners .. "; got a " .. type(value))
    end
    values[i] = not_negative(key .. "[" .. i .. "]", value)
  end
  return values
end

local function inertias(spec)
  if type(spec.J) ~= "table" or #spec.J < 2 then fail("drill_string needs J = { bit, ..., top }: the inertia of two discs at least, the bit first") end
  local J = list_of("J", spec.J, #spec.J, "disc")
  for i, value in ipairs(J) do
    if value == 0 then fail("drill_string: J[" .. i .. "] = 0 must be positive") end
  end
  return J
end

-- Springs and dampers as { i, j, k, d }: neighbours, then `joins`.
local function connections(spec, n)
  local k, d, all = list_of("k", spec.k, n - 1, "pair of neighbours"), list_of("d", spec.d or 0, n - 1, "pair of neighbours"), {}
  for i = 1, n - 1 do all[i] = { i, i + 1, k[i], d[i] } end
  if type(spec.joins or {}) ~= "table" then fail("drill_string: joins must be a list of { i, j, k, d }") end
  for at, join in ipairs(spec.joins or {}) do
    local what = "joins[" .. at .. "]"
    local function is_disc(i) return math.type(i) == "integer" and i >= 1 and i <= n end
    if type(join) ~= "table" or not is_disc(join[1]) or not is_disc(join[2]) or join[1] == join[2] then
      fail("drill_string: " .. what .. " must be { i, j, k, d }: two discs from 1 to " .. n .. ", a stiffness and a damper")
    end
    if not is_value(join[3]) or not is_value(join[4] or 0) then fail("drill_string: " .. what .. " needs a stiffness and a damper: { i, j, k, d }") end
    all[#all + 1] = { join[1], join[2], not_negative(what .. "[3]", join[3]), not_negative(what .. "[4]", join[4] or 0) }
  end
  return all
end

local function bit_law(spec)
  if type(spec.bit) ~= "table" then fail("drill_string needs bit = { Ts =, Td =, Nd = }: torques, and the decay speed in rpm") end
  check_keys("drill_string: bit", spec.bit, { "Ts", "Td", "Nd" }, "bit = { Ts = 1.232, Td = 0.272, Nd = 0.5 }")
  local Ts, Td, Nd = value_of("drill_string: bit", spec.bit, "Ts"), value_of("drill_string: bit", spec.bit, "Td"), value_of("drill_string: bit", spec.bit, "Nd")
  not_negative("bit.Td", Td)
  if type(Ts) == "number" and type(Td) == "number" and not (Ts >= Td) then fail("drill_string: bit.Ts = " .. Ts .. ", bit.Td = " .. Td .. ": weakening law needs Ts >= Td") end
  if type(Nd) == "number" and not (Nd > 0) then fail("drill_string: bit.Nd = " .. Nd .. " must be positive: the decay speed in rpm") end
  return { Ts = Ts, Td = Td, decay = 1 / (rad_per_rpm * Nd) }
end

-- Every disc must hang together by springs; a stiffness that is a symbol counts as one.
local function check_connected(n, all)
  local reached = { [n] = true }
  for _ = 1, n do
    for _, c in ipairs(all) do
      if c[3] ~= 0 and (reached[c[1]] or reached[c[2]]) then reached[c[1]], reached[c[2]] = true, true end
    end
  end
  for i = 1, n do
    if not reached[i] then fail("drill_string: disc " .. i .. " is not connected to the top drive by springs") end
  end
end

-- K th = b with th_n = 0, by elimination from the bit upward; K is positive definite then. Plain zeros stay out.
local function solve_angles(n, all, b)
  local K, th = {}, {}
  for i = 1, n do
    K[i] = {}
    for j = 1, n do K[i][j] = 0 end
  end
  for _, c in ipairs(all) do
    local i, j, k = c[1], c[2], c[3]
    K[i][i], K[j][j], K[i][j], K[j][i] = K[i][i] + k, K[j][j] + k, K[i][j] - k, K[j][i] - k
  end
  for p = 1, n - 1 do
    for i = p + 1, n - 1 do
      if K[i][p] ~= 0 then
        local factor = K[i][p] / K[p][p]
        for j = p, n - 1 do
          if K[p][j] ~= 0 then K[i][j] = K[i][j] - factor * K[p][j] end
        end
        b[i] = b[i] - factor * b[p]
      end
    end
  end
  th[n] = 0
  for i = n - 1, 1, -1 do
    local sum = b[i]
    for j = i + 1, n - 1 do
      if K[i][j] ~= 0 then sum = sum - K[i][j] * th[j] end
    end
    th[i] = sum / K[i][i]
  end
  return th
end

local string_keys = { "J", "k", "d", "Tw", "bit", "joins", "top" }

function drill_string(spec)
  check_keys("drill_string", spec, string_keys, "drill_string { J = { ... }, k = { ... }, bit = { Ts =, Td =, Nd = } }")
  local J = inertias(spec)
  local n = #J
  local all, law, Tw = connections(spec, n), bit_law(spec), list_of("Tw", spec.Tw or 0, n - 1, "disc above the bit")
  check_connected(n, all)
  local names = {}
  for i = 1, n do names[i] = "th" .. i end
  local th, w, pipe = coordinates(names), {}, 0
  for i = 1, n do
    w[i] = dot(th[i])
    kinetic(J[i] * w[i]^2 / 2)
  end
  for _, c in ipairs(all) do
    local i, j, k, d = c[1], c[2], c[3], c[4]
    potential(k * (th[j] - th[i])^2 / 2)
    if d ~= 0 then force { [th[i]] = d * (w[j] - w[i]), [th[j]] = d * (w[i] - w[j]) } end
    if i == n - 1 and j == n then pipe = pipe + k * (th[n] - th[i]) + d * (w[n] - w[i]) end
    if j == n - 1 and i == n then pipe = pipe + k * (th[n] - th[j]) + d * (w[n] - w[j]) end
  end
  if spec.top ~= nil then force { [th[n]] = value_of("drill_string", spec, "top") } end
  friction_force { "bit", slip = w[1], bound = law.Td, static = law.Ts, decay = law.decay }
  for i = 2, n do friction_force { "wall" .. i, slip = w[i], bound = Tw[i - 1] } end

  if n <= 200 then
    local items = { automatic = true }
    for i = 1, n do
      items[#items + 1] = disc(0, 1.2 * (i - 1), 0.5, th[i], { name = i == 1 and "bit" or i == n and "top drive" or "disc " .. i })
    end
    draw(items)
  end
  local made = { is_drill_string = true, discs = n, angle = th, speed = w, pipe = pipe, bit = w[1] / rad_per_rpm, top = w[n] / rad_per_rpm }
  function made.bit_torque(rpm) return law.Td + (law.Ts - law.Td) * exp(-law.decay * rad_per_rpm * rpm) end
  function made.torque(rpm)
    local sum = made.bit_torque(rpm)
    for i = 1, n - 1 do sum = sum + Tw[i] end
    return sum
  end
  function made.on_set_point(rpm, kick)
    local b, start = { -made.bit_torque(rpm) }, {}
    for i = 2, n do b[i] = -Tw[i - 1] end
    local rest = solve_angles(n, all, b)
    for i = 1, n do start[th[i]], start[w[i]] = rest[i], rad_per_rpm * rpm end
    start[w[1]] = (1 - (kick or 0)) * rad_per_rpm * rpm
    return start
  end
  return made
end

-- u = ct (wref - w_n) + kt (integral of wref - th_n) + feedforward, the top drive at angle 0 when it starts.
function soft_torque(spec)
  check_keys("soft_torque", spec, { 1, "ct", "kt", "rpm", "feedforward", "reference_angle" }, "soft_torque { string, ct =, kt =, rpm = }")
  local string_ = spec[1]
  if type(string_) ~= "table" or not string_.is_drill_string then fail("soft_torque begins with what drill_string returned: soft_torque { s, ct =, kt =, rpm = }") end
  local ct, kt, wref = value_of("soft_torque", spec, "ct"), value_of("soft_torque", spec, "kt"), rad_per_rpm * value_of("soft_torque", spec, "rpm")
  local n = string_.discs
  local u = ct * (wref - string_.speed[n]) + kt * (value_of("soft_torque", spec, "reference_angle", wref * time()) - string_.angle[n])
            + value_of("soft_torque", spec, "feedforward", 0)
  force { [string_.angle[n]] = u }
  return u
end
