-- The impact oscillator: the standard example of the dynamics of impacts, with its exact periodic motions.
experiment {
  title  = "driven oscillator against a wall",
  source = "closed-form one-impact orbits of the linear oscillator",
  doc    = [[
A mass on a spring with a damper under a force cos(w t), with a wall at x = s that it strikes from above:

    x'' + c x' + x = cos(w t),   x >= s,   v+ = -e v-.

Between impacts the motion is known exactly, so that a motion with one impact in n forcing periods is the solution of two equations: its phase,
its velocity and its multipliers have as many digits as one likes. The product of the multipliers is e^2 exp(-c 2 pi n/w).]],
}

local e = param { "e", 0.8, doc = "restitution coefficient", min = 0, max = 1 }
local c = param { "c", 0.05, doc = "damping", min = 0 }
local s = param { "s", 0, doc = "place of the wall" }
local w = param { "w", 2.6, doc = "circular frequency of the force", min = 1e-6 }
local x0 = param { "x0", 0.5, doc = "position at the start" }
local v0 = param { "v0", 0, doc = "velocity at the start" }
local t_end = param { "t_end", 100, doc = "end time", min = 1e-9 }

local x = coordinates("x")
mass(1)
force { x = -x - c * dot(x) + cos(w * time()) }
contact { "wall", gap = x - s, restitution = e }
initial { x = x0, [dot(x)] = v0 }
integrate { scheme = "event-driven", h = 0.02, until_t = t_end, zeno = "continue" }

measure {
  impacts = count(impact("wall")),
  largest = maximum(x),
}
plot { "motion", title = "Driven oscillator against a wall", xlabel = "t", ylabel = "x", line { time(), x } }
plot { "phase", title = "Position and velocity", xlabel = "x", ylabel = "v", line { x, dot(x) } }
