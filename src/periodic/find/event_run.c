/* A motion in time by the event-driven scheme, which goes on where impacts accumulate. */
#include "find.h"

carom_status event_run_begin(const carom_periodic_model *periodic, double t, double h, const double *q,
                             const double *v, carom_stepper **run, carom_error *error)
{
    const carom_option option[] = {{.name = "zeno", .word = "continue"}, {0}};
    return carom_stepper_create(carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS), periodic->work,
                                &(carom_step_settings){.t0 = t, .h = h, .no_works = true, .option = option},
                                q, v, run, error);
}
