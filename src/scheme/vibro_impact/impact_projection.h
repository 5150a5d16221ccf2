/* Projections in the kinetic metric of an impact system, on admissible velocities and on admissible
 * positions. */
#ifndef CAROM_SCHEME_VIBRO_IMPACT_IMPACT_PROJECTION_H
#define CAROM_SCHEME_VIBRO_IMPACT_IMPACT_PROJECTION_H

#include "impact_system.h"

/* Evaluates the rows of the active contacts at a position, their responses and the matrix G M^-1 G^T. */
carom_status impact_evaluate_rows(impact_system *system, double t, const double *q, carom_error *error);

/* Restitution of the active contacts; fails when they differ. BAD_INPUT texts name no step. */
carom_status impact_common_restitution(const impact_system *system, double *restitution, carom_error *error);

/* Warns, once in a run, when active contacts violate the condition under which impacts at corners depend
 * continuously on data: g_a.M^-1 g_b <= 0 for e = 0, = 0 for e > 0 (Paoli 2018, Prop. 1). */
void impact_check_angles(impact_system *system, double t);

/* v: the velocity nearest to u for which the active contacts do not close. *carried: v differs from u.
 * The multipliers are lcp.z, M(v - u) = G^T z. */
carom_status impact_project_velocity(impact_system *system, double t, const double *u, double *v,
                                     bool *carried, carom_error *error);

/* x: the position nearest to w, on the branch that starts at w, with all gaps >= 0 at time t. *carried: x
 * differs from w; the active contacts are then those that were met, M(x - w) = G(x)^T z. */
carom_status impact_project_position(impact_system *system, double t, const double *w, double *x,
                                     bool *carried, carom_error *error);

#endif
