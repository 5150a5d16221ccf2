/* Number of events, and of outputs at which one happens. */
#include "carom/run.h"

static carom_status take_events(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    *(double *)memory += output->events;
    return CAROM_OK;
}

static carom_status take_outputs(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    *(double *)memory += output->events > 0;
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    return carom_measured_number(*(double *)memory, measured, error);
}

const carom_measure_ops carom_reduce_count = {
    .name = "count",
    .summary = "number of events",
    .example = "count(impact \"floor\")",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .memory = sizeof(double),
    .take = take_events,
    .finish = finish,
    .slope = CAROM_SLOPE_CONSTANT,
};

const carom_measure_ops carom_reduce_steps = {
    .name = "steps",
    .summary = "number of the steps in which an event happens, to one contact or to any",
    .example = "steps(impact())",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .memory = sizeof(double),
    .take = take_outputs,
    .finish = finish,
    .slope = CAROM_SLOPE_CONSTANT,
};
