local s = drill_string { J = { 0.064, 2.845 }, k = 0.63, bit = { Ts = 1.232, Td = 0.272, Nd = 0.2 } } soft_torque { s, ct = 2.93, kt = 1.87, rpm = 5.5 }
integrate { h = 1e-3, until_t = 0.01 } profile { every = 0.02 } contact_map { "lower", every = 0.1 } segments { 0, 0, 1, 1, every = 0.1 }
