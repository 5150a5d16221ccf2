/* Joints in an impact: rows J whose rates stay, J (v+ - v-) = 0, by impulses lambda of their own:
 *
 *   M (v+ - v-) = W p + J^T lambda,   v+ - v- = (I - M^-1 J^T (J M^-1 J^T)^-1 J) M^-1 W p.
 *
 * The rows are kept orthonormal in the metric of M^-1, so that the projector needs no factor of J M^-1 J^T. */
#ifndef CAROM_LAW_IMPACT_IMPACT_JOINTS_H
#define CAROM_LAW_IMPACT_IMPACT_JOINTS_H

#include "carom/law.h"

typedef struct impact_joints {
    int count, coordinates;
    double *row;      /* count x coordinates: orthonormal rows r */
    double *answer;   /* count x coordinates: M^-1 r */
    double *triangle; /* count x count: J_k = sum over j <= k of triangle[k][j] r_j */
    double *share;    /* count: r . dv of the latest projection */
} impact_joints;

bool impact_joints_take(carom_arena *arena, const carom_impact_sizes *sizes, impact_joints *joints);

/* `factor` is that of a full mass matrix. BAD_INPUT: a row that is zero, or depends on those before. */
carom_status impact_joints_fill(const carom_impact *impact, const double *factor, impact_joints *joints,
                                carom_error *error);

/* dv = M^-1 f becomes M^-1 (f + J^T lambda); lambda (per joint) may be NULL. */
void impact_joints_project(const impact_joints *joints, double *dv, double *lambda);

#endif
