/* Values of the local maxima. */
#include <stdlib.h>

#include "carom/run.h"

typedef struct peaks {
    bool rising; /* the output before was larger than the one before it */
    carom_numbers value;
} peaks;

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    peaks *p = memory;
    const bool peak = p->rising && output->previous >= output->x;
    p->rising = output->started && output->previous < output->x;
    return peak && carom_measure_in_window(output->start, output->previous_t)
               ? carom_numbers_append(&p->value, output->previous, error)
               : CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    (void)error;
    carom_measured_array(&((peaks *)memory)->value, measured);
    return CAROM_OK;
}

static void keep(void *memory, carom_snapshot *snapshot)
{
    peaks *self = memory;
    carom_snapshot_block(snapshot, &self->rising, sizeof self->rising);
    carom_numbers_keep(&self->value, snapshot);
}

static void free_peaks(void *memory)
{
    free(((peaks *)memory)->value.value);
}

static carom_status take_slope(void *memory, const carom_measure_output *output, carom_error *error)
{
    peaks *p = memory;
    const bool peak = p->rising && output->previous >= output->x;
    p->rising = output->started && output->previous < output->x;
    return peak && carom_measure_in_window(output->start, output->previous_t)
               ? carom_numbers_append(&p->value, output->previous_along, error)
               : CAROM_OK;
}

static const carom_measure_ops slope_of_peaks = {
    .name = "slope of peaks",
    .is_array = true,
    .memory = sizeof(peaks),
    .take = take_slope,
    .finish = finish,
    .free = free_peaks,
};

const carom_measure_ops carom_reduce_peaks = {
    .name = "peaks",
    .summary = "array: values of the local maxima",
    .example = "peaks(x, { from = 5 })",
    .is_array = true,
    .memory = sizeof(peaks),
    .take = take,
    .finish = finish,
    .free = free_peaks,
    .keep = keep,
    .derivative = &slope_of_peaks,
};
