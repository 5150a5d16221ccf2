-- A fragment with everything but the integration.
-- the fragment stands here
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
