local a = table_of { file = "q.csv", time = "t", column = "a", outside = "zero" }
local b = table_of { { 0, 1, 2 }, { 0, 2, 1 }, smooth = true, outside = "none" }
local c = table_of { { 1, 2, 3 }, step = 0.1 }
local x = coordinates("x") mass { x = 2 } force { x = a(time()) - b(x) * c(dot(x)) + a:integral(time()) }
stop { when = x - 3 } initial { x = 1 } integrate { scheme = "event-driven", h = 1e-2, until_t = 1 }
measure { s = at(x, every(0.1)), r = rms(x), m = mean(x), p = peaks(x), f = final(unwrap(atan2(x, 1))), c = crossings(x) }
plot { "p", panel { xlabel = "t", line { time(), x, label = "x" }, points { x, dot(x), every = 0.1 }, curve { { 0, 0 }, { 1, 1 } }, circle { 0, 0, 1, style = "dashed" } } }

--[=[ carom data: q.csv
t,a
0,0.0012
0.5,1e-2
1,-3
]=]
