-- The energy sink as a model: energy_sink { values = { eps =, w1 =, ... }, x =, x_dot =, y =, y_dot = }; z = x^3/3 unless given.
local fail = ...

function energy_sink(spec)
  if type(spec) ~= "table" or type(spec.values) ~= "table" then
    fail("energy_sink takes a table: energy_sink { values = { eps = 1e-3, w1 = 1, ... }, x = 2, y = 2 }")
  end
  local p = spec.values
  for _, name in ipairs { "eps", "w1", "a0", "alpha0", "beta", "sigma", "lam", "gamma", "f0" } do
    if p[name] == nil then fail("energy_sink: values." .. name .. " is missing") end
  end
  local x, y, z = coordinates("x", "y", "z")
  local u, v, w = dot(x), dot(y), p.w1 + p.sigma * p.eps
  mass  { x = 1, y = p.eps }
  joint { "g", z - x^3 / 3 }
  potential(p.w1^2 * x^2 / 2 + p.eps * p.gamma * (x - y)^4 / 4)
  force { x = p.eps * (p.f0 * sin(w * time()) - p.a0 * u - p.beta * z - p.lam * (u - v)), y = p.eps * p.lam * (u - v) }
  friction_force { "dry", slip = u, bound = p.eps * p.alpha0 }
  local x0, y0 = spec.x or 0, spec.y or 0
  initial { x = x0, y = y0, z = spec.z or x0^3 / 3, [u] = spec.x_dot or 0, [v] = spec.y_dot or 0 }
  draw { spring({ -6, 0 }, { x - 0.5, 0 }), polygon { { x - 0.5, -0.5 }, { x + 0.5, -0.5 }, { x + 0.5, 0.5 }, { x - 0.5, 0.5 } },
         disc(y, 1, 0.25, { name = "sink" }), spring({ x, 0.5 }, { y, 1 }), wall { { -6, -0.5 }, { 6, -0.5 } }, wall { { -6, 1 }, { -6, -0.5 } }, automatic = true }
  return { x = x, y = y, z = z, w = w,
           n1 = hypot((u + p.eps * v) / (1 + p.eps), w * (x + p.eps * y) / (1 + p.eps)),
           n2 = hypot(u - v, w * (x - y)), n3 = hypot(x^2 * u, w * z), residual = abs(x^3 / 3 - z) }
end
