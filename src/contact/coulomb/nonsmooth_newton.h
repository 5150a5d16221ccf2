/* Nonsmooth Newton method on all contacts of FC(W, q, mu) at once (Acary, Bremond and Huber 2018, algorithm
 * 4). */
#ifndef CAROM_CONTACT_COULOMB_NONSMOOTH_NEWTON_H
#define CAROM_CONTACT_COULOMB_NONSMOOTH_NEWTON_H

#include "carom/contact.h"
#include "contact/coulomb/parts/contact_maps.h"

typedef enum coulomb_function {
    COULOMB_FUNCTION_AC,
    COULOMB_FUNCTION_JM,
    COULOMB_FUNCTION_NM,
    COULOMB_FUNCTION_FB,
} coulomb_function;

typedef enum coulomb_search {
    COULOMB_SEARCH_NONE,
    COULOMB_SEARCH_GP, /* Goldstein and Price, algorithm 5 */
    COULOMB_SEARCH_ARMIJO,
} coulomb_search;

typedef struct coulomb_newton_options {
    coulomb_function function;
    coulomb_search search;
    coulomb_rho_rule rho;
    int extragradient; /* so many steps of the extragradient method come first (9.4) */
} coulomb_newton_options;

enum {
    COULOMB_NEWTON_ITERATIONS = 200 /* default */
};

/* Memory for problems that are not larger than the shape, and dense as it is (coulomb_is_dense). */
typedef struct coulomb_newton coulomb_newton;
/* NULL: no memory. */
coulomb_newton *coulomb_newton_create(const carom_problem_shape *shape,
                                      const coulomb_newton_options *options);
/* Before a problem whose W has blocks at other places than that of the last one, if it is not dense. */
void coulomb_newton_forget(coulomb_newton *newton);
void coulomb_newton_free(coulomb_newton *newton);
/* r: start and result. Iterations are Newton steps, inner iterations those of the extragradient method, local
 * failures singular matrices that were regularised. STALLED: the line search collapsed, or there is no step.
 */
void coulomb_newton_solve(coulomb_newton *newton, const carom_coulomb *problem,
                          const carom_solver_options *limits, double *r, carom_solve_report *report);

/* Another line search from now on. */
void coulomb_newton_choose_search(coulomb_newton *newton, coulomb_search search);

/* One problem: create, solve, free. */
void coulomb_newton_once(const carom_coulomb *problem, const coulomb_newton_options *options,
                         const carom_solver_options *limits, double *r, carom_solve_report *report);

#endif
