-- Newton's cradle without strings: what each law makes of it.
experiment {
  title  = "Newton's cradle under every law",
  source = "the laws of Nguyen and Brogliato 2018 and of Winandy, Baumann and Leine 2018 on one chain",
  doc    = [[
Three to ten balls, one or more of them strike. Experience says that as many balls leave as came: binary collisions say so, Moreau's,
Newton's and Poisson's laws with one restitution do not, and with compliance (lzb) the last ball takes nearly all.]],
}

local strikers = setting { "strikers", 1, integer = true, min = 1, max = 9, doc = "balls that strike together" }
local e   = setting { "e", 1, min = 0, max = 1, doc = "restitution of every law" }
local eta = setting { "eta", 1.5, min = 1e-3, doc = "lzb: exponent of the contact force" }
local n   = setting { "n", 5, integer = true, min = 2, max = 10, doc = "balls of the run" }
local law = setting { "law", "lzb", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of the run" }

local function velocity(i) return i <= strikers and 1 or 0 end
local c = chain { balls = n, radius = 0.5, velocity = velocity, exponent = eta, restitution = e }
integrate { scheme = "event-driven", h = 0.02, until_t = 2, impact_law = law }

local named, panels = {}, { "laws", title = "Velocities after the impact (moreau = newton = poisson)", columns = 2 }
-- With one restitution and no contact that separates, Newton's, Moreau's and Poisson's laws are one (measure `spread` says so).
local laws = { { "binary", "binary", "circle" }, { "lzb", "lzb" }, { "moreau", "moreau", "cross" } }
local spread = 0
for balls = 3, 10 do
  local masses, start = {}, {}
  for i = 1, balls do masses[i], start[i] = 1, velocity(i) end
  local function after(name)
    return collide { masses = masses, velocity = start, law = name, restitution = e, exponent = eta, tolerance = 1e-9 }.velocity
  end
  local layers = { title = balls .. " balls", xlabel = "ball", ylabel = "velocity", xrange = { 0.5, balls + 0.5 }, yrange = { -1.1, 1.3 } }
  for _, law in ipairs(laws) do
    local v = after(law[1])
    layers[#layers + 1] = values { v, label = law[2], style = law[3] }
    named[law[1] .. "_last_" .. balls] = v[balls]
  end
  local one, two, three = after("moreau"), after("newton"), after("poisson")
  for i = 1, balls do spread = max(spread, abs(one[i] - two[i]), abs(one[i] - three[i])) end
  panels[#panels + 1] = panel(layers)
end
named.spread = spread
for i = 1, n do named["v_" .. i] = c.v[i] end
named.cke = dispersion(c)
measure(named)

plot(panels)
local paths = { "paths", title = "Paths of the balls, law " .. law, xlabel = "t", ylabel = "x" }
for i = 1, n do paths[#paths + 1] = line { time(), c.x[i] } end
plot(paths)
