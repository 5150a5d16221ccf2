/* ELAST: elastic shocks and elastic contact of long duration with an exact energy balance in every step,
 * Moreau 1986, section 7. */
#include "moreau_tangent.h"
#include "reflection.h"

static const char *const off_on[] = {"off", "on", NULL};

enum {
    OPTION_GUARD = REFLECTOR_OPTIONS,
    OPTION_COUNT
};

static const carom_option_info options[OPTION_COUNT] = {
    [REFLECTOR_OPTION_AV] = {"av", 0.0, -2.0, 2.0, NULL,
                             "gradients are taken at q + av h u and time t + av h"},
    [OPTION_GUARD] = {"guard", 0.0, 0.0, 1.0, off_on, "on: impulses that would pull are set to 0"},
};

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    reflector *self = (reflector *)stepper;
    self->guard = stepper->option[OPTION_GUARD] != 0.0;
    return reflector_setup(self, REFLECT_BALANCED, error);
}

const carom_scheme_ops scheme_elast = {
    .name = "elast",
    .summary = "elastic contact with exact energy balance, frictionless (Moreau 1986, section 7)",
    .abilities = CAROM_SCHEME_COUPLED_MASS,
    .restitution = 1.0,
    .options = options,
    .option_count = OPTION_COUNT,
    .size = sizeof(reflector),
    .setup = setup,
    .free = moreau_stepper_free,
    .step = reflector_step,
    .keep = moreau_keep,
    .tangent = &moreau_tangent,
};
