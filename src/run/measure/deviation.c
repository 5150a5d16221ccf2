/* Root mean square distance from the mean, over the steps, by Welford's recurrence. */
#include <math.h>

#include "carom/run.h"

typedef struct spread {
    double count, mean, squares; /* squares about the mean so far */
} spread;

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    spread *s = memory;
    if (!output->inside || !output->started)
        return CAROM_OK;
    s->count += 1.0;
    const double before = output->x - s->mean;
    s->mean += before / s->count;
    s->squares += before * (output->x - s->mean);
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    const spread *s = memory;
    return s->count > 0.0 ? carom_measured_number(sqrt(s->squares / s->count), measured, error) : CAROM_OK;
}

const carom_measure_ops carom_reduce_deviation = {
    .name = "deviation",
    .summary = "root mean square distance from the mean, over the steps",
    .example = "deviation(x)",
    .memory = sizeof(spread),
    .take = take,
    .finish = finish,
};
