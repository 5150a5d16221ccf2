-- Two masses between walls, seen in a frame that moves with -V; gaps are k times the distances.
local k = param { "k", 1, min = 0 }
local V = param { "V", 0 }
local e = param { "e", 0.7, min = 0, max = 1 }
local a, b = coordinates("a", "b")
local left = V * time()
mass { a = 1.2, b = 0.8 }
potential(1.7 * (b - a - 0.4)^2)
contact { "left", gap = k * (a - left), restitution = e }
contact { "middle", gap = k * (b - a - 0.1), restitution = e }
contact { "right", gap = k * (left + 1.1 - b), restitution = e }
initial { a = 0.3, b = 0.7, [dot(a)] = V - 1.1, [dot(b)] = V + 0.6 }
integrate { scheme = "event-driven", h = 0.01, until_t = 2 }
measure { left = count(impact("left")), middle = count(impact("middle")), right = count(impact("right")) }
