local r = compute(function() local s = 0 for i = 1, 10 do s = s + i end return { sum = s, list = { 1, 2 } } end)
measure { sum = r.sum, list = r.list } plot { "p", values { r.list } }
