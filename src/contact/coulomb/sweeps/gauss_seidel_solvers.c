/* The solvers of the Gauss-Seidel family: their options and the names of the source (Table 3). */
#include "contact/coulomb/gauss_seidel.h"
#include "contact/coulomb/parts/anderson.h"

/* Every table begins with the common options; the last two are for solvers that have them. */
enum {
    OPTION_ORDER,
    OPTION_SEED,
    OPTION_OMEGA,
    OPTION_TOL_LOCAL,
    OPTION_ADAPTIVE,
    OPTION_CHECK,
    OPTION_MEMORY,
    OPTION_COMMON,
    OPTION_RHO = OPTION_COMMON,
    OPTION_WITH_RHO,
    OPTION_LOCAL = OPTION_WITH_RHO,
    OPTION_COUNT
};

static const char *const orders[] = {"natural", "shuffled", "fully-shuffled", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const checks[] = {"adaptive", "every-sweep", NULL};
static const char *const rhos[] = {"scaled", "one", NULL};
static const char *const locals[] = {"exact",        "newton-ac", "newton-jm",  "newton-ac-gp",
                                     "newton-jm-gp", "vi",        "projection", NULL};

#define COMMON_OPTIONS(omega_default)                                                                        \
    [OPTION_ORDER] = {"order",                                                                               \
                      0,                                                                                     \
                      0,                                                                                     \
                      COULOMB_ORDERS - 1,                                                                    \
                      orders,                                                                                \
                      "of the contacts in a sweep: as given, one permutation, or one for every sweep"},      \
    [OPTION_SEED] = {"seed", 1, 0, 9007199254740992.0, NULL, "of the permutations"},                         \
    [OPTION_OMEGA] = {"omega",                                                                               \
                      omega_default,                                                                         \
                      0.01,                                                                                  \
                      2.0,                                                                                   \
                      NULL,                                                                                  \
                      "implicit relaxation (119): 1 is Gauss-Seidel, more is often faster and less sure"},   \
    [OPTION_TOL_LOCAL] = {"tol_local",                                                                       \
                          1e-14,                                                                             \
                          1e-16,                                                                             \
                          1.0,                                                                               \
                          NULL,                                                                              \
                          "error at which iterations for one contact stop, relative and free of units"},     \
    [OPTION_ADAPTIVE] =                                                                                      \
        {"adaptive", 0, 0, 1, no_yes, "solve contacts less precisely while sweeps still change much"},       \
    [OPTION_CHECK] =                                                                                         \
        {"check", 0,                                                                                         \
         0,       1,                                                                                         \
         checks,  "when to compute the error, which costs a sweep: when the change lets hope, or always"},   \
    [OPTION_MEMORY] = {"memory", 0,                                                                          \
                       0,        COULOMB_ANDERSON_MOST,                                                      \
                       NULL,     "sweeps that Anderson's acceleration remembers; 0: none"}

static const carom_option_info options[OPTION_COUNT] = {
    COMMON_OPTIONS(1.0),
    [OPTION_RHO] = {"rho", 0, 0, 1, rhos,
                    "step of the projection: 1 / largest eigenvalue of the contact's block, or 1"},
    [OPTION_LOCAL] = {"local", 0, 0, COULOMB_LOCAL_METHODS - 1, locals, "solver of one contact"},
};

static const carom_option_info psor_options[OPTION_COMMON] = {COMMON_OPTIONS(1.2)};

static struct coulomb_nsgs_options common_options(const double *option, coulomb_local_method local)
{
    return (struct coulomb_nsgs_options){.local = local,
                                         .order = (coulomb_order)option[OPTION_ORDER],
                                         .seed = (uint64_t)option[OPTION_SEED],
                                         .omega = option[OPTION_OMEGA],
                                         .local_tolerance = option[OPTION_TOL_LOCAL],
                                         .adaptive = option[OPTION_ADAPTIVE] != 0.0,
                                         .every_error = option[OPTION_CHECK] != 0.0,
                                         .memory = (int)option[OPTION_MEMORY]};
}

static void solve_nsgs(const carom_coulomb *problem, const double *option, const carom_coulomb_limits *limits,
                       double *r, carom_coulomb_report *report)
{
    struct coulomb_nsgs_options chosen = common_options(option, (coulomb_local_method)option[OPTION_LOCAL]);
    chosen.rho_is_one = option[OPTION_RHO] != 0.0;
    coulomb_nsgs(problem, &chosen, limits, r, report);
}

static void solve_projection(const carom_coulomb *problem, const double *option,
                             const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    struct coulomb_nsgs_options chosen = common_options(option, COULOMB_LOCAL_PROJECTION);
    chosen.rho_is_one = option[OPTION_RHO] != 0.0;
    coulomb_nsgs(problem, &chosen, limits, r, report);
}

/* One function per name, because a solver is known by its function only. */
#define SOLVE_WITH(name, local)                                                                              \
    static void name(const carom_coulomb *problem, const double *option, const carom_coulomb_limits *limits, \
                     double *r, carom_coulomb_report *report)                                                \
    {                                                                                                        \
        const struct coulomb_nsgs_options chosen = common_options(option, local);                            \
        coulomb_nsgs(problem, &chosen, limits, r, report);                                                   \
    }
SOLVE_WITH(solve_exact, COULOMB_LOCAL_EXACT)
SOLVE_WITH(solve_ac, COULOMB_LOCAL_NEWTON_AC)
SOLVE_WITH(solve_jm, COULOMB_LOCAL_NEWTON_JM)
SOLVE_WITH(solve_ac_gp, COULOMB_LOCAL_NEWTON_AC_GP)
SOLVE_WITH(solve_jm_gp, COULOMB_LOCAL_NEWTON_JM_GP)
SOLVE_WITH(solve_vi, COULOMB_LOCAL_VI)

const carom_coulomb_solver_ops coulomb_solver_nsgs = {
    "nsgs", "block Gauss-Seidel (Algorithm 7), all options; first order, for many rigid bodies at 1e-4",
    options, OPTION_COUNT, solve_nsgs};
const carom_coulomb_solver_ops coulomb_solver_nsgs_exact = {
    "NSGS-EXACT", "block Gauss-Seidel, contacts by enumeration: the first to try on rigid bodies", options,
    OPTION_COMMON, solve_exact};
const carom_coulomb_solver_ops coulomb_solver_nsgs_ac = {
    "NSGS-AC", "block Gauss-Seidel, contacts by Newton for Alart-Curnier (63)", options, OPTION_COMMON,
    solve_ac};
const carom_coulomb_solver_ops coulomb_solver_nsgs_jm = {
    "NSGS-JM", "block Gauss-Seidel, contacts by Newton for Jean-Moreau (61): unsymmetric W", options,
    OPTION_COMMON, solve_jm};
const carom_coulomb_solver_ops coulomb_solver_nsgs_ac_gp = {
    "NSGS-AC-GP", "as NSGS-AC with the line search of Goldstein and Price (Algorithm 5)", options,
    OPTION_COMMON, solve_ac_gp};
const carom_coulomb_solver_ops coulomb_solver_nsgs_jm_gp = {
    "NSGS-JM-GP", "as NSGS-JM with the line search of Goldstein and Price (Algorithm 5)", options,
    OPTION_COMMON, solve_jm_gp};
const carom_coulomb_solver_ops coulomb_solver_nsgs_fp_ds_one = {
    "NSGS-FP-DS-One", "block Gauss-Seidel, one projection per contact: cheap sweeps, twice as many; any W",
    options, OPTION_WITH_RHO, solve_projection};
const carom_coulomb_solver_ops coulomb_solver_nsgs_fp_vi_upk = {
    "NSGS-FP-VI-UPK",
    "block Gauss-Seidel, contacts by projections with Khobotov's step (101): robust, slower", options,
    OPTION_COMMON, solve_vi};
const carom_coulomb_solver_ops coulomb_solver_psor_ac = {
    "PSOR-AC", "successive over-relaxation (119), contacts by Newton for Alart-Curnier; omega matters",
    psor_options, OPTION_COMMON, solve_ac};
