/* Values at the output times nearest to asked ones. */
#include <math.h>
#include <stdlib.h>

#include "carom/run.h"
#include "run/asked_times.h"

/* Most values that can be asked for: a guard against an `every` that is far too small. */
static const double asked_limit = 1e7;

typedef struct asked_values {
    asked_times asked;
    carom_numbers value; /* the times at first; values replace them */
} asked_values;

/* Multiples of `every` after the start, up to the end. */
static carom_status ask_every(const carom_measure_start *start, double every, carom_numbers *times,
                              carom_error *error)
{
    const char *name = start->measure->name;
    if (!(isfinite(every) && every > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s': every = %.10g is not an interval of time: give a number > 0", name,
                          every);
    double count = floor((start->until - start->t0) / every + 1e-9);
    if (count > asked_limit)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "measure '%s': every = %.10g asks for %.10g values; at most %.10g are possible",
                          name, every, count, asked_limit);
    for (double k = 1.0; k <= count; k++) {
        double t = start->t0 + k * every;
        if (carom_measure_in_window(start, t) && carom_numbers_append(times, t, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    }
    return CAROM_OK;
}

static carom_status ask_listed(const carom_measure_start *start, carom_numbers *times, carom_error *error)
{
    const carom_measure *measure = start->measure;
    for (int i = 0; i < measure->time_count; i++) {
        double t = start->value[measure->time[i]];
        if (!isfinite(t))
            return carom_fail(error, CAROM_BAD_INPUT, "measure '%s': asked time %d = %.10g must be finite",
                              measure->name, i + 1, t);
        if (carom_measure_in_window(start, t) && carom_numbers_append(times, t, error) != CAROM_OK)
            return CAROM_NO_MEMORY;
    }
    return CAROM_OK;
}

static carom_status start_asked(void *memory, const carom_measure_start *start, carom_error *error)
{
    asked_values *values = memory;
    const carom_value every = start->measure->every;
    const carom_status status = every == CAROM_NO_VALUE
                                    ? ask_listed(start, &values->value, error)
                                    : ask_every(start, start->value[every], &values->value, error);
    if (status != CAROM_OK)
        return status;
    if (!asked_times_create(&values->asked, (int)values->value.length, values->value.value))
        return carom_fail_memory(error);
    return CAROM_OK;
}

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    (void)error;
    asked_values *values = memory;
    bool earlier;
    int place;
    while ((place = asked_times_decide(&values->asked, output->previous_t, output->t,
                                       output->start->tolerance, &earlier)) >= 0) {
        const bool exists = values->value.value[place] >= output->start->t0 - output->start->tolerance;
        values->value.value[place] = !exists ? NAN : earlier ? output->previous : output->x;
    }
    return CAROM_OK;
}

/* Asked times that no output decided lie after the last one. Up to half a step later they take it. Later ones, as those
 * before the start, have no value: multiples of an interval end there, listed times keep their places. */
static carom_status finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error)
{
    asked_values *values = memory;
    const carom_measure_start *start = output->start;
    if (!output->started) {
        values->value.length = 0;
        carom_measured_array(&values->value, measured);
        return CAROM_OK;
    }
    asked_times *asked = &values->asked;
    int reached = asked->next;
    while (reached < asked->count &&
           asked->time[reached].t <= output->previous_t + 0.5 * start->h + start->tolerance)
        reached++;
    for (int i = reached; i < asked->count; i++)
        values->value.value[asked->time[i].place] = NAN;
    if (start->measure->every != CAROM_NO_VALUE)
        values->value.length = (size_t)reached;
    asked->count = reached;
    take(memory, output, error);
    carom_measured_array(&values->value, measured);
    return CAROM_OK;
}

static void keep(void *memory, carom_snapshot *snapshot)
{
    asked_values *values = memory;
    const size_t length = values->value.length;
    carom_snapshot_same(snapshot, &length, sizeof length); /* another end asks for other times */
    asked_times_keep(&values->asked, snapshot);
    carom_numbers_keep(&values->value, snapshot);
}

static void free_asked(void *memory)
{
    asked_values *values = memory;
    asked_times_free(&values->asked);
    free(values->value.value);
}

const carom_measure_ops carom_reduce_at = {
    .name = "at",
    .summary = "array: values at the outputs nearest to the asked times",
    .example = "at(x, { 0.1, 0.2 }), at(x, every(0.1)), at(x, first(impact \"floor\"))",
    .takes_times = true,
    .is_array = true,
    .memory = sizeof(asked_values),
    .start = start_asked,
    .take = take,
    .finish = finish,
    .free = free_asked,
    .keep = keep,
    .slope = CAROM_SLOPE_LINEAR,
};
