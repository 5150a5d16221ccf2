/* A motion in time by the event-driven scheme with its default options. */
#include "find.h"

carom_status event_run_begin(const carom_periodic_model *periodic, double t, double h, const double *q,
                             const double *v, carom_stepper **run, carom_error *error)
{
    return carom_stepper_create(carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS), periodic->work,
                                &(carom_step_settings){.t0 = t, .h = h, .no_works = true}, q, v, run, error);
}
