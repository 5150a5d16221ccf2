-- A crank with a motor, a spring and a limit; a disc lies on its arm.
world { gravity = { 0, -9.81 } }
pair  { friction = 0.4 }
local frame = fixed { "frame", shape = plane { normal = { 0, 1 }, offset = -1 } }
local crank = body { "crank", shape = box { 0.4, 0.05 }, density = 2000, at = { 0.2, 0 } }
local arm   = body { "arm", shape = box { 0.6, 0.05 }, density = 2000, at = { 0.7, 0 } }
hinge { "main", frame, crank, at = { 0, 0 }, motor = { speed = 6, torque = 20 } }
hinge { "elbow", crank, arm, at = { 0.4, 0 }, spring = { stiffness = 30, rest = 0 }, damper = 0.5, limits = { -1, 1 } }
integrate { scheme = "moreau-jean", h = 0.001, until_t = 0.6 }
measure { angle = crank.phi, tip = arm.y }
