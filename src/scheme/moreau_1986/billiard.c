/* The plain reflection of the free velocity, Moreau 1986 (7.4). Kept for comparison: it gains energy when a
 * force presses against the wall. */
#include "reflection.h"

enum {
    OPTION_AV,
    OPTION_COUNT
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_AV] = {"av", 0.0, -2.0, 2.0, NULL, "gradients are taken at q + av h u"},
};

static carom_status create(carom_model_work *work, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_stepper **stepper, carom_error *error)
{
    reflector *self = NULL;
    carom_status status = reflector_create(&carom_scheme_billiard, work, settings, q0, v0, &self, error);
    if (status != CAROM_OK)
        return status;
    self->rule = REFLECT_BILLIARD;
    self->av = settings->options[OPTION_AV];
    *stepper = &self->frame.stepper;
    return CAROM_OK;
}

const carom_scheme_ops carom_scheme_billiard = {
    .name = "billiard",
    .summary = "plain reflection of the free velocity, for comparison with elast (Moreau 1986 (7.4))",
    .options = options,
    .option_count = OPTION_COUNT,
    .accepts = moreau_accepts,
    .create = create,
    .step = reflector_step,
    .free = moreau_frame_free,
};
