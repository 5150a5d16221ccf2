/* An interior-point method for contacts between pairs of bodies in the plane, in the space of velocities.
 *
 * Per contact the law is a linear complementarity problem, x >= 0, y >= 0, x_i y_i = 0 (Stewart and Trinkle 1996):
 *
 *   x = (r_N, p, k, l),   r_T = p - k,   y = (u_N, l + u_T, l - u_T, mu r_N - p - k).
 *
 * Newton's method for x_i y_i = m, m falling to 0, with predictions and corrections as Mehrotra (1992) has them.
 * A step is local but for du = J dv, so that the contact answers with dr = g - D du, and
 *
 *   (I + M^-1 J^T D J) dv = M^-1 J^T g
 *
 * is the system of pairs_newton.h. No contact has a state on the way, so that none changes it: a pile in which thousands of
 * contacts go to and fro between stick and slip in Newton's method takes some tens of steps. The problem is not
 * monotone. Where that stops it, steps are those of the convex problem near this one, y_1 = u_N - theta mu (l - l_k)
 * (De Saxce and Feng 1998 for theta = 1), whose error the next step sees. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_INTERIOR_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_INTERIOR_H

#include "carom/linalg/block_lu.h"
#include "pairs_rows.h"
#include "pairs_system.h"

enum {
    PAIRS_PRODUCTS = 4
};

/* Memory that grows with the problems. */
typedef struct pairs_interior {
    const pairs_rows *rows;
    pairs_system *system;       /* the caller's */
    double *x, *y, *dx, *dy;    /* 4 per contact */
    double *rest, *target;      /* y's own equation; what x dy + y dx shall be */
    double *u, *du, *dr, *best; /* d per contact */
    double *dv, *rest_v;        /* s per body */
    double theta;               /* of the convex problem near this one */
    double mean;                /* of x y */
    int count;                  /* of products */
    double gap;                 /* root of the mean square of rest */
    size_t contact_room, body_room;
} pairs_interior;

typedef struct pairs_interior_limits {
    double tolerance; /* of the error */
    int attempt;      /* 0: the first one; others begin elsewhere */
    int steps;        /* at most, each with one factor */
    double until;     /* of carom_seconds; 0: without end */
} pairs_interior_limits;

typedef struct pairs_interior_report {
    int steps;
    double error; /* of the best r */
} pairs_interior_report;

/* Contacts it can solve: those of the plane without moments. */
bool pairs_interior_knows(const pairs_rows *rows);
/* For the next problem, whose pattern the system has; false when memory is short. */
bool pairs_interior_take(pairs_interior *self, const pairs_rows *rows, pairs_system *system);
void pairs_interior_free(pairs_interior *self);

/* r: a start, whose error is report->error, and the best one found, v its motion. */
void pairs_interior_solve(pairs_interior *self, const pairs_interior_limits *limits, double *r, double *v,
                          pairs_interior_report *report);

/* ---- one contact --------------------------------------------------------------------------------------- */

/* Proximal: a step leaves y - F(x) as large as dx times this, so that D stays below its reciprocal and the system keeps
 * its digits. */
static const double pairs_interior_shift = 1e-7;

/* D of 2 x 2, dr = g - D du. With theta = 1 it is symmetric. */
void pairs_interior_answer(double mu, double theta, const double x[4], const double y[4], double D[4]);
/* dx and dy with x dy + y dx = target and dy = rest + dF, where the velocity changes by du. */
void pairs_interior_step(double mu, double theta, const double x[4], const double y[4], const double rest[4],
                         const double target[4], const double du[2], double dx[4], double dy[4]);

#endif
