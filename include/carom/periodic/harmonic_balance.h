/* periodic: harmonic balance. Even motions of a linear system against one constraint, the contact force as a
 * cosine series,
 *
 *   lambda = sum_k L_k cos(k w t)
 *   g      = g0 + sum_k L_k H_k cos(k w t),   H_k = sum_j b_j^2 / (om_j^2 - k^2 w^2)
 *
 * with lambda = max(lambda - alpha g, 0) in the mean against each cosine. */
#ifndef CAROM_PERIODIC_HARMONIC_BALANCE_H
#define CAROM_PERIODIC_HARMONIC_BALANCE_H

#include "carom/periodic/oscillator.h"

/* All may be left zero. */
typedef struct carom_harmonic_options {
    int harmonics;    /* N, up to 1000; 0: 20 */
    double alpha;     /* > 0, times the stiffness of the constraint, (b . om^2 b) / (b . b)^2; 0: 1 */
    double tolerance; /* of the residual, relative to that stiffness times the gap; 0: 1e-11 */
    int iterations;   /* of Newton's method, at most; 0: 200 */
    int retries;      /* other starts, where the solution is trivial, up to 4; 0: 3, negative: none */
} carom_harmonic_options;
/* What 0 stands for. */
carom_harmonic_options carom_harmonic_defaults(void);

typedef struct carom_harmonic_motion {
    double energy;      /* at T/2, where velocities vanish */
    double penetration; /* largest -g */
    double impulse;     /* integral of lambda over the period */
    bool trivial;       /* u = 0 */
    int iterations;
    double residual;
} carom_harmonic_motion;

/* At a circular frequency w > 0. options NULL: defaults. force: gets N + 1 coefficients L_k, or NULL.
 * FAILED: no convergence. BAD_INPUT: a frequency or option out of range, w a resonance of the system.
 * Takes memory while it works. */
carom_status carom_harmonic_balance(const carom_mode_basis *basis, double frequency,
                                    const carom_harmonic_options *options, double *force,
                                    carom_harmonic_motion *motion, carom_error *error);

#endif
