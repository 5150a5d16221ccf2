/* Smooth flows to rounding: y' = rate(t, y) by Gragg's modified midpoint rule, extrapolated (Bulirsch and Stoer). Exact for
 * polynomials of low degree, and cheap where the solution is smooth and nearly all digits are wanted.
 *
 *   n = 2, 4, 6, ... substeps of a step H;   T_j0: the midpoint rule with smoothing, whose error has even powers of H/n
 *   T_jk = T_j,k-1 + (T_j,k-1 - T_j-1,k-1) / ((n_j / n_j-k)^2 - 1)                               (Aitken, Neville) */
#ifndef CAROM_SCHEME_PARTS_EXTRAPOLATION_H
#define CAROM_SCHEME_PARTS_EXTRAPOLATION_H

#include "carom/base.h"

enum {
    EXTRAPOLATION_ROWS = 10
};

typedef struct extrapolation {
    int size;
    const int *part; /* ends with `size`: numbers of one part have one scale, that of the largest */
    void *context;
    /* False when there is no rate there: a smaller step is tried. */
    bool (*rate)(void *context, double t, const double *y, double *rate);
    double tolerance;    /* relative to the largest number of a part; 0: 1e-13 */
    const double *floor; /* per part: its scale is at least this; NULL: 0 */

    double h;           /* of the next step, 0: unknown */
    bool broken;        /* somewhere the rate jumps ... */
    double broken_time; /* ... there */
    int watched;        /* parts in which jumps are looked for, from the first */
    double *start, *stage, *other, *change, *point, *table; /* work space */
} extrapolation;

/* False when memory is short; size, part, context and rate are set by the caller. */
bool extrapolation_take(extrapolation *self, carom_arena *arena);

/* From (t, y) to t_end > t. False: no rate, whatever the step. */
bool extrapolation_go(extrapolation *self, double t, double t_end, double *y);

#endif
