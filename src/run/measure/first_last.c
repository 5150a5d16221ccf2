/* The first or the last event: its time, the number of its step, or what an expression was there. Without an event
 * there is no value. */
#include "carom/run.h"

typedef struct event_value {
    bool seen;
    double value;
} event_value;

static carom_status take_first(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    event_value *first = memory;
    if (output->events > 0 && !first->seen)
        *first = (event_value){true, output->event_time[0]};
    return CAROM_OK;
}

static carom_status take_last(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    if (output->events > 0)
        *(event_value *)memory = (event_value){true, output->event_time[output->events - 1]};
    return CAROM_OK;
}

/* Step i leads from output i to output i + 1. */
static carom_status take_first_step(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    event_value *first = memory;
    if (output->events > 0 && !first->seen)
        *first = (event_value){true, (double)(output->number - 1)};
    return CAROM_OK;
}

static carom_status take_at_first(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    event_value *first = memory;
    if (output->events > 0 && !first->seen)
        *first = (event_value){true, output->x};
    return CAROM_OK;
}

static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    (void)output;
    const event_value *event = memory;
    return event->seen ? carom_measured_number(event->value, measured, error) : CAROM_OK;
}

const carom_measure_ops carom_reduce_first = {
    .name = "first",
    .summary = "time of the first event",
    .example = "first(touching \"stop\")",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .memory = sizeof(event_value),
    .take = take_first,
    .finish = finish,
    .slope = CAROM_SLOPE_LINEAR,
};

const carom_measure_ops carom_reduce_last = {
    .name = "last",
    .summary = "time of the last event",
    .example = "last(release \"floor\")",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .memory = sizeof(event_value),
    .take = take_last,
    .finish = finish,
    .slope = CAROM_SLOPE_LINEAR,
};

const carom_measure_ops carom_reduce_first_step = {
    .name = "first_step",
    .summary = "number of the first step in which an event happens, from 0",
    .example = "first_step(impact())",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .memory = sizeof(event_value),
    .take = take_first_step,
    .finish = finish,
    .slope = CAROM_SLOPE_CONSTANT,
};

const carom_measure_ops carom_reduce_at_first = {
    .name = "at_first",
    .summary = "value at the first event",
    .example = "at(x, first(impact \"floor\"))",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .hidden = true,
    .memory = sizeof(event_value),
    .take = take_at_first,
    .finish = finish,
    .slope = CAROM_SLOPE_LINEAR,
};
