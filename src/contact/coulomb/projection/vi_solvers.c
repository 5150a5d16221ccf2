/* Every method has F(r) at hand after a step, and with it the residual that the error is made of: no cheaper
 * measure is needed between two looks, which cost a product with W. */
#include "vi_solvers.h"

#include <math.h>
#include <stdlib.h>

#include "contact/coulomb/vi_method.h"

enum {
    DEFAULT_ITERATIONS = 100000,
    LOOK_EVERY = 20, /* iterations between looks that keep the best iterate and report it */
};

enum {
    OPTION_RHO,
    OPTION_LARGEST_RATIO,
    OPTION_SMALLEST_RATIO,
    OPTION_FACTOR,
    OPTION_COUNT
};

#define RHO_TEXT "factor of the velocity in the projection"

static const carom_option_info adaptive_options[OPTION_COUNT] = {
    [OPTION_RHO] = {"rho", 1.0, 1e-300, 1e300, NULL, RHO_TEXT " at the start; adapts itself"},
    [OPTION_LARGEST_RATIO] = {"L", 0.9, 0.0, 1.0, NULL, "rho shrinks while the ratio of the test is larger"},
    [OPTION_SMALLEST_RATIO] = {"Lmin", 0.3, 0.0, 1.0, NULL, "rho grows when the ratio is smaller"},
    [OPTION_FACTOR] = {"nu", 2.0 / 3.0, 0.01, 0.99, NULL, "rho shrinks by this factor, grows by its inverse"},
};

static const carom_option_info fixed_options[] = {
    {"rho", 1.0, 1e-300, 1e300, NULL, RHO_TEXT ", in units of the inverse of W"},
};

/* True when the error must be computed in full. */
static bool is_worth_a_look(const coulomb_watch *watch, double error)
{
    return !(error > watch->limits->tolerance && error <= 1e20) ||
           watch->report->iterations % LOOK_EVERY == 0;
}

static carom_solve_word iterate(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_watch *watch,
                                coulomb_vi_state *state)
{
    carom_coulomb_report *report = watch->report;
    const double size = sqrt(carom_dot(3 * vi->W.rows, vi->b, vi->b));
    coulomb_vi_refresh(vi, state);
    for (;;) {
        const bool moved = coulomb_vi_step(vi, rule, state);
        report->iterations++;
        report->inner_iterations = state->products;
        const double error = coulomb_vi_residual(vi, state->r, state->F) / size;
        if (is_worth_a_look(watch, error) && coulomb_watch_look(watch, state->r))
            return report->word;
        if (!moved || coulomb_watch_is_over(watch)) {
            coulomb_watch_look(watch, state->r);
            return moved ? report->word : CAROM_SOLVE_STALLED;
        }
    }
}

static void solve(const coulomb_vi_rule *rule, double rho, const carom_coulomb *problem,
                  const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    const size_t size = 3 * (size_t)problem->contacts;
    double *const memory = carom_new_array((COULOMB_VI_WORK + 1) * size, sizeof(double));
    if (!memory) {
        *report = (carom_coulomb_report){.word = CAROM_SOLVE_MEMORY, .error = INFINITY};
        return;
    }
    const coulomb_vi vi = coulomb_vi_of(problem);
    coulomb_vi_state state = coulomb_vi_state_of(problem->contacts, rho, r, memory + size);
    coulomb_watch watch;
    carom_solve_word word = CAROM_SOLVE_OK;
    if (coulomb_watch_begin(&watch, problem, limits, DEFAULT_ITERATIONS, memory, r, report))
        word = report->word;
    else
        word = iterate(&vi, rule, &watch, &state);
    coulomb_watch_end(&watch, word, r);
    free(memory);
}

static void solve_adaptive(coulomb_vi_method method, coulomb_vi_test test, const carom_coulomb *problem,
                           const double *option, const carom_coulomb_limits *limits, double *r,
                           carom_coulomb_report *report)
{
    coulomb_vi_rule rule = coulomb_vi_rule_of(method, test);
    rule.largest_ratio = option[OPTION_LARGEST_RATIO];
    rule.smallest_ratio = option[OPTION_SMALLEST_RATIO];
    rule.factor = option[OPTION_FACTOR];
    solve(&rule, option[OPTION_RHO], problem, limits, r, report);
}

static void solve_fp_ds(const carom_coulomb *problem, const double *option,
                        const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_PROJECTION, COULOMB_VI_KHOBOTOV);
    solve(&rule, option[0], problem, limits, r, report);
}

static void solve_hp_vi(const carom_coulomb *problem, const double *option,
                        const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_HYPERPLANE, COULOMB_VI_KHOBOTOV);
    solve(&rule, option[0], problem, limits, r, report);
}

static void solve_fp_vi_upk(const carom_coulomb *problem, const double *option,
                            const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    solve_adaptive(COULOMB_VI_FIXED_POINT, COULOMB_VI_KHOBOTOV, problem, option, limits, r, report);
}

static void solve_fp_vi_upts(const carom_coulomb *problem, const double *option,
                             const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    solve_adaptive(COULOMB_VI_FIXED_POINT, COULOMB_VI_SOLODOV_TSENG, problem, option, limits, r, report);
}

static void solve_eg_vi_upk(const carom_coulomb *problem, const double *option,
                            const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    solve_adaptive(COULOMB_VI_EXTRAGRADIENT, COULOMB_VI_KHOBOTOV, problem, option, limits, r, report);
}

static void solve_eg_vi_upts(const carom_coulomb *problem, const double *option,
                             const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    solve_adaptive(COULOMB_VI_EXTRAGRADIENT, COULOMB_VI_SOLODOV_TSENG, problem, option, limits, r, report);
}

const carom_coulomb_solver_ops coulomb_fp_ds = {
    .name = "FP-DS",
    .summary = "projection with a fixed rho (De Saxce and Feng, Algorithm 1): diverges when rho is not small "
               "against W",
    .options = fixed_options,
    .option_count = 1,
    .solve = solve_fp_ds,
};

const carom_coulomb_solver_ops coulomb_fp_vi_upk = {
    .name = "FP-VI-UPK",
    .summary = "projected fixed point, step by Khobotov's test (101): slow and robust, any W, one product "
               "per iteration",
    .options = adaptive_options,
    .option_count = OPTION_COUNT,
    .solve = solve_fp_vi_upk,
};

const carom_coulomb_solver_ops coulomb_fp_vi_upts = {
    .name = "FP-VI-UPTS",
    .summary = "projected fixed point, step by the test of Solodov and Tseng (102): as FP-VI-UPK, often a "
               "little faster",
    .options = adaptive_options,
    .option_count = OPTION_COUNT,
    .solve = solve_fp_vi_upts,
};

const carom_coulomb_solver_ops coulomb_eg_vi_upk = {
    .name = "EG-VI-UPK",
    .summary = "extragradient (99), step by Khobotov's test (101): two products per iteration, where FP-VI "
               "oscillates",
    .options = adaptive_options,
    .option_count = OPTION_COUNT,
    .solve = solve_eg_vi_upk,
};

const carom_coulomb_solver_ops coulomb_eg_vi_upts = {
    .name = "EG-VI-UPTS",
    .summary = "extragradient (99), step by the test of Solodov and Tseng (102)",
    .options = adaptive_options,
    .option_count = OPTION_COUNT,
    .solve = solve_eg_vi_upts,
};

const carom_coulomb_solver_ops coulomb_hp_vi = {
    .name = "HP-VI",
    .summary = "projection on separating hyperplanes: for comparison, far slower than FP-VI and EG-VI",
    .options = fixed_options,
    .option_count = 1,
    .solve = solve_hp_vi,
};
