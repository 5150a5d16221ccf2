#include "contact/coulomb/proximal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/gauss_seidel.h"
#include "contact/coulomb/nonsmooth_newton.h"
#include "contact/coulomb/parts/watch.h"
#include "contact/solvers.h"

enum {
    DEFAULT_ITERATIONS = 300
};

/* The problem FC(W + alpha I, q - alpha r, mu) and its solver. */
struct coulomb_proximal {
    const carom_coulomb *problem;
    coulomb_proximal_options options;
    double alpha, smallest, largest; /* alpha and its limits */
    bool full_steps;                 /* are still tried before the line search */
    double q_size;
    double *block, *q, *z, *best;
    carom_coulomb inner;
    coulomb_newton *newton; /* NULL: */
    coulomb_gauss_seidel *gauss_seidel;
};
typedef struct coulomb_proximal proximal;

/* alpha stays within these parts of the mean diagonal of W (or alpha0, when that is larger): below, it is
 * lost in the rounding of W; above, r no longer moves. */
static const double smallest_part = 1e-13, largest_part = 1e10;

static double mean_diagonal(const carom_blocks *W)
{
    double sum = 0.0;
    for (int a = 0; a < W->rows; a++) {
        const double *block = carom_block_at(W, W->diagonal[a]);
        sum += fabs(block[0]) + fabs(block[4]) + fabs(block[8]);
    }
    return sum > 0.0 ? sum / (3.0 * W->rows) : 1.0;
}

static bool create_inner_solver(proximal *ppa, const carom_problem_shape *shape)
{
    if (ppa->options.solver == COULOMB_PROXIMAL_GAUSS_SEIDEL) {
        struct coulomb_nsgs_options sweeps = coulomb_nsgs_defaults();
        sweeps.local = COULOMB_LOCAL_NEWTON_AC;
        ppa->gauss_seidel = coulomb_gauss_seidel_create(shape->size, &sweeps);
        return ppa->gauss_seidel;
    }
    const bool search = ppa->options.solver == COULOMB_PROXIMAL_NEWTON_GP;
    const coulomb_newton_options options = {.function = COULOMB_FUNCTION_AC,
                                            .search = search ? COULOMB_SEARCH_GP : COULOMB_SEARCH_NONE,
                                            .rho = COULOMB_RHO_111};
    ppa->newton = coulomb_newton_create(shape, &options);
    return ppa->newton;
}

coulomb_proximal *coulomb_proximal_create(const carom_problem_shape *shape,
                                          const coulomb_proximal_options *options)
{
    proximal *ppa = carom_new_array(1, sizeof *ppa);
    if (!ppa)
        return NULL;
    const size_t size = 3 * (size_t)shape->size;
    ppa->options = *options;
    ppa->block = carom_new_array(9 * (size_t)shape->blocks, sizeof *ppa->block);
    ppa->q = carom_new_array(3 * size, sizeof *ppa->q);
    if (ppa->block && ppa->q && create_inner_solver(ppa, shape)) {
        ppa->z = ppa->q + size;
        ppa->best = ppa->z + size;
        return ppa;
    }
    coulomb_proximal_free(ppa);
    return NULL;
}

void coulomb_proximal_free(coulomb_proximal *ppa)
{
    if (!ppa)
        return;
    free(ppa->block);
    free(ppa->q);
    coulomb_newton_free(ppa->newton);
    coulomb_gauss_seidel_free(ppa->gauss_seidel);
    free(ppa);
}

static void prepare(proximal *ppa, const carom_coulomb *problem)
{
    const coulomb_proximal_options *options = &ppa->options;
    const int size = 3 * problem->contacts;
    const double mean = mean_diagonal(&problem->W);
    ppa->problem = problem;
    ppa->alpha = options->alpha0_rel > 0.0 ? options->alpha0_rel * mean : options->alpha0;
    ppa->smallest = smallest_part * mean;
    ppa->largest = largest_part * fmax(mean, ppa->alpha);
    ppa->full_steps = options->full_steps > 0;
    ppa->q_size = sqrt(carom_dot(size, problem->q, problem->q));
    memcpy(ppa->block, problem->W.block,
           9 * (size_t)problem->W.row_start[problem->contacts] * sizeof *ppa->block);
    ppa->inner = *problem;
    ppa->inner.W.block = ppa->block;
    ppa->inner.q = ppa->q;
    if (ppa->newton)
        coulomb_newton_forget(ppa->newton);
}

/* W + alpha I, q - alpha r */
static void pose_inner(const proximal *ppa, const double *r)
{
    const carom_coulomb *problem = ppa->problem;
    for (int a = 0; a < problem->contacts; a++) {
        const int place = problem->W.diagonal[a];
        const double *from = carom_block_at(&problem->W, place);
        double *to = ppa->block + 9 * (ptrdiff_t)place;
        for (int k = 0; k < 3; k++) {
            to[4 * k] = from[4 * k] + ppa->alpha;
            ppa->q[3 * a + k] = problem->q[3 * a + k] - ppa->alpha * r[3 * a + k];
        }
    }
}

/* Solves the inner problem for z from r. */
static carom_solve_word run_solver(const proximal *ppa, const coulomb_watch *watch,
                                   const carom_solver_options *limits, const double *r)
{
    carom_solve_report report;
    memcpy(ppa->z, r, 3 * (size_t)ppa->problem->contacts * sizeof *r);
    if (ppa->newton)
        coulomb_newton_solve(ppa->newton, &ppa->inner, limits, ppa->z, &report);
    else
        coulomb_gauss_seidel_solve(ppa->gauss_seidel, &ppa->inner, limits, ppa->z, &report);
    watch->report->inner_iterations += report.iterations;
    return report.word;
}

static carom_solve_word run_full_steps(const proximal *ppa, const coulomb_watch *watch,
                                       const carom_solver_options *limits, const double *r)
{
    coulomb_newton_choose_search(ppa->newton, COULOMB_SEARCH_NONE);
    const carom_solve_word word = run_solver(ppa, watch, limits, r);
    coulomb_newton_choose_search(ppa->newton, COULOMB_SEARCH_GP);
    return word;
}

static bool is_better(const proximal *ppa, double error)
{
    return carom_coulomb_error(ppa->problem, ppa->z) < error;
}

/* Some full steps are quicker than any search where they lead to a solution; where they did not once, they
 * are not tried again. */
static bool try_few_full_steps(proximal *ppa, const coulomb_watch *watch, const carom_solver_options *limits,
                               const double *r)
{
    if (!ppa->full_steps)
        return false;
    carom_solver_options few = *limits;
    few.max_iterations = ppa->options.full_steps;
    ppa->full_steps = run_full_steps(ppa, watch, &few, r) == CAROM_SOLVE_OK;
    return ppa->full_steps;
}

/* To a tenth of the error of r, measured by |q| of the problem itself. A line search may end in a minimum of
 * |G| that is no zero: when it leaves nothing better than r, full steps are tried. True on success. */
static bool solve_inner(proximal *ppa, const coulomb_watch *watch, const double *r, double error)
{
    const carom_solver_options *outer = watch->limits;
    const int size = 3 * ppa->problem->contacts;
    pose_inner(ppa, r);
    carom_solver_options limits = {.max_iterations = ppa->options.inner_iterations,
                                   .progress = outer->progress};
    limits.tolerance = error / 10 * ppa->q_size / sqrt(carom_dot(size, ppa->q, ppa->q));
    if (outer->max_seconds > 0.0)
        limits.max_seconds = fmax(1e-6, outer->max_seconds - (carom_seconds() - watch->started));
    if (try_few_full_steps(ppa, watch, &limits, r))
        return true;
    carom_solve_word word = run_solver(ppa, watch, &limits, r);
    if (word != CAROM_SOLVE_OK && ppa->options.solver == COULOMB_PROXIMAL_NEWTON_GP && !is_better(ppa, error))
        word = run_full_steps(ppa, watch, &limits, r);
    watch->report->local_failures += word != CAROM_SOLVE_OK;
    return word == CAROM_SOLVE_OK;
}

static void choose_alpha(proximal *ppa, bool solved, double error)
{
    const coulomb_proximal_options *options = &ppa->options;
    if (options->rule == COULOMB_PROXIMAL_ADAPTIVE)
        ppa->alpha = options->sigma * pow(error, options->nu);
    else
        ppa->alpha *= solved ? 0.1 : 5.0;
    ppa->alpha = fmin(fmax(ppa->alpha, ppa->smallest), ppa->largest);
}

/* r := (1 - omega) r + omega z. An inner problem that was not solved may still have given a better r. */
static bool move(const proximal *ppa, bool solved, double error, double *r)
{
    const int size = 3 * ppa->problem->contacts;
    if (!solved && !is_better(ppa, error))
        return false;
    for (int i = 0; i < size; i++)
        r[i] += ppa->options.omega * (ppa->z[i] - r[i]);
    return true;
}

static carom_solve_word iterate(proximal *ppa, coulomb_watch *watch, double *r)
{
    double error = carom_coulomb_error(ppa->problem, r);
    if (ppa->options.rule == COULOMB_PROXIMAL_ADAPTIVE)
        choose_alpha(ppa, true, error);
    for (;;) {
        const double alpha = ppa->alpha;
        const bool solved = solve_inner(ppa, watch, r, error), moved = move(ppa, solved, error, r);
        watch->report->iterations++;
        if (moved ? coulomb_watch_look(watch, r) : coulomb_watch_is_over(watch))
            return watch->report->word;
        error = carom_coulomb_error(ppa->problem, r);
        choose_alpha(ppa, solved, error);
        if (!moved && ppa->alpha == alpha)
            return CAROM_SOLVE_STALLED;
    }
}

void coulomb_proximal_solve(coulomb_proximal *ppa, const carom_coulomb *problem,
                            const carom_solver_options *limits, double *r, carom_solve_report *report)
{
    coulomb_watch watch;
    prepare(ppa, problem);
    const bool over = coulomb_watch_begin(&watch, problem, limits, DEFAULT_ITERATIONS, ppa->best, r, report);
    coulomb_watch_end(&watch, over ? report->word : iterate(ppa, &watch, r), r);
}

/* ---- by name ---------------------------------------------------------------------------------------- */

enum {
    OPTION_COUNT = 7,
    OPTION_FULL_STEPS = OPTION_COUNT,
    OPTION_COUNT_GP
};

static const char *const rules[] = {"heuristic", "adaptive", NULL};

/* The table differs in the last entry: `steps` is its default, `what` are its iterations. */
#define OPTIONS(steps, what)                                                                                 \
    {"rule",                                                                                                 \
     COULOMB_PROXIMAL_HEURISTIC,                                                                             \
     0,                                                                                                      \
     1,                                                                                                      \
     rules,                                                                                                  \
     "heuristic: alpha becomes alpha / 10 when the inner problem was solved, 5 alpha otherwise; "            \
     "adaptive: sigma error^nu (125)"},                                                                      \
        {"alpha0", 1e3, 1e-300, 1e300, NULL, "first alpha of the heuristic rule"},                           \
        {"alpha0_rel", 0,    0,                                                                              \
         1e300,        NULL, "when positive, in place of alpha0: this times the mean diagonal of W"},        \
        {"sigma", 5, 1e-300, 1e300, NULL, "factor of the adaptive rule"},                                    \
        {"nu", 1, 1e-3, 10, NULL, "exponent of the adaptive rule"},                                          \
        {"omega", 1, 1e-3, 2, NULL, "relaxation: r becomes (1 - omega) r + omega z"},                        \
    {                                                                                                        \
        "inner_iterations", steps, 1, 1e9, NULL, "most " what " for one inner problem"                       \
    }

static const carom_option_info newton_options[OPTION_COUNT] = {OPTIONS(40, "Newton steps")};
static const carom_option_info gp_options[OPTION_COUNT_GP] = {
    OPTIONS(40, "Newton steps"),
    [OPTION_FULL_STEPS] = {"full_steps", 0, 0, 1e9, NULL,
                           "Newton steps without line search that are tried first, until they fail once"}};
static const carom_option_info sweep_options[OPTION_COUNT] = {OPTIONS(1000, "sweeps")};

static carom_status setup(carom_solver *self, carom_error *error)
{
    const double *option = self->option;
    const coulomb_proximal_inner solver = *(const coulomb_proximal_inner *)self->ops->variant;
    const coulomb_proximal_options options = {
        .solver = solver,
        .rule = (coulomb_proximal_rule)option[0],
        .alpha0 = option[1],
        .alpha0_rel = option[2],
        .sigma = option[3],
        .nu = option[4],
        .omega = option[5],
        .inner_iterations = (int)option[6],
        .full_steps = solver == COULOMB_PROXIMAL_NEWTON_GP ? (int)option[OPTION_FULL_STEPS] : 0};
    self->data = coulomb_proximal_create(&self->shape, &options);
    return self->data ? CAROM_OK : carom_fail_memory(error);
}

static void free_data(carom_solver *self)
{
    coulomb_proximal_free(self->data);
}

static void solve(carom_solver *self, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    coulomb_proximal_solve(self->data, problem, &self->limits, r, report);
}

#define SUMMARY "proximal point algorithm (algorithm 8), inner problems FC(W + alpha I, q - alpha r) by "
#define SOLVER(title, text, table, count, inner_solver)                                                      \
    {                                                                                                        \
        .name = (title), .summary = SUMMARY text, .kind = CAROM_PROBLEM_COULOMB, .options = (table),         \
        .option_count = (count), .tolerance = 1e-8, .max_iterations = DEFAULT_ITERATIONS,                    \
        .variant = &(const coulomb_proximal_inner){inner_solver}, .setup = setup, .free = free_data,         \
        .solve.coulomb = solve                                                                               \
    }

const carom_solver_ops coulomb_solver_ppa_nsn_ac =
    SOLVER("PPA-NSN-AC", "NSN-AC; rigid bodies, W of any rank, small tolerances", newton_options,
           OPTION_COUNT, COULOMB_PROXIMAL_NEWTON);
const carom_solver_ops coulomb_solver_ppa_nsn_ac_gp = SOLVER(
    "PPA-NSN-AC-GP", "NSN-AC-GP; rigid bodies, W of any rank, small tolerances: the first choice there",
    gp_options, OPTION_COUNT_GP, COULOMB_PROXIMAL_NEWTON_GP);
const carom_solver_ops coulomb_solver_ppa_nsgs_ac =
    SOLVER("PPA-NSGS-AC", "NSGS-AC; rigid bodies whose W is too large to be factored", sweep_options,
           OPTION_COUNT, COULOMB_PROXIMAL_GAUSS_SEIDEL);
