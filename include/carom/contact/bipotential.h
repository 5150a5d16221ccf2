/* bipotential: contacts with elliptic cones, sliding rules that need not be associated, and initial gaps.
 * Part of room contact. */
#ifndef CAROM_CONTACT_BIPOTENTIAL_H
#define CAROM_CONTACT_BIPOTENTIAL_H

#include "carom/contact.h"

/* Find r with u = W r + q such that every contact obeys the law of its cone (carom/convex.h), with gap + u_N
 * in the place of u_N: u are increments of displacement over a load step, or velocities and the gap 0. W is
 * positive semidefinite. */
typedef struct carom_elliptic_problem {
    int contacts;
    carom_blocks W;
    const double *q;                 /* 3 per contact */
    const carom_elliptic_cone *cone; /* one per contact */
    const double *gap;               /* one per contact; NULL: 0 */
    const double *axes; /* one per contact: angle of its cone's axes against the tangents; NULL: 0 */
} carom_elliptic_problem;

/* Looks at all of the data: gaps not negative unless allowed, W symmetric and positive definite, by its
 * eigenvalues. For small problems: takes memory for a dense W. */
carom_status carom_elliptic_problem_check(const carom_elliptic_problem *problem, bool allow_penetration,
                                          carom_error *error);

/* |r - P_K(r - v)| / |q + gap| over all contacts, v of carom_elliptic_cone_velocity; (131) of Acary, Bremond
 * and Huber where the cones are round. Infinite when a number is not finite. */
double carom_elliptic_error(const carom_elliptic_problem *problem, const double *r);

/* The defects of all contacts for reactions of any origin: sum and largest of `power`, largest of the others.
 * Any r with zero defects is a solution. u (3 per contact) is a result; NULL: not wanted. */
typedef struct carom_elliptic_certificate {
    double power, largest_power, penetration, outside;
} carom_elliptic_certificate;
carom_elliptic_certificate carom_elliptic_certify(const carom_elliptic_problem *problem, const double *r,
                                                  double *u);

/* carom_coulomb_summarise with the error of this problem; no gaps. */
void carom_elliptic_summarise(const carom_elliptic_problem *problem, const double *r, double *u,
                              unsigned char *regime, carom_coulomb_summary *summary);

/* ---- FC(W, q, mu) with orthotropic friction --------------------------------------------------------
 *
 * mu_x = mu, mu_y = ratio mu, p_y = slip_ratio p_x at every contact, the axes turned by an angle. */
typedef struct carom_orthotropy {
    double ratio;      /* > 0 */
    double slip_ratio; /* > 0; 0: as `ratio`, the associated rule */
    double angle;      /* radians, from the first tangent to the axis of mu_x */
} carom_orthotropy;

/* W and q are those of the problem, the rest is the arena's memory. */
carom_status carom_elliptic_from_coulomb(const carom_coulomb *problem, const carom_orthotropy *orthotropy,
                                         carom_arena *arena, carom_elliptic_problem *elliptic,
                                         carom_error *error);

/* True when the solver (uzawa-bipotential) and its options ask for cones that are not round: then the errors
 * of its reports are carom_elliptic_error of carom_elliptic_from_coulomb. */
bool carom_solver_orthotropy(const carom_solver_ops *solver, const carom_option *option,
                             carom_orthotropy *orthotropy);

/* ---- Uzawa's predictor and corrector ---------------------------------------------------------------
 *
 *   tau = r - rho (gap + u_N + |F Q^2 u_T|, Q^2 u_T)          predictor, (31) with its gap restored
 *   r   = P_K(tau)                                            corrector, (30)
 *
 * Whoever is at rest obeys the law. */
typedef enum carom_uzawa_sweep {
    CAROM_UZAWA_GAUSS_SEIDEL, /* contact after contact, with the others as they are now */
    CAROM_UZAWA_JACOBI,       /* all at once */
} carom_uzawa_sweep;

/* All may be left zero. */
typedef struct carom_uzawa_options {
    carom_uzawa_sweep sweep; /* 0: Gauss-Seidel */
    double rho;              /* 0: 1 / largest eigenvalue, of W (Jacobi) or of each contact's block */
    double tolerance;        /* of |change| / max(|r|, scale); 0: 1e-12, CAROM_ZERO: until nothing changes */
    double scale;            /* reactions below this size are not resolved; 0: all are */
    int max_iterations;      /* sweeps; 0: 100000 */
    int visits; /* most predictor and corrector steps at a contact per sweep; 0: 1. Many: the contact is
                 * solved before the next one. Gauss-Seidel only. */
} carom_uzawa_options;
/* What 0 stands for. */
carom_uzawa_options carom_uzawa_defaults(void);

typedef struct carom_uzawa_report {
    carom_status status; /* CAROM_OK: the change is within the tolerance */
    int iterations;
    double change; /* last |r' - r| */
    int halvings;  /* how often rho was halved because 50 sweeps had made no progress */
    double error;  /* carom_elliptic_error of the result */
    carom_elliptic_certificate certificate;
} carom_uzawa_report;

/* options NULL: defaults. r: start (warm) and result. Takes memory while it works. When it does not
 * converge the text says how far it came, and r is the last iterate. */
carom_uzawa_report carom_uzawa_solve(const carom_elliptic_problem *problem,
                                     const carom_uzawa_options *options, double *r, carom_error *error);

/* Quasi-static loading: one step with the free increment in problem->q, from the reactions r of the last one;
 * adds the increments of slip (2 per contact) and the work lost to friction. */
carom_uzawa_report carom_uzawa_load_step(const carom_elliptic_problem *problem,
                                         const carom_uzawa_options *options, double *r, double *slip,
                                         double *dissipation, carom_error *error);

#endif
