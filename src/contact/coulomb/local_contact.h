/* One contact of FC(W, q, mu): a problem of three unknowns, solved again and again by the sweeps of
 * Gauss-Seidel, with the same W and another q. */
#ifndef CAROM_CONTACT_COULOMB_LOCAL_CONTACT_H
#define CAROM_CONTACT_COULOMB_LOCAL_CONTACT_H

#include "carom/contact.h"

/* What stays the same between two solutions, and what one leaves for the next. */
typedef struct coulomb_local {
    const double *W; /* 3 x 3, positive semidefinite, need not be symmetric */
    double mu;
    bool regular;          /* W has an inverse */
    bool well_conditioned; /* and |W| |inverse| <= 100 */
    double inverse[9];     /* of W */
    double size;           /* Frobenius norm of W */
    double rho_N, rho_T;   /* (111): 1 / W_NN, 1 / largest eigenvalue of W_TT */
    double rho;            /* step of one projection; 0: not known yet */
    double direction[2];   /* unit vector of the last friction impulse that slid; 0: none yet */
    bool any_solution;     /* of several: the one that is found first, not the one nearest to the last */
    double step;           /* last step of the variational inequality; 0: none yet */
} coulomb_local;

typedef enum coulomb_local_method {
    COULOMB_LOCAL_EXACT,
    COULOMB_LOCAL_NEWTON_AC,
    COULOMB_LOCAL_NEWTON_JM,
    COULOMB_LOCAL_NEWTON_AC_GP,
    COULOMB_LOCAL_NEWTON_JM_GP,
    COULOMB_LOCAL_VI,
    COULOMB_LOCAL_PROJECTION,
    COULOMB_LOCAL_METHODS
} coulomb_local_method;

typedef struct coulomb_local_counts {
    long iterations; /* within the solvers of one contact */
    long failures;   /* solutions that needed a fall-back */
} coulomb_local_counts;

/* `W` must outlive the contact. */
void coulomb_local_prepare(coulomb_local *contact, const double W[9], double mu);

/* |r - P_K(r - rho (u + g(u)))| / (|r| + rho |q|) with rho = 1 / |W|: free of units; its rounding is that of
 * a few operations. */
double coulomb_local_error(const coulomb_local *contact, const double q[3], const double r[3]);

/* u = W r + q + g(W r + q), (40) */
void coulomb_local_modified_velocity(const coulomb_local *contact, const double q[3], const double r[3],
                                     double u[3]);

/* The solvers; r: start and result. False: not solved; r is then of no use, but for the variational
 * inequality, whose r is in the cone. */

/* Enumeration of open, stick and slide, in this order; does not read r. */
bool coulomb_local_exact(coulomb_local *contact, const double q[3], double r[3]);
/* Newton's method for Alart-Curnier's (63) or Jean-Moreau's (61) function, with the line search of Goldstein
 * and Price or full steps. */
bool coulomb_local_newton(const coulomb_local *contact, bool jean_moreau, bool line_search, double tolerance,
                          const double q[3], double r[3], coulomb_local_counts *counts);
/* Projections with Khobotov's step rule. */
bool coulomb_local_vi(coulomb_local *contact, double tolerance, const double q[3], double r[3],
                      coulomb_local_counts *counts);
/* One projection r <- P_K(r - rho (u + g(u))). */
void coulomb_local_projection(coulomb_local *contact, const double q[3], double r[3]);

/* The method, and when it fails its fall-backs: Newton, then exact, then the variational inequality. False
 * when none of them solved the contact; r is then a point of the cone, or not finite. */
bool coulomb_local_solve(coulomb_local *contact, coulomb_local_method method, double tolerance,
                         const double q[3], double r[3], coulomb_local_counts *counts);

#endif
