/* Loops that solve FC(W, q, mu) as a sequence of convex programs min 1/2 r.W r + b.r over cones, cylinders,
 * half-lines or disks: what the loops share, and the solvers of the programs. The programs are inequalities
 * of vi_problem.h with F = W r + b, which also covers W that is not symmetric. */
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
    double *best; /* place for the watch */
} coulomb_convex;

/* Numbers that a loop over so many contacts needs. */
size_t coulomb_convex_work(int contacts);
/* b = q. */
coulomb_convex coulomb_convex_begin(const carom_coulomb *problem, coulomb_inner inner, double *work,
                                    double *r);

/* Solves the program loop->vi from r on, until its residual is at most `tolerance` (absolute) or the limit is
 * reached. Returns the iterations, which are also added to the report. */
int coulomb_convex_solve(coulomb_convex *loop, double tolerance);

/* One pass of a loop: freezes something, solves one or two programs, the last `tolerance` being absolute.
 * Returns the iterations. */
typedef int (*coulomb_convex_pass)(coulomb_convex *loop, double tolerance);

/* The loop: passes until the error is small enough. What tells the solvers of this kind from each other: */
typedef struct coulomb_convex_variant {
    coulomb_convex_pass pass;
    coulomb_inner inner;
} coulomb_convex_variant;

enum {
    COULOMB_CONVEX_PASSES = 1000 /* default */
};

size_t coulomb_convex_work_size(const carom_problem_shape *shape);
void coulomb_convex_repeat(carom_solver *self, const carom_coulomb *problem, double *r,
                           carom_solve_report *report);

/* The members that these solvers have in common. */
#define COULOMB_CONVEX_LOOP(pass, inner)                                                                     \
    .kind = CAROM_PROBLEM_COULOMB, .options = coulomb_convex_options,                                        \
    .option_count = COULOMB_CONVEX_OPTIONS, .tolerance = 1e-8, .max_iterations = COULOMB_CONVEX_PASSES,      \
    .variant = &(const coulomb_convex_variant){pass, inner}, .work_size = coulomb_convex_work_size,          \
    .solve.coulomb = coulomb_convex_repeat

/* The relaxation K* contains W r + q, perpendicular to r in K, by Gauss-Seidel with local projections. The
 * report is that of FC(W, q, mu), with the word for the relaxation; *error is |r - P_K(r - W r - q)| / |q|,
 * its own. limits->report gets that error. work: coulomb_convex_work. */
void coulomb_relaxation_solve(const carom_coulomb *problem, const carom_solver_options *limits, double *work,
                              double *r, carom_solve_report *report, double *error);

#endif
