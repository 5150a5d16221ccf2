/* Episodes: groups of events with at least a given time between the last event of one and the first of the next. A body
 * that chatters on a floor has one episode and many impacts. */
#include "numbers.h"

enum {
    ARGUMENT_APART
};

static const carom_measure_key episode_keys[] = {
    {"apart", "the least time without an event between two episodes", true, .is_time = true},
    {0},
};

typedef struct episodes {
    carom_numbers begin; /* of each */
    double last;         /* time of the last event; -INFINITY: none yet */
} episodes;

static carom_status start(void *memory, const carom_measure_start *start, carom_error *error)
{
    const double apart = start->argument[ARGUMENT_APART];
    ((episodes *)memory)->last = -INFINITY;
    if (apart > 0.0 && isfinite(apart))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "measure '%s': apart = %g must be a positive time",
                      start->measure->name, apart);
}

/* Keeps a number of each event that begins an episode. A time that misses `apart` by rounding reaches it. */
static carom_status take_beginnings(episodes *self, const carom_measure_output *output, const double *number,
                                    carom_error *error)
{
    const double apart = output->start->argument[ARGUMENT_APART] - output->start->tolerance;
    for (int i = 0; i < output->events; i++) {
        const double t = output->event_time[i];
        if (t - self->last >= apart && carom_numbers_append(&self->begin, number[i], error) != CAROM_OK)
            return CAROM_NO_MEMORY;
        self->last = t;
    }
    return CAROM_OK;
}

static carom_status take(void *memory, const carom_measure_output *output, carom_error *error)
{
    return take_beginnings(memory, output, output->event_time, error);
}

static carom_status take_slope(void *memory, const carom_measure_output *output, carom_error *error)
{
    return take_beginnings(memory, output, output->event_time_along, error);
}

static carom_status finish_count(void *memory, const carom_measure_output *output, carom_measured *measured,
                                 carom_error *error)
{
    (void)output;
    return carom_measured_number((double)((episodes *)memory)->begin.length, measured, error);
}

static carom_status finish_times(void *memory, const carom_measure_output *output, carom_measured *measured,
                                 carom_error *error)
{
    return numbers_finish(&((episodes *)memory)->begin, output, measured, error);
}

static void free_episodes(void *memory)
{
    numbers_free(&((episodes *)memory)->begin);
}

static void keep(void *memory, carom_snapshot *snapshot)
{
    episodes *self = memory;
    carom_numbers_keep(&self->begin, snapshot);
    carom_snapshot_block(snapshot, &self->last, sizeof self->last);
}

const carom_measure_ops carom_reduce_episodes = {
    .name = "episodes",
    .summary = "number of groups of events, at least a time apart",
    .example = "episodes(impact \"floor\", { apart = 0.01 })",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .keys = episode_keys,
    .memory = sizeof(episodes),
    .start = start,
    .take = take,
    .finish = finish_count,
    .free = free_episodes,
    .keep = keep,
    .slope = CAROM_SLOPE_CONSTANT,
};

static const carom_measure_ops slope_of_episode_times = {
    .name = "slope of episode_times",
    .is_array = true,
    .memory = sizeof(episodes),
    .start = start,
    .take = take_slope,
    .finish = finish_times,
    .free = free_episodes,
};

const carom_measure_ops carom_reduce_episode_times = {
    .name = "episode_times",
    .summary = "array: times at which such groups begin",
    .example = "episode_times(impact \"floor\", { apart = 0.01 })",
    .subject = CAROM_MEASURE_OF_EVENTS,
    .is_array = true,
    .keys = episode_keys,
    .memory = sizeof(episodes),
    .start = start,
    .take = take,
    .finish = finish_times,
    .free = free_episodes,
    .keep = keep,
    .derivative = &slope_of_episode_times,
};
