/* Sum over the outputs, without the initial one: impulses of steps add up. */
#include "carom/run.h"

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    if (output->inside && output->started)
        *(double *)memory += output->x;
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    return carom_measured_number(*(double *)memory, measured, error);
}

const carom_measure_ops carom_reduce_total = {
    .name = "total",
    .summary = "sum over the steps",
    .example = "total(impulse(\"floor\"))",
    .memory = sizeof(double),
    .take = take,
    .finish = finish,
    .slope = CAROM_SLOPE_LINEAR,
};
