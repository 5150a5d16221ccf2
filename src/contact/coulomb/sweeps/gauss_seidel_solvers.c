/* The solvers of the Gauss-Seidel family: their options and the names of the source (Table 3). */
#include "contact/coulomb/gauss_seidel.h"
#include "contact/coulomb/parts/anderson.h"
#include "contact/solvers.h"

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

/* A name of the source stands for a local solver; 'nsgs' has it as an option. */
static struct coulomb_nsgs_options options_of(const carom_solver *self)
{
    const double *option = self->option;
    const coulomb_local_method *local = self->ops->variant;
    return (struct coulomb_nsgs_options){
        .local = local ? *local : (coulomb_local_method)option[OPTION_LOCAL],
        .order = (coulomb_order)option[OPTION_ORDER],
        .seed = (uint64_t)option[OPTION_SEED],
        .omega = option[OPTION_OMEGA],
        .local_tolerance = option[OPTION_TOL_LOCAL],
        .adaptive = option[OPTION_ADAPTIVE] != 0.0,
        .every_error = option[OPTION_CHECK] != 0.0,
        .memory = (int)option[OPTION_MEMORY],
        .rho_is_one = self->ops->option_count >= OPTION_WITH_RHO && option[OPTION_RHO] != 0.0,
    };
}

static carom_status setup(carom_solver *self, carom_error *error)
{
    const struct coulomb_nsgs_options chosen = options_of(self);
    self->data = coulomb_gauss_seidel_create(self->shape.size, &chosen);
    return self->data ? CAROM_OK : carom_fail_memory(error);
}

static void free_data(carom_solver *self)
{
    coulomb_gauss_seidel_free(self->data);
}

static void solve(carom_solver *self, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    coulomb_gauss_seidel_solve(self->data, problem, &self->limits, r, report);
}

#define SOLVER(title, text, table, count, local)                                                             \
    {                                                                                                        \
        .name = (title), .summary = (text), .kind = CAROM_PROBLEM_COULOMB, .options = (table),               \
        .option_count = (count), .tolerance = 1e-8, .max_iterations = COULOMB_NSGS_SWEEPS,                   \
        .variant = (local), .setup = setup, .free = free_data, .solve.coulomb = solve                        \
    }
#define LOCAL(method)                                                                                        \
    &(const coulomb_local_method)                                                                            \
    {                                                                                                        \
        method                                                                                               \
    }

const carom_solver_ops coulomb_solver_nsgs = SOLVER(
    "nsgs", "block Gauss-Seidel (Algorithm 7), all options; first order, for many rigid bodies at 1e-4",
    options, OPTION_COUNT, NULL);
const carom_solver_ops coulomb_solver_nsgs_exact =
    SOLVER("NSGS-EXACT", "block Gauss-Seidel, contacts by enumeration: the first to try on rigid bodies",
           options, OPTION_COMMON, LOCAL(COULOMB_LOCAL_EXACT));
const carom_solver_ops coulomb_solver_nsgs_ac =
    SOLVER("NSGS-AC", "block Gauss-Seidel, contacts by Newton for Alart-Curnier (63)", options, OPTION_COMMON,
           LOCAL(COULOMB_LOCAL_NEWTON_AC));
const carom_solver_ops coulomb_solver_nsgs_jm =
    SOLVER("NSGS-JM", "block Gauss-Seidel, contacts by Newton for Jean-Moreau (61): unsymmetric W", options,
           OPTION_COMMON, LOCAL(COULOMB_LOCAL_NEWTON_JM));
const carom_solver_ops coulomb_solver_nsgs_ac_gp =
    SOLVER("NSGS-AC-GP", "as NSGS-AC with the line search of Goldstein and Price (Algorithm 5)", options,
           OPTION_COMMON, LOCAL(COULOMB_LOCAL_NEWTON_AC_GP));
const carom_solver_ops coulomb_solver_nsgs_jm_gp =
    SOLVER("NSGS-JM-GP", "as NSGS-JM with the line search of Goldstein and Price (Algorithm 5)", options,
           OPTION_COMMON, LOCAL(COULOMB_LOCAL_NEWTON_JM_GP));
const carom_solver_ops coulomb_solver_nsgs_fp_ds_one = SOLVER(
    "NSGS-FP-DS-One", "block Gauss-Seidel, one projection per contact: cheap sweeps, twice as many; any W",
    options, OPTION_WITH_RHO, LOCAL(COULOMB_LOCAL_PROJECTION));
const carom_solver_ops coulomb_solver_nsgs_fp_vi_upk =
    SOLVER("NSGS-FP-VI-UPK",
           "block Gauss-Seidel, contacts by projections with Khobotov's step (101): robust, slower", options,
           OPTION_COMMON, LOCAL(COULOMB_LOCAL_VI));
const carom_solver_ops coulomb_solver_psor_ac =
    SOLVER("PSOR-AC", "successive over-relaxation (119), contacts by Newton for Alart-Curnier; omega matters",
           psor_options, OPTION_COMMON, LOCAL(COULOMB_LOCAL_NEWTON_AC));
