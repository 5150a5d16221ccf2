-- A rod that falls on a rough floor with both ends.
local x, y, phi = coordinates("x", "y", "phi")
local l = 0.3
kinetic(0.5 * 0.5 * (dot(x)^2 + dot(y)^2) + 0.5 * 0.015 * dot(phi)^2)
potential(0.5 * 9.81 * y)
for k, s in ipairs { -1, 1 } do
  contact { "end" .. k, gap = y + s * l * sin(phi), slip = dot(x) - s * l * sin(phi) * dot(phi), friction = 0.4, restitution = 0.3 }
end
initial { x = 0, y = 0.5, phi = 0.6, [dot(x)] = 0.4, [dot(phi)] = 1 }
integrate { scheme = "moreau-jean", h = 0.002, until_t = 1.2 }
measure { way = x, angle = phi }
