/* ELAST: elastic shocks and elastic contact of long duration with an exact energy balance in every step,
 * Moreau 1986, section 7. */
#include "reflection.h"

static const char *const off_on[] = {"off", "on", NULL};

enum {
    OPTION_AV,
    OPTION_GUARD,
    OPTION_COUNT
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_AV] = {"av", 0.0, -2.0, 2.0, NULL, "gradients are taken at q + av h u"},
    [OPTION_GUARD] = {"guard", 0.0, 0.0, 1.0, off_on, "on: impulses that would pull are set to 0"},
};

static carom_status create(carom_model_work *work, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_stepper **stepper, carom_error *error)
{
    reflector *self = NULL;
    carom_status status = reflector_create(&carom_scheme_elast, work, settings, q0, v0, &self, error);
    if (status != CAROM_OK)
        return status;
    self->rule = REFLECT_BALANCED;
    self->av = settings->options[OPTION_AV];
    self->guard = settings->options[OPTION_GUARD] != 0.0;
    *stepper = &self->frame.stepper;
    return CAROM_OK;
}

const carom_scheme_ops carom_scheme_elast = {
    .name = "elast",
    .summary = "elastic contact with exact energy balance, frictionless (Moreau 1986, section 7)",
    .options = options,
    .option_count = OPTION_COUNT,
    .accepts = moreau_accepts,
    .create = create,
    .step = reflector_step,
    .free = moreau_frame_free,
};
