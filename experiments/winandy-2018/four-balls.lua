-- Four balls, three contacts, several strikers.
experiment {
  title  = "four balls in a row",
  source = "T. Winandy, M. Baumann, R.I. Leine, Variational analysis of inequality impact laws, 2018; worked example",
  doc    = [[Start "one": (1, 0, 0, 0), "two": (1, 1, 0, 0), "both": (1, 0, 0, -1).]],
}

local start = setting { "start", "both", choices = { "one", "two", "both" }, doc = "who moves" }
local e1  = setting { "e1", 0.9, min = 0, max = 1, doc = "restitution of contact 1" }
local e2  = setting { "e2", 0.5, min = 0, max = 1, doc = "restitution of contact 2" }
local e3  = setting { "e3", 0.1, min = 0, max = 1, doc = "restitution of contact 3" }
local law = setting { "law", "poisson", choices = { "moreau", "newton", "poisson", "binary", "lzb" }, doc = "law of impact" }
variant { "newton", doc = "Newton's law with the same restitutions", law = "newton" }

local velocities = { one = { 1, 0, 0, 0 }, two = { 1, 1, 0, 0 }, both = { 1, 0, 0, -1 } }
local c = chain { balls = 4, velocity = velocities[start], restitution = { e1, e2, e3 } }
integrate { scheme = "event-driven", h = 1, until_t = 1, impact_law = law }
record  { energy = energy() }
measure { v_1 = c.v[1], v_2 = c.v[2], v_3 = c.v[3], v_4 = c.v[4], impulse_1 = total(impulse "c1"),
          impulse_2 = total(impulse "c2"), impulse_3 = total(impulse "c3"), energy_end = energy() }
plot { "velocities", title = "Velocities after the impact", xlabel = "ball", ylabel = "velocity", values { c.v, label = law } }
