/* The nonsmooth Newton methods by their names (table 2 of the source), and a general one with options. */
#include "contact/coulomb/nonsmooth_newton.h"

static const char *const functions[] = {"ac", "jm", "nm", "fb", NULL};
static const char *const searches[] = {"none", "gp", "armijo", NULL};
static const char *const rules[] = {"110", "111", "112", "one", NULL};

#define RHO_DOC                                                                                              \
    "factors of the velocities in the equations: 1 / (norm of W_aa), (110); 1 / W_NN and 1 / (largest "      \
    "eigenvalue of W_TT), (111); its variant (112) with the condition of W_TT; 1"

static const carom_option_info rho_110[] = {{"rho", COULOMB_RHO_110, 0, 3, rules, RHO_DOC}};
static const carom_option_info rho_111[] = {{"rho", COULOMB_RHO_111, 0, 3, rules, RHO_DOC}};

static void solve(coulomb_function function, coulomb_search search, int extragradient,
                  const carom_coulomb *problem, double rho, const carom_coulomb_limits *limits, double *r,
                  carom_coulomb_report *report)
{
    const coulomb_newton_options options = {function, search, (coulomb_rho_rule)rho, extragradient};
    coulomb_newton_once(problem, &options, limits, r, report);
}

#define SOLVER(symbol, title, function, search, extragradient, rho_table, text)                              \
    static void solve_##symbol(const carom_coulomb *problem, const double *option,                           \
                               const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)  \
    {                                                                                                        \
        solve(function, search, extragradient, problem, option[0], limits, r, report);                       \
    }                                                                                                        \
    const carom_coulomb_solver_ops coulomb_solver_##symbol = {title, text, rho_table, 1, solve_##symbol}

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

static void solve_general(const carom_coulomb *problem, const double *option,
                          const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    solve((coulomb_function)option[0], (coulomb_search)option[1], (int)option[3], problem, option[2], limits,
          r, report);
}

const carom_coulomb_solver_ops coulomb_solver_newton = {
    "newton", "nonsmooth Newton with a choice of equations, line search and scaling (algorithm 4)", general,
    (int)(sizeof general / sizeof general[0]), solve_general};
