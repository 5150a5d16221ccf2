/* The nonsmooth Newton methods by their names (table 2 of the source), and a general one with options. They
 * take memory in a solve where the matrix is factored as a sparse one: more than 50 contacts, few blocks. */
#include "contact/coulomb/nonsmooth_newton.h"
#include "contact/solvers.h"

static const char *const functions[] = {"ac", "jm", "nm", "fb", NULL};
static const char *const searches[] = {"none", "gp", "armijo", NULL};
static const char *const rules[] = {"110", "111", "112", "one", NULL};

#define RHO_DOC                                                                                              \
    "factors of the velocities in the equations: 1 / (norm of W_aa), (110); 1 / W_NN and 1 / (largest "      \
    "eigenvalue of W_TT), (111); its variant (112) with the condition of W_TT; 1"

static const carom_option_info rho_110[] = {{"rho", COULOMB_RHO_110, 0, 3, rules, RHO_DOC}};
static const carom_option_info rho_111[] = {{"rho", COULOMB_RHO_111, 0, 3, rules, RHO_DOC}};

/* A name of the source stands for equations, line search and steps of the extragradient method; 'newton' has
 * them as options. */
static coulomb_newton_options options_of(const carom_solver *self)
{
    const double *option = self->option;
    const coulomb_newton_options *variant = self->ops->variant;
    if (!variant)
        return (coulomb_newton_options){(coulomb_function)option[0], (coulomb_search)option[1],
                                        (coulomb_rho_rule)option[2], (int)option[3]};
    coulomb_newton_options chosen = *variant;
    chosen.rho = (coulomb_rho_rule)option[0];
    return chosen;
}

static carom_status setup(carom_solver *self, carom_error *error)
{
    const coulomb_newton_options options = options_of(self);
    self->data = coulomb_newton_create(&self->shape, &options);
    return self->data ? CAROM_OK : carom_fail_memory(error);
}

static void free_data(carom_solver *self)
{
    coulomb_newton_free(self->data);
}

static void solve(carom_solver *self, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    coulomb_newton_forget(self->data);
    coulomb_newton_solve(self->data, problem, &self->limits, r, report);
}

#define FAMILY                                                                                               \
    .kind = CAROM_PROBLEM_COULOMB, .tolerance = 1e-8, .max_iterations = COULOMB_NEWTON_ITERATIONS,           \
    .setup = setup, .free = free_data, .solve.coulomb = solve

#define SOLVER(symbol, title, function, search, extragradient, rho_table, text)                              \
    const carom_solver_ops coulomb_solver_##symbol = {                                                       \
        .name = (title),                                                                                     \
        .summary = (text),                                                                                   \
        .options = (rho_table),                                                                              \
        .option_count = 1,                                                                                   \
        .variant = &(const coulomb_newton_options){function, search, COULOMB_RHO_111, extragradient},        \
        FAMILY}

#define AC "nonsmooth Newton on the equations of Alart and Curnier (63)"
#define JM "nonsmooth Newton on the equations of Jean and Moreau (61)"
#define NM "nonsmooth Newton on the natural map (51)"
#define FB "nonsmooth Newton on the equations of Fischer and Burmeister (79)"
#define FULL ", full steps; flexible bodies, W of full rank"
#define GP ", line search of Goldstein and Price; W of full rank, safer than full steps"
#define ARMIJO ", line search of Armijo; W of full rank"

SOLVER(nsn_ac, "NSN-AC", COULOMB_FUNCTION_AC, COULOMB_SEARCH_NONE, 0, rho_111, AC FULL);
SOLVER(nsn_ac_gp, "NSN-AC-GP", COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, 0, rho_111, AC GP);
SOLVER(nsn_ac_a, "NSN-AC-A", COULOMB_FUNCTION_AC, COULOMB_SEARCH_ARMIJO, 0, rho_111, AC ARMIJO);
SOLVER(nsn_jm, "NSN-JM", COULOMB_FUNCTION_JM, COULOMB_SEARCH_NONE, 0, rho_111, JM FULL);
SOLVER(nsn_jm_gp, "NSN-JM-GP", COULOMB_FUNCTION_JM, COULOMB_SEARCH_GP, 0, rho_111, JM GP);
SOLVER(nsn_jm_a, "NSN-JM-A", COULOMB_FUNCTION_JM, COULOMB_SEARCH_ARMIJO, 0, rho_111, JM ARMIJO);
SOLVER(nsn_nm, "NSN-NM", COULOMB_FUNCTION_NM, COULOMB_SEARCH_NONE, 0, rho_110, NM FULL);
SOLVER(nsn_nm_gp, "NSN-NM-GP", COULOMB_FUNCTION_NM, COULOMB_SEARCH_GP, 0, rho_110, NM GP);
SOLVER(nsn_nm_a, "NSN-NM-A", COULOMB_FUNCTION_NM, COULOMB_SEARCH_ARMIJO, 0, rho_110, NM ARMIJO);
SOLVER(nsn_fb, "NSN-FB", COULOMB_FUNCTION_FB, COULOMB_SEARCH_NONE, 0, rho_111, FB FULL);
SOLVER(nsn_fb_gp, "NSN-FB-GP", COULOMB_FUNCTION_FB, COULOMB_SEARCH_GP, 0, rho_111, FB GP);
SOLVER(nsn_fb_a, "NSN-FB-A", COULOMB_FUNCTION_FB, COULOMB_SEARCH_ARMIJO, 0, rho_111, FB ARMIJO);
SOLVER(nsn_ac_hybrid, "NSN-AC-HYBRID", COULOMB_FUNCTION_AC, COULOMB_SEARCH_NONE, 100, rho_111,
       AC ", full steps, after 100 steps of the extragradient method; flexible bodies far from the solution");

static const carom_option_info general[] = {
    {"function", COULOMB_FUNCTION_AC, 0, 3, functions,
     "the equations: of Alart and Curnier, of Jean and Moreau, natural map, of Fischer and Burmeister"},
    {"search", COULOMB_SEARCH_GP, 0, 2, searches, "line search: none, of Goldstein and Price, of Armijo"},
    {"rho", COULOMB_RHO_111, 0, 3, rules, RHO_DOC},
    {"extragradient", 0, 0, 1e9, NULL, "steps of the extragradient method before the first Newton step"},
};

const carom_solver_ops coulomb_solver_newton = {
    .name = "newton",
    .summary = "nonsmooth Newton with a choice of equations, line search and scaling (algorithm 4)",
    .options = general,
    .option_count = (int)(sizeof general / sizeof general[0]),
    FAMILY,
};
