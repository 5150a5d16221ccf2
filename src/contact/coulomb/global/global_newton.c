/* Nonsmooth Newton method on the velocities, multipliers and reactions of a friction problem at once, without
 * W = H^T M^-1 H: for flexible bodies W is full where M and H are sparse. Acary, Bremond and Huber 2018,
 * (157), the law of contacts in the form of Alart and Curnier.
 *
 * The equations of motion are linear and hold before and after a step, so that only r is taken from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/global_pairs.h"
#include "contact/coulomb/parts/law_residual.h"
#include "contact/coulomb/parts/line_search.h"
#include "contact/coulomb/parts/refuse_rolling.h"
#include "contact/solvers.h"
#include "global_system.h"
#include "velocity_newton.h"

enum {
    DEFAULT_ITERATIONS = 200,
    STAGE_ITERATIONS = 50
};

/* Shorter steps are none; an error beyond the limit is a divergence. */
static const double error_limit = 1e20;

typedef struct global_newton {
    const carom_coulomb_global *global;
    const carom_solver_options *limits;
    carom_solve_report *report;
    coulomb_global_system *system;
    int most; /* iterations */
    double started;
    double *x, *d, *best; /* (v, l, u, r), its change, the best one */
    double *u, *r;        /* parts of x */
    double *column;       /* of D^-1 H, D the diagonal of M */
    double *q, *start;    /* 3 per contact: free velocities, reactions at the beginning */
    coulomb_rho *rho;     /* per contact */
    double *G, *A, *B;    /* 3, 9, 9 per contact */
    double q_size;
    double best_error;
} global_newton;

/* ---- scale of velocities ------------------------------------------------------------------------------- */

/* H_place . D^-1 H_k, D the diagonal of M; `column` holds D^-1 H_k. */
static double block_entry(const global_newton *newton, int place)
{
    const carom_sparse *H = &newton->global->H;
    double sum = 0.0;
    for (int k = H->column_start[place]; k < H->column_start[place + 1]; k++)
        sum += H->value[k] * newton->column[H->row[k]];
    return sum;
}

static double mass_at(const carom_sparse *M, int i)
{
    for (int k = M->column_start[i]; k < M->column_start[i + 1]; k++)
        if (M->row[k] == i && M->value[k] > 0.0)
            return M->value[k];
    return 1.0;
}

static void scatter(const global_newton *newton, int place, bool clear)
{
    const carom_sparse *H = &newton->global->H;
    for (int k = H->column_start[place]; k < H->column_start[place + 1]; k++)
        newton->column[H->row[k]] = clear ? 0.0 : H->value[k] / mass_at(&newton->global->M, H->row[k]);
}

/* The contact's block of H^T D^-1 H: no equation is solved for it. */
static void block_of_masses(const global_newton *newton, int a, double block[9])
{
    const int dimension = newton->global->dimension;
    for (int k = 0; k < dimension; k++) {
        scatter(newton, dimension * a + k, false);
        for (int i = 0; i < dimension; i++)
            block[3 * i + k] = block_entry(newton, dimension * a + i);
        scatter(newton, dimension * a + k, true);
    }
}

/* The contact's block of W: the velocities of three motions, less those of the free one. */
static void block_of_W(const global_newton *newton, int a, double block[9])
{
    double *x = newton->d;
    const ptrdiff_t u = coulomb_global_system_u(newton->system) + 3 * (ptrdiff_t)a;
    const ptrdiff_t r = coulomb_global_system_r(newton->system);
    for (int k = 0; k < newton->global->dimension; k++) {
        memset(x + r, 0, 3 * (size_t)newton->global->contacts * sizeof *x);
        x[r + 3 * (ptrdiff_t)a + k] = 1.0;
        coulomb_global_system_move(newton->system, x);
        for (int i = 0; i < newton->global->dimension; i++)
            block[3 * i + k] = x[u + i] - newton->q[3 * a + i];
    }
}

static void choose_rho(const global_newton *newton, bool exact)
{
    for (int a = 0; a < newton->global->contacts; a++) {
        double block[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        if (exact)
            block_of_W(newton, a, block);
        else
            block_of_masses(newton, a, block);
        newton->rho[a] = coulomb_rho_of(COULOMB_RHO_111, block);
    }
}

/* ---- limits and the best iterate ----------------------------------------------------------------------- */

static double seconds(const global_newton *newton)
{
    return carom_seconds() - newton->started;
}

/* The motion that belongs to r, and how far it is from the law. True when the method must end. */
static bool look(global_newton *newton)
{
    carom_solve_report *report = newton->report;
    coulomb_global_system_move(newton->system, newton->x);
    const double error = coulomb_global_system_error(newton->system, newton->x, newton->q_size);
    if (error < newton->best_error) {
        newton->best_error = error;
        memcpy(newton->best, newton->x, coulomb_global_system_size(newton->system) * sizeof *newton->x);
    }
    if (newton->limits->report)
        newton->limits->report(newton->limits->context, report->iterations, error, seconds(newton));
    if (error <= newton->limits->tolerance)
        report->word = CAROM_SOLVE_OK;
    else if (!(error <= error_limit))
        report->word = CAROM_SOLVE_DIVERGED;
    else if (report->iterations >= newton->most)
        report->word = CAROM_SOLVE_ITERATIONS;
    else if (newton->limits->max_seconds > 0.0 && seconds(newton) > newton->limits->max_seconds)
        report->word = CAROM_SOLVE_TIME;
    else if (newton->limits->progress.report &&
             !newton->limits->progress.report(newton->limits->progress.context, seconds(newton),
                                              newton->limits->max_seconds))
        report->word = CAROM_SOLVE_INTERRUPTED;
    else
        return false;
    return true;
}

/* ---- the method ---------------------------------------------------------------------------------------- */

/* One after the other, each from the beginning, until one leads to the solution: rho from the masses costs
 * nothing, rho from W a solution of the motion per unknown; full steps sometimes come through where the
 * search is caught. */
typedef struct stage {
    bool exact, search;
} stage;

static const stage stages[] = {{false, true}, {true, true}, {true, false}};

static void linearise(const global_newton *newton)
{
    for (int a = 0; a < newton->global->contacts; a++) {
        const ptrdiff_t three = 3 * (ptrdiff_t)a, nine = 9 * (ptrdiff_t)a;
        coulomb_alart_curnier(newton->global->mu[a], newton->rho[a], newton->u + three, newton->r + three,
                              newton->G + three, newton->A + nine, newton->B + nine);
    }
}

static carom_solve_word iterate(global_newton *newton, const stage *now)
{
    const int last = newton->report->iterations + STAGE_ITERATIONS;
    const int size = 3 * newton->global->contacts;
    const double *du = newton->d + coulomb_global_system_u(newton->system);
    const double *dr = newton->d + coulomb_global_system_r(newton->system);
    const coulomb_line line = {newton->global->contacts,
                               coulomb_alart_curnier,
                               newton->global->mu,
                               newton->rho,
                               newton->u,
                               du,
                               newton->r,
                               dr};
    do {
        linearise(newton);
        if (!coulomb_global_system_step(newton->system, newton->A, newton->B, newton->G, newton->d,
                                        &newton->report->local_failures))
            return CAROM_SOLVE_STALLED;
        const double merit = carom_dot(size, newton->G, newton->G) / 2;
        const double t = now->search ? coulomb_line_goldstein_price(&line, merit) : 1.0;
        if (t < COULOMB_LINE_SMALLEST || carom_largest(size, dr) == 0.0)
            return CAROM_SOLVE_STALLED;
        carom_axpy(size, t, dr, newton->r);
        newton->report->iterations++;
        if (look(newton))
            return newton->report->word;
    } while (newton->report->iterations < last);
    return CAROM_SOLVE_STALLED;
}

static void take_reactions(const carom_coulomb_global *global, const double *given, double *r)
{
    const int dimension = global->dimension;
    for (int at = 0; at < 3 * global->contacts; at++)
        r[at] = at % 3 < dimension ? given[at / 3 * dimension + at % 3] : 0.0;
}

static void give_results(const global_newton *newton, double *v, double *r)
{
    const int dimension = newton->global->dimension;
    memcpy(v, newton->x, (size_t)newton->global->M.columns * sizeof *v);
    for (int at = 0; at < 3 * newton->global->contacts; at++)
        if (at % 3 < dimension)
            r[at / 3 * dimension + at % 3] = newton->r[at];
}

/* The free motion and, unless q = 0, the reactions at the beginning. */
static void begin(global_newton *newton, const double *r)
{
    const size_t bytes = 3 * (size_t)newton->global->contacts * sizeof(double);
    coulomb_global_system_move(newton->system, newton->x);
    memcpy(newton->q, newton->u, bytes);
    newton->q_size = sqrt(carom_dot(3 * newton->global->contacts, newton->q, newton->q));
    if (newton->q_size > 0.0) /* else r = 0 is a solution */
        take_reactions(newton->global, r, newton->start);
    memcpy(newton->r, newton->start, bytes);
}

static carom_solve_word run_stages(global_newton *newton)
{
    carom_solve_word word = CAROM_SOLVE_STALLED;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        memcpy(newton->r, newton->start, 3 * (size_t)newton->global->contacts * sizeof(double));
        coulomb_global_system_move(newton->system, newton->x);
        choose_rho(newton, stages[i].exact);
        word = iterate(newton, &stages[i]);
        if (word != CAROM_SOLVE_STALLED && word != CAROM_SOLVE_DIVERGED)
            break;
    }
    return word;
}

static void solve(global_newton *newton, double *v, double *r)
{
    carom_solve_report *report = newton->report;
    begin(newton, r);
    const carom_solve_word word = look(newton) ? report->word : run_stages(newton);
    if (newton->best_error < INFINITY) {
        memcpy(newton->x, newton->best, coulomb_global_system_size(newton->system) * sizeof *newton->x);
    } else {
        memset(newton->r, 0, 3 * (size_t)newton->global->contacts * sizeof *newton->r);
        coulomb_global_system_move(newton->system, newton->x);
    }
    report->error = coulomb_global_system_error(newton->system, newton->x, newton->q_size);
    report->word = report->error <= newton->limits->tolerance ? CAROM_SOLVE_OK : word;
    give_results(newton, v, r);
}

static carom_solver_options options_with_defaults(const carom_solver_options *given)
{
    carom_solver_options options = given ? *given : (carom_solver_options){0};
    if (options.tolerance == 0.0)
        options.tolerance = 1e-8;
    return options;
}

static bool take_memory(global_newton *newton, carom_arena *arena)
{
    const size_t size = coulomb_global_system_size(newton->system);
    const size_t contacts = (size_t)newton->global->contacts;
    newton->x = carom_arena_take(arena, size, sizeof *newton->x);
    newton->d = carom_arena_take(arena, size, sizeof *newton->d);
    newton->best = carom_arena_take(arena, size, sizeof *newton->best);
    newton->column = carom_arena_take(arena, (size_t)newton->global->M.columns, sizeof *newton->column);
    newton->q = carom_arena_take(arena, 3 * contacts, sizeof *newton->q);
    newton->start = carom_arena_take(arena, 3 * contacts, sizeof *newton->start);
    newton->rho = carom_arena_take(arena, contacts, sizeof *newton->rho);
    newton->G = carom_arena_take(arena, 3 * contacts, sizeof *newton->G);
    newton->A = carom_arena_take(arena, 9 * contacts, sizeof *newton->A);
    newton->B = carom_arena_take(arena, 9 * contacts, sizeof *newton->B);
    if (!newton->x || !newton->d || !newton->best || !newton->column || !newton->q || !newton->start ||
        !newton->rho || !newton->G || !newton->A || !newton->B)
        return false;
    newton->u = newton->x + coulomb_global_system_u(newton->system);
    newton->r = newton->x + coulomb_global_system_r(newton->system);
    return true;
}

/* A small natural map is not enough. */
static carom_status judge(const carom_coulomb_global *global, const double *r, double tolerance,
                          carom_solve_report *report, carom_error *error)
{
    carom_coulomb_residual residual;
    const carom_status status = carom_coulomb_residuals_global(global, r, &residual, error);
    if (status == CAROM_OK)
        report->word = coulomb_law_judge(&residual, tolerance);
    return status;
}

/* By the matrix of all unknowns: small problems, and those with equations. */
static carom_status solve_whole(const carom_coulomb_global *global, const carom_solver_options *limits,
                                double *v, double *r, carom_solve_report *report, carom_error *error)
{
    global_newton newton = {.global = global, .limits = limits, .report = report};
    newton.started = carom_seconds();
    newton.best_error = INFINITY;
    newton.most = limits->max_iterations > 0 ? limits->max_iterations : DEFAULT_ITERATIONS;
    carom_status status = coulomb_global_system_create(global, &newton.system, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    if (arena && take_memory(&newton, arena))
        solve(&newton, v, r);
    else
        status = carom_fail_memory(error);
    carom_arena_free(arena);
    coulomb_global_system_free(newton.system);
    return status == CAROM_OK && report->word == CAROM_SOLVE_OK
               ? judge(global, r, limits->tolerance, report, error)
               : status;
}

/* By the solvers of W, from nothing: where a way that was chosen for its speed does not lead to a solution. */
static carom_status solve_reduced(const carom_coulomb_global *global, const carom_solver_options *limits,
                                  double *v, double *r, carom_solve_report *report, carom_error *error)
{
    const int d = global->dimension;
    carom_coulomb reduced;
    carom_solve_report found;
    carom_arena *arena = carom_arena_create();
    double *three = arena ? carom_arena_take(arena, 3 * (size_t)global->contacts, sizeof *three) : NULL;
    carom_status status =
        three ? carom_coulomb_reduce(global, arena, &reduced, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_coulomb_solve(&coulomb_solver_auto, &reduced, limits, three, &found, error);
    if (status == CAROM_OK && (found.error < report->error || found.word == CAROM_SOLVE_INFEASIBLE)) {
        found.iterations += report->iterations;
        *report = found;
        for (int i = 0; i < d * global->contacts; i++)
            r[i] = three[i / d * 3 + i % d];
        status = carom_coulomb_motion(global, r, v, NULL, error);
    }
    carom_arena_free(arena);
    return status;
}

/* W is another way where it is small, there are no equations, and nobody counts iterations. */
static bool is_worth_reducing(const carom_coulomb_global *global, const carom_solver_options *limits,
                              const carom_solve_report *report, double started)
{
    return report->word != CAROM_SOLVE_OK && report->word != CAROM_SOLVE_INTERRUPTED &&
           report->word != CAROM_SOLVE_MEMORY && limits->max_iterations == 0 && global->G.columns == 0 &&
           global->contacts <= GLOBAL_REDUCED_MOST &&
           !(limits->max_seconds > 0.0 && carom_seconds() - started > limits->max_seconds);
}

/* The ways, one after the other. */
static carom_status solve_somehow(const carom_coulomb_global *global, const carom_solver_options *limits,
                                  double *v, double *r, carom_solve_report *report, carom_error *error)
{
    const double started = carom_seconds();
    global_pairs pairs;
    carom_status status = global_pairs_take(global, global_pairs_solve_room(global), &pairs, error);
    if (status == CAROM_OK) {
        status = global_pairs_solve(global, &pairs, limits, v, r, report, error);
        global_pairs_free(&pairs);
    } else if (status != CAROM_FAILED)
        return status;
    else if (coulomb_velocity_system_suits(global))
        status = coulomb_velocity_newton(global, limits, v, r, report, error);
    else
        return solve_whole(global, limits, v, r, report, error);
    if ((status == CAROM_OK || status == CAROM_FAILED) &&
        is_worth_reducing(global, limits, report, started)) {
        carom_solver_options left = *limits;
        if (left.max_seconds > 0.0)
            left.max_seconds -= carom_seconds() - started;
        status = solve_reduced(global, &left, v, r, report, error);
    } else if (status == CAROM_FAILED && coulomb_velocity_system_suits(global)) {
        status = coulomb_velocity_newton(global, limits, v, r, report, error);
    }
    /* of M without exchanges: with them */
    return status == CAROM_FAILED ? solve_whole(global, limits, v, r, report, error) : status;
}

carom_status carom_coulomb_solve_global(const carom_coulomb_global *global,
                                        const carom_solver_options *options, double *v, double *r,
                                        carom_solve_report *report, carom_error *error)
{
    const carom_solver_options limits = options_with_defaults(options);
    const double started = carom_seconds();
    *report = (carom_solve_report){.word = CAROM_SOLVE_ITERATIONS, .error = INFINITY, .failed_contact = -1};
    carom_status status = coulomb_refuse_rolling(global->mu_r, error);
    if (status == CAROM_OK)
        status = solve_somehow(global, &limits, v, r, report, error);
    report->tolerance = limits.tolerance;
    report->status = report->word == CAROM_SOLVE_OK            ? CAROM_OK
                     : report->word == CAROM_SOLVE_INTERRUPTED ? CAROM_INTERRUPTED
                                                               : CAROM_FAILED;
    report->seconds = carom_seconds() - started;
    return status;
}
