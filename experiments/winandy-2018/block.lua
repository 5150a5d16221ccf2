-- A block that lands on its two corners: the impulse at one lifts the other.
experiment {
  title  = "block on two corners",
  source = "T. Winandy, M. Baumann, R.I. Leine, Variational analysis of inequality impact laws, 2018; worked example",
  doc    = [[
Height y of the centre and angle phi, corners at y -+ b phi. Coupling is positive: when one corner strikes, the other is thrown up and
needs no impulse ("superfluous"), whatever its restitution. Variant `flat` lets both strike.]],
}

local m  = param { "m", 2, unit = "kg", min = 1e-9, doc = "mass" }
local J  = param { "J", 0.5, unit = "kg m2", min = 1e-9, doc = "moment of inertia" }
local b  = param { "b", 0.4, unit = "m", min = 1e-9, doc = "half the distance of the corners" }
local e1 = param { "e1", 0.5, min = 0, max = 1, doc = "restitution of corner 1" }
local e2 = param { "e2", 0.5, min = 0, max = 1, doc = "restitution of corner 2" }
local v0 = param { "v0", -0.5, unit = "m/s", doc = "velocity of the centre before" }
local w0 = param { "w0", 1.25, unit = "rad/s", doc = "angular velocity before" }
local law = setting { "law", "newton", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of impact" }
variant { "flat", doc = "both corners strike, restitutions 0.7 and 0.2", e1 = 0.7, e2 = 0.2, v0 = -1, w0 = 0.3 }

local y, phi = coordinates("y", "phi")
mass      { y = m, phi = J }
contact   { "corner_1", gap = y - b * phi, restitution = e1 }
contact   { "corner_2", gap = y + b * phi, restitution = e2 }
initial   { [dot(y)] = v0, [dot(phi)] = w0 }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.1, impact_law = law }
record    { energy = energy(), corner_1 = y - b * phi, corner_2 = y + b * phi }
measure   { gamma_1 = dot(y) - b * dot(phi), gamma_2 = dot(y) + b * dot(phi), impulse_1 = total(impulse "corner_1"),
            impulse_2 = total(impulse "corner_2"), energy_change = energy() - (m * v0^2 + J * w0^2) / 2 }
plot { "corners", title = "Corners after the impact", xlabel = "t", ylabel = "height",
       line { time(), y - b * phi, label = "corner 1" }, line { time(), y + b * phi, label = "corner 2", style = "dashed" } }

local c, s, height = cos(phi), sin(phi), b / 2
draw { polygon { { -b * c, y - b * s }, { b * c, y + b * s }, { b * c - height * s, y + b * s + height * c }, { -b * c - height * s, y - b * s + height * c } },
       wall { { -2 * b, 0 }, { 2 * b, 0 } }, touch("corner_1", { -b, 0 }, { 0, 1 }), touch("corner_2", { b, 0 }, { 0, 1 }) }
