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

/* Values that differ by less, relative to their size, are the same, and slopes that differ by more are not. */
static const double same_value = 1e-11, same_slope = 1e-6;

/* The slope at the output that has the extreme. Where several have it, and their slopes differ, there is none. */
typedef struct extreme_slope {
    extreme extreme;
    double slope;
    bool tied;
} extreme_slope;

static carom_status take_slope(void *memory, const carom_measure_output *output, carom_error *error,
                               carom_status (*take)(void *, const carom_measure_output *, carom_error *))
{
    extreme_slope *slope = memory;
    const extreme before = slope->extreme;
    const carom_status status = take(&slope->extreme, output, error);
    const double x = output->x, along = output->x_along;
    const bool taken = slope->extreme.seen != before.seen || slope->extreme.value != before.value;
    const bool again = before.seen && output->inside && fabs(x - before.value) <= same_value * fabs(x);
    if (again)
        slope->tied =
            slope->tied || fabs(along - slope->slope) >
                               same_slope * fmax(fabs(along), fabs(slope->slope)) + same_value * fabs(x);
    else if (taken)
        slope->tied = false;
    if (taken)
        slope->slope = along;
    return status;
}

static carom_status take_slope_of_larger(void *memory, const carom_measure_output *output, carom_error *error)
{
    return take_slope(memory, output, error, take_larger);
}

static carom_status take_slope_of_smaller(void *memory, const carom_measure_output *output,
                                          carom_error *error)
{
    return take_slope(memory, output, error, take_smaller);
}

static carom_status finish_slope(void *memory, const carom_measure_output *output, carom_measured *measured,
                                 carom_error *error)
{
    (void)output;
    const extreme_slope *slope = memory;
    return slope->extreme.seen && !slope->tied ? carom_measured_number(slope->slope, measured, error)
                                               : CAROM_OK;
}

static const carom_measure_ops slope_of_maximum = {
    .name = "slope of maximum",
    .memory = sizeof(extreme_slope),
    .take = take_slope_of_larger,
    .finish = finish_slope,
};

static const carom_measure_ops slope_of_minimum = {
    .name = "slope of minimum",
    .memory = sizeof(extreme_slope),
    .take = take_slope_of_smaller,
    .finish = finish_slope,
};

const carom_measure_ops carom_reduce_maximum = {
    .name = "maximum",
    .summary = "largest value at an output",
    .example = "maximum(x, { from = 1 })",
    .memory = sizeof(extreme),
    .take = take_larger,
    .finish = finish,
    .derivative = &slope_of_maximum,
};

const carom_measure_ops carom_reduce_minimum = {
    .name = "minimum",
    .summary = "smallest value at an output",
    .example = "minimum(x)",
    .memory = sizeof(extreme),
    .take = take_smaller,
    .finish = finish,
    .derivative = &slope_of_minimum,
};
