-- A forced oscillator with dry friction and an algebraic variable carries a light cubic attachment.
experiment {
  title  = "nonlinear energy sink on an oscillator with dry friction",
  source = "C.-H. Lamarque, A. Ture Savadkoohi, Passive control of differential algebraic inclusions, 2018, (32), table 1, figures 2-6",
  doc    = [[
The oscillator x (frequency w1, friction eps alpha0, a spring eps beta on z = x^3/3) is driven near resonance; the sink y of mass eps takes its energy in strongly modulated
responses: the envelopes N1 (centre of mass) and N2 (relative motion) drift along the slow invariant manifold and jump at its folds. `jumps` are the times at which N2, averaged
over one period, passes from one branch to the other, the first one downwards; `n1_min`, `n1_max` are over the second half. The source takes f0 = 4.019.
Scheme dai-euler is the published one: with its step 1e-4 it cancels the damping a0 = 0.1 (its warning says so).]],
}

local eps    = param { "eps", 1e-3, doc = "mass ratio, sink / oscillator", min = 1e-12, max = 0.999999 }
local w1     = param { "w1", 1, doc = "frequency of the oscillator", min = 1e-6 }
local a0     = param { "a0", 0.1, doc = "viscous damping, eps a0 dot(x)", min = 0 }
local alpha0 = param { "alpha0", 0.1, doc = "dry friction, eps alpha0 Sign(dot(x))", min = 0 }
local beta   = param { "beta", 0.1, doc = "stiffness on z, eps beta z" }
local sigma  = param { "sigma", 0.1, doc = "detuning: the forcing has w = w1 + sigma eps" }
local lam    = param { "lam", 0.1, doc = "damper of the sink", min = 0 }
local gamma  = param { "gamma", 0.1, doc = "cubic spring of the sink", min = 1e-12 }
local f0     = param { "f0", 4.019, doc = "forcing, eps f0 sin(w t)" }
local dt     = param { "dt", 1e-3, doc = "time step; (w1 dt)^2/12 must be well below eps sigma/w1; 2e-3 puts the last jump 17 early", min = 1e-9 }
local t_end  = param { "t_end", 1e4, doc = "end", min = 0 }
local x0     = param { "x0", 2, doc = "start of both masses" }

local x, y, z = coordinates("x", "y", "z")
local w, u, v = w1 + sigma * eps, dot(x), dot(y)
mass  { x = 1, y = eps }                       -- z has no inertia: the joint gives it
joint { "g", z - x^3 / 3 }
potential(w1^2 * x^2 / 2 + eps * gamma * (x - y)^4 / 4)
force { x = eps * (f0 * sin(w * time()) - a0 * u - beta * z - lam * (u - v)), y = eps * lam * (u - v) }
friction_force { "dry", slip = u, bound = eps * alpha0 }
initial   { x = x0, y = x0, z = x0^3 / 3 }
integrate { scheme = "dai-theta", h = dt, until_t = t_end }

local function size(a, b) return sqrt(a^2 + b^2) end
local share = 1 / (1 + eps)                    -- centre of mass: share (x + eps y)
local n1, n2, n3 = size(share * (u + eps * v), w * share * (x + eps * y)), size(u - v, w * (x - y)), size(x^2 * u, w * z)
local residual = abs(x^3 / 3 - z)
-- levels between the branches: parts of N2 at the folds (at 2.124 and 3.642 for table 1)
local kap, root = 3 * gamma / (4 * w1^4), sqrt(max(0, 1 - 3 * (lam / w1)^2))
local low, high = 0.71 * sqrt((2 - root) / (3 * kap)), 0.82 * sqrt((2 + root) / (3 * kap))
local window = { from = t_end / 2 }
record  { n1 = n1, n2 = n2, n3 = n3, residual = residual }
measure { jumps = jumps(n2, { low = low, high = high, over = 2 * pi / w }), n1_min = minimum(n1, window), n1_max = maximum(n1, window),
          constraint = maximum(residual), sticking = fraction(sticking "dry"), x_end = x, y_end = y }

variant { "published", doc = "the step of the source; take --scheme dai-euler", dt = 1e-4 }
variant { "weak", doc = "one jump down, then rest on the lower branch", f0 = 0.242 }
variant { "onset", doc = "modulation although an equilibrium was stable up to f0 = 0.75", f0 = 0.76 }

local function manifold(i) return { 0.03 * i, 0.03 * i * sqrt((lam / w1)^2 + (1 - kap * (0.03 * i)^2)^2) } end
local sim, period = { label = "slow invariant manifold" }, 2 * pi / w
for i = 0, 170 do sim[i + 1] = manifold(i) end
plot { "energy-sink", title = "Energy sink: envelopes, averaged over a period", columns = 2,
  panel { xlabel = "t", ylabel = "amplitude", line { time(), n2, smooth = period, label = "N2, sink" }, line { time(), n1, smooth = period, label = "N1, centre of mass" } },
  panel { xlabel = "N2", ylabel = "N1", outline(sim), line { n2, n1, smooth = period, from = 50, label = "motion" } } }
plot { "constraint", title = "Energy sink: algebraic variable", columns = 2,
  panel { xlabel = "N1", ylabel = "N3", line { n1, n3, smooth = period, from = 50, label = "motion" } },
  panel { xlabel = "t", ylabel = "|x^3/3 - z|", line { time(), residual, label = "residual" } } }

draw { spring({ -6, 0 }, { x - 0.5, 0 }), polygon { { x - 0.5, -0.5 }, { x + 0.5, -0.5 }, { x + 0.5, 0.5 }, { x - 0.5, 0.5 } }, disc(y, 1, 0.25, { name = "sink" }),
       spring({ x, 0.5 }, { y, 1 }), wall { { -6, -0.5 }, { 6, -0.5 } }, wall { { -6, 1 }, { -6, -0.5 } } }
