/* Sweeps over contacts between pairs of bodies with Anderson's acceleration: for many contacts in space whose factors fill up,
 * such as piles of spheres. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_ACCELERATED_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_ACCELERATED_H

#include "contact/coulomb/parts/anderson.h"
#include "pairs_sweep.h"

/* Memory that grows with the problems. */
typedef struct pairs_accelerated {
    coulomb_anderson anderson;
    double *before, *best; /* d per contact */
    int room;              /* numbers */
} pairs_accelerated;

typedef struct pairs_accelerated_limits {
    double tolerance;
    int most;                         /* sweeps */
    double until;                     /* of carom_seconds; 0: without end */
    const carom_pairs_others *others; /* NULL: this process has the whole problem */
} pairs_accelerated_limits;

/* The motion of r, and its error: of all processes. */
void pairs_accelerated_motion(const pairs_accelerated_limits *limits, const pairs_rows *rows, const double *r,
                              double *v);
double pairs_accelerated_error(const pairs_accelerated_limits *limits, const pairs_rows *rows,
                               const double *r, const double *v);

/* False when memory is short. */
bool pairs_accelerated_take(pairs_accelerated *self, const pairs_rows *rows);
void pairs_accelerated_free(pairs_accelerated *self);

/* Sweeps while they promise to end within their limits. *error: that of r before, and of the best r, which is returned with its
 * motion v. Returns how many there were. */
int pairs_accelerated_run(pairs_accelerated *self, pairs_sweep *sweeps,
                          const pairs_accelerated_limits *limits, double *r, double *v, double *error);

#endif
