-- A tippe top turns over and spins on its stem.
experiment {
  title  = "tippe top",
  source = "R.I. Leine, C. Glocker, A set-valued force law for spatial Coulomb-Contensou friction, European Journal of Mechanics A/Solids 22, 2003: data of the top",
  doc    = [[
A ball whose centre of mass lies below its middle, with a stem (a small ball) on top. It starts nearly upright with a large spin; sliding friction raises
its centre of mass until it runs on the stem. Along the vertical the spin keeps its sense, along the axis of the top it changes. Whatever the friction, Jellett's
product of angular momentum and arm of the contact stays as long as the belly carries. The published top turns over with a spin of 180 rad/s and
friction after Contensou, where spinning lets the contact slide under the smallest force; Coulomb's law for a point sticks there, and asks for more spin. Torsion and
rolling friction take spin, but do not let it slide.]],
}

local spin  = param { "spin", 300, unit = "rad/s", doc = "at the start, about its axis" }
local tilt  = param { "tilt", 0.1, unit = "rad", doc = "of its axis at the start" }
local mu    = param { "mu", 0.3, doc = "friction coefficient", min = 0 }
local rolling = param { "rolling", 0, unit = "m", doc = "rolling coefficient", min = 0 }
local torsion = param { "torsion", 0, unit = "m", doc = "torsion coefficient", min = 0 }
local h     = param { "h", 1e-4, unit = "s", doc = "time step", min = 1e-9 }
local t_end = param { "t_end", 4, unit = "s", doc = "end time" }
variant { "slow", doc = "the published spin: the point of contact sticks before the top has turned over", spin = 180 }

-- Along the axis, from the centre of mass: the middles of belly and stem.
local R1, R2, a1, a2 = 15e-3, 5e-3, 3e-3, 16e-3
local I1, I3 = 8e-7, 7e-7
world { gravity = { 0, 0, -9.81 } }
pair  { friction = mu, rolling = rolling, torsion = torsion }
local floor = fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
local top = body { "top", shape = compound { { sphere { R1 }, at = { 0, 0, a1 } }, { sphere { R2 }, at = { 0, 0, a2 } } },
                   centre = { 0, 0, 0 }, mass = 6e-3, inertia = { I1, I1, I3 },
                   at = { 0, 0, R1 - a1 * cos(tilt) }, rotation = { axis = { 0, 1, 0 }, angle = tilt },
                   spin = { spin * sin(tilt), 0, spin * cos(tilt) } }
integrate { scheme = "moreau-jean", h = h, until_t = t_end }

local axis    = top:direction { 0, 0, 1 }
local belly   = top:point { 0, 0, a1 }
local stem    = top:point { 0, 0, a2 }
local angle   = acos(axis.z)
local along   = top.wx * axis.x + top.wy * axis.y + top.wz * axis.z
-- L . (R1 z - a1 e), with L = I1 w + (I3 - I1) (w . e) e
local jellett = I1 * (R1 * top.wz - a1 * along) + (I3 - I1) * along * (R1 * axis.z - a1)
measure {
  angle_end   = angle,                                     -- pi: upside down
  turned      = maximum(angle),
  height_end  = top.z,                                     -- on the stem: R2 + a2 = 0.021
  spin_z      = top.wz,                                    -- along the vertical
  spin_axis   = along,
  jellett     = at(jellett, { 0, 0.5, 1 }),
  deepest     = minimum(min(belly.z - R1, stem.z - R2)),
  energy_end  = energy(), energy_start = at(energy(), 0),
}
plot { "tippe-top", title = "Tippe top", columns = 2,
  panel { title = "start", equal = true, scene { at = 0 } },
  panel { title = "end", equal = true, scene {} },
  panel { title = "angle of its axis", xlabel = "t in s", ylabel = "rad", line { time(), angle } },
  panel { title = "height of the centre of mass", xlabel = "t in s", ylabel = "m", line { time(), top.z } } }
