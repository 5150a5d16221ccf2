/* periodic: Floquet multipliers, the eigenvalues of the derivative of the state after one period by the state
 * before it (monodromy matrix). Each way to a motion makes its own matrix; the eigenvalues are taken here. */
#ifndef CAROM_PERIODIC_MULTIPLIERS_H
#define CAROM_PERIODIC_MULTIPLIERS_H

#include "carom/base.h"

/* Multipliers of conservative motions include a defective double 1, which rounding moves by some 1e-6: a
 * motion is called stable when none is larger than this. */
#define CAROM_STABLE_MULTIPLIER (1.0 + 1e-5)

/* Eigenvalues of an n x n matrix and their largest modulus; real and imaginary may be NULL. FAILED: an entry
 * is not a number, or LAPACK gives up. */
carom_status carom_multipliers(int n, const double *matrix, double *real, double *imaginary, double *largest,
                               carom_error *error);

/* Similarity transformation of a 2n x 2n matrix of positions and velocities: velocities in units of position per `time`. The
 * eigenvalues stay; with a time of the motion they do not depend on the units of the model. */
void carom_monodromy_in_time(int n, double time, double *matrix);

#endif
