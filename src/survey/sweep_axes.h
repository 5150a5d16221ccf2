/* The axes of a sweep, checked before the first run. */
#ifndef CAROM_SURVEY_SWEEP_AXES_H
#define CAROM_SURVEY_SWEEP_AXES_H

#include "carom/survey.h"

typedef enum sweep_axis_kind {
    SWEEP_PARAMETER,
    SWEEP_SETTING,
    SWEEP_SCHEME,
} sweep_axis_kind;

typedef struct sweep_axes {
    sweep_axis_kind kind[CAROM_SWEEP_AXES_MAX];
    int scheme;  /* axis of the schemes; -1: none */
    bool reload; /* an axis is a setting: every point has an experiment of its own */
    int points;  /* of the grid */
} sweep_axes;

/* Checks every name and every value. A setting is tried by making the experiment with it. */
carom_status sweep_axes_check(const carom_sweep_request *request, sweep_axes *axes, carom_error *error);

/* Where a point stands on an axis; the last axis runs fastest. */
static inline int sweep_axis_place(int axis_count, const carom_sweep_axis *axis, int which, int point)
{
    return which == axis_count - 1 ? point % axis[which].count : point / axis[axis_count - 1].count;
}

#endif
