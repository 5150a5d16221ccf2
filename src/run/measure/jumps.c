/* Jumps of a motion from one level to another. */
#include <math.h>
#include <stdlib.h>

#include "carom/run.h"

static const double window_most = 1e8;

struct carom_jump_detector {
    double low, high;
    size_t window, next; /* ring of the last values */
    bool full;
    double sum, *value;
    carom_jump level; /* UP: the last level was the high one */
};

carom_status carom_jump_detector_create(double window, double low, double high, carom_jump_detector **created,
                                        carom_error *error)
{
    *created = NULL;
    if (!(low < high))
        return carom_fail(error, CAROM_BAD_INPUT, "jumps: the low level %g must lie below the high one %g",
                          low, high);
    if (!(window <= window_most && window > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "jumps: the running mean is over %g steps; it can be from 1 to %g", window,
                          window_most);
    carom_jump_detector *detector = carom_new_array(1, sizeof *detector);
    if (!detector)
        return carom_fail_memory(error);
    *detector = (carom_jump_detector){.low = low, .high = high, .window = (size_t)fmax(1.0, round(window))};
    detector->value = carom_new_array(detector->window, sizeof(double));
    if (!detector->value) {
        free(detector);
        return carom_fail_memory(error);
    }
    *created = detector;
    return CAROM_OK;
}

void carom_jump_detector_free(carom_jump_detector *detector)
{
    if (detector)
        free(detector->value);
    free(detector);
}

double carom_jump_detector_delay(const carom_jump_detector *detector)
{
    return 0.5 * (double)(detector->window - 1);
}

/* The sum is made anew with every turn of the ring, so that rounding does not pile up. */
static void add(carom_jump_detector *detector, double value)
{
    detector->sum += value - (detector->full ? detector->value[detector->next] : 0.0);
    detector->value[detector->next++] = value;
    if (detector->next < detector->window)
        return;
    detector->next = 0;
    detector->full = true;
    detector->sum = 0.0;
    for (size_t i = 0; i < detector->window; i++)
        detector->sum += detector->value[i];
}

carom_jump carom_jump_detector_take(carom_jump_detector *detector, double value)
{
    add(detector, value);
    if (!detector->full)
        return CAROM_JUMP_NONE;
    const double mean = detector->sum / (double)detector->window;
    const carom_jump before = detector->level;
    if (mean > detector->high)
        detector->level = CAROM_JUMP_UP;
    else if (mean < detector->low)
        detector->level = CAROM_JUMP_DOWN;
    return before != CAROM_JUMP_NONE && before != detector->level ? detector->level : CAROM_JUMP_NONE;
}

/* ---- the measure -------------------------------------------------------------------------------- */

enum {
    LOW,
    HIGH,
    OVER
};

static const carom_measure_key keys[] = {{"low", "the mean is at the low level below this", true},
                                         {"high", "at the high level above this", true},
                                         {"over", "the time of the running mean", true, .is_time = true},
                                         {0}};

typedef struct jump_times {
    carom_jump_detector *detector;
    carom_numbers time;
} jump_times;

static carom_status start_jumps(void *memory, const carom_measure_start *start, carom_error *error)
{
    jump_times *jumps = memory;
    carom_error why = {0};
    const carom_status status =
        carom_jump_detector_create(start->argument[OVER] / start->h, start->argument[LOW],
                                   start->argument[HIGH], &jumps->detector, &why);
    return status == CAROM_OK ? status
                              : carom_fail(error, status, "measure '%s': %s", start->measure->name, why.text);
}

static carom_status take_jumps(void *memory, const carom_measure_output *output, carom_error *error)
{
    jump_times *jumps = memory;
    if (carom_jump_detector_take(jumps->detector, output->x) == CAROM_JUMP_NONE || !output->inside)
        return CAROM_OK;
    const double late = output->start->h * carom_jump_detector_delay(jumps->detector);
    return carom_numbers_append(&jumps->time, output->t - late, error);
}

/* Jumps are found at outputs; these move with h and t0 only. The running mean is over a whole number of steps. */
static carom_status take_jump_slopes(void *memory, const carom_measure_output *output, carom_error *error)
{
    jump_times *jumps = memory;
    if (carom_jump_detector_take(jumps->detector, output->x) == CAROM_JUMP_NONE || !output->inside)
        return CAROM_OK;
    const double h_along = output->t_along - output->previous_t_along;
    return carom_numbers_append(
        &jumps->time, output->t_along - h_along * carom_jump_detector_delay(jumps->detector), error);
}

static carom_status finish_jumps(void *memory, const carom_measure_output *output, carom_measured *measured,
                                 carom_error *error)
{
    (void)output;
    (void)error;
    carom_measured_array(&((jump_times *)memory)->time, measured);
    return CAROM_OK;
}

static void keep_jumps(void *memory, carom_snapshot *snapshot)
{
    jump_times *jumps = memory;
    carom_jump_detector *detector = jumps->detector;
    carom_snapshot_block(snapshot, &detector->next, sizeof detector->next);
    carom_snapshot_block(snapshot, &detector->full, sizeof detector->full);
    carom_snapshot_block(snapshot, &detector->sum, sizeof detector->sum);
    carom_snapshot_block(snapshot, &detector->level, sizeof detector->level);
    carom_snapshot_block(snapshot, detector->value, detector->window * sizeof *detector->value);
    carom_numbers_keep(&jumps->time, snapshot);
}

static void free_jumps(void *memory)
{
    jump_times *jumps = memory;
    carom_jump_detector_free(jumps->detector);
    free(jumps->time.value);
}

static const carom_measure_ops slope_of_jumps = {
    .name = "slope of jumps",
    .is_array = true,
    .memory = sizeof(jump_times),
    .start = start_jumps,
    .take = take_jump_slopes,
    .finish = finish_jumps,
    .free = free_jumps,
};

const carom_measure_ops carom_reduce_jumps = {
    .name = "jumps",
    .summary = "array: times at which the running mean goes from one level to the other",
    .example = "jumps(a, { low = 1, high = 2, over = 6.28 })",
    .is_array = true,
    .keys = keys,
    .memory = sizeof(jump_times),
    .start = start_jumps,
    .take = take_jumps,
    .finish = finish_jumps,
    .free = free_jumps,
    .keep = keep_jumps,
    .derivative = &slope_of_jumps,
};
