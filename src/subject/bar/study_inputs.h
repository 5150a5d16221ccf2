/* Inputs that studies of the bar share. */
#ifndef CAROM_SUBJECT_BAR_STUDY_INPUTS_H
#define CAROM_SUBJECT_BAR_STUDY_INPUTS_H

#include <math.h>

#include "carom/run/study.h"
#include "carom/subject/bar.h"

enum {
    BAR_CELLS_MOST = 100000,
    BAR_STEPS_MOST = 10000000
};

/* clang-format off */
#define BAR_INPUTS                                                                                                    \
    {"L", CAROM_STUDY_NUMBER, NULL, "length", .value = 1.0},                                                          \
    {"c", CAROM_STUDY_NUMBER, NULL, "speed of waves, > 0", .value = 1.0},                                             \
    {"S", CAROM_STUDY_NUMBER, NULL, "area of the section", .value = 1.0},                                             \
    {"rho", CAROM_STUDY_NUMBER, NULL, "density", .value = 1.0},                                                       \
    {"g0", CAROM_STUDY_NUMBER, NULL, "gap between the bar at rest and the wall", .value = 1.0}
#define BAR_START_INPUTS                                                                                              \
    {"cells", CAROM_STUDY_WHOLE, NULL, "cells of the grid, steps per transit", .value = NAN,                          \
     .min = 2, .max = BAR_CELLS_MOST},                                                                                \
    {"steps", CAROM_STUDY_WHOLE, NULL, "steps of L / (c cells)", .value = NAN, .usual = "from t_end or periods",      \
     .min = 1, .max = BAR_STEPS_MOST},                                                                                \
    {"t_end", CAROM_STUDY_NUMBER, NULL, "instead of steps: the end", .value = NAN, .usual = "of steps or periods"},   \
    {"periods", CAROM_STUDY_NUMBER, NULL, "instead of steps, from a mode: as many of its periods", .value = NAN,      \
     .usual = "of steps or t_end"},                                                                                   \
    {"N", CAROM_STUDY_WHOLE, NULL, "start with an exact motion: its family index", .value = NAN,                      \
     .usual = "u and v are the start", .min = -CAROM_BAR_LARGEST_INDEX, .max = CAROM_BAR_LARGEST_INDEX},              \
    {"m", CAROM_STUDY_WHOLE, NULL, "its turns", .value = NAN, .usual = "with N only", .min = -1000, .max = 1000},     \
    {"d", CAROM_STUDY_NUMBER, NULL, "its contact length", .value = NAN, .usual = "with N only"},                      \
    {"u", CAROM_STUDY_LIST, NULL, "displacements at cells + 1 nodes", .usual = "0"},                                  \
    {"v", CAROM_STUDY_LIST, NULL, "velocities of the cells", .usual = "0"}
/* clang-format on */

/* Fails in the call where the numbers make no bar. */
carom_bar bar_read(carom_study_call *call);
/* The exact motion N, m, d. */
carom_status bar_read_mode(carom_study_call *call, const carom_bar *bar, carom_bar_mode *mode);

/* Where a motion begins, and how many steps it makes. */
typedef struct bar_start {
    int cells, steps;
    double *displacement, *velocity; /* cells + 1, cells */
} bar_start;
carom_status bar_read_start(carom_study_call *call, const carom_bar *bar, bar_start *start);

/* The largest difference of the state at the end from that at the start; v may be NULL. */
double bar_return(const bar_start *start, const double *u, const double *v);

#endif
