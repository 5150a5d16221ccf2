-- n masses on a string between two walls: how time and memory of a step grow with n.
experiment {
  title = "n masses on a string between two walls",
  source = "bench/run-chain",
  doc = [[
Every mass is held by a weak spring of its own and by springs to its neighbours, and moves between walls at +gap and -gap. It starts
with a speed of its own: most of them reach one within the first forty steps. With friction = 1 masses also move along the
walls and rub on them; with cubic = 0 springs are linear; with consistent = 1 neighbours share inertia, as in a bar of linear
finite elements: the mass matrix has three diagonals.]],
}

local n        = setting { "n", 100, integer = true, min = 1, max = 1000000, doc = "masses" }
local friction = setting { "friction", 0, integer = true, min = 0, max = 1, doc = "1: masses slide along the walls, with friction" }
local cubic    = setting { "cubic", 1, integer = true, min = 0, max = 1, doc = "0: linear springs" }
local consistent = setting { "consistent", 0, integer = true, min = 0, max = 1, doc = "1: a mass matrix with three diagonals" }
local k        = param { "k", 100, doc = "stiffness between neighbours", min = 0 }
local e        = param { "e", 0.5, doc = "restitution", min = 0, max = 1 }
local h        = param { "h", 1e-3, doc = "time step", min = 1e-9 }
local t_end    = param { "t_end", 0.1, doc = "end time" }
local mu       = param { "mu", 0.3, doc = "friction at the walls", min = 0 }
local gap      = 0.005

local w, s, start = {}, {}, {}
local T, V = 0, 0
for i = 1, n do
  w[i] = coordinates("w" .. i)
  start[dot(w[i])] = (i * 7919 % 101 - 50) / 100
  T = T + dot(w[i])^2 / 2
  V = V + w[i]^2 / 2
  if friction == 1 then
    s[i] = coordinates("s" .. i)
    start[dot(s[i])] = (i * 104729 % 97 - 48) / 100
    T = T + dot(s[i])^2 / 2
  end
  if i > 1 then
    local d = w[i] - w[i - 1]
    if consistent == 1 then T = T + dot(w[i]) * dot(w[i - 1]) / 4 end
    if consistent == 1 and friction == 1 then T = T + dot(s[i]) * dot(s[i - 1]) / 4 end
    V = V + k * d^2 / 2 + cubic * k * d^4 / 4
    if friction == 1 then V = V + k * (s[i] - s[i - 1])^2 / 2 end
  end
  local slip, law
  if friction == 1 then slip, law = dot(s[i]), mu end
  contact { "lower" .. i, gap = w[i] + gap, restitution = e, slip = slip, friction = law }
  contact { "upper" .. i, gap = gap - w[i], restitution = e, slip = slip, friction = law }
end
kinetic(T)
potential(V)
initial(start)
integrate { scheme = "moreau-jean", h = h, until_t = t_end }
measure { energy_end = energy() }
