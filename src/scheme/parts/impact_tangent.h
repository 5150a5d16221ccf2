/* The derivative of an impact by a law that the user chose (chosen_impact.h). Laws that are made of linear parts:
 *
 *   strike (A, a)   p_A with G_AA p_A = -a_A gamma_A, gamma += G p                 G = W^T M^-1 W, gamma = W^T v + rate
 *
 *   newton, moreau  a strike of all contacts with p > 0, a = 1 + e
 *   binary          strikes of one contact each, in the order in which they collided, a = 1 + e
 *   poisson         compression: a strike with a = 1; E p_C more; a strike, with a = 1, of those that would be penetrated
 *   lzb             impact_tangent_lzb.h; without restitution it is a strike with a = 1
 *
 * With the contacts of each strike held the outcome is smooth: p, gamma and, at the end, M (v+ - v-) = W p are
 * differentiated along directions of time, position, velocity and parameters. */
#ifndef CAROM_SCHEME_PARTS_IMPACT_TANGENT_H
#define CAROM_SCHEME_PARTS_IMPACT_TANGENT_H

#include "chosen_impact.h"
#include "impact_tangent_lzb.h"

typedef struct impact_tangent {
    chosen_impact *chosen;
    int n, contacts, directions; /* of the model, and at most */
    int count;                   /* contacts of the impact */
    carom_contact_frame along;
    double *mass, *factor, *mass_along; /* n x n; directions times */
    double *row, *row_along;            /* contacts x n; directions times */
    double *response;                   /* contacts x n: M^-1 W */
    double *G, *G_along;                /* count x count; directions times */
    double *gamma, *gamma_along;        /* per contact; directions times */
    double *e_along;                    /* directions x contacts */
    double *p, *p_along;                /* of all strikes together */
    double *part, *part_along;          /* of one strike */
    double *matrix, *right, *work;      /* its system */
    size_t work_size;
    int *pivot, *chosen_ones;
    double *column;
    double *acts,
        *room; /* which contacts a strike has; contact velocities before it, and their derivatives */
    carom_impact_result again; /* of the law once more: binary */
    int now;                   /* directions of the impact under way */
    double speed;
    int weak; /* a contact whose part is not strict, of the model; -1: none */
    bool failed;
    lzb_tangent lzb; /* of that law only */
} impact_tangent;

/* CAROM_OK when the chosen law has derivatives; no law is fine, too. */
carom_status impact_tangent_accepts(const chosen_impact *chosen, carom_error *error);

/* False when memory is short. */
bool impact_tangent_take(impact_tangent *self, carom_arena *arena, chosen_impact *chosen, int directions);

/* Of the last impact, which was at (t, q): derivatives of the velocity after it (dof numbers per direction) and of the
 * impulses (self->p_along: per direction an entry per listed contact), along `count` directions; u of a direction: of the
 * velocity before. False: it has none. self->weak says which contact decides nothing. */
bool impact_tangent_strike(impact_tangent *self, double t, const double *q, int count,
                           const carom_direction *direction, double *velocity_along);

static inline double impact_tangent_impulse(const impact_tangent *self, int direction, int listed)
{
    return self->p_along[(ptrdiff_t)direction * self->contacts + listed];
}

#endif
