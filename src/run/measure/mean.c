/* Mean and root mean square, over the steps: the initial output belongs to none. */
#include <math.h>

#include "carom/run.h"

typedef struct average {
    double sum, count;
} average;

static carom_status take_value(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    average *a = memory;
    if (output->inside && output->started) {
        a->sum += output->x;
        a->count += 1.0;
    }
    return CAROM_OK;
}

static carom_status take_square(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    average *a = memory;
    if (output->inside && output->started) {
        a->sum += output->x * output->x;
        a->count += 1.0;
    }
    return CAROM_OK;
}

static carom_status finish_mean(void *memory, const carom_measure_output *output, carom_measured *measured,
                                carom_error *error)
{
    (void)output;
    const average *a = memory;
    return a->count > 0.0 ? carom_measured_number(a->sum / a->count, measured, error) : CAROM_OK;
}

static carom_status finish_rms(void *memory, const carom_measure_output *output, carom_measured *measured,
                               carom_error *error)
{
    (void)output;
    const average *a = memory;
    return a->count > 0.0 ? carom_measured_number(sqrt(a->sum / a->count), measured, error) : CAROM_OK;
}

const carom_measure_ops carom_reduce_mean = {
    .name = "mean",
    .summary = "mean over the steps",
    .example = "mean(x, { from = 10, to = 20 })",
    .memory = sizeof(average),
    .take = take_value,
    .finish = finish_mean,
};

const carom_measure_ops carom_reduce_rms = {
    .name = "rms",
    .summary = "root mean square over the steps",
    .example = "rms(x)",
    .memory = sizeof(average),
    .take = take_square,
    .finish = finish_rms,
};
