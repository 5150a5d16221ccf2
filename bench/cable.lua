-- A cable of n masses and inextensible rods, on a floor or hung up: how time and memory of a step with joints grow with n.
experiment {
  title = "An inextensible cable of n masses falls on a floor, or swings",
  source = "bench/run-chain",
  doc = [[
Masses in the plane, each at a distance of 0.1 m from the one before by a joint, above a floor with friction. The cable is
a wave of small slope along a line that rises by 40 mm from its first mass to its last; it falls with 1 m/s and is laid on the
floor from one end to the other within forty steps. With hung = 1 a rod holds the first mass, there is no floor, and the cable starts
from rest 69 degrees under the horizontal, with bends: it carries its weight and swings.]],
}

local n     = setting { "n", 100, integer = true, min = 2, max = 1000000, doc = "masses" }
local hung  = setting { "hung", 0, integer = true, min = 0, max = 1, doc = "1: it hangs, and there is no floor" }
local wave  = setting { "wave", 0.02, min = 0, max = 1, doc = "largest slope of the wave on the way to the floor" }
local e     = param { "e", 0, doc = "restitution", min = 0, max = 1 }
local mu    = param { "mu", 0.3, doc = "friction on the floor", min = 0 }
local h     = param { "h", 1e-3, doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 0.05, doc = "end time" }
local length, mass, g, rise = 0.1, 0.01, 9.81, 0.04
local speed = hung == 1 and 0 or 1

local x, y, start, T, V = {}, {}, {}, 0, 0
local along, above, lowest = {}, {}, 0
for i = 1, n do
  local slope = wave * math.sin(2 * math.pi * i / 20) + rise / (length * n)
  if hung == 1 then slope = -1.2 + 0.1 * math.sin(i) end
  along[i] = (along[i - 1] or 0) + length * math.cos(slope)
  above[i] = (above[i - 1] or 0) + length * math.sin(slope)
  if hung == 0 then lowest = math.min(lowest, above[i]) end
end
for i = 1, n do
  x[i], y[i] = coordinates("x" .. i), coordinates("y" .. i)
  start[x[i]], start[y[i]], start[dot(y[i])] = along[i], above[i] - lowest, -speed
  T = T + mass * (dot(x[i])^2 + dot(y[i])^2) / 2
  V = V + mass * g * y[i]
  local a, b = x[i] - (x[i - 1] or 0), y[i] - (y[i - 1] or 0)
  if i > 1 or hung == 1 then joint { "rod" .. i, (a^2 + b^2 - length^2) / (2 * length) } end
  if hung == 0 then contact { "floor" .. i, gap = y[i], restitution = e, slip = dot(x[i]), friction = mu } end
end
kinetic(T)
potential(V)
initial(start)
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure { energy_end = energy(), x_end = final(x[n]), y_end = final(y[n]) }
