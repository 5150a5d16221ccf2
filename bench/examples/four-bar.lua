-- A four-bar linkage with play in three of its pins; the crank turns about a fixed point.
local crank, x2, y2, p2, x3, y3, p3 = coordinates("crank", "x2", "y2", "p2", "x3", "y3", "p3")
local l1, l2, l3, d, c = 0.1, 0.35, 0.3, 0.4, 1e-3
local rho = 2
local m2, m3 = rho * l2, rho * l3
local gravity = 9.81
mass      { crank = rho * l1^3 / 3, x2 = m2, y2 = m2, p2 = m2 * l2^2 / 12, x3 = m3, y3 = m3, p3 = m3 * l3^2 / 12 }
potential (gravity * (rho * l1^2 / 2 * sin(crank) + m2 * y2 + m3 * y3))
force     { crank = 0.5 * (20 - dot(crank)) }
local function pin(name, ax, ay, bx, by)
  contact { name, gap = c^2 - (ax - bx)^2 - (ay - by)^2, restitution = 0.2 }
end
pin("A", l1 * cos(crank), l1 * sin(crank), x2 - l2 / 2 * cos(p2), y2 - l2 / 2 * sin(p2))
pin("B", x2 + l2 / 2 * cos(p2), y2 + l2 / 2 * sin(p2), x3 + l3 / 2 * cos(p3), y3 + l3 / 2 * sin(p3))
pin("C", x3 - l3 / 2 * cos(p3), y3 - l3 / 2 * sin(p3), d, 0)
-- The linkage closed, crank at pi/2, at rest.
local f   = math.sqrt(d^2 + l1^2)
local phi = math.atan(-l1, d) + math.acos((f^2 + l2^2 - l3^2) / (2 * f * l2))
local ex, ey = l2 * math.cos(phi), l1 + l2 * math.sin(phi)
local psi = math.atan(ey, ex - d)
initial   { crank = pi / 2, x2 = ex / 2, y2 = (l1 + ey) / 2, p2 = phi, x3 = (d + ex) / 2, y3 = ey / 2, p3 = psi }
integrate { scheme = "moreau-jean", h = 2e-5, until_t = 0.2 }
record    { coupler = p2, crank = crank, rocker = p3 }
