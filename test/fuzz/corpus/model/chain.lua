chain { balls = 3, mass = { 10, 0.1, 10 }, velocity = { 1, 0.5, -1 }, restitution = { 0.5, 1 } }
integrate { h = 1e-2, until_t = 0.1 }
