/* Times of events. */
#include "numbers.h"

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    for (int i = 0; i < output->events; i++)
        if (carom_numbers_append(memory, output->event_time[i], error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    return CAROM_OK;
}

const carom_measure_ops carom_reduce_times = {
    .name = "times",
    .summary = "array: times of the events",
    .example = "times(impact \"floor\")",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .is_array = true,
    .memory = sizeof(carom_numbers),
    .take = take,
    .finish = numbers_finish,
    .free = numbers_free,
    .keep = numbers_keep,
    .slope = CAROM_SLOPE_LINEAR,
};
