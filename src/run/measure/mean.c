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

/* d rms = mean(x dx) / rms; at 0 there is none. */
typedef struct square_slope {
    average square;
    double product;
} square_slope;

static carom_status take_square_slope(void *memory, const carom_measure_output *output, carom_error *error)
{
    square_slope *slope = memory;
    if (output->inside && output->started)
        slope->product += output->x * output->x_along;
    return take_square(&slope->square, output, error);
}

static carom_status finish_rms_slope(void *memory, const carom_measure_output *output,
                                     carom_measured *measured, carom_error *error)
{
    (void)output;
    const square_slope *slope = memory;
    const average *a = &slope->square;
    return a->count > 0.0
               ? carom_measured_number(slope->product / a->count / sqrt(a->sum / a->count), measured, error)
               : CAROM_OK;
}

static const carom_measure_ops rms_slope = {
    .name = "slope of rms",
    .memory = sizeof(square_slope),
    .take = take_square_slope,
    .finish = finish_rms_slope,
};

const carom_measure_ops carom_reduce_mean = {
    .name = "mean",
    .summary = "mean over the steps",
    .example = "mean(x, { from = 10, to = 20 })",
    .memory = sizeof(average),
    .take = take_value,
    .finish = finish_mean,
    .slope = CAROM_SLOPE_LINEAR,
};

const carom_measure_ops carom_reduce_rms = {
    .name = "rms",
    .summary = "root mean square over the steps",
    .example = "rms(x)",
    .memory = sizeof(average),
    .take = take_square,
    .finish = finish_rms,
    .derivative = &rms_slope,
};
