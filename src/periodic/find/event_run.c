/* A motion in time by the event-driven scheme with its default options. */
#include <stdlib.h>

#include "find.h"

carom_status event_run_begin(const carom_periodic_model *periodic, double t, double h, const double *q,
                             const double *v, event_run *run, carom_error *error)
{
    const carom_scheme_ops *scheme = &carom_scheme_event_driven;
    run->options = carom_new_array((size_t)scheme->option_count, sizeof *run->options);
    if (!run->options)
        return carom_fail_memory(error);
    for (int i = 0; i < scheme->option_count; i++)
        run->options[i] = scheme->options[i].value;
    const carom_step_settings settings = {.t0 = t, .h = h, .options = run->options};
    carom_status status = carom_scheme_accepts(scheme, periodic->model, error);
    return status == CAROM_OK ? scheme->create(periodic->work, &settings, q, v, &run->stepper, error)
                              : status;
}

void event_run_end(event_run *run)
{
    if (run->stepper)
        carom_scheme_event_driven.free(run->stepper);
    free(run->options);
}
