-- The elastic bar as a chain of masses and springs, fixed at one end, with a wall at the other.
--
--   local c = bar_chain { masses = 20, L = 1, c = 1, g0 = 1, u = list, v = list }
--
-- Mass j stands at j L / n, m = rho S L / n, k = n E S / L (rho = S = 1, E = c^2). u and v: numbers at the masses.
local fail = ...

function bar_chain(spec)
  if type(spec) ~= "table" or type(spec.masses) ~= "number" then fail("bar_chain takes a table: bar_chain { masses = 20 }") end
  local n, L, c, g0 = spec.masses, spec.L or 1, spec.c or 1, spec.g0 or 1
  local names = {}
  for i = 1, n do names[i] = "u" .. i end
  local u = coordinates(names)
  local m, k = L / n, n * c^2 / L
  mass(m)
  local start = {}
  for i = 1, n do
    potential(k / 2 * (u[i] - (i > 1 and u[i - 1] or 0))^2)
    start[names[i]] = spec.u and spec.u[i] or 0
    start[dot(u[i])] = spec.v and spec.v[i] or 0
  end
  start.gap_tolerance = 1e-6
  contact { "wall", gap = g0 - u[n], restitution = spec.restitution or 1 }
  initial(start)
  if n <= 1000 then
    local items, apart = { automatic = true }, 1.5 * g0 + L / n -- a linear model: displacements are as large as the gap
    for i = 1, n do
      local before = i > 1 and (i - 1) * apart + u[i - 1] or 0
      items[#items + 1] = spring({ before, 0 }, { i * apart + u[i], 0 })
      items[#items + 1] = disc(i * apart + u[i], 0, apart / 6)
    end
    local at = n * apart + g0 + apart / 6
    items[#items + 1] = wall { { at, -apart }, { at, apart } }
    items[#items + 1] = wall { { 0, apart }, { 0, -apart } }
    draw(items)
  end
  return { u = u, tip = u[n], masses = n }
end
