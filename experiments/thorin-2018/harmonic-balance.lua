-- Harmonic balance with complementarity: how many harmonics does an impact need?
experiment {
  title  = "harmonic balance of one mass against a wall",
  source = "A. Thorin, M. Legrand, Nonsmooth modal analysis: from the discrete to the continuous settings, 2018, (12)-(17)",
  doc    = [[
u'' + u = -lambda, u <= 1. The exact motion of frequency w between 1 and 2 has one elastic impact per period, u = -cos(t - T/2)/cos(T/2), and energy 1/(2 cos^2(T/2)). With N harmonics the wall is
penetrated and the energy too large; both errors fall like 1/N. The run is the exact motion by the event-driven scheme.]],
}

local w = setting { "w", 1.2, min = 1.000001, max = 1.999999, doc = "frequency" }
local N = setting { "N", 20, integer = true, min = 1, max = 200, doc = "harmonics" }
local T = 2 * pi / w

local hbm = harmonic_balance { w = w, N = N }
compute(function() if hbm.trivial then print("harmonic balance fell back to u = 0") end end)
local u = coordinates("u")
mass(1)
potential(u^2 / 2)
contact { "wall", gap = 1 - u, restitution = 1 }
initial { u = 1, [dot(u)] = tan(T / 2), gap_tolerance = 1e-9 }
local h = T / 400
integrate { scheme = "event-driven", h = h, until_t = 2 * T - h }
measure { energy_exact = 1 / (2 * cos(T / 2)^2), energy_hbm = hbm.energy, penetration = hbm.penetration, impulse_exact = -2 * tan(T / 2),
          impulse_hbm = hbm.impulse, trivial = hbm.trivial, energy_run = energy() }

local balance = compute(function()
  local points = {}
  for _, harmonics in ipairs { 1, 2, 3, 5, 7, 10, 15, 20, 30, 40 } do
    local at = harmonic_balance { w = w, N = harmonics }
    if not at.trivial then points[#points + 1] = { harmonics, at.energy } end
  end
  return { points = points }
end)
plot { "harmonic-balance", title = "Energy against the number of harmonics, w = " .. w, xlabel = "N", ylabel = "energy", curve { balance.points, label = "harmonic balance" },
       outline { { 1, 1 / (2 * cos(T / 2)^2) }, { 40, 1 / (2 * cos(T / 2)^2) }, style = "dashed", label = "exact" } }

draw { spring({ -2, 0 }, { u - 0.1, 0 }), disc(u, 0, 0.1, { name = "mass" }), wall { { 1.1, -0.5 }, { 1.1, 0.5 } }, wall { { -2, 0.5 }, { -2, -0.5 } }, touch("wall", { 1.1, 0 }, { -1, 0 }) }
