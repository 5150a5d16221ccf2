-- An oscillator that dry friction stops, in closed form.
experiment {
  title  = "oscillator with dry friction",
  source = "C.-H. Lamarque, A. Ture Savadkoohi, Passive control of differential algebraic inclusions, 2018: the main oscillator alone",
  doc    = [[
x'' + w1^2 x + eps alpha0 Sign(x') contains 0. Every half cycle takes 2 eps alpha0/w1^2 from the amplitude; the mass stops at the first turning point within eps alpha0/w1^2 of
the origin, and stays: with the default values at x = -0.05, t = 5 pi, its velocity exactly zero. Without friction (alpha0 = 0) scheme dai-euler shows its growth,
(1 + h^2 w1^2)^(1/2) per step.]],
}
local eps    = param { "eps", 0.1, doc = "factor of friction", min = 0 }
local alpha0 = param { "alpha0", 1, doc = "dry friction", min = 0 }
local w1     = param { "w1", 1, doc = "frequency", min = 1e-6 }
local x0     = param { "x0", 1.05, doc = "start" }
local v0     = param { "v0", 0, doc = "velocity at the start" }
local dt     = param { "dt", 1e-3, doc = "time step", min = 1e-9 }
local t_end  = param { "t_end", 20, doc = "end", min = 0 }
variant { "growth", doc = "no friction: what the scheme does to the amplitude", alpha0 = 0, x0 = 1, t_end = 100 }

local x = coordinates "x"
mass(1)
potential(w1^2 * x^2 / 2)
friction_force { "dry", slip = dot(x), bound = eps * alpha0 }
initial   { x = x0, [dot(x)] = v0 }
integrate { scheme = "dai-theta", h = dt, until_t = t_end }
local amplitude = hypot(dot(x) / w1, x)
measure { x_end = x, v_end = dot(x), amplitude_end = amplitude, turns = peaks(abs(x)), sticking = fraction(sticking "dry") }
plot { "friction-oscillator", x = time(), y = x }

draw { spring({ -2, 0 }, { x - 0.2, 0 }), polygon { { x - 0.2, -0.2 }, { x + 0.2, -0.2 }, { x + 0.2, 0.2 }, { x - 0.2, 0.2 } }, wall { { -2, -0.2 }, { 2, -0.2 } }, wall { { -2, 0.4 }, { -2, -0.2 } } }
