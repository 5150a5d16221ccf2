-- A pendulum that is driven at its pivot, without any contact: chaotic for some amplitudes.
local a = param { "a", 0.5, doc = "amplitude of the torque", min = 0 }
local phi = coordinates("phi")
kinetic   (dot(phi)^2 / 2)
potential (-cos(phi))
force     { phi = a * cos(2 / 3 * time()) - 0.5 * dot(phi) }
initial   { phi = 0.2 }
integrate { scheme = "moreau-jean", h = 1e-2, until_t = 100 }
measure   { turns = phi }
