/* Uzawa's predictor and corrector (de Saxce 2018, section 9): for contacts with elliptic cones, for steps of
 * quasi-static loading, and as the solver uzawa-bipotential of FC(W, q, mu). */
#include "uzawa.h"

#include <math.h>
#include <string.h>

#include "contact/coulomb/parts/anderson.h"
#include "contact/coulomb/parts/watch.h"

/* ---- elliptic cones --------------------------------------------------------------------------------- */

carom_uzawa_options carom_uzawa_defaults(void)
{
    return (carom_uzawa_options){
        .sweep = CAROM_UZAWA_GAUSS_SEIDEL, .tolerance = 1e-12, .max_iterations = 100000, .visits = 1};
}

static carom_status check_options(const carom_uzawa_options *options, carom_error *error)
{
    if (!(options->rho >= 0.0) || !isfinite(options->rho))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "rho = %g must be positive, or 0 for 1 / largest eigenvalue", options->rho);
    if (!(options->tolerance >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "tolerance = %g must not be negative", options->tolerance);
    if (options->max_iterations < 1 || options->visits < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "at least one iteration and one visit are needed");
    return CAROM_OK;
}

static carom_status iterate(coulomb_uzawa *uzawa, const carom_uzawa_options *options, double *r,
                            carom_uzawa_report *report)
{
    const int size = 3 * uzawa->problem->contacts;
    while (report->iterations < options->max_iterations) {
        report->change = coulomb_uzawa_advance(uzawa, r);
        report->iterations++;
        const double length = fmax(sqrt(carom_dot(size, r, r)), options->scale);
        if (report->change <= options->tolerance * length)
            return CAROM_OK;
        if (!isfinite(report->change))
            break;
    }
    return CAROM_FAILED;
}

carom_uzawa_report carom_uzawa_solve(const carom_elliptic_problem *problem,
                                     const carom_uzawa_options *options, double *r, carom_error *error)
{
    carom_uzawa_report report = {.status = check_options(options, error), .error = INFINITY};
    coulomb_uzawa uzawa;
    if (report.status != CAROM_OK)
        return report;
    if (!coulomb_uzawa_create(&uzawa, problem, options->sweep, options->rho, options->visits)) {
        report.status = carom_fail_memory(error);
        return report;
    }
    report.status = iterate(&uzawa, options, r, &report);
    report.halvings = uzawa.halvings;
    coulomb_uzawa_free(&uzawa);
    report.error = carom_elliptic_error(problem, r);
    report.certificate = carom_elliptic_certify(problem, r, NULL);
    if (report.status != CAROM_OK)
        carom_fail(
            error, report.status,
            "no convergence after %d iterations: last change %g, bipotential %g, penetration %g; lower "
            "rho, or allow more iterations. With much friction and coupling there may be no solution",
            report.iterations, report.change, report.certificate.power, report.certificate.penetration);
    return report;
}

carom_uzawa_report carom_uzawa_load_step(const carom_elliptic_problem *problem,
                                         const carom_uzawa_options *options, double *r, double *slip,
                                         double *dissipation, carom_error *error)
{
    const carom_uzawa_report report = carom_uzawa_solve(problem, options, r, error);
    if (report.status != CAROM_OK)
        return report;
    for (int a = 0; a < problem->contacts; a++) {
        double u[3];
        carom_blocks_row(&problem->W, a, r, problem->q, u);
        for (int k = 0; k < 2; k++) {
            slip[2 * (ptrdiff_t)a + k] += u[k + 1];
            *dissipation -= r[3 * (ptrdiff_t)a + k + 1] * u[k + 1];
        }
    }
    return report;
}

/* ---- FC(W, q, mu) ------------------------------------------------------------------------------------- */

enum {
    OPTION_SWEEP,
    OPTION_RHO,
    OPTION_VISITS,
    OPTION_MEMORY,
    OPTION_RATIO,
    OPTION_SLIP_RATIO,
    OPTION_ANGLE,
    OPTION_COUNT
};

enum {
    DEFAULT_ITERATIONS = 100000,
    SURE_LOOK = 25,       /* sweeps after which the error is computed in any case */
    LONG_PATIENCE = 2000, /* accelerated changes rise and fall without meaning that rho is too large */
};

static const char *const sweeps[] = {"gauss-seidel", "jacobi", NULL};
static const carom_option_info solver_options[OPTION_COUNT] = {
    [OPTION_SWEEP] = {"sweep", 0, 0, 1, sweeps, "contact after contact, or all at once"},
    [OPTION_RHO] = {"rho", 0, 0, 1e12, NULL,
                    "step; 0: 1 / largest eigenvalue, of W or of each contact's block. Halved where 50 "
                    "sweeps (accelerated: 2000) make no progress"},
    [OPTION_VISITS] = {"visits", 20, 1, 100000, NULL,
                       "most predictor and corrector steps at a contact per sweep; 1: as published"},
    [OPTION_MEMORY] = {"memory", 8, 0, COULOMB_ANDERSON_MOST, NULL,
                       "sweeps that Anderson's acceleration remembers; 0: none, as published"},
    [OPTION_RATIO] = {"ratio", 1, 1e-3, 1e3, NULL,
                      "orthotropic friction: mu_y = ratio mu, where mu_x is the mu of the problem"},
    [OPTION_SLIP_RATIO] = {"slip_ratio", 0, 0, 1e3, NULL,
                           "p_y / p_x of the slip potential; 0: as ratio, the associated rule"},
    [OPTION_ANGLE] = {"angle", 0, -1e3, 1e3, NULL,
                      "radians from the first tangent to the axis of mu_x, at every contact"},
};

/* The error costs a sweep: it is computed when the change is as small as the last quotient of error and
 * change makes hope. */
static void run_sweeps(coulomb_uzawa *uzawa, coulomb_anderson *anderson, coulomb_watch *watch, double *before,
                       double *r)
{
    const size_t bytes = 3 * (size_t)uzawa->problem->contacts * sizeof *r;
    carom_coulomb_report *report = watch->report;
    double change = INFINITY, hopeful = INFINITY;
    int since = 0;
    while (!coulomb_watch_is_over(watch)) {
        memcpy(before, r, bytes);
        change = coulomb_uzawa_advance(uzawa, r);
        report->iterations++;
        if (change <= hopeful || ++since >= SURE_LOOK) {
            since = 0;
            if (coulomb_watch_look(watch, r))
                return;
            hopeful = change * watch->limits->tolerance / watch->best_error;
        }
        if (change == 0.0) { /* a fixed point to rounding will not move any more */
            coulomb_watch_look(watch, r);
            report->word = CAROM_SOLVE_STALLED;
            return;
        }
        if (anderson->depth > 0)
            coulomb_anderson_step(anderson, before, r);
    }
    coulomb_watch_look(watch, r);
}

static carom_orthotropy orthotropy_of(const double *option)
{
    return (carom_orthotropy){.ratio = option[OPTION_RATIO],
                              .slip_ratio = option[OPTION_SLIP_RATIO],
                              .angle = option[OPTION_ANGLE]};
}

static bool is_round(const carom_orthotropy *orthotropy)
{
    return orthotropy->ratio == 1.0 && (orthotropy->slip_ratio == 0.0 || orthotropy->slip_ratio == 1.0);
}

static void solve_with(const carom_coulomb *problem, coulomb_uzawa *uzawa, coulomb_anderson *anderson,
                       const carom_elliptic_problem *counts, const carom_coulomb_limits *limits,
                       double *memory, double *r, carom_coulomb_report *report)
{
    coulomb_watch watch;
    if (anderson->depth > 0)
        uzawa->patience = LONG_PATIENCE;
    if (!coulomb_watch_begin_elliptic(&watch, problem, counts, limits, DEFAULT_ITERATIONS, memory, r, report))
        run_sweeps(uzawa, anderson, &watch, memory + 3 * (ptrdiff_t)problem->contacts, r);
    report->inner_iterations = uzawa->visited;
    coulomb_watch_end(&watch, report->word, r);
}

static void solve_uzawa(const carom_coulomb *problem, const double *option,
                        const carom_coulomb_limits *limits, double *r, carom_coulomb_report *report)
{
    const carom_orthotropy asked = orthotropy_of(option);
    const int depth = (int)option[OPTION_MEMORY];
    coulomb_uzawa uzawa = {0};
    coulomb_anderson anderson = {0};
    carom_arena *arena = carom_arena_create();
    double *memory = arena ? carom_arena_take(arena, 6 * (size_t)problem->contacts, sizeof *memory) : NULL;
    carom_elliptic_problem elliptic;
    if (memory && carom_elliptic_from_coulomb(problem, &asked, arena, &elliptic, NULL) == CAROM_OK &&
        coulomb_uzawa_create(&uzawa, &elliptic, (carom_uzawa_sweep)option[OPTION_SWEEP], option[OPTION_RHO],
                             (int)option[OPTION_VISITS]) &&
        (depth == 0 || coulomb_anderson_create(&anderson, 3 * problem->contacts, depth)))
        solve_with(problem, &uzawa, &anderson, is_round(&asked) ? NULL : &elliptic, limits, memory, r,
                   report);
    else
        *report = (carom_coulomb_report){.word = CAROM_SOLVE_MEMORY, .error = INFINITY};
    if (depth > 0)
        coulomb_anderson_free(&anderson);
    coulomb_uzawa_free(&uzawa);
    carom_arena_free(arena);
}

bool carom_solver_orthotropy(const carom_coulomb_solver_ops *solver, const double *option,
                             carom_orthotropy *orthotropy)
{
    if (solver != &coulomb_solver_uzawa_bipotential)
        return false;
    *orthotropy = orthotropy_of(option);
    return !is_round(orthotropy);
}

const carom_coulomb_solver_ops coulomb_solver_uzawa_bipotential = {
    .name = "uzawa-bipotential",
    .summary = "Uzawa's predictor and corrector on the bipotential of Coulomb's law (de Saxce 2018): any W, "
               "no factorisation, step lengths that correct themselves; round or elliptic friction cones",
    .options = solver_options,
    .option_count = OPTION_COUNT,
    .solve = solve_uzawa,
};
