/* Periodic motions of a linear system under a periodic train of impulses along one direction.
 *
 * The T-periodic response to one unit impulse per period, at 0, in modal coordinates, for 0 < t < T:
 *
 *   a_j(t) = b_j cos(om_j (t - T/2)) / (2 om_j sin(om_j T/2)) */
#ifndef CAROM_PERIODIC_MODES_IMPULSE_MOTION_H
#define CAROM_PERIODIC_MODES_IMPULSE_MOTION_H

#include "carom/linalg.h"
#include "carom/periodic/modes.h"

/* b_j below this share of the largest: the constraint does not see mode j. */
bool modes_seen(const carom_mode_basis *basis, int j);
/* Highest frequency that the constraint sees. */
double modes_highest(const carom_mode_basis *basis);
/* Time scale of the constraint: (w M^-1 w / w M^-1 K M^-1 w)^(1/2) = (b . b / b . om^2 b)^(1/2). Lengths and differences
 * along branches over the period are relative to it. */
double modes_time(const carom_mode_basis *basis);
/* A mode whose period divides T to rounding, -1 when there is none. */
int modes_resonant(const carom_mode_basis *basis, double period);

/* w . u of the response (even in t) and its rate (odd; 0 at the impulse, the mean of both sides). */
double modes_gap_response(const carom_mode_basis *basis, double period, double t);
double modes_rate_response(const carom_mode_basis *basis, double period, double t);

/* Smallest minimum of the gap inside (0, duration) on the flight that starts from a, a'; INFINITY: none. */
double modes_smallest_gap(const carom_mode_basis *basis, const double *a, const double *rate, double duration,
                          double *when);

double modes_energy(const carom_mode_basis *basis, const double *a, const double *rate);

/* The motion with these impulses (which may be any numbers), with its verdict; gaps are not looked at where
 * an impulse pulls. */
carom_status modes_motion_create(const carom_mode_basis *basis, double period, int impacts,
                                 const double *flight, const double *impulse, carom_mode **mode,
                                 carom_error *error);
/* A motion of another verdict without impulses. */
carom_status modes_limit_create(const carom_mode_basis *basis, double period, int j, carom_mode **mode,
                                carom_error *error);
carom_status modes_diverge_create(const carom_mode_basis *basis, double period, int impacts,
                                  carom_mode **mode, carom_error *error);

/* Sigma imp = -g0, k x k; false when Sigma is singular. work: k * k doubles, pivot: k. residual: Pi imp, may
 * be NULL. */
bool modes_impulses(const carom_mode_basis *basis, double period, int impacts, const double *time,
                    double *impulse, double *residual, double *work, int *pivot);

#endif
