-- Three walls, two directions: impulses are not unique, and with Poisson's law nor is the outcome.
experiment {
  title  = "a particle and three walls in the plane",
  source = "T. Winandy, M. Baumann, R.I. Leine, Variational analysis of inequality impact laws, 2018; worked example beyond its full-rank case",
  doc    = [[
Walls with normals (1, 0), (0, 1) and (0.6, 0.8) meet where the particle strikes. Newton's law has one velocity and many impulses; Poisson's
with different restitutions depends on which impulses the compression takes: the smallest ones here.]],
}

local e1 = param { "e1", 0.5, min = 0, max = 1, doc = "restitution of the wall x = 0" }
local e2 = param { "e2", 0.2, min = 0, max = 1, doc = "restitution of the wall y = 0" }
local e3 = param { "e3", 0.8, min = 0, max = 1, doc = "restitution of the inclined wall" }
local law = setting { "law", "newton", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of impact" }
variant { "poisson", doc = "Poisson's law", law = "poisson" }

local x, y = coordinates("x", "y")
mass      (2)
contact   { "left", gap = x, restitution = e1 }
contact   { "floor", gap = y, restitution = e2 }
contact   { "slope", gap = 0.6 * x + 0.8 * y, restitution = e3 }
initial   { [dot(x)] = -1, [dot(y)] = -2 }
integrate { scheme = "event-driven", h = 0.01, until_t = 0.1, impact_law = law }
record    { energy = energy() }
measure   { vx = dot(x), vy = dot(y), energy_change = energy() - 5, impulse_left = total(impulse "left"),
            impulse_floor = total(impulse "floor"), impulse_slope = total(impulse "slope") }
plot { "path", title = "Path after the impact", xlabel = "x", ylabel = "y", equal = true, line { x, y } }

draw { disc(x, y, 0.01, { name = "particle" }), path { x, y }, wall { { 0, 0.4 }, { 0, 0 } }, wall { { 0, 0 }, { 0.4, 0 } }, wall { { -0.16, 0.12 }, { 0.16, -0.12 } } }
