/* Fraction of the steps in which a contact is in a state. */
#include "carom/run.h"

typedef struct share {
    double with, all;
} share;

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    share *s = memory;
    s->with += output->events > 0;
    s->all += 1.0;
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    const share *s = memory;
    return s->all > 0.0 ? carom_measured_number(s->with / s->all, measured, error) : CAROM_OK;
}

const carom_measure_ops carom_reduce_fraction = {
    .name = "fraction",
    .summary = "fraction of the steps in a contact state",
    .example = "fraction(sticking \"floor\")",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .memory = sizeof(share),
    .take = take,
    .finish = finish,
    .slope = CAROM_SLOPE_CONSTANT,
};
