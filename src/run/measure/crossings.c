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
};
