/* FC(W, q, mu) as a variational inequality over the product of cones, (40), by projection methods.
 *
 * Every method has F(r) at hand after a step, and with it the residual that the error is made of: no cheaper
 * measure is needed between two looks, which cost a product with W. */
#include <math.h>

#include "contact/coulomb/vi_method.h"
#include "contact/solvers.h"

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
    carom_solve_report *report = watch->report;
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

/* ---- by name ---------------------------------------------------------------------------------------- */

typedef struct vi_variant {
    coulomb_vi_method method;
    coulomb_vi_test test;
} vi_variant;

/* The constants of the source, but for those that are options. */
static coulomb_vi_rule rule_of(const carom_solver *self)
{
    const vi_variant *variant = self->ops->variant;
    coulomb_vi_rule rule = coulomb_vi_rule_of(variant->method, variant->test);
    if (self->ops->option_count < OPTION_COUNT)
        return rule;
    rule.largest_ratio = self->option[OPTION_LARGEST_RATIO];
    rule.smallest_ratio = self->option[OPTION_SMALLEST_RATIO];
    rule.factor = self->option[OPTION_FACTOR];
    return rule;
}

/* The best iterate, and what a step needs. */
static size_t work_size(const carom_problem_shape *shape)
{
    return (COULOMB_VI_WORK + 1) * 3 * (size_t)shape->size;
}

static void solve(carom_solver *self, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    const coulomb_vi vi = coulomb_vi_of(problem);
    const coulomb_vi_rule rule = rule_of(self);
    double *best = self->work, *rest = self->work + 3 * (ptrdiff_t)problem->contacts;
    coulomb_vi_state state = coulomb_vi_state_of(problem->contacts, self->option[OPTION_RHO], r, rest);
    coulomb_watch watch;
    carom_solve_word word = CAROM_SOLVE_OK;
    if (coulomb_watch_begin(&watch, problem, &self->limits, DEFAULT_ITERATIONS, best, r, report))
        word = report->word;
    else
        word = iterate(&vi, &rule, &watch, &state);
    coulomb_watch_end(&watch, word, r);
}

#define FAMILY(vi_method, vi_test)                                                                           \
    .kind = CAROM_PROBLEM_COULOMB, .tolerance = 1e-8, .max_iterations = DEFAULT_ITERATIONS,                  \
    .variant = &(const vi_variant){vi_method, vi_test}, .work_size = work_size, .solve.coulomb = solve
#define ADAPTIVE .options = adaptive_options, .option_count = OPTION_COUNT
#define FIXED .options = fixed_options, .option_count = 1

const carom_solver_ops coulomb_fp_ds = {
    .name = "FP-DS",
    .summary = "projection with a fixed rho (De Saxce and Feng, Algorithm 1): diverges when rho is not small "
               "against W",
    FIXED,
    FAMILY(COULOMB_VI_PROJECTION, COULOMB_VI_KHOBOTOV),
};

const carom_solver_ops coulomb_fp_vi_upk = {
    .name = "FP-VI-UPK",
    .summary = "projected fixed point, step by Khobotov's test (101): slow and robust, any W, one product "
               "per iteration",
    ADAPTIVE,
    FAMILY(COULOMB_VI_FIXED_POINT, COULOMB_VI_KHOBOTOV),
};

const carom_solver_ops coulomb_fp_vi_upts = {
    .name = "FP-VI-UPTS",
    .summary = "projected fixed point, step by the test of Solodov and Tseng (102): as FP-VI-UPK, often a "
               "little faster",
    ADAPTIVE,
    FAMILY(COULOMB_VI_FIXED_POINT, COULOMB_VI_SOLODOV_TSENG),
};

const carom_solver_ops coulomb_eg_vi_upk = {
    .name = "EG-VI-UPK",
    .summary = "extragradient (99), step by Khobotov's test (101): two products per iteration, where FP-VI "
               "oscillates",
    ADAPTIVE,
    FAMILY(COULOMB_VI_EXTRAGRADIENT, COULOMB_VI_KHOBOTOV),
};

const carom_solver_ops coulomb_eg_vi_upts = {
    .name = "EG-VI-UPTS",
    .summary = "extragradient (99), step by the test of Solodov and Tseng (102)",
    ADAPTIVE,
    FAMILY(COULOMB_VI_EXTRAGRADIENT, COULOMB_VI_SOLODOV_TSENG),
};

const carom_solver_ops coulomb_hp_vi = {
    .name = "HP-VI",
    .summary = "projection on separating hyperplanes: for comparison, far slower than FP-VI and EG-VI",
    FIXED,
    FAMILY(COULOMB_VI_HYPERPLANE, COULOMB_VI_KHOBOTOV),
};
