-- A chain of N links falls on a floor: many joints, many contacts; for studies of size.
experiment {
  title  = "hanging chain of N links over a floor",
  source = "worked example of the mechanism library",
  doc    = [[
N equal rods, pinned to each other, the first one to a fixed point at height `height`; the chain starts straight and horizontal, at rest.
Every link's far end meets the floor y = 0, inelastically by default. 3 N coordinates, 2 N joint equations, N contacts.]],
}

local N      = setting { "N", 10, integer = true, min = 1, max = 400, doc = "links" }
local length = param { "length", 1, unit = "m", doc = "of the chain", min = 1e-9 }
local m      = param { "m", 1, unit = "kg", doc = "mass of the chain", min = 1e-9 }
local height = param { "height", 0.5, unit = "m", doc = "of the fixed pin", min = 0 }
local g      = param { "g", 9.81, unit = "m/s^2", doc = "gravity" }
local e      = param { "e", 0, doc = "restitution coefficient", min = 0, max = 1 }
local h      = param { "h", 5e-4, unit = "s", doc = "time step", min = 1e-9 }
local rho_inf = param { "rho_inf", 0.8, doc = "spectral radius at infinite frequency (generalized-alpha)", min = 0, max = 1 }
local t_end  = param { "t_end", 1, unit = "s", doc = "end time" }

local l, before, at = length / N, ground, { 0, height }
local links, drift = {}, 0
for i = 1, N do
  local link = body2d { "link" .. i, mass = m / N, inertia = m / N * l^2 / 12, pinned = { { -l / 2, 0 }, before, at }, gravity = g }
  revolute { "pin" .. i, link, { -l / 2, 0 }, before, at }
  local x, y   = link:point { -l / 2, 0 }
  local bx, by = before.point(at)
  drift = max(drift, max(abs(x - bx), abs(y - by)))
  links[i], before, at = link, link, { l / 2, 0 }
  local _, end_y = link:point(at)
  contact { "floor" .. i, gap = end_y, restitution = e }
end
integrate { scheme = "generalized-alpha", h = h, until_t = t_end, rho_inf = rho_inf }

local tip_x, tip_y = before:point(at)
local touching_now = 0
for i = 1, N do touching_now = touching_now + select(impulse("floor" .. i), 1, 0) end
measure {
  drift         = maximum(drift),
  first_contact = first(impact()),
  contacts      = maximum(touching_now),
  impulse_end   = total(impulse("floor" .. N)),
  tip_x         = tip_x,
  tip_y         = tip_y,
  energy_end    = energy(),
}

local shapes = { "chain", title = "Chain over a floor", xlabel = "x", ylabel = "y", equal = true, outline { { -length, 0 }, { length, 0 }, label = "floor" } }
for i = 1, N do
  local x1, y1 = links[i]:point { -l / 2, 0 }
  local x2, y2 = links[i]:point { l / 2, 0 }
  shapes[#shapes + 1] = segments { x1, y1, x2, y2, every = 0.1 }
end
plot(shapes)
plot { "chain-energy", title = "Chain over a floor: energy", x = time(), y = energy() }

local hanging = { wall { { -length, 0 }, { length, 0 } } }
for i = 1, N do
  local x1, y1 = links[i]:point { -l / 2, 0 }
  local x2, y2 = links[i]:point { l / 2, 0 }
  hanging[#hanging + 1] = rod({ x1, y1 }, { x2, y2 }, l / 12)
  hanging[#hanging + 1] = pin { x1, y1 }
  hanging[#hanging + 1] = touch("floor" .. i, { x2, 0 }, { 0, 1 })
end
hanging.alone = true
draw(hanging)
