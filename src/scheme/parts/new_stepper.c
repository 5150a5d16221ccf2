#include "new_stepper.h"

#include "step_failure.h"

carom_status new_stepper(size_t size, const carom_scheme_ops *scheme, const carom_model *model,
                         const carom_step_settings *settings, const double *q0, const double *v0, void **made,
                         carom_arena **arena, carom_error *error)
{
    carom_status status = check_step_settings(scheme, model, settings, q0, v0, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *memory = carom_arena_create();
    carom_stepper *stepper = memory ? carom_arena_take(memory, 1, size) : NULL;
    if (!stepper) {
        carom_arena_free(memory);
        return carom_fail_memory(error);
    }
    stepper->ops = scheme;
    *made = stepper;
    *arena = memory;
    return CAROM_OK;
}
