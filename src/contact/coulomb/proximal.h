/* Proximal point algorithm for FC(W, q, mu) (Acary, Bremond and Huber 2018, algorithm 8). */
#ifndef CAROM_CONTACT_COULOMB_PROXIMAL_H
#define CAROM_CONTACT_COULOMB_PROXIMAL_H

#include "carom/contact.h"

typedef enum coulomb_proximal_rule {
    COULOMB_PROXIMAL_HEURISTIC, /* alpha / 10 after a success, 5 alpha after a failure */
    COULOMB_PROXIMAL_ADAPTIVE,  /* sigma error^nu, (125) */
} coulomb_proximal_rule;

typedef enum coulomb_proximal_inner {
    COULOMB_PROXIMAL_NEWTON, /* full steps */
    COULOMB_PROXIMAL_NEWTON_GP,
    COULOMB_PROXIMAL_GAUSS_SEIDEL,
} coulomb_proximal_inner;

typedef struct coulomb_proximal_options {
    coulomb_proximal_inner solver;
    coulomb_proximal_rule rule;
    double alpha0, alpha0_rel, sigma, nu, omega;
    int inner_iterations;
    int full_steps; /* with a line search: so many full steps are tried before it, until they fail once */
} coulomb_proximal_options;

/* Memory for problems that are not larger than the shape, and dense as it is (coulomb_is_dense). NULL: no
 * memory. Solving takes none when W is treated as dense, or the inner solver sweeps. */
typedef struct coulomb_proximal coulomb_proximal;
coulomb_proximal *coulomb_proximal_create(const carom_problem_shape *shape,
                                          const coulomb_proximal_options *options);
/* Outer iterations are counted as iterations, those of the inner solver as inner iterations, inner problems
 * that were not solved as local failures. */
void coulomb_proximal_solve(coulomb_proximal *ppa, const carom_coulomb *problem,
                            const carom_solver_options *limits, double *r, carom_solve_report *report);
void coulomb_proximal_free(coulomb_proximal *ppa);

#endif
