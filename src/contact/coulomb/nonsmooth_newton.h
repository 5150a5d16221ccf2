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

/* Memory for many problems whose W have blocks at the same places; where W is treated as dense, for all that
 * have no more contacts. */
typedef struct coulomb_newton coulomb_newton;
/* NULL: no memory. */
coulomb_newton *coulomb_newton_create(const carom_blocks *W, const coulomb_newton_options *options);
void coulomb_newton_free(coulomb_newton *newton);
/* r: start and result. Iterations are Newton steps, inner iterations those of the extragradient method, local
 * failures singular matrices that were regularised. STALLED: the line search collapsed, or there is no step.
 */
void coulomb_newton_solve(coulomb_newton *newton, const carom_coulomb *problem,
                          const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report);

/* Another line search from now on. */
void coulomb_newton_choose_search(coulomb_newton *newton, coulomb_search search);

/* One problem: create, solve, free. */
void coulomb_newton_once(const carom_coulomb *problem, const coulomb_newton_options *options,
                         const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report);

extern const carom_coulomb_solver_ops coulomb_solver_nsn_ac, coulomb_solver_nsn_ac_gp,
    coulomb_solver_nsn_ac_a, coulomb_solver_nsn_jm, coulomb_solver_nsn_jm_gp, coulomb_solver_nsn_jm_a,
    coulomb_solver_nsn_nm, coulomb_solver_nsn_nm_gp, coulomb_solver_nsn_nm_a, coulomb_solver_nsn_fb,
    coulomb_solver_nsn_fb_gp, coulomb_solver_nsn_fb_a, coulomb_solver_nsn_ac_hybrid, coulomb_solver_newton;

#endif
