-- A machine with four legs walks over rough ground.
experiment {
  title  = "walking machine",
  source = "P.L. Chebyshev's linkage of four bars, about 1850, as legs; worked example of bodies",
  doc    = [[
A trunk with two pairs of legs. Each leg is a crank, a rocker and a shank: the shank is hinged to crank and rocker (crank 1, rocker and both halves of the
shank 2.5, fixed hinges 2 apart); its foot goes forward on a straight line and back, on the ground, on an arc. Legs of a pair are half a turn apart, so that one of them always
stands; a turn of the cranks makes two steps of 4 cranks. Motors turn the cranks, with the given speed and a
bounded torque; the ground is a line of straight pieces.]],
}

local speed  = param { "speed", 4, unit = "rad/s", doc = "of the cranks" }
local torque = param { "torque", 6, unit = "N m", doc = "largest torque of a motor", min = 0 }
local mu     = param { "mu", 0.9, doc = "friction coefficient", min = 0 }
local h      = param { "h", 5e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 4, unit = "s", doc = "end time" }
local rough  = setting { "rough", 0.015, unit = "m", doc = "half the height of the ground's ups and downs", min = 0 }
variant { "flat", doc = "level ground", rough = 0 }
variant { "weak", doc = "motors that cannot lift it", torque = 0.5 }

local u = 0.06                                            -- length of a crank; all others follow
local pi2 = 2 * math.pi
world { gravity = { 0, -9.81 } }
pair  { friction = mu }
local relief = {}
for i = 0, 60 do relief[i + 1] = { -1.5 + 0.1 * i, math.abs(-1.5 + 0.1 * i) < 0.55 and 0 or rough * math.sin(2.3 * i) * math.cos(0.7 * i) } end
relief[1], relief[61] = { -1.5, 0.5 }, { 4.5, 0.5 }
local ground = fixed { "ground", shape = polyline(relief) }

-- Everything hangs on the trunk: at the start its hinges are 4 cranks above the feet.
local y = 4.15 * u
local trunk = body { "trunk", shape = box { 8 * u, 1.2 * u }, density = 60, at = { 0, y } }
local parts, turned = { trunk }, {}
-- A bar between two points.
local function bar(name, from, to, foot)
  local dx, dy = to[1] - from[1], to[2] - from[2]
  local length = math.sqrt(dx * dx + dy * dy)
  local b = body { name, shape = foot and capsule { radius = 0.15 * u, length = length } or box { length, 0.2 * u }, density = 100,
                   at = { (from[1] + to[1]) / 2, (from[2] + to[2]) / 2 }, rotation = math.atan(dy, dx) }
  for _, other in ipairs(parts) do b:pass(other) end
  parts[#parts + 1] = b
  return b
end
-- A leg whose crank turns about x, mirrored for sign = -1, at an angle of its crank.
local function leg(name, x, sign, angle)
  local crank_at, rocker_at = { x, y }, { x + sign * 2 * u, y }
  local tip = { crank_at[1] + u * math.cos(angle), crank_at[2] + u * math.sin(angle) }
  local dx, dy = rocker_at[1] - tip[1], rocker_at[2] - tip[2]
  local d = math.sqrt(dx * dx + dy * dy)
  local off = math.sqrt((2.5 * u)^2 - d * d / 4)
  -- the knee is below: of both points at 2.5 from tip and rocker the lower one
  local nx, ny = -dy / d, dx / d
  if ny > 0 then nx, ny = -nx, -ny end
  local knee = { tip[1] + dx / 2 + nx * off, tip[2] + dy / 2 + ny * off }
  local foot = { 2 * knee[1] - tip[1], 2 * knee[2] - tip[2] }
  local crank  = bar(name .. "_crank", crank_at, tip)
  local rocker = bar(name .. "_rocker", rocker_at, knee)
  local shank  = bar(name .. "_shank", tip, foot, true)
  local drive = hinge { name .. "_drive", trunk, crank, at = crank_at, motor = { speed = speed, torque = torque } }
  hinge { name .. "_tip", crank, shank, at = tip }
  hinge { name .. "_rock", trunk, rocker, at = rocker_at }
  hinge { name .. "_knee", rocker, shank, at = knee }
  turned[#turned + 1] = drive.angle
  return shank, foot
end
leg("fa", 3 * u, 1, math.pi / 2)
leg("fb", 3 * u, 1, -math.pi / 2)
leg("ra", -3 * u, -1, math.pi / 2)
leg("rb", -3 * u, -1, -math.pi / 2)
integrate { scheme = "moreau-jean", h = h, until_t = t_end, tolerance = 1e-6 }

measure {
  way       = trunk.x,
  tilt      = maximum(abs(trunk.phi)),
  low       = minimum(trunk.y), high = maximum(trunk.y),
  turns     = turned[1] / pi2,
  mean_speed = mean(dot(trunk.x), { from = 1 }),
}
plot { "walker", title = "Walking machine",
  panel { title = "every second", equal = true, xlabel = "x in m", ylabel = "y in m", xrange = { -0.6, 1.8 }, yrange = { -0.1, 0.5 }, scene { every = 1 } },
  panel { title = "path of the trunk", xlabel = "x in m", ylabel = "y in m", line { trunk.x, trunk.y } } }
