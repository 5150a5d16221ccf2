-- The woodpecker toy: sleeve and bird on a pole, three contacts with friction.
local y, sleeve, bird = coordinates("y", "sleeve", "bird")
local ms, mm, js, jm = 0.0045, 0.0003, 7e-7, 5e-9
local lm, lg, ls, hs, hm, ro, rm = 0.010, 0.015, 0.0201, 0.02, 0.0058, 0.0025, 0.0031
local c, g = 0.0056, 9.81
kinetic   (mm * dot(y)^2 / 2 + jm * dot(sleeve)^2 / 2 + js * dot(bird)^2 / 2 + ms * (dot(y) + lm * dot(sleeve) + lg * dot(bird))^2 / 2)
potential (mm * g * y + ms * g * (y + lm * sleeve + lg * bird) + c * (sleeve - bird)^2 / 2)
contact   { "beak",  gap = lm + lg - ls - ro - hs * bird, slip = dot(y) + lm * dot(sleeve) + (lg - ls) * dot(bird), restitution = 0.5, friction = 0.3 }
contact   { "lower", gap = rm - ro + hm * sleeve, slip = dot(y) + rm * dot(sleeve), restitution = 0, friction = 0.3 }
contact   { "upper", gap = rm - ro - hm * sleeve, slip = dot(y) + rm * dot(sleeve), restitution = 0, friction = 0.3 }
initial   { sleeve = -0.1034, bird = -0.2788, [dot(y)] = -0.3411, [dot(bird)] = -7.4583 }
integrate { scheme = "moreau-jean", h = 1e-5, until_t = 0.25 }
record    { bird = bird, sleeve = sleeve, y = y }
