/* The parts of an audit of an impact law.
 *
 * Contacts see a velocity v by y, its coordinates in a basis u_1 ... u_r of the image of M^-1 W that is
 * orthonormal in the kinetic metric:
 *
 *   y_i = u_i . M v,   |y|^2 = v . M v without what no contact sees,   gamma_k = d_k . y,   G_kl = d_k . d_l.
 *
 * For full rank |y| is |gamma| in the metric of G^-1. */
#ifndef CAROM_SURVEY_AUDIT_IMPACT_AUDIT_H
#define CAROM_SURVEY_AUDIT_IMPACT_AUDIT_H

#include "carom/survey.h"

/* ---- the system (audit_system.c) ---------------------------------------------------------------- */

typedef struct audit_system {
    const carom_impact *impact;
    int coordinates, contacts, rank;
    double *basis;     /* rank x coordinates: u_i */
    double *momentum;  /* rank x coordinates: M u_i */
    double *direction; /* contacts x rank: d_k */
    double *scale;     /* per contact: 1 / sqrt(G_kk) */
} audit_system;

/* The impact's data must have been checked, by an impact. */
carom_status audit_system_make(const carom_impact *impact, carom_arena *arena, audit_system *system,
                               carom_error *error);
void audit_see(const audit_system *system, const double *velocity, double *y);
void audit_lift(const audit_system *system, const double *y, double *velocity);
void audit_contact_velocities(const audit_system *system, const double *y, double *gamma);
/* P = I - sum of u_i (M u_i)^T, coordinates x coordinates. */
void audit_projector(const audit_system *system, double *projector);

/* ---- impacts (audit_strike.c) ------------------------------------------------------------------- */

/* One law on the system, and the impact it computed last. */
typedef struct audit_striker {
    const audit_system *system;
    carom_impact impact;
    const carom_impact_options *options;
    carom_impact_work *work;
    carom_impact_result result;
    double *velocity; /* before */
    double *y;        /* after */
    double *gamma, *gamma_after;
    double hidden; /* |P (v+ - v-)| over |v-|, both in the kinetic metric */
} audit_striker;

carom_status audit_striker_make(const audit_system *system, const carom_impact *impact,
                                const carom_impact_law_ops *law, const carom_impact_options *options,
                                carom_arena *arena, audit_striker *striker, carom_error *error);
void audit_striker_free(audit_striker *striker);
/* The impact of a velocity; the result's word says how it went. */
carom_status audit_strike(audit_striker *striker, const double *y, carom_error *error);

/* ---- samples (audit_sample.c) ------------------------------------------------------------------- */

typedef struct audit_sampler {
    const audit_system *system;
    carom_random random;
    bool approaching_only;
    audit_striker projection;          /* Moreau's law with restitution 0, for approaching_only */
    double *center, *addend, *axis[2]; /* rank */
    double *edge;                      /* a few times rank */
} audit_sampler;

carom_status audit_sampler_make(const audit_system *system, bool approaching_only, unsigned seed,
                                carom_arena *arena, audit_sampler *sampler, carom_error *error);
void audit_sampler_free(audit_sampler *sampler);
/* Two velocities, far from each other or near. Zero: there is no such velocity. */
carom_status audit_sample_pair(audit_sampler *sampler, double *a, double *b, carom_error *error);
/* `count` velocities (count x rank) around a loop, or without order. */
carom_status audit_sample_loop(audit_sampler *sampler, bool ordered, int count, double *y,
                               carom_error *error);

/* ---- the matrix G - E G E (audit_matrix.c) ------------------------------------------------------ */

/* G - E G E, contacts x contacts; G_kl comes with the factor weight_k weight_l (weight NULL: 1). */
void audit_fill_matrix(const audit_system *system, const double *weight, double *matrix);
carom_status audit_smallest_eigenvalue(int n, const double *matrix, double *value, carom_error *error);
/* x . A x >= 0 for all x >= 0? A is symmetric, with entries of size 1 at most. */
carom_status audit_copositive(int n, const double *matrix, unsigned seed, bool *copositive,
                              carom_error *error);

/* ---- cycles (audit_cycle.c) --------------------------------------------------------------------- */

/* Points x_i, y_i (count x n each): the weight of the cycle i -> j -> ... -> i is the sum of y_i . (x_j -
 * x_i). A map x -> y is cyclically monotone when no cycle has a weight above 0 (Winandy, Baumann and Leine
 * 2018, (154)). */
typedef struct audit_cycle {
    double weight;     /* of the largest cycle met; above the slack there may be larger ones */
    int first, second; /* two neighbours in it */
} audit_cycle;

/* work: audit_cycle_work(count) doubles. Weights up to `slack` count as 0. */
size_t audit_cycle_work(int count);
audit_cycle audit_largest_cycle(int count, int n, const double *x, const double *y, double slack,
                                double *work);

#endif
