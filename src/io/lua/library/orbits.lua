-- Models for periodic motions with impacts: a ring of oscillators over an obstacle, and lists in settings.
local fail = ...

-- "3, 4,17" -> { 3, 4, 17 }; "10-14" stands for 10, 11, 12, 13, 14; "" is the empty list.
function particle_list(text)
  local list, number, from = {}, nil, nil
  if type(text) == "number" then return { text } end
  if type(text) ~= "string" then fail("particle_list takes a text such as \"3,4\" or \"10-14\"") end
  local function finish()
    if not number then fail("particle_list: '" .. text .. "' is not a list such as \"3,4\" or \"10-14\"") end
    for i = from or number, number do list[#list + 1] = i end
    number, from = nil, nil
  end
  for i = 1, #text do
    local c = text:sub(i, i)
    if c >= "0" and c <= "9" then number = (number or 0) * 10 + math.tointeger(text:byte(i) - 48)
    elseif c == "-" and number and not from then number, from = nil, number
    elseif c == "," then finish()
    elseif c ~= " " then fail("particle_list: '" .. c .. "' in '" .. text .. "' is not part of a list of particles") end
  end
  if #text > 0 then finish() end
  return list
end

-- Particles stand on a circle and move outwards and inwards; the obstacle is a circle inside.
local function ring_drawing(y, p)
  local items, line, R = { automatic = true }, { closed = true }, math.max(4, p / 6)
  for i = 1, p do
    local c, s = math.cos(2 * math.pi * (i - 1) / p), math.sin(2 * math.pi * (i - 1) / p)
    line[i] = { (R + y[i]) * c, (R + y[i]) * s }
    items[i] = disc(line[i][1], line[i][2], 0.2, { name = "particle " .. (i - 1) })
    items[p + i] = touch("c" .. (i - 1), { (R - 1) * c, (R - 1) * s }, { c, s })
  end
  if p > 1 then items[#items + 1] = deformed(line) end
  items[#items + 1] = wall(arc(0, 0, R - 1, 2 * math.pi, 0))
  return items
end

-- y_n'' + y_n - gamma (y_{n+1} - 2 y_n + y_{n-1}) = reaction, y_n >= -1, elastic; particles are numbered from 0.
function ring(spec)
  if type(spec) ~= "table" or type(spec.p) ~= "number" then fail("ring takes a table: ring { p = 100, gamma = 0.1, y = list, v = list }") end
  local p, names = spec.p, {}
  for i = 1, p do names[i] = "y" .. (i - 1) end
  local y = coordinates(names)
  mass(1)
  for i = 1, p do
    potential(y[i]^2 / 2)
    -- each of the p springs once; with two particles both springs join the same pair, with one there is none
    if p > 1 then potential(spec.gamma / 2 * (y[i % p + 1] - y[i])^2) end
  end
  local start = { gap_tolerance = 1e-6 }
  for i = 1, p do
    contact { "c" .. (i - 1), gap = y[i] + 1, restitution = 1 }
    start[names[i]] = spec.y and spec.y[i] or 0
    start[dot(y[i])] = spec.v and spec.v[i] or 0
  end
  initial(start)
  if p <= 1000 then draw(ring_drawing(y, p)) end
  return { y = y, p = p }
end
