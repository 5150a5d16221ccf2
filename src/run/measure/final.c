/* The value at the last output inside the window. */
#include "carom/run.h"

typedef struct last_value {
    bool seen;
    double value;
} last_value;

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    if (output->inside)
        *(last_value *)memory = (last_value){true, output->x};
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    const last_value *last = memory;
    return last->seen ? carom_measured_number(last->value, measured, error) : CAROM_OK;
}

const carom_measure_ops carom_reduce_final = {
    .name = "final",
    .summary = "value at the last output; a plain expression means this, too",
    .example = "final(x)",
    .memory = sizeof(last_value),
    .take = take,
    .finish = finish,
    .slope = CAROM_SLOPE_LINEAR,
};
