/* The largest and the smallest value. */
#include <math.h>

#include "carom/run.h"

typedef struct extreme {
    bool seen;
    double value;
} extreme;

static carom_status take_larger(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    extreme *e = memory;
    if (output->inside && !isnan(output->x) && (!e->seen || output->x > e->value))
        *e = (extreme){true, output->x};
    return CAROM_OK;
}

static carom_status take_smaller(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    extreme *e = memory;
    if (output->inside && !isnan(output->x) && (!e->seen || output->x < e->value))
        *e = (extreme){true, output->x};
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    const extreme *e = memory;
    return e->seen ? carom_measured_number(e->value, measured, error) : CAROM_OK;
}

const carom_measure_ops carom_reduce_maximum = {
    .name = "maximum",
    .summary = "largest value at an output",
    .example = "maximum(x, { from = 1 })",
    .memory = sizeof(extreme),
    .take = take_larger,
    .finish = finish,
};

const carom_measure_ops carom_reduce_minimum = {
    .name = "minimum",
    .summary = "smallest value at an output",
    .example = "minimum(x)",
    .memory = sizeof(extreme),
    .take = take_smaller,
    .finish = finish,
};
