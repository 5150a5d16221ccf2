-- A clamped beam of ten elements with cubic shape functions, pushed at its end, which meets a stop.
local n, L, EI, rhoA = 10, 1, 20, 1
local a = L / n
local names = {}
for i = 1, n do names[2 * i - 1], names[2 * i] = "w" .. i, "slope" .. i end
local q = coordinates(names)
local mass_element = { { 156, 22 * a, 54, -13 * a }, { 22 * a, 4 * a^2, 13 * a, -3 * a^2 },
                       { 54, 13 * a, 156, -22 * a }, { -13 * a, -3 * a^2, -22 * a, 4 * a^2 } }
local stiffness_element = { { 12, 6 * a, -12, 6 * a }, { 6 * a, 4 * a^2, -6 * a, 2 * a^2 },
                            { -12, -6 * a, 12, -6 * a }, { 6 * a, 2 * a^2, -6 * a, 4 * a^2 } }
local T, V = 0, 0
for element = 1, n do
  for i = 1, 4 do for j = 1, 4 do
    local p, s = 2 * (element - 2) + i, 2 * (element - 2) + j
    if p > 0 and s > 0 then
      T = T + rhoA * a / 840 * mass_element[i][j] * dot(q[p]) * dot(q[s])
      V = V + EI / (2 * a^3) * stiffness_element[i][j] * q[p] * q[s]
    end
  end end
end
kinetic   (T)
potential (V)
force     { ["w" .. n] = 40 * sin(20 * time()) }
contact   { "stop", gap = q[2 * n - 1] + 0.1, restitution = 0.5 }
integrate { scheme = "moreau-jean", h = 1e-4, until_t = 1 }
record    { middle = q[n - 1], tip = q[2 * n - 1] }
