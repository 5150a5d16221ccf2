/* contact: the one-step problems as plain data, their error measures, and the solvers. */
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "carom/convex.h"

/* ---- linear complementarity problem --------------------------------------------------------
 *
 *   find z >= 0 with w = W z + q >= 0 and z.w = 0.
 *
 * For frictionless contact W = G M^-1 G^T (symmetric, positive semidefinite), z the normal impulses,
 * w the normal velocities after the step: the projection of the free velocity on the tangent cone in
 * the kinetic metric, Moreau 1986 (10.5). */
typedef struct carom_lcp {
    int size;
    const double *matrix; /* size x size, row-major */
    const double *vector;
} carom_lcp;

/* max_i |min(z_i, w_i / W_ii)| / (1 + max |z|): zero exactly at a solution. Independent of any solver. */
double carom_lcp_error(const carom_lcp *problem, const double *z);

typedef struct carom_solve_report {
    carom_status status; /* CAROM_OK only when error <= tolerance */
    int iterations;
    double error; /* the problem's own error measure */
} carom_solve_report;

typedef struct carom_lcp_solver_ops {
    const char *name;
    const char *summary;
    int max_size; /* largest problem it takes; 0: any */
    /* Doubles of work space that solve needs for a problem of this size. */
    size_t (*work_size)(int size);
    /* z: start (warm) and result. */
    carom_solve_report (*solve)(const carom_lcp *problem, double tolerance, double *work, double *z);
} carom_lcp_solver_ops;

extern const carom_lcp_solver_ops carom_lcp_closed_form; /* one or two unknowns */
extern const carom_lcp_solver_ops carom_lcp_active_set;  /* symmetric positive semidefinite W */
extern const carom_lcp_solver_ops carom_lcp_gauss_seidel;

/* ---- one frictional contact -----------------------------------------------------------------
 *
 * Components: 0 normal, then one or two tangents. Given the local W and the free relative velocity u_free
 * with u_free[0] < 0, find the impulse p with
 *
 *   u = W p + u_free,   u[0] = target,   p[0] >= 0,
 *   -u_T in the normal cone of p[0] D_1 at p_T                             Moreau 1986 (11.14), (12.6),
 * (13.13)
 *
 * "target" is 0 for Moreau's inelastic contact and -e u_N^- for Newton's law. */
typedef struct carom_friction_contact {
    int tangents;   /* 1 or 2 */
    double W[3][3]; /* leading (1+tangents) block; symmetric positive definite */
    double u_free[3];
    double target;
    carom_planar_set set; /* D_1: an interval for one tangent */
} carom_friction_contact;

typedef enum carom_contact_branch {
    CAROM_CONTACT_OPEN = 0,  /* no impulse */
    CAROM_CONTACT_SLIP = 1,  /* impulse on the boundary of the cone, or no friction */
    CAROM_CONTACT_STICK = 2, /* impulse inside the cone, no slip */
} carom_contact_branch;

typedef struct carom_friction_result {
    double impulse[3];
    double velocity[3];
    carom_contact_branch branch;
    double error; /* carom_friction_contact_error of this result */
} carom_friction_result;

/* Distance of (p, u = W p + u_free) from the law, in velocity units: normal equation, and the tangential
 * law by its natural map |p_T - P_{p_N D_1}(p_T - u_T / w)| w. Independent of the solver. */
double carom_friction_contact_error(const carom_friction_contact *contact, const double impulse[3]);

/* Closed form for one tangent (segment or half-line of (13.13), jamming included) and for two tangents
 * that do not couple with the normal; otherwise one scalar equation for the normal impulse. */
carom_status carom_friction_contact_solve(const carom_friction_contact *contact,
                                          carom_friction_result *result, carom_error *error);

/* ---- several frictional contacts --------------------------------------------------------------
 *
 * Three places per contact, in the order of its components: normal, tangents. Find the impulses p with, for
 * every contact,
 *
 *   u = sum_l W_l p_l + u_free,   0 <= u_N - target  _|_  p_N >= 0,
 *   -u_T in the normal cone of p_N D_1 at p_T.
 *
 * For one contact that approaches this is the problem above. W is symmetric and positive semidefinite, its
 * blocks on the diagonal are positive definite. All arrays are the caller's memory; places of tangents that
 * a contact does not have are not read. */
typedef struct carom_friction_problem {
    int count;                   /* contacts */
    const int *tangents;         /* 0 (frictionless), 1 or 2 */
    const double *target;        /* normal velocity of a contact that carries an impulse */
    const carom_planar_set *set; /* D_1; not read for contacts without tangents */
    const double *W;             /* (3 count) x (3 count), row-major */
    const double *u_free;        /* 3 per contact */
} carom_friction_problem;

/* The worst distance of a contact from its laws, in velocity units: |min(W_NN p_N, u_N - target)|, which
 * holds the signs and the complementarity of open contacts too, and the natural map of the tangential law as
 * above. Relative to the largest given velocity (u_free, target). Zero exactly at a solution, infinite when a
 * number is not finite. Independent of any solver. */
double carom_friction_problem_error(const carom_friction_problem *problem, const double *impulse);

typedef struct carom_friction_gauss_seidel_options {
    int max_sweeps;   /* 10000; at least 1 */
    double tolerance; /* 1e-10, of carom_friction_problem_error */
} carom_friction_gauss_seidel_options;

carom_friction_gauss_seidel_options carom_friction_gauss_seidel_defaults(void);

/* Block Gauss-Seidel: contact after contact is solved exactly for the impulses that the others have at the
 * moment (Jean 1999). impulse: 3 per contact, start (warm) and result. branch: one carom_contact_branch per
 * contact. Takes no memory. When the status is not CAROM_OK the error text says why, and *failed_contact is
 * the contact whose own problem has no solution, -1 when the sweeps did not converge. */
carom_solve_report carom_friction_gauss_seidel(const carom_friction_problem *problem,
                                               const carom_friction_gauss_seidel_options *options,
                                               double *impulse, unsigned char *branch, int *failed_contact,
                                               carom_error *error);

/* ---- registry --------------------------------------------------------------------------------- */

typedef struct carom_solver_entry {
    const char *name;
    const char *problem; /* "lcp" or "friction" */
    const char *summary;
    const carom_lcp_solver_ops *lcp; /* NULL for other problems */
} carom_solver_entry;

size_t carom_solver_count(void);
const carom_solver_entry *carom_solver_at(size_t index);
const carom_lcp_solver_ops *carom_lcp_solver_find(const char *name);

#endif
