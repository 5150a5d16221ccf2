-- A follower on a cam, in the coordinate that is its height above the cam: the cam turns too fast for the spring.
local x = coordinates "x"
local m, k, preload, g, w = 1.221, 1430.8, 20, 9.81, 35
local t = time()
local lift = 0.01 * (1 - cos(w * t)) + 0.002 * (1 - cos(2 * w * t))
local lift_second = 0.01 * w^2 * cos(w * t) + 0.008 * w^2 * cos(2 * w * t)
mass      (m)
potential (k * x^2 / 2)
force     { x = -(k * lift + preload + m * g + m * lift_second) }
contact   { "cam", gap = x, restitution = 0.4 }
initial   { x = 0.02 }
integrate { scheme = "moreau-jean", h = 1e-4, until_t = 2 }
record    { position = x, velocity = dot(x) }
