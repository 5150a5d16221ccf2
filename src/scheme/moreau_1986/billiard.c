/* The plain reflection of the free velocity, Moreau 1986 (7.4). Kept for comparison: it gains energy when a
 * force presses against the wall. */
#include "moreau_tangent.h"
#include "reflection.h"

enum {
    OPTION_COUNT = REFLECTOR_OPTIONS
};

static const carom_option_info options[OPTION_COUNT] = {
    [REFLECTOR_OPTION_AV] = {"av", 0.0, -2.0, 2.0, NULL,
                             "gradients are taken at q + av h u and time t + av h"},
};

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    reflector *self = (reflector *)stepper;
    return reflector_setup(self, REFLECT_BILLIARD, error);
}

const carom_scheme_ops scheme_billiard = {
    .name = "billiard",
    .summary = "plain reflection of the free velocity, for comparison with elast (Moreau 1986 (7.4))",
    .abilities = CAROM_SCHEME_COUPLED_MASS,
    .restitution = 1.0,
    .options = options,
    .option_count = OPTION_COUNT,
    .for_comparison = true,
    .size = sizeof(reflector),
    .setup = setup,
    .free = moreau_stepper_free,
    .step = reflector_step,
    .keep = moreau_keep,
    .tangent = &moreau_tangent,
};
