/* Loops that solve FC(W, q, mu) as a sequence of convex programs min 1/2 r.W r + b.r over cones, cylinders,
 * half-lines or disks: what the loops share, and the solvers of the programs. The programs are inequalities
 * of coulomb_vi_problem.h with F = W r + b, which also covers W that is not symmetric. */
#ifndef CAROM_CONTACT_COULOMB_CONVEX_CONVEX_LOOP_H
#define CAROM_CONTACT_COULOMB_CONVEX_CONVEX_LOOP_H

#include "contact/coulomb/parts/watch.h"
#include "contact/coulomb/vi_method.h"

typedef enum coulomb_inner {
    COULOMB_INNER_FP_VI_UPK,
    COULOMB_INNER_EG_VI_UPK,
    COULOMB_INNER_CONVEXQP_PG, /* projected gradient, Algorithm 9 */
    COULOMB_INNER_NSGS,        /* Gauss-Seidel over contacts, each by FP-VI-UPK */
} coulomb_inner;

enum {
    COULOMB_CONVEX_FACTOR, /* tolerance of a program against the error of the loop */
    COULOMB_CONVEX_LIMIT,  /* iterations for a program */
    COULOMB_CONVEX_OPTIONS
};
extern const carom_option_info coulomb_convex_options[COULOMB_CONVEX_OPTIONS];

/* A loop under way. */
typedef struct coulomb_convex {
    const carom_coulomb *problem;
    coulomb_watch watch;
    coulomb_inner inner;
    coulomb_vi vi; /* the program to solve; b and radius point to the arrays here */
    coulomb_vi_state state;
    double *b, *radius, *contact_rho;
    int limit;
    double *memory;
} coulomb_convex;

/* Takes memory and makes b = q. False: no memory. */
bool coulomb_convex_create(coulomb_convex *loop, const carom_coulomb *problem, coulomb_inner inner,
                           double *r);
void coulomb_convex_free(coulomb_convex *loop);

/* Solves the program loop->vi from r on, until its residual is at most `tolerance` (absolute) or the limit is
 * reached. Returns the iterations, which are also added to the report. */
int coulomb_convex_solve(coulomb_convex *loop, double tolerance);

/* One pass of a loop: freezes something, solves one or two programs, the last `tolerance` being absolute.
 * Returns the iterations. */
typedef int (*coulomb_convex_pass)(coulomb_convex *loop, double tolerance);

/* The loop: passes until the error is small enough. */
void coulomb_convex_loop(coulomb_convex_pass pass, coulomb_inner inner, const carom_coulomb *problem,
                         const double *option, const carom_coulomb_limits *limits, double *r,
                         carom_coulomb_report *report);

/* Tresca friction in a loop, Algorithm 11. */
extern const carom_coulomb_solver_ops coulomb_tresca_fp_vi_upk;
extern const carom_coulomb_solver_ops coulomb_tresca_eg_vi_upk;
extern const carom_coulomb_solver_ops coulomb_tresca_convexqp_pg;
extern const carom_coulomb_solver_ops coulomb_tresca_nsgs_fp_vi_upk;

/* Frozen correction, Algorithm 12. */
extern const carom_coulomb_solver_ops coulomb_aclm_fp_vi_upk;
extern const carom_coulomb_solver_ops coulomb_aclm_eg_vi_upk;
extern const carom_coulomb_solver_ops coulomb_aclm_convexqp_pg;
extern const carom_coulomb_solver_ops coulomb_aclm_nsgs_fp_vi_upk;

/* Normal and tangential programs in turn, Algorithm 10. */
extern const carom_coulomb_solver_ops coulomb_pana_pgs_fp_vi_upk;
extern const carom_coulomb_solver_ops coulomb_pana_pgs_eg_vi_upk;
extern const carom_coulomb_solver_ops coulomb_pana_pgs_convexqp_pg;
extern const carom_coulomb_solver_ops coulomb_pana_convexqp_pg;

/* Associated friction: another problem. */
extern const carom_coulomb_solver_ops coulomb_soclcp_nsgs_pli;

/* The relaxation K* contains W r + q, perpendicular to r in K, by Gauss-Seidel with local projections. The
 * report is that of FC(W, q, mu), with the word for the relaxation; *error is |r - P_K(r - W r - q)| / |q|,
 * its own. limits->report gets that error. */
void coulomb_relaxation_solve(const carom_coulomb *problem, const double *option,
                              const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report,
                              double *error);

#endif
