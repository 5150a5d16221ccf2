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
