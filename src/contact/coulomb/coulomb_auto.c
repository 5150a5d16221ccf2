/* The default: sweeps while they promise to end soon, then the proximal point method with Newton inside, then
 * whatever else may help; always the best iterate and its own error.
 *
 *   Gauss-Seidel, exact contacts, accelerated; what is not solved by the second sweep is looked at closer:
 *     never-active contacts out, islands apart
 *     -> its rate of convergence tells after some sweeps how many are left
 *     -> Newton's method from there, for a few contacts
 *     -> PPA-NSN-AC-GP from there
 *     -> is there a solution at all?
 *     -> the others, each from the best iterate so far
 *
 * The sweeps have their memory from setup. What is not solved by them takes more while it is solved, for
 * islands and for one other solver after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/anderson.h"
#include "contact/solvers.h"
#include "gauss_seidel.h"
#include "presolve.h"

enum {
    OPTION_SWEEPS,
    OPTION_PATIENCE,
    OPTION_MEMORY,
    OPTION_COUNT,
    SMALL = 40, /* contacts up to which a few plain Newton steps are tried before proximal points */
    LARGE = 150,
    EASY_SWEEPS = 2, /* before islands are looked for */
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_SWEEPS] = {"sweeps", 25, 1, 1e6, NULL,
                       "Gauss-Seidel sweeps before the rate of convergence is looked at"},
    [OPTION_PATIENCE] =
        {"patience", 10, 0, 1e9, NULL,
         "Gauss-Seidel goes on while it promises to cost no more than this many Newton steps"},
    [OPTION_MEMORY] =
        {"memory", 8, 0, COULOMB_ANDERSON_MOST, NULL,
         "sweeps that Anderson's acceleration remembers, half as many above 150 contacts; 0: none"},
};

/* One island on its way, or the whole problem. */
typedef struct stages {
    coulomb_gauss_seidel *sweeps;
    const carom_coulomb *problem;
    const carom_solver_options *limits;
    const double *option;
    double *r, *kept;
    carom_solve_report total;
    double started;
    /* the whole problem: islands are looked for when the first sweeps do not solve it */
    bool is_island;
    carom_arena *arena; /* of the islands */
    coulomb_islands islands;
    bool was_looked_at; /* for islands */
    bool apart;         /* there are several, or contacts to drop */
    bool no_memory;
} stages;

static bool time_is_over(const stages *s)
{
    return s->limits->max_seconds > 0.0 && carom_seconds() - s->started > s->limits->max_seconds;
}

static bool iterations_are_over(const stages *s)
{
    return s->limits->max_iterations > 0 && s->total.iterations >= s->limits->max_iterations;
}

static bool is_interrupted(const stages *s)
{
    const carom_progress *progress = &s->limits->progress;
    return progress->report &&
           !progress->report(progress->context, carom_seconds() - s->started, s->limits->max_seconds);
}

static bool is_over(const stages *s)
{
    return time_is_over(s) || iterations_are_over(s) || is_interrupted(s);
}

static carom_solver_options limits_of_stage(const stages *s, int iterations)
{
    carom_solver_options limits = {
        .tolerance = s->limits->tolerance, .max_iterations = iterations, .progress = s->limits->progress};
    const double left = s->limits->max_seconds - (carom_seconds() - s->started);
    const int iterations_left = s->limits->max_iterations - s->total.iterations;
    if (s->limits->max_iterations > 0 && (iterations == 0 || iterations_left < iterations))
        limits.max_iterations = iterations_left > 1 ? iterations_left : 1;
    if (s->limits->max_seconds > 0.0)
        limits.max_seconds = fmax(left, 1e-6);
    return limits;
}

static void tell(const carom_solver_options *limits, int iterations, double error, double started)
{
    if (limits->report)
        limits->report(limits->context, iterations, error, carom_seconds() - started);
}

/* Adds a stage's work to the whole; true when the problem is solved. */
static bool add_stage(stages *s, const carom_solve_report *stage)
{
    s->total.iterations += stage->iterations;
    s->total.inner_iterations += stage->inner_iterations;
    s->total.local_failures += stage->local_failures;
    s->total.error = stage->error;
    s->total.word = stage->word;
    return stage->word == CAROM_SOLVE_OK;
}

static double sweep_nanoseconds(const carom_coulomb *problem)
{
    return 3.5 * problem->W.row_start[problem->contacts] + 50.0 * problem->contacts;
}

/* How many sweeps take as long as a Newton step. From the numbers of blocks and contacts, not from a clock:
 * the same problem must take the same way every time. A dense factorisation does some 3 operations per
 * nanosecond; a sparse one has been seen to cost 40 to 300 accelerated sweeps. */
static double sweeps_per_newton_step(const carom_coulomb *problem)
{
    const double n = problem->contacts, blocks = problem->W.row_start[problem->contacts];
    const double sparse = 80.0;
    if (blocks < 0.25 * n * n)
        return sparse;
    return 27.0 * n * n * n * (2.0 / 3.0) / 3.0 / sweep_nanoseconds(problem);
}

/* So many sweeps, or what takes some ten seconds. */
static int sweeps_within(const stages *s, int most)
{
    return (int)fmin(most, fmax(100.0, 1e10 / sweep_nanoseconds(s->problem)));
}

/* ---- sweeps ----------------------------------------------------------------------------------------- */

typedef struct sweeping {
    stages *s;
    double budget; /* of sweeps */
    /* two sweeps whose errors are remembered, at least twice as many at the later one */
    int early, late;
    double early_error, late_error;
} sweeping;

/* True once, when the problem is not one island. */
static bool falls_apart(stages *s)
{
    if (s->is_island || s->was_looked_at)
        return false;
    s->was_looked_at = true;
    s->arena = carom_arena_create();
    s->no_memory = !s->arena || !coulomb_find_islands(s->problem, s->arena, &s->islands);
    s->apart = !s->no_memory && (s->islands.count != 1 || s->islands.start[1] != s->problem->contacts);
    return s->no_memory || s->apart;
}

/* The error falls like rate^sweeps, which tells how many are left. Sweeps are given up when they are more
 * than Newton's method is worth. */
static bool is_too_slow(sweeping *w, int sweeps, double error)
{
    const double rate = log(error / w->early_error) / (sweeps - w->early);
    const double left = log(w->s->limits->tolerance / error) / rate;
    if (sweeps >= 2 * w->late) {
        w->early = w->late;
        w->early_error = w->late_error;
        w->late = sweeps;
        w->late_error = error;
    }
    return sweeps >= w->s->option[OPTION_SWEEPS] && (!(rate < 0.0) || sweeps + left > w->budget);
}

static bool give_up(void *context, int sweeps, double error)
{
    sweeping *w = context;
    return (sweeps >= EASY_SWEEPS && falls_apart(w->s)) || is_too_slow(w, sweeps, error);
}

static void relay(void *context, int sweeps, double error, double seconds)
{
    const stages *s = context;
    (void)seconds;
    tell(s->limits, s->total.iterations + sweeps, error, s->started);
}

/* True when the problem is solved. */
static bool sweep(stages *s)
{
    sweeping w = {.s = s, .early_error = INFINITY, .late_error = INFINITY};
    w.budget = s->option[OPTION_PATIENCE] * sweeps_per_newton_step(s->problem);
    int memory = (int)s->option[OPTION_MEMORY];
    if (s->problem->contacts > LARGE)
        memory = (memory + 1) / 2; /* more does not help, and no longer fits into the cache */
    coulomb_gauss_seidel_choose(s->sweeps, memory, give_up, &w);
    carom_solver_options limits = limits_of_stage(s, 0);
    if (s->limits->report) {
        limits.report = relay;
        limits.context = s;
    }
    carom_solve_report report;
    coulomb_gauss_seidel_solve(s->sweeps, s->problem, &limits, s->r, &report);
    return add_stage(s, &report);
}

/* ---- other solvers ---------------------------------------------------------------------------------- */

typedef struct auto_stage {
    const carom_solver_ops *solver;
    int iterations;
    bool fresh;                 /* from zero, not from the best iterate */
    const carom_option *option; /* that are not left at their defaults */
} auto_stage;

/* What a stage finds is kept when it is better; true when the problem is solved. */
static bool run_stage(stages *s, const auto_stage *stage)
{
    const size_t bytes = 3 * (size_t)s->problem->contacts * sizeof *s->r;
    const double before = s->total.error;
    memcpy(s->kept, s->r, bytes);
    if (stage->fresh)
        memset(s->r, 0, bytes);
    carom_solver_options limits = limits_of_stage(s, stage->iterations);
    limits.option = stage->option;
    carom_solve_report report;
    carom_coulomb_solve(stage->solver, s->problem, &limits, s->r, &report, NULL);
    const bool solved = add_stage(s, &report);
    if (!solved && !(report.error < before)) {
        memcpy(s->r, s->kept, bytes);
        s->total.error = before;
    }
    tell(s->limits, s->total.iterations, s->total.error, s->started);
    return solved;
}

/* Did an allocation of the last stage fail? Another stage would be another method, without a word. */
static bool ran_out(const stages *s)
{
    return s->total.word == CAROM_SOLVE_MEMORY;
}

/* What cannot be solved is not tried in every way. Looking for a proof costs some n^3: it is done where that is
 * little, and where the reactions look as if they grew without bound. */
static bool has_no_solution(stages *s)
{
    carom_coulomb_proof proof;
    if (s->problem->contacts > SMALL && !carom_coulomb_is_doubtful(s->problem, s->r))
        return false;
    if (!carom_coulomb_infeasible(s->problem, s->limits->tolerance, s->kept, &proof))
        return false;
    s->total.word = CAROM_SOLVE_INFEASIBLE;
    return true;
}

/* Newton's method may run into a corner from one start and not from another, so zero is tried as well. */
static void run_stages(stages *s)
{
    static const carom_option eager[] = {{"alpha0_rel", 0.01, NULL}, {"full_steps", 8, NULL}, {0}};
    static const auto_stage few = {&coulomb_solver_nsn_ac_gp, 15, false, NULL};
    /* a program that has no solution takes all the iterations it may */
    static const carom_option brief[] = {{"inner_iterations", 50, NULL}, {0}};
    const auto_stage list[] = {
        {&coulomb_solver_ppa_nsn_ac_gp, 40, false, eager},
        {&coulomb_solver_ppa_nsn_ac_gp, 40, false, NULL},
        {&coulomb_solver_nsn_ac_gp, 60, true, NULL},
        {&coulomb_solver_nsn_jm_gp, 60, true, NULL},
        {&coulomb_solver_ppa_nsn_ac_gp, 100, true, NULL},
        {&coulomb_solver_nsn_fb_gp, 100, false, NULL},
        {&coulomb_solver_nsn_ac_hybrid, 200, true, NULL},
        {&coulomb_solver_nsn_nm_gp, 100, true, NULL},
        {&coulomb_solver_nsgs_fp_ds_one, sweeps_within(s, 20000), false, NULL},
        {&coulomb_solver_nsgs_exact, sweeps_within(s, 100000), false, NULL},
        {&coulomb_aclm_nsgs_fp_vi_upk, 40, false, brief},
    };
    if (s->problem->contacts <= SMALL && !is_over(s) && (run_stage(s, &few) || ran_out(s)))
        return;
    for (size_t k = 0; k < sizeof list / sizeof *list && !is_over(s); k++)
        if (run_stage(s, &list[k]) || ran_out(s) || (k == 0 && has_no_solution(s)))
            return;
    if (is_over(s))
        s->total.word = time_is_over(s)          ? CAROM_SOLVE_TIME
                        : iterations_are_over(s) ? CAROM_SOLVE_ITERATIONS
                                                 : CAROM_SOLVE_INTERRUPTED;
}

/* ---- islands ---------------------------------------------------------------------------------------- */

static double size_of(int n, const double *x)
{
    return sqrt(carom_dot(n, x, x));
}

/* Errors of the islands are relative to their own q: together they make at most the tolerance. */
static bool solve_island(stages *whole, int island)
{
    const coulomb_islands *islands = &whole->islands;
    const int first = islands->start[island], contacts = islands->start[island + 1] - first;
    const int *contact = islands->contact + first;
    carom_coulomb part;
    double *r = carom_arena_take(whole->arena, 6 * (size_t)contacts, sizeof *r);
    if (!r || !coulomb_island_problem(whole->problem, islands, island, whole->arena, &part))
        return false;
    for (int i = 0; i < contacts; i++)
        memcpy(r + 3 * (ptrdiff_t)i, whole->r + 3 * (ptrdiff_t)contact[i], 3 * sizeof *r);
    carom_solver_options limits = *whole->limits;
    limits.report = NULL; /* its errors are relative to the island */
    const double part_q = size_of(3 * contacts, part.q);
    const double q = size_of(3 * whole->problem->contacts, whole->problem->q);
    if (part_q > 0.0)
        limits.tolerance *= q / (part_q * sqrt(islands->count));
    stages s = {.is_island = true,
                .sweeps = whole->sweeps,
                .problem = &part,
                .limits = &limits,
                .option = whole->option,
                .r = r,
                .kept = r + 3 * (ptrdiff_t)contacts,
                .started = whole->started};
    if (!sweep(&s) && !ran_out(&s))
        run_stages(&s);
    whole->total.iterations += s.total.iterations;
    whole->total.inner_iterations += s.total.inner_iterations;
    whole->total.local_failures += s.total.local_failures;
    if (s.total.word != CAROM_SOLVE_OK)
        whole->total.word = s.total.word;
    for (int i = 0; i < contacts; i++)
        memcpy(whole->r + 3 * (ptrdiff_t)contact[i], r + 3 * (ptrdiff_t)i, 3 * sizeof *r);
    return !ran_out(&s);
}

static void clear_dropped(const stages *s)
{
    for (int i = 0; i < s->problem->contacts; i++)
        if (s->islands.island[i] < 0)
            memset(s->r + 3 * (ptrdiff_t)i, 0, 3 * sizeof *s->r);
}

static void solve_islands(stages *s)
{
    s->total.word = CAROM_SOLVE_OK;
    clear_dropped(s);
    for (int i = 0; i < s->islands.count; i++) {
        if (!solve_island(s, i)) {
            s->total.word = CAROM_SOLVE_MEMORY;
            break;
        }
        if (s->limits->report)
            tell(s->limits, s->total.iterations, carom_coulomb_error(s->problem, s->r), s->started);
    }
    s->total.error = carom_coulomb_error(s->problem, s->r);
}

/* ---- the whole -------------------------------------------------------------------------------------- */

/* One contact has a closed form, nearly always; a start that is a solution stays as it is. */
static bool solve_one(const carom_coulomb *problem, const carom_solver_options *limits, double started,
                      double *r, carom_solve_report *report)
{
    coulomb_local contact;
    double found[3];
    *report = (carom_solve_report){.word = CAROM_SOLVE_OK, .error = carom_coulomb_error(problem, r)};
    tell(limits, 0, report->error, started);
    if (report->error <= limits->tolerance)
        return true;
    coulomb_local_prepare(&contact, carom_block_at(&problem->W, problem->W.diagonal[0]), problem->mu[0]);
    contact.any_solution = true;
    if (!coulomb_local_exact(&contact, problem->q, found))
        return false;
    *report = (carom_solve_report){.word = CAROM_SOLVE_OK, .iterations = 1};
    report->error = carom_coulomb_error(problem, found);
    if (!(report->error <= limits->tolerance))
        return false;
    memcpy(r, found, sizeof found);
    tell(limits, report->iterations, report->error, started);
    return true;
}

static void solve_many(stages *s)
{
    if (sweep(s) || ran_out(s))
        return;
    falls_apart(s); /* where the sweeps ended before they looked */
    if (s->no_memory)
        return;
    if (s->apart)
        solve_islands(s);
    else
        run_stages(s);
}

/* ---- by name ---------------------------------------------------------------------------------------- */

typedef struct auto_solver {
    coulomb_gauss_seidel *sweeps;
    double *kept;
} auto_solver;

static void free_data(carom_solver *solver)
{
    auto_solver *self = solver->data;
    coulomb_gauss_seidel_free(self->sweeps);
    free(self->kept);
    free(self);
}

static carom_status take_sweeps(carom_solver *solver, carom_error *error)
{
    auto_solver *self = carom_new_array(1, sizeof *self);
    solver->data = self;
    if (!self)
        return carom_fail_memory(error);
    struct coulomb_nsgs_options nsgs = coulomb_nsgs_defaults();
    nsgs.memory = (int)solver->option[OPTION_MEMORY];
    nsgs.any_solution = true;
    self->sweeps = coulomb_gauss_seidel_create(solver->shape.size, &nsgs);
    self->kept = carom_new_array(3 * (size_t)solver->shape.size, sizeof *self->kept);
    return self->sweeps && self->kept ? CAROM_OK : carom_fail_memory(error);
}

/* One contact alone has a formula: what it needs besides is taken when that fails. */
static carom_status setup(carom_solver *solver, carom_error *error)
{
    return solver->shape.size <= 1 ? CAROM_OK : take_sweeps(solver, error);
}

static void solve(carom_solver *solver, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    const carom_solver_options *limits = &solver->limits;
    const double started = carom_seconds();
    if (problem->contacts == 1 && solve_one(problem, limits, started, r, report)) {
        report->seconds = carom_seconds() - started;
        return;
    }
    stages s = {.problem = problem, .limits = limits, .option = solver->option, .r = r, .started = started};
    s.total.error = INFINITY;
    s.no_memory = !solver->data && take_sweeps(solver, NULL) != CAROM_OK;
    if (!s.no_memory) {
        const auto_solver *self = solver->data;
        s.sweeps = self->sweeps;
        s.kept = self->kept;
    }
    if (!s.no_memory)
        solve_many(&s);
    if (s.no_memory)
        s.total.word = CAROM_SOLVE_MEMORY;
    carom_arena_free(s.arena);
    *report = s.total;
    if (report->error <= limits->tolerance)
        report->word = CAROM_SOLVE_OK;
    else if (report->word == CAROM_SOLVE_OK)
        report->word = CAROM_SOLVE_STALLED;
    report->seconds = carom_seconds() - started;
}

const carom_solver_ops coulomb_solver_auto = {
    .name = "auto",
    .summary = "the default: presolve, Gauss-Seidel while it promises to end soon, then the proximal point "
               "method with "
               "Newton's, then others",
    .kind = CAROM_PROBLEM_COULOMB,
    .options = options,
    .option_count = OPTION_COUNT,
    .tolerance = 1e-8,
    .setup = setup,
    .free = free_data,
    .solve.coulomb = solve,
};
