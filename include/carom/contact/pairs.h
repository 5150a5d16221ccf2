/* contact/pairs: Coulomb friction between pairs of bodies, FC(W, q, mu) with W = H M^-1 H^T left in its
 * parts.
 *
 * Every body that moves has six velocities, v and w; every contact acts on one or two of them, with one
 * point, a normal and two tangents:
 *
 *   u = q + D (v_a - v_b) + T_a w_a - T_b w_b,
 *   v_a += r.D / m_a,  w_a += J_a^-1 (r.T_a),  v_b -= r.D / m_b,  w_b -= J_b^-1 (r.T_b).
 *
 * A multiplication costs as much as there are contacts, however many of them share a body. */
#ifndef CAROM_CONTACT_PAIRS_H
#define CAROM_CONTACT_PAIRS_H

#include "carom/contact.h"

/* A contact. Rows: normal, tangents. */
typedef struct carom_pair_rows {
    int body[2];         /* a and b; -1: one that moves as it is told */
    double mu;           /* >= 0 */
    double direction[9]; /* D */
    double turn[2][9];   /* T_a, T_b */
    double answer[2][9]; /* rows of T J^-1 */
} carom_pair_rows;

/* Rolling and torsional friction of a contact (Acary and Bourrier 2021): moments against the relative spin
 * along the second tangent, the first one (rolling) and the normal (torsion),
 *
 *   u = q + length axis.(w_a - w_b),   w_a += r.answer_a,  w_b -= r.answer_b,
 *   |(r_0, r_1)| <= rolling r_N,  |r_2| <= torsion r_N:
 *
 * a length of the contact's own makes velocities of spins, and impulses of moments. In the plane the first
 * axis is there alone. */
typedef struct carom_pair_spin {
    double rolling, torsion; /* >= 0, over `length` */
    double length;
    double answer[2][9]; /* rows of length axis J^-1 */
} carom_pair_spin;

/* An equation that the motion of one or two bodies obeys, such as one of a joint:
 *
 *   row_a.(v, w)_a + row_b.(v, w)_b = 0.
 *
 * Its impulse is that which the equation needs. Equations may depend on each other. */
typedef struct carom_pair_joint {
    int body[2];                    /* two different ones; -1: none, or one that moves as it is told */
    double row[2][6], answer[2][6]; /* answer: M^-1 row */
} carom_pair_joint;

typedef struct carom_pairs {
    int contacts, bodies;
    const carom_pair_rows *row;
    const double *inverse_mass; /* per body */
    /* per contact; NULL: none has moments. With it q and r have 3 numbers per contact more, behind the 3 of
     * all contacts. */
    const carom_pair_spin *spin;
    const double *q; /* 3 per contact */
    /* In the plane there is one tangent: the second one has W = 1 and q = 0, and couples with nothing. */
    bool plane;
    /* Spins times this length are compared with velocities; the same for all that solve a problem together. 0: the mean
     * radius of gyration of the bodies. */
    double length;
    /* Equations beside the contacts, G velocity = 0: impulses give velocities of which these are taken away,
     * M^-1 H^T r - M^-1 G^T S^-1 G M^-1 H^T r with S = G M^-1 G^T. q is that of velocities that obey them. */
    int joints;
    const carom_pair_joint *joint;
} carom_pairs;

/* velocity := M^-1 H^T r, 6 numbers per body; joints are not asked. */
void carom_pairs_motion(const carom_pairs *problem, const double *r, double *velocity);
/* u = q + H velocity of one contact. */
void carom_pairs_velocity(const carom_pairs *problem, int contact, const double *velocity, double u[3]);
/* The same of its spins, where problem->spin is there. */
void carom_pairs_spin_velocity(const carom_pairs *problem, int contact, const double *velocity, double u[3]);
/* Its moments as a contact of their own: a normal that moves nothing, and the two tangents that are the axes of
 * rolling, or with `torsion` the normal one alone. mu is the coefficient. */
carom_pair_rows carom_pair_moments(const carom_pair_rows *row, const carom_pair_spin *spin, bool torsion);
/* The block of W on the diagonal, row by row; without moments and joints. */
void carom_pairs_block(const carom_pairs *problem, int contact, double block[9]);
/* Mean of W_NN over all contacts: what turns impulses into velocities; 0 when there is no contact. */
double carom_pairs_scale(const carom_pairs *problem);

/* Distance of one contact from its law, squared, r in the unit of velocities: |r - P_K(r - u - (g, 0, ...))|^2 with
 * g = mu |u_T| + rolling |u_01| + torsion |u_2|, and at least min(r_N, u_N)^2. r, u: normal, tangents, moments. */
double carom_pair_distance(bool plane, double mu, double rolling, double torsion, const double r[6],
                           const double u[6]);
/* carom_coulomb_error with impulses in the unit of velocities, |s r - P_K(s r - u - (mu |u_T|, 0, 0))| / |q|
 * where s is `scale`: the same in any units; moments are in it. Where mu is above 100, by parts as there.
 * `velocity` belongs to r. */
double carom_pairs_error(const carom_pairs *problem, double scale, const double *r, const double *velocity);

/* ---- solving ------------------------------------------------------------------------------------- */

typedef struct carom_pairs_solver carom_pairs_solver;

/* A solver of COULOMB (NULL: auto) for problems of this kind, which it sees with impulses in the unit of
 * velocities. Moments are contacts more for those, whose W is not symmetric then (pairs_blocks.h). The caller frees it; *solver is NULL when it fails. */
carom_status carom_pairs_solver_create(const carom_solver_ops *ops, const carom_solver_options *options,
                                       carom_pairs_solver **solver, carom_error *error);
void carom_pairs_solver_free(carom_pairs_solver *solver);

/* r: start and result. velocity (6 per body) is the motion that belongs to it. A start that solves the
 * problem stays as it is, and costs two multiplications. The error is carom_pairs_error. Takes memory when
 * the problem is larger than those before. A problem with joints is for `auto`: others refuse it. */
carom_solve_report carom_pairs_solve(carom_pairs_solver *solver, const carom_pairs *problem, double *r,
                                     double *velocity);

/* Processes that solve one problem together, all at the same time. Each has some of the contacts, and the bodies that these are at;
 * others may have contacts at the same bodies. Of such a body each of its holders has an equal part: inverse masses and answers of
 * the problem that it gives are those of its part, holders times as large. Parts are swept over side by side, and
 * what they move by is the mean (mass splitting), so that impulses at which nothing changes solve the whole. */
typedef struct carom_pairs_others {
    void *context;
    const int *holders; /* per body: processes that have it, this one among them */
    /* The motion of parts (`width` numbers per body) becomes the mean of all holders': the same bits with all of them. */
    void (*mean)(void *context, int width, double *velocity);
    /* Numbers become the sums over all processes: the same bits with all of them. */
    void (*sum)(void *context, int count, double *number);
} carom_pairs_others;

/* By accelerated sweeps while they promise to end; without moments and joints. The error and all else of the report are those
 * of the whole problem, the same with all processes. */
carom_solve_report carom_pairs_solve_shared(carom_pairs_solver *solver, const carom_pairs *problem,
                                            const carom_pairs_others *others, double *r, double *velocity);

#endif
