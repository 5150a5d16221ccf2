/* The default: presolve, then sweeps while they promise to end soon, then the proximal point method with
 * Newton inside, then whatever else may help; always the best iterate and its own error.
 *
 *   never-active contacts out, islands apart
 *     -> Gauss-Seidel, exact contacts: its rate of convergence tells after some sweeps how many are left
 *     -> PPA-NSN-AC-GP from there
 *     -> the others, each from the best iterate so far */
#include "coulomb_auto.h"

#include <math.h>
#include <string.h>

#include "coulomb_convex.h"
#include "coulomb_gauss_seidel.h"
#include "coulomb_newton.h"
#include "coulomb_presolve.h"
#include "coulomb_proximal.h"

enum {
    OPTION_SWEEPS,
    OPTION_PATIENCE,
    OPTION_COUNT,
    SMALL = 40 /* contacts up to which a few plain Newton steps are tried before the proximal point method */
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_SWEEPS] = {"sweeps", 25, 1, 1e6, NULL,
                       "Gauss-Seidel sweeps before the rate of convergence is looked at"},
    [OPTION_PATIENCE] =
        {"patience", 10, 0, 1e9, NULL,
         "Gauss-Seidel goes on while it promises to cost no more than this many Newton steps"},
};

/* One island on its way. */
typedef struct stages {
    const carom_coulomb *problem;
    const carom_coulomb_limits *limits;
    const double *option;
    double *r, *kept;
    carom_coulomb_report total;
    double started;
} stages;

static bool time_is_over(const stages *s)
{
    return s->limits->max_seconds > 0.0 && carom_seconds() - s->started > s->limits->max_seconds;
}

static bool iterations_are_over(const stages *s)
{
    return s->limits->max_iterations > 0 && s->total.iterations >= s->limits->max_iterations;
}

static bool is_over(const stages *s)
{
    return time_is_over(s) || iterations_are_over(s);
}

static carom_coulomb_limits limits_of_stage(const stages *s, int iterations)
{
    carom_coulomb_limits limits = {.tolerance = s->limits->tolerance, .max_iterations = iterations};
    const double left = s->limits->max_seconds - (carom_seconds() - s->started);
    const int iterations_left = s->limits->max_iterations - s->total.iterations;
    if (s->limits->max_iterations > 0 && (iterations == 0 || iterations_left < iterations))
        limits.max_iterations = iterations_left > 1 ? iterations_left : 1;
    if (s->limits->max_seconds > 0.0)
        limits.max_seconds = fmax(left, 1e-6);
    return limits;
}

static void tell(const carom_coulomb_limits *limits, int iterations, double error, double started)
{
    if (limits->report)
        limits->report(limits->context, iterations, error, carom_seconds() - started);
}

/* Adds a stage's work to the whole; true when the problem is solved. */
static bool add_stage(stages *s, const carom_coulomb_report *stage)
{
    s->total.iterations += stage->iterations;
    s->total.inner_iterations += stage->inner_iterations;
    s->total.local_failures += stage->local_failures;
    s->total.error = stage->error;
    s->total.word = stage->word;
    tell(s->limits, s->total.iterations, stage->error, s->started);
    return stage->word == CAROM_SOLVE_OK;
}

/* How many sweeps take as long as a Newton step. From the numbers of blocks and contacts, not from a clock:
 * the same problem must take the same way every time. A dense factorisation does some 3 operations per
 * nanosecond; a sparse one has been seen to cost 20 to 60 sweeps. */
static double sweeps_per_newton_step(const carom_coulomb *problem)
{
    const double n = problem->contacts, blocks = problem->W.row_start[problem->contacts];
    const double sweep_ns = 3.5 * blocks + 50.0 * n, sparse = 120.0;
    if (blocks < 0.25 * n * n)
        return sparse;
    return 27.0 * n * n * n * (2.0 / 3.0) / 3.0 / sweep_ns;
}

/* Sweeps until they are done, hopeless, or more than Newton's method is worth; true when the problem is
 * solved. The error, which falls like rate^sweeps, tells how many are left. */
static bool sweep(stages *s)
{
    const struct coulomb_nsgs_options nsgs = coulomb_nsgs_defaults();
    const double budget = s->option[OPTION_PATIENCE] * sweeps_per_newton_step(s->problem);
    int sweeps = (int)s->option[OPTION_SWEEPS];
    double before = carom_coulomb_error(s->problem, s->r), spent = 0.0;
    for (;;) {
        const carom_coulomb_limits limits = limits_of_stage(s, sweeps);
        carom_coulomb_report report;
        coulomb_nsgs(s->problem, &nsgs, &limits, s->r, &report);
        if (add_stage(s, &report))
            return true;
        if (report.word != CAROM_SOLVE_ITERATIONS || is_over(s))
            return false;
        spent += sweeps;
        const double rate = log(report.error / before) / sweeps;
        const double left = log(s->limits->tolerance / report.error) / rate;
        if (!(rate < 0.0) || spent + left > budget)
            return false;
        before = report.error;
        sweeps = (int)fmin(fmax(1.2 * left, (double)sweeps), 6.0 * sweeps);
    }
}

/* A solver, from the best iterate or from zero; what it finds is kept when it is better. */
static bool run_solver(stages *s, const carom_coulomb_solver_ops *solver, int iterations, bool fresh)
{
    enum {
        OPTIONS_MAX = 16
    };
    double option[OPTIONS_MAX];
    for (int i = 0; i < solver->option_count && i < OPTIONS_MAX; i++)
        option[i] = solver->options[i].value;
    const size_t bytes = 3 * (size_t)s->problem->contacts * sizeof *s->r;
    const double before = s->total.error;
    memcpy(s->kept, s->r, bytes);
    if (fresh)
        memset(s->r, 0, bytes);
    const carom_coulomb_limits limits = limits_of_stage(s, iterations);
    carom_coulomb_report report;
    solver->solve(s->problem, option, &limits, s->r, &report);
    if (add_stage(s, &report))
        return true;
    if (!(report.error < before)) {
        memcpy(s->r, s->kept, bytes);
        s->total.error = before;
    }
    return false;
}

/* Newton's method may run into a corner from one start and not from another, so zero is tried as well. */
static void run_stages(stages *s)
{
    static const struct {
        const carom_coulomb_solver_ops *solver;
        int iterations;
        bool fresh;
    } stage[] = {
        {&coulomb_solver_ppa_nsn_ac_gp, 40, false},     {&coulomb_solver_nsn_ac_gp, 60, true},
        {&coulomb_solver_nsn_jm_gp, 60, true},          {&coulomb_solver_ppa_nsn_ac_gp, 100, true},
        {&coulomb_solver_nsn_fb_gp, 100, false},        {&coulomb_solver_nsn_ac_hybrid, 200, true},
        {&coulomb_solver_nsn_nm_gp, 100, true},         {&coulomb_aclm_nsgs_fp_vi_upk, 300, false},
        {&coulomb_solver_nsgs_fp_ds_one, 20000, false}, {&coulomb_solver_nsgs_exact, 100000, false},
    };
    if (sweep(s))
        return;
    if (s->problem->contacts <= SMALL && !is_over(s) && run_solver(s, &coulomb_solver_nsn_ac_gp, 15, false))
        return;
    for (size_t k = 0; k < sizeof stage / sizeof *stage && !is_over(s); k++)
        if (run_solver(s, stage[k].solver, stage[k].iterations, stage[k].fresh))
            return;
    if (is_over(s))
        s->total.word = time_is_over(s) ? CAROM_SOLVE_TIME : CAROM_SOLVE_ITERATIONS;
}

/* ---- islands ------------------------------------------------------------------------------------------ */

static double size_of(int n, const double *x)
{
    return sqrt(carom_dot(n, x, x));
}

/* Errors of the islands are relative to their own q: together they make at most the tolerance. */
static bool solve_island(const carom_coulomb *whole, const coulomb_islands *islands, int island,
                         const double *option, const carom_coulomb_limits *limits, double started, double *r,
                         carom_coulomb_report *report)
{
    carom_arena *arena = carom_arena_create();
    carom_coulomb part;
    const int first = islands->start[island], contacts = islands->start[island + 1] - first;
    double *part_r = arena ? carom_arena_take(arena, 6 * (size_t)contacts, sizeof *part_r) : NULL;
    if (!part_r || !coulomb_island_problem(whole, islands, island, arena, &part)) {
        carom_arena_free(arena);
        return false;
    }
    for (int i = 0; i < contacts; i++)
        memcpy(part_r + 3 * (ptrdiff_t)i, r + 3 * (ptrdiff_t)islands->contact[first + i], 3 * sizeof *r);
    carom_coulomb_limits part_limits = *limits;
    part_limits.report = NULL; /* its errors are relative to the island */
    const double part_q = size_of(3 * contacts, part.q), q = size_of(3 * whole->contacts, whole->q);
    if (part_q > 0.0)
        part_limits.tolerance *= q / (part_q * sqrt(islands->count));
    stages s = {&part, &part_limits, option, part_r, part_r + 3 * (ptrdiff_t)contacts, {0}, started};
    run_stages(&s);
    report->iterations += s.total.iterations;
    report->inner_iterations += s.total.inner_iterations;
    report->local_failures += s.total.local_failures;
    if (s.total.word != CAROM_SOLVE_OK)
        report->word = s.total.word;
    for (int i = 0; i < contacts; i++)
        memcpy(r + 3 * (ptrdiff_t)islands->contact[first + i], part_r + 3 * (ptrdiff_t)i, 3 * sizeof *r);
    carom_arena_free(arena);
    return true;
}

static void clear_dropped(const carom_coulomb *problem, const coulomb_islands *islands, double *r,
                          double *kept)
{
    const size_t bytes = 3 * (size_t)problem->contacts * sizeof *r;
    memcpy(kept, r, bytes);
    memset(r, 0, bytes);
    for (int i = 0; i < islands->start[islands->count]; i++)
        memcpy(r + 3 * (ptrdiff_t)islands->contact[i], kept + 3 * (ptrdiff_t)islands->contact[i],
               3 * sizeof *r);
}

static bool solve_all(const carom_coulomb *problem, const double *option, const carom_coulomb_limits *limits,
                      double started, carom_arena *arena, double *r, carom_coulomb_report *report)
{
    coulomb_islands islands;
    double *kept = carom_arena_take(arena, 3 * (size_t)problem->contacts, sizeof *kept);
    if (!kept || !coulomb_find_islands(problem, arena, &islands))
        return false;
    clear_dropped(problem, &islands, r, kept);
    if (islands.count == 1 && islands.start[1] == problem->contacts) {
        stages s = {problem, limits, option, r, kept, {0}, started};
        run_stages(&s);
        *report = s.total;
        return true;
    }
    for (int i = 0; i < islands.count; i++) {
        if (!solve_island(problem, &islands, i, option, limits, started, r, report))
            return false;
        tell(limits, report->iterations, carom_coulomb_error(problem, r), started);
    }
    return true;
}

/* One contact has a closed form, nearly always. */
static bool solve_one(const carom_coulomb *problem, const carom_coulomb_limits *limits, double *r,
                      carom_coulomb_report *report)
{
    coulomb_local contact;
    double found[3];
    if (problem->contacts != 1)
        return false;
    coulomb_local_prepare(&contact, carom_block_at(&problem->W, problem->W.diagonal[0]), problem->mu[0]);
    if (!coulomb_local_exact(&contact, problem->q, found))
        return false;
    *report = (carom_coulomb_report){.word = CAROM_SOLVE_OK, .iterations = 1};
    report->error = carom_coulomb_error(problem, found);
    if (!(report->error <= limits->tolerance))
        return false;
    memcpy(r, found, sizeof found);
    return true;
}

static void solve(const carom_coulomb *problem, const double *option, const carom_coulomb_limits *limits,
                  double *r, carom_coulomb_report *report)
{
    const double started = carom_seconds();
    *report = (carom_coulomb_report){.word = CAROM_SOLVE_OK, .error = carom_coulomb_error(problem, r)};
    tell(limits, 0, report->error, started);
    if (report->error <= limits->tolerance || solve_one(problem, limits, r, report)) {
        report->seconds = carom_seconds() - started;
        return;
    }
    *report = (carom_coulomb_report){.word = CAROM_SOLVE_OK};
    carom_arena *arena = carom_arena_create();
    if (!arena || !solve_all(problem, option, limits, started, arena, r, report))
        report->word = CAROM_SOLVE_MEMORY;
    carom_arena_free(arena);
    report->error = carom_coulomb_error(problem, r);
    if (report->error <= limits->tolerance)
        report->word = CAROM_SOLVE_OK;
    else if (report->word == CAROM_SOLVE_OK)
        report->word = CAROM_SOLVE_STALLED;
    report->seconds = carom_seconds() - started;
}

void coulomb_auto(const carom_coulomb *problem, const carom_coulomb_limits *limits, double *r,
                  carom_coulomb_report *report)
{
    double option[OPTION_COUNT];
    for (int i = 0; i < OPTION_COUNT; i++)
        option[i] = options[i].value;
    solve(problem, option, limits, r, report);
}

const carom_coulomb_solver_ops coulomb_solver_auto = {
    .name = "auto",
    .summary = "the default: presolve, Gauss-Seidel while it promises to end soon, then the proximal point "
               "method with "
               "Newton's, then others",
    .options = options,
    .option_count = OPTION_COUNT,
    .solve = solve,
};
