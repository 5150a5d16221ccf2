/* Times at which an expression passes through zero, between outputs by a straight line. */
#include "numbers.h"

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    const double x = output->x, previous = output->previous;
    const bool zero = x == 0.0 && previous != 0.0;
    const bool change = (x < 0.0 && previous > 0.0) || (x > 0.0 && previous < 0.0);
    if (!output->started || (!zero && !change))
        return CAROM_OK;
    double crossing = output->t;
    if (change)
        crossing = output->previous_t + (output->t - output->previous_t) * (previous / (previous - x));
    return carom_measure_in_window(output->start, crossing) ? carom_numbers_append(memory, crossing, error)
                                                            : CAROM_OK;
}

/* The line from (t, x) of the output before to this one passes through zero at s = previous / (previous - x). */
static carom_status take_slope(void *memory, const carom_measure_output *output, carom_error *error)
{
    const double x = output->x, previous = output->previous;
    const bool zero = x == 0.0 && previous != 0.0;
    const bool change = (x < 0.0 && previous > 0.0) || (x > 0.0 && previous < 0.0);
    if (!output->started || (!zero && !change))
        return CAROM_OK;
    const double fall = previous - x, share = previous / fall, length = output->t - output->previous_t;
    const double share_along = (previous * output->x_along - x * output->previous_along) / (fall * fall);
    const double slope = output->previous_t_along + share * (output->t_along - output->previous_t_along) +
                         share_along * length;
    return carom_measure_in_window(output->start, output->previous_t + length * share)
               ? carom_numbers_append(memory, slope, error)
               : CAROM_OK;
}

static const carom_measure_ops slope_of_crossings = {
    .name = "slope of crossings",
    .is_array = true,
    .memory = sizeof(carom_numbers),
    .take = take_slope,
    .finish = numbers_finish,
    .free = numbers_free,
};

const carom_measure_ops carom_reduce_crossings = {
    .name = "crossings",
    .summary = "array: times at which an expression passes through zero",
    .example = "crossings(x)",
    .is_array = true,
    .memory = sizeof(carom_numbers),
    .take = take,
    .finish = numbers_finish,
    .free = numbers_free,
    .keep = numbers_keep,
    .derivative = &slope_of_crossings,
};
