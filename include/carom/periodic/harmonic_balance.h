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

typedef struct carom_harmonic_options {
    int harmonics; /* N */
    double alpha;  /* > 0 */
    double tolerance;
    int iterations;
    int retries; /* other starts, where the solution is trivial */
} carom_harmonic_options;
carom_harmonic_options carom_harmonic_defaults(void);

typedef struct carom_harmonic_motion {
    double energy;      /* at T/2, where velocities vanish */
    double penetration; /* largest -g */
    double impulse;     /* integral of lambda over the period */
    bool trivial;       /* u = 0 */
    int iterations;
    double residual;
} carom_harmonic_motion;

/* force: N + 1 coefficients L_k, or NULL. FAILED: no convergence. */
carom_status carom_harmonic_balance(const carom_mode_basis *basis, double frequency,
                                    const carom_harmonic_options *options, double *force,
                                    carom_harmonic_motion *motion, carom_error *error);

#endif
