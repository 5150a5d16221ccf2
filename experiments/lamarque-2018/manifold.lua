-- The slow invariant manifold of the energy sink: folds, landing points, and the forcing that puts an equilibrium on a fold.
experiment {
  title  = "slow invariant manifold of the energy sink",
  source = "C.-H. Lamarque, A. Ture Savadkoohi, Passive control of differential algebraic inclusions, 2018, (41)-(42), (54), (63)-(64)",
  doc    = [[
N1 = N2 sqrt(mu^2 + (1 - kap N2^2)^2), mu = lam/w1, kap = 3 gamma/(4 w1^4). `folds` are N2 at the maximum and the minimum of N1, `landings` where the fast flow goes from there,
`fold_forcing` the f0 for which the fold is an equilibrium: the first is where the equilibrium of the lower branch is lost, not where modulation begins. For lam/w1 >= 1/sqrt(3) there
are no folds: the lists are empty, and the manifold cannot be left by a jump. The run is the fast motion onto the manifold: the sink started at rest, the oscillator held by its
own inertia, for a few periods.]],
}
local eps    = setting { "eps", 1e-3, doc = "mass ratio, sink / oscillator" }
local w1     = setting { "w1", 1, doc = "frequency of the oscillator" }
local a0     = setting { "a0", 0.1, doc = "viscous damping of the oscillator" }
local alpha0 = setting { "alpha0", 0.1, doc = "dry friction of the oscillator" }
local beta   = setting { "beta", 0.1, doc = "stiffness on z" }
local sigma  = setting { "sigma", 0.1, doc = "detuning" }
local lam    = setting { "lam", 0.1, doc = "damper of the sink" }
local gamma  = setting { "gamma", 0.1, doc = "cubic spring of the sink" }
local f0     = setting { "f0", 4.019, doc = "forcing of the run" }

local values = { eps = eps, w1 = w1, a0 = a0, alpha0 = alpha0, beta = beta, sigma = sigma, lam = lam, gamma = gamma, f0 = f0 }
local manifold = sink_manifold(values)
local system = energy_sink { values = values, x = 2, y = 2 }
integrate { scheme = "dai-theta", h = 2e-3 / w1, until_t = 100 / w1 }

-- from each fold to where the fast flow lands
local flow = compute(function()
  local from, n1, to, points = manifold.folds, manifold.fold_n1, manifold.landings, { {}, {} }
  if #from == 0 then print("no folds: lam/w1 >= 1/sqrt(3), N1 grows with N2; no jumps, no strongly modulated response") end
  for i = 1, #from do points[i] = { { from[i], n1[i] }, { to[i], n1[i] } } end
  return { maximum = points[1], minimum = points[2] }
end)
measure { folds = manifold.folds, fold_n1 = manifold.fold_n1, landings = manifold.landings, fold_forcing = manifold.fold_forcing,
          fold_angle = manifold.fold_angle, n1_end = system.n1, n2_end = system.n2 }
plot { "manifold", title = "Slow invariant manifold", xlabel = "N2", ylabel = "N1", xrange = { 0, 6 }, yrange = { 0, 6 }, curve { manifold.curve, label = "manifold" },
       curve { flow.maximum, style = "dashed", label = "from the maximum" }, curve { flow.minimum, style = "dashed", label = "from the minimum" },
       line { system.n2, system.n1, smooth = 2 * pi / system.w, label = "motion, averaged over a period" } }
