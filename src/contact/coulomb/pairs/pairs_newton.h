/* Newton's method for contacts between pairs of bodies, in the space of velocities.
 *
 * Proximal points: u' = u + (r - r_k) / alpha in the place of u, where W is singular, too. For Alart and
 * Curnier's function G(u', r) = 0 a step is B dr + A (J dv + dr / alpha) = -G; with D = (B + A / alpha)^-1 A,
 * g = (B + A / alpha)^-1 G
 *
 *   dr = -g - D J dv,   (I + M^-1 J^T D J) dv = -M^-1 J^T g:
 *
 * one sparse system of the size of the velocities, however many the contacts are. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_NEWTON_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_NEWTON_H

#include "carom/linalg/block_lu.h"
#include "pairs_law.h"
#include "pairs_rows.h"
#include "pairs_system.h"

/* Memory that grows with the problems. */
typedef struct pairs_newton {
    const pairs_rows *rows;
    carom_block_lu *factor[2];  /* in the plane, in space; made when they are needed */
    pairs_system system;        /* with the one of this problem */
    double *rho;                /* per contact: normal, parts */
    double *weight;             /* of the proximal term, d per contact */
    double *r_k, *best;         /* d per contact */
    double *u, *du, *dr, *g;    /* d per contact */
    double *D, *last_D;         /* d x d per contact; those of the factor */
    double *dv;                 /* s per body */
    double alpha, factor_alpha; /* now, and in the factor */
    bool has_factor;
    size_t contact_room, body_room;
    int room_d; /* that the room is made for */
} pairs_newton;

typedef struct pairs_newton_limits {
    double tolerance; /* of the error */
    int attempt;      /* 0: the first one at this problem; others go about it in other ways */
    int steps;        /* at most */
    double until;     /* of carom_seconds; 0: without end */
} pairs_newton_limits;

typedef struct pairs_newton_report {
    int steps, factors;
    double error; /* of the best r */
} pairs_newton_report;

/* For the next problem; false when memory is short. */
bool pairs_newton_take(pairs_newton *self, const pairs_rows *rows);
/* Others have used its matrix. */
void pairs_newton_forget(pairs_newton *self);
void pairs_newton_free(pairs_newton *self);

/* r: start, whose error is report->error, and result, the best one, v its motion. Goes on while it may lead
 * to the tolerance. */
void pairs_newton_solve(pairs_newton *self, const pairs_newton_limits *limits, double *r, double *v,
                        pairs_newton_report *report);

#endif
