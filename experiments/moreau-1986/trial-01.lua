-- Trial 1, plates 1 and 2: a particle over a sinusoidal wall. The source prints no data: free parameters.
experiment {
  title  = "particle over a sinusoidal wall: reflection against inelastic shocks (plates 1, 2)",
  source = "J. J. Moreau, Technical Note 85-1, 1986, trial 1",
  doc    = [[
A particle falls on the wall y = amplitude sin(2 pi x / wavelength). With the plain reflection rule (scheme billiard)
the energy grows a little at each rebound; with standard inelastic shocks (scheme inel) the particle slides after the
first shock and leaves the wall where it curves away. The plates are drawings without data, so there is nothing to
compare numbers with: choose your own.]],
}

local h         = param { "h", 0.001, unit = "s", doc = "time step", min = 1e-9 }
local av        = param { "av", 0, doc = "anticipation coefficient of the tangent cone", min = -2, max = 2 }
local gravity   = param { "gravity", 9.81, unit = "m/s^2", doc = "gravity" }
local amplitude = param { "amplitude", 0.3, unit = "m", doc = "amplitude of the wall" }
local wavelength = param { "wavelength", 2, unit = "m", doc = "wavelength of the wall", min = 1e-6 }
local x0        = param { "x0", 0.2, unit = "m", doc = "initial position" }
local y0        = param { "y0", 1.5, unit = "m", doc = "initial height" }
local u0        = param { "u0", 1, unit = "m/s", doc = "initial horizontal velocity" }
local t_end     = param { "t_end", 4, unit = "s", doc = "end time" }

local x, y = coordinates("x", "y")
kinetic   ((dot(x)^2 + dot(y)^2) / 2)
potential (gravity * y)
contact   { "wall", gap = y - amplitude * sin(2 * pi * x / wavelength) }
initial   { x = x0, y = y0, [dot(x)] = u0 }
integrate { scheme = "billiard", h = h, until_t = t_end, av = av }

local start_energy = u0^2 / 2 + gravity * y0
measure {
  shocks        = count(impact "wall"),
  energy_change = final((energy() - start_energy) / start_energy),
  deepest       = minimum(gap "wall"),
}
family { scheme = { "billiard", "elast", "inel" } }

local surface = { label = "wall" }
for i = 0, 240 do
  local s = -1 + i * 0.05
  surface[#surface + 1] = { s, amplitude * sin(2 * pi * s / wavelength) }
end
plot { "trial-01", title = "Trial 1: particle over a sinusoidal wall", xlabel = "x", ylabel = "y", equal = true,
  xrange = { -1, 9 }, outline(surface), line { x, y, family = true } }

local ground = {}
for i = 0, 240 do ground[i + 1] = { -1 + i * 0.05, amplitude * sin(2 * pi * (-1 + i * 0.05) / wavelength) } end
draw { disc(x, y, 0.05, { name = "particle" }), path { x, y }, wall(ground) }
