-- Equilibria of the averaged energy sink and their stability.
experiment {
  title  = "equilibria of the energy sink in slow time",
  source = "C.-H. Lamarque, A. Ture Savadkoohi, Passive control of differential algebraic inclusions, 2018, (44)-(49), corrected",
  doc    = [[
Periodic motions at the frequency of the forcing: all N2 with f0(N2) = f0 (leading order n2, n1), their place at finite eps (finite_n2, finite_n1), and the largest real part of the
eigenvalues of the averaged motion there (growth; stable = 1 where negative). `averaged_jumps` are those of the averaged motion from the start of the source. Below f0 = 4 alpha0/pi
there is none. The run follows the motion itself from the first equilibrium.]],
}
local eps    = setting { "eps", 1e-3, doc = "mass ratio, sink / oscillator" }
local w1     = setting { "w1", 1, doc = "frequency of the oscillator" }
local a0     = setting { "a0", 0.1, doc = "viscous damping of the oscillator" }
local alpha0 = setting { "alpha0", 0.1, doc = "dry friction of the oscillator" }
local beta   = setting { "beta", 0.1, doc = "stiffness on z" }
local sigma  = setting { "sigma", 0.1, doc = "detuning" }
local lam    = setting { "lam", 0.1, doc = "damper of the sink" }
local gamma  = setting { "gamma", 0.1, doc = "cubic spring of the sink" }
local f0     = setting { "f0", 4.019, doc = "forcing" }
local t_end  = setting { "t_end", 200, min = 1e-6, doc = "end of the run" }
local flow   = setting { "flow", 1e4, min = 10, doc = "end of the averaged motion" }

local values = { eps = eps, w1 = w1, a0 = a0, alpha0 = alpha0, beta = beta, sigma = sigma, lam = lam, gamma = gamma, f0 = f0 }
local found = sink_equilibria(values)
local averaged = sink_flow { eps = eps, w1 = w1, a0 = a0, alpha0 = alpha0, beta = beta, sigma = sigma, lam = lam, gamma = gamma, f0 = f0, t_end = flow }
-- from the first equilibrium, or from rest where there is none
local first = compute(function()
  local x, u, y, v = 0, 0, 0, 0
  if #found.n2 > 0 then x, u, y, v = found.x[1], found.x_dot[1], found.y[1], found.y_dot[1]
  else print("below 4 alpha0/pi = " .. found.least_forcing .. " no sliding periodic solution in the averaged model (the main mass sticks part or all of the time)") end
  return { x = x, x_dot = u, y = y, y_dot = v, z = x^3 / 3 }
end)
local system = energy_sink { values = values, x = first.x, x_dot = first.x_dot, y = first.y, y_dot = first.y_dot, z = first.z }
integrate { scheme = "dai-theta", h = 2e-3 / w1, until_t = t_end }

measure { n2 = found.n2, n1 = found.n1, finite_n2 = found.finite_n2, finite_n1 = found.finite_n1, growth = found.growth, stable = found.stable,
          averaged_jumps = averaged.jumps, averaged_n1_min = averaged.n1_min, averaged_n1_max = averaged.n1_max, n1_mean = mean(system.n1), n2_mean = mean(system.n2) }

-- Forcing against amplitude: the equilibria of every forcing, and those of this one.
local amplitudes = {}
for i = 1, 300 do amplitudes[i] = 0.02 * i end
local sizes = sink_forcing { n2 = amplitudes, eps = eps, w1 = w1, a0 = a0, alpha0 = alpha0, beta = beta, sigma = sigma, lam = lam, gamma = gamma }
plot { "equilibria", title = "Energy sink, averaged", columns = 2,
  panel { title = "equilibria", xlabel = "f0", ylabel = "N2", xrange = { 0, 6 }, curve { sizes.points, label = "equilibria" },
          outline { { f0, 0 }, { f0, 6 }, label = "f0", style = "dashed" } },
  panel { title = "averaged motion from the start of the source", xlabel = "t", ylabel = "amplitude", curve { x = averaged.t, y = averaged.n2, label = "N2" },
          curve { x = averaged.t, y = averaged.n1, label = "N1" } } }
plot { "from-equilibrium", title = "Motion from the first equilibrium", xlabel = "t", line { time(), system.n1, label = "N1" }, line { time(), system.n2, label = "N2" } }
