/* Starts of the bar that several tests use. */
#ifndef CAROM_TEST_SUBJECT_BAR_BAR_STARTS_H
#define CAROM_TEST_SUBJECT_BAR_BAR_STARTS_H

#include <math.h>
#include <stdlib.h>

#include "carom/subject/bar.h"
#include "test/near.h"

static const double bar_pi = 3.14159265358979323846;

/* Displacements at nodes and velocities of cells, in one block. */
typedef struct bar_start {
    double *u, *v;
} bar_start;

static inline bar_start bar_start_take(int cells)
{
    double *u = calloc(2 * (size_t)cells + 1, sizeof *u);
    assert_non_null(u);
    return (bar_start){u, u + cells + 1};
}

static inline void bar_start_free(bar_start *start)
{
    free(start->u);
}

/* u = -x, at rest: a corner of the first family, d = 0.75, in the middle of its flight. */
static inline bar_start bar_start_compressed(int cells)
{
    bar_start start = bar_start_take(cells);
    for (int j = 0; j <= cells; j++)
        start.u[j] = -(double)j / cells;
    return start;
}

static inline double bar_start_sine_shape(void *context, double x)
{
    (void)context;
    return -2.0 * sin(bar_pi * x / 2.0);
}

/* u = -2 sin(pi x / 2), at rest, on the unit bar. */
static inline bar_start bar_start_sine(int cells)
{
    const carom_bar bar = carom_bar_unit();
    const carom_bar_shape shape = {.displacement = bar_start_sine_shape};
    bar_start start = bar_start_take(cells);
    carom_bar_shape_sample(&bar, &shape, cells, start.u, start.v);
    return start;
}

#endif
