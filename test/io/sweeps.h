/* For tests: a small sweep by hand, two values of `e` by three of `shape, size`. */
#ifndef CAROM_TEST_IO_SWEEPS_H
#define CAROM_TEST_IO_SWEEPS_H

#include <math.h>

#include "carom/io.h"

static const char *const sweep_e[] = {"0.1", "0.5"};
static const char *const sweep_shape[] = {"round", "a \"b\", c", "flat"};
static char *sweep_measures[] = {"height", "times", "none"};
static double sweep_height[6] = {0.1, 1e-300, -3.0, 4.0, 5.0, NAN};
static double sweep_times[] = {1.0, 0.1, 2.5};

static carom_measured sweep_measured[6][3];
static carom_sweep_point sweep_points[6];

/* Point 4 failed with what it had, point 5 was not reached. */
static inline carom_sweep hand_made_sweep(void)
{
    static char message[] = "stopped, \"so\"";
    for (int i = 0; i < 6; i++) {
        sweep_measured[i][0] = (carom_measured){1, false, &sweep_height[i]};
        sweep_measured[i][1] = (carom_measured){i % 4, true, sweep_times};
        sweep_measured[i][2] = (carom_measured){0, false, NULL};
        sweep_points[i] = (carom_sweep_point){
            .done = true, .word = "ok", .steps = 10 * i, .wall_seconds = 0.25, .measure = sweep_measured[i]};
    }
    sweep_points[4].status = CAROM_FAILED;
    sweep_points[4].message = message;
    snprintf(sweep_points[4].word, sizeof sweep_points[4].word, "blowup");
    for (int m = 0; m < 3; m++)
        sweep_measured[5][m] = (carom_measured){0};
    sweep_points[5] = (carom_sweep_point){.status = CAROM_INTERRUPTED, .measure = sweep_measured[5]};
    snprintf(sweep_points[5].word, sizeof sweep_points[5].word, "interrupted");
    return (carom_sweep){.axis_count = 2,
                         .axis = {{"e", 2, sweep_e}, {"shape, size", 3, sweep_shape}},
                         .measure_count = 3,
                         .measure = sweep_measures,
                         .point_count = 6,
                         .point = sweep_points,
                         .wall_seconds = 1.0,
                         .threads = 2};
}

#endif
