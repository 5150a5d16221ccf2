-- Three balls, a restitution per contact: what Newton's and Poisson's laws can and cannot say.
experiment {
  title  = "three-ball cradle with a restitution per contact",
  source = "T. Winandy, M. Baumann, R.I. Leine, Variational analysis of inequality impact laws, 2018; worked example",
  doc    = [[
v = (1, 0, 0). With one restitution both laws agree and move the outcome on a straight line from (1/3, 1/3, 1/3) to (-1/3, 2/3, 2/3);
the loss of energy is (1 - e^2)/3. With two, Poisson's law can separate balls 2 and 3, Newton's cannot.]],
}

local e1  = setting { "e1", 0.3, min = 0, max = 1, doc = "restitution of contact 1" }
local e2  = setting { "e2", 0.9, min = 0, max = 1, doc = "restitution of contact 2" }
local law = setting { "law", "poisson", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of impact" }
variant { "newton", doc = "Newton's law with the same restitutions", law = "newton" }

local c = chain { balls = 3, restitution = { e1, e2 } }
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = law }
record  { energy = energy() }
measure { v_1 = c.v[1], v_2 = c.v[2], v_3 = c.v[3], gamma_1 = c.v[2] - c.v[1], gamma_2 = c.v[3] - c.v[2],
          impulse_1 = total(impulse "c1"), impulse_2 = total(impulse "c2"), energy_change = energy() - 1 / 2 }

-- The outcome of both laws against one restitution, and Poisson's with e1 kept.
local steps, curves = 40, { newton = { {}, {}, {} }, poisson = { {}, {}, {} } }
for k = 0, steps do
  for name, balls in pairs(curves) do
    local v = collide { masses = { 1, 1, 1 }, law = name, restitution = name == "newton" and k / steps or { e1, k / steps } }.velocity
    for i = 1, 3 do balls[i][k + 1] = { k / steps, v[i] } end
  end
end
local function panel_of(name, title)
  local layers = { title = title, xlabel = name == "newton" and "e1 = e2" or "e2", ylabel = "velocity" }
  for i = 1, 3 do
    curves[name][i].label = "ball " .. i
    layers[i] = curve(curves[name][i])
  end
  return panel(layers)
end
plot { "restitution", title = "Three-ball cradle", columns = 2, panel_of("newton", "Newton and Poisson, one restitution"),
       panel_of("poisson", "Poisson, e1 = " .. e1) }
