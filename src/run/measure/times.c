/* Times of events. */
#include <stdlib.h>

#include "carom/run.h"

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    for (int i = 0; i < output->events; i++)
        if (carom_numbers_append(memory, output->event_time[i], error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    (void)error;
    carom_measured_array(memory, measured);
    return CAROM_OK;
}

static void free_times(void *memory)
{
    free(((carom_numbers *)memory)->value);
}

const carom_measure_ops carom_reduce_times = {
    .name = "times",
    .summary = "array: times of the events",
    .example = "times(impact \"floor\")",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .is_array = true,
    .memory = sizeof(carom_numbers),
    .take = take,
    .finish = finish,
    .free = free_times,
};
