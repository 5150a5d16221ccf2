/* Contacts between pairs of bodies as the solvers in the space of velocities read them: impulses in the unit
 * of velocities, without what is zero in the plane.
 *
 *   u = q + J_a v_a + J_b v_b,   v += M^-1 J^T r,
 *
 * d rows per contact, s velocities per body: 2 and 3 in the plane, 3 and 6 in space, s rows where a contact of
 * the problem has moments (pairs_cone.h). Behind the last body stands one that never moves, for contacts that
 * have only one. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_ROWS_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_ROWS_H

#include "carom/contact/pairs.h"
#include "pairs_cone.h"
#include "pairs_joints.h"

/* Memory that grows with the problems. */
typedef struct pairs_rows {
    int contacts, bodies;
    int d, s, parts;
    double scale;   /* velocity over impulse */
    double length;  /* spins are multiplied by it, in J, A and v */
    double q_size;  /* |q| */
    bool hopeless;  /* a contact approaches that no impulse moves */
    int (*body)[2]; /* `bodies`: the one that never moves */
    double *mu;     /* coefficients of the parts, per contact */
    double *q;      /* d per contact */
    double *J, *A;  /* per contact d x s for body a, then b; J, and J M^-1 / scale */
    double *W;      /* w x w per contact: the block on the diagonal, scaled; as in carom_pairs_block */
    int w;          /* 3, or with moments d */
    size_t contact_room;
    int room_d, room_s;         /* that the room is made for */
    const pairs_joints *joints; /* the caller's; NULL: none */
} pairs_rows;

/* False when memory is short. */
bool pairs_rows_take(pairs_rows *self, const carom_pairs *problem, double scale);
void pairs_rows_free(pairs_rows *self);

/* r, u: d per contact; v: s per body, and the one that never moves. v obeys the joints. */
void pairs_rows_motion(const pairs_rows *self, const double *r, double *v);
/* From the layout of carom_pairs, times the scale, and back. */
void pairs_rows_pack(const pairs_rows *self, const double *r, double *packed);
void pairs_rows_unpack(const pairs_rows *self, const double *packed, double *r);
/* u = J v, without q. */
void pairs_rows_change(const pairs_rows *self, const double *v, double *u);

/* Distance of r from its law, whose velocity is u, squared; r is in the cone when it vanishes. */
double pairs_rows_distance(const pairs_rows *self, int contact, const double *r, const double *u);
/* The error from the sum of these. */
double pairs_rows_relative(const pairs_rows *self, double sum);
/* That sum over all contacts, of r whose motion is v, and carom_pairs_error of it. */
double pairs_rows_distances(const pairs_rows *self, const double *r, const double *v);
double pairs_rows_error(const pairs_rows *self, const double *r, const double *v);

/* ---- one contact: d and s are constants where these are inlined -------------------------------------------
 * */

PAIRS_INLINE void pairs_add_velocity(int d, int s, const double *restrict J, const double *restrict va,
                                     const double *restrict vb, double *restrict u)
{
    for (int i = 0; i < d; i++) {
        double sum = 0.0;
        for (int k = 0; k < s; k++)
            sum += J[s * i + k] * va[k] + J[s * (d + i) + k] * vb[k];
        u[i] += sum;
    }
}

PAIRS_INLINE void pairs_add_motion(int d, int s, const double *restrict A, const double *restrict r,
                                   double *restrict va, double *restrict vb)
{
    for (int k = 0; k < s; k++) {
        double a = 0.0, b = 0.0;
        for (int i = 0; i < d; i++) {
            a += A[s * i + k] * r[i];
            b += A[s * (d + i) + k] * r[i];
        }
        va[k] += a;
        vb[k] += b;
    }
}

#endif
