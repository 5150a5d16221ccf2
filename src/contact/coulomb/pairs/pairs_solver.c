/* Solves FC(W, q, mu) between pairs of bodies. A start that is a solution stays as it is. The default works
 * in the space of velocities:
 *
 *   a few sweeps -> their rate tells how many are left
 *     -> many contacts in the plane: a few steps of Newton's method, then an interior-point method
 *     -> many contacts in space: accelerated sweeps while they promise to end
 *     -> Newton's method from there, when they are more than it is worth; sweeps between its attempts
 *     -> the solvers of W = H M^-1 H^T, when nothing else helps
 *
 * Other solvers of COULOMB see W, with impulses in the unit of velocities. All decisions are made by counts,
 * not by clocks: the same problem takes the same way on every machine. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solvers.h"
#include "pairs_accelerated.h"
#include "pairs_expand.h"
#include "pairs_interior.h"
#include "pairs_newton.h"
#include "pairs_sweep.h"

enum {
    FEW_SWEEPS = 4, /* from one look at the error to the next */
    ROUNDS = 9,     /* of Newton's method and sweeps */
    SMALL = 40,     /* contacts up to which the solvers of W are asked when nothing else helps ... */
    MEDIUM = 500,   /* ... or up to here, when the error is large */
};

/* From MANY contacts on Newton's method has a few steps, and what it does not solve in them is the interior-point method's,
 * whose attempts have as many factors, and Newton's method behind each. */
enum {
    MANY = 250,
    NEWTON_FIRST = 6,
    SPACIOUS = 500,    /* contacts in space, whose factors fill up: from here on sweeps are accelerated */
    ACCELERATED = 800, /* sweeps, at most ... */
    PER_SWEEP = 4,     /* ... and one for so many contacts: factors of fewer are soon made */
    INTERIOR_ROUNDS = 6,
    INTERIOR_STEPS = 70,
    NEWTON_LAST = 60,
};

/* Attempts from different starts that end with the same error, to this part of it, end where reactions run away for good
 * (pairs_newton.c): there is no solution near, whatever the start. */
static const double same_end = 0.02;
/* An error of which nothing can be believed. */
static const double large_error = 1e-3;
/* Part of the tolerance that is aimed at: sums of other order differ in their last digits. */
static const double nearly = 0.999;

struct carom_pairs_solver {
    carom_solver *solver; /* made for the first problem that needs it */
    const carom_solver_ops *ops;
    carom_solver_options options;
    double tolerance;
    pairs_expand expand;
    pairs_blocks blocks;
    double *scaled, *mu; /* impulses times the scale, 3 per contact; coefficients */
    double *kept;        /* 3 per contact */
    size_t room;         /* contacts; one with moments is three */
    /* in the space of velocities */
    bool is_auto;
    pairs_rows rows;
    pairs_sweep sweeps;
    pairs_newton newton;
    pairs_interior interior;
    pairs_accelerated accelerated;
    pairs_joints joints;
    double *v; /* 6 per body, and one body more */
    size_t body_room;
};

carom_status carom_pairs_solver_create(const carom_solver_ops *ops, const carom_solver_options *options,
                                       carom_pairs_solver **solver, carom_error *error)
{
    *solver = NULL;
    carom_pairs_solver *self = carom_new_array(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    self->ops = ops ? ops : &coulomb_solver_auto;
    self->is_auto = self->ops == &coulomb_solver_auto;
    if (options)
        self->options = *options;
    /* made now, so that wrong options are told now */
    const carom_status status = carom_solver_create(self->ops, &(carom_problem_shape){.size = 1},
                                                    &self->options, &self->solver, error);
    if (status != CAROM_OK) {
        free(self);
        return status;
    }
    self->options.option = NULL; /* the caller's, read by create only */
    self->tolerance = self->solver->limits.tolerance;
    *solver = self;
    return CAROM_OK;
}

void carom_pairs_solver_free(carom_pairs_solver *solver)
{
    if (!solver)
        return;
    carom_solver_free(solver->solver);
    pairs_expand_free(&solver->expand);
    pairs_blocks_free(&solver->blocks);
    free(solver->scaled);
    free(solver->mu);
    free(solver->kept);
    free(solver->v);
    pairs_rows_free(&solver->rows);
    pairs_sweep_free(&solver->sweeps);
    pairs_newton_free(&solver->newton);
    pairs_interior_free(&solver->interior);
    pairs_accelerated_free(&solver->accelerated);
    pairs_joints_free(&solver->joints);
    free(solver);
}

static bool take_room(carom_pairs_solver *self, size_t contacts)
{
    if (contacts <= self->room)
        return true;
    const size_t room = contacts + contacts / 2;
    double *scaled = realloc(self->scaled, 3 * room * sizeof *scaled);
    if (scaled)
        self->scaled = scaled;
    double *mu = realloc(self->mu, room * sizeof *mu);
    if (mu)
        self->mu = mu;
    double *kept = realloc(self->kept, 3 * room * sizeof *kept);
    if (kept)
        self->kept = kept;
    if (!scaled || !mu || !kept)
        return false;
    self->room = room;
    return true;
}

static carom_solve_report solve_blocks(carom_pairs_solver *self, const carom_pairs *problem, double scale,
                                       double *r)
{
    const carom_pairs *expanded = &self->expand.problem;
    if (!pairs_expand_take(&self->expand, problem) || !take_room(self, (size_t)expanded->contacts) ||
        !pairs_blocks_assemble(&self->blocks, expanded, scale))
        return (carom_solve_report){.status = CAROM_NO_MEMORY, .word = CAROM_SOLVE_MEMORY, .error = INFINITY};
    pairs_expand_bind(&self->expand, &self->blocks);
    for (int i = 0; i < expanded->contacts; i++)
        self->mu[i] = expanded->row[i].mu;
    pairs_expand_impulses(&self->expand, scale, r, self->scaled);
    const carom_coulomb coulomb = {
        .contacts = expanded->contacts, .W = self->blocks.W, .q = expanded->q, .mu = self->mu};
    const carom_solve_report report = carom_solver_coulomb(self->solver, &coulomb, self->scaled);
    pairs_expand_reduce(&self->expand, scale, self->scaled, r);
    return report;
}

/* ---- in the space of velocities ------------------------------------------------------------------------ */

typedef struct approach {
    carom_pairs_solver *self;
    double tolerance;
    int most;     /* iterations */
    double until; /* of carom_seconds; 0: without end */
    carom_solve_report report;
    double *r, *v;
    bool backwards; /* the next sweep */
} approach;

static bool take_bodies(carom_pairs_solver *self, size_t bodies)
{
    if (bodies <= self->body_room && self->v)
        return true;
    const size_t room = bodies + bodies / 2;
    double *larger = realloc(self->v, carom_product(6 * (room + 1), sizeof *larger));
    if (!larger)
        return false;
    self->v = larger;
    self->body_room = room;
    return true;
}

static bool is_solved(const approach *a)
{
    return a->report.error <= a->tolerance;
}

static bool time_is_over(const approach *a)
{
    return a->until > 0.0 && carom_seconds() > a->until;
}

static bool is_over(const approach *a)
{
    return is_solved(a) || a->report.iterations >= a->most || time_is_over(a);
}

static void sweep(approach *a, int count)
{
    for (int k = 0; k < count && a->report.iterations < a->most; k++) {
        pairs_sweep_once(&a->self->sweeps, a->backwards, a->r, a->v);
        a->backwards = !a->backwards;
        a->report.iterations++;
    }
    a->report.error = pairs_rows_error(&a->self->rows, a->r, a->v);
}

/* So many sweeps take as long as Newton's method does when all goes well: an ordering and some factors. */
static double patience(const pairs_rows *rows)
{
    return fmin(60.0 + rows->contacts / 20.0, 500.0);
}

/* Sweeps while they promise to end soon. */
static void sweep_while_it_pays(approach *a)
{
    const double most = patience(&a->self->rows);
    sweep(a, 1); /* one contact needs no more */
    while (!is_over(a)) {
        const double before = a->report.error;
        sweep(a, FEW_SWEEPS);
        const double rate = log(a->report.error / before) / FEW_SWEEPS;
        const double left = log(a->tolerance / a->report.error) / rate;
        if (!(rate < 0.0) || !(a->report.iterations + left <= most))
            return;
    }
}

static int at_most(const approach *a, int steps)
{
    const int left = a->most - a->report.iterations;
    return left < steps ? left : steps;
}

static void sweep_accelerated(approach *a)
{
    const int few = a->self->rows.contacts / PER_SWEEP, most = few < ACCELERATED ? few : ACCELERATED;
    const pairs_accelerated_limits limits = {
        .tolerance = a->tolerance, .most = at_most(a, most), .until = a->until};
    a->report.iterations +=
        pairs_accelerated_run(&a->self->accelerated, &a->self->sweeps, &limits, a->r, a->v, &a->report.error);
}

static void run_newton(approach *a, int attempt, int steps)
{
    const pairs_newton_limits limits = {
        .tolerance = a->tolerance, .attempt = attempt, .steps = at_most(a, steps), .until = a->until};
    pairs_newton_report newton = {.error = a->report.error};
    pairs_newton_solve(&a->self->newton, &limits, a->r, a->v, &newton);
    a->report.iterations += newton.steps;
    a->report.inner_iterations += newton.factors;
    a->report.error = newton.error;
}

static void run_interior(approach *a, int attempt)
{
    const pairs_interior_limits limits = {.tolerance = a->tolerance,
                                          .attempt = attempt,
                                          .steps = at_most(a, INTERIOR_STEPS),
                                          .until = a->until};
    pairs_interior_report interior = {.error = a->report.error};
    pairs_newton_forget(&a->self->newton);
    pairs_interior_solve(&a->self->interior, &limits, a->r, a->v, &interior);
    a->report.iterations += interior.steps;
    a->report.inner_iterations += interior.steps;
    a->report.error = interior.error;
}

/* Many contacts that change between stick, slip and open: Newton's method goes round in circles where it is not
 * near, and comes near from inside. */
static void run_interior_rounds(approach *a)
{
    run_newton(a, 0, NEWTON_FIRST);
    for (int round = 0; round < INTERIOR_ROUNDS && !is_over(a); round++) {
        run_interior(a, round);
        if (!is_over(a))
            run_newton(a, round, NEWTON_LAST);
    }
}

/* Without impulses. */
static void begin_anew(approach *a)
{
    const pairs_rows *rows = &a->self->rows;
    memset(a->r, 0, (size_t)(rows->d * rows->contacts) * sizeof *a->r);
    pairs_rows_motion(rows, a->r, a->v);
}

/* The best r of all. */
static void keep_best(approach *a, double *best, double *best_error)
{
    const pairs_rows *rows = &a->self->rows;
    if (!(a->report.error < *best_error))
        return;
    *best_error = a->report.error;
    memcpy(best, a->r, (size_t)(rows->d * rows->contacts) * sizeof *best);
}

/* Newton's method may go round in circles from one start and not from another. */
static void run_rounds(approach *a)
{
    const pairs_rows *rows = &a->self->rows;
    double *best = a->self->kept, best_error = INFINITY;
    for (int round = 1; round <= ROUNDS && !is_over(a); round++) {
        const double best_before = best_error;
        run_newton(a, round - 1, INT_MAX);
        keep_best(a, best, &best_error);
        if (is_over(a) ||
            (isfinite(best_before) && fabs(a->report.error - best_before) <= same_end * best_before))
            break;
        if (round % 2 == 1)
            begin_anew(a);
        sweep(a, 20 * round);
    }
    keep_best(a, best, &best_error);
    a->report.error = best_error;
    memcpy(a->r, best, (size_t)(rows->d * rows->contacts) * sizeof *best);
    pairs_rows_motion(rows, a->r, a->v);
}

/* False when memory is short. */
static bool solve_velocities(approach *a)
{
    carom_pairs_solver *self = a->self;
    if (!pairs_sweep_take(&self->sweeps, &self->rows))
        return false;
    if (!(self->rows.q_size > 0.0)) {
        begin_anew(a);
        a->report.error = 0.0;
        return true;
    }
    if (!isfinite(self->rows.q_size))
        return true;
    sweep_while_it_pays(a);
    if (is_over(a) || self->rows.hopeless)
        return true;
    const bool is_many = self->rows.contacts >= MANY, in_plane = pairs_interior_knows(&self->rows);
    if (self->rows.contacts >= SPACIOUS && !in_plane && !self->rows.joints) {
        if (!pairs_accelerated_take(&self->accelerated, &self->rows))
            return false;
        sweep_accelerated(a);
        if (is_over(a))
            return true;
    }
    if (!pairs_newton_take(&self->newton, &self->rows))
        return false;
    if (is_many && in_plane) {
        if (!pairs_interior_take(&self->interior, &self->rows, &self->newton.system))
            return false;
        run_interior_rounds(a);
        if (is_over(a))
            return true;
    }
    run_rounds(a);
    return true;
}

static carom_solve_word word_of(const approach *a)
{
    if (is_solved(a))
        return CAROM_SOLVE_OK;
    if (a->self->rows.hopeless)
        return CAROM_SOLVE_INFEASIBLE;
    if (a->report.iterations >= a->most)
        return CAROM_SOLVE_ITERATIONS;
    return time_is_over(a) ? CAROM_SOLVE_TIME : CAROM_SOLVE_STALLED;
}

static carom_solve_report solve_auto(carom_pairs_solver *self, const carom_pairs *problem, double scale,
                                     double *r)
{
    const carom_solver_options *limits = &self->solver->limits;
    approach a = {.self = self,
                  .tolerance = nearly * self->tolerance,
                  .most = limits->max_iterations > 0 ? limits->max_iterations : INT_MAX,
                  .until = limits->max_seconds > 0.0 ? carom_seconds() + limits->max_seconds : 0.0,
                  .report = {.status = CAROM_NO_MEMORY, .word = CAROM_SOLVE_MEMORY, .error = INFINITY}};
    if (!take_room(self, (size_t)problem->contacts * (problem->spin ? 2 : 1)) ||
        !pairs_rows_take(&self->rows, problem, scale))
        return a.report;
    self->rows.joints = problem->joints > 0 ? &self->joints : NULL;
    a.r = self->scaled;
    a.v = self->v;
    pairs_rows_pack(&self->rows, r, a.r);
    pairs_rows_motion(&self->rows, a.r, a.v);
    a.report.error = pairs_rows_error(&self->rows, a.r, a.v);
    if (!solve_velocities(&a))
        return a.report;
    pairs_rows_unpack(&self->rows, a.r, r);
    a.report.word = word_of(&a);
    return a.report;
}

/* The error is that of what is returned. */
static void measure(carom_pairs_solver *self, const carom_pairs *problem, double scale, const double *r,
                    double *velocity, carom_solve_report *report)
{
    carom_pairs_motion(problem, r, velocity);
    if (problem->joints > 0)
        pairs_joints_obey_six(&self->joints, velocity, self->v);
    report->error = carom_pairs_error(problem, scale, r, velocity);
    if (report->error <= self->tolerance)
        report->word = CAROM_SOLVE_OK;
    else if (report->word == CAROM_SOLVE_OK)
        report->word = CAROM_SOLVE_ROUNDING;
    report->status = report->word == CAROM_SOLVE_OK       ? CAROM_OK
                     : report->word == CAROM_SOLVE_MEMORY ? CAROM_NO_MEMORY
                                                          : CAROM_FAILED;
}

/* Whether the rounding of what the start moves is larger than what is asked: impulses of a hard impact, and bodies that move side by
 * side after it, whose q is itself of the size of rounding. Sweeps change velocities of the start bit by bit, and keep its rounding. */
static bool start_hides_q(const carom_pairs_solver *solver, const carom_pairs *problem, double scale,
                          const double *r)
{
    const size_t numbers = (size_t)problem->contacts * (problem->spin ? 6 : 3);
    double start = 0.0, size = 0.0;
    for (size_t i = 0; i < numbers; i++) {
        start = fmax(start, fabs(scale * r[i]));
        size = fmax(size, fabs(problem->q[i]));
    }
    return DBL_EPSILON * start > 0.1 * solver->tolerance * size;
}

carom_solve_report carom_pairs_solve(carom_pairs_solver *solver, const carom_pairs *problem, double *r,
                                     double *velocity)
{
    const double scale = carom_pairs_scale(problem);
    carom_solve_report report = {.word = CAROM_SOLVE_INFEASIBLE}; /* when nothing is moved by any impulse */
    if (problem->joints > 0 && !solver->is_auto)
        return (carom_solve_report){
            .status = CAROM_BAD_INPUT, .word = CAROM_SOLVE_REFUSED, .error = INFINITY};
    if (!take_bodies(solver, (size_t)problem->bodies) ||
        (problem->joints > 0 && !pairs_joints_take(&solver->joints, problem)))
        return (carom_solve_report){.status = CAROM_NO_MEMORY, .word = CAROM_SOLVE_MEMORY, .error = INFINITY};
    measure(solver, problem, scale, r, velocity, &report);
    if (report.status == CAROM_OK || !(scale > 0.0))
        return report;
    if (start_hides_q(solver, problem, scale, r))
        memset(r, 0, (size_t)problem->contacts * (problem->spin ? 6 : 3) * sizeof *r);
    if (solver->is_auto)
        report = solve_auto(solver, problem, scale, r);
    if (!solver->is_auto || (report.word == CAROM_SOLVE_STALLED && problem->joints == 0 &&
                             problem->contacts <= (report.error > large_error ? MEDIUM : SMALL)))
        report = solve_blocks(solver, problem, scale, r);
    measure(solver, problem, scale, r, velocity, &report);
    return report;
}

/* ---- together with other processes ------------------------------------------------------------------------ */

enum {
    SHARED_SWEEPS = 2000 /* at most; what promises to take more ends before */
};

/* Mean of W_NN and |q|^2, of all processes: parts of bodies count with the mass of the whole. */
static void measure_shared(const carom_pairs *problem, const carom_pairs_others *others, double *scale,
                           double *q_size)
{
    double number[3] = {0.0, problem->contacts, 0.0};
    for (int i = 0; i < problem->contacts; i++) {
        const carom_pair_rows *row = &problem->row[i];
        for (int side = 0; side < 2; side++)
            if (row->body[side] >= 0)
                number[0] += (problem->inverse_mass[row->body[side]] +
                              carom_dot(3, row->turn[side], row->answer[side])) /
                             others->holders[row->body[side]];
        number[2] += carom_dot(3, problem->q + 3 * (ptrdiff_t)i, problem->q + 3 * (ptrdiff_t)i);
    }
    others->sum(others->context, 3, number);
    *scale = number[1] > 0.0 ? number[0] / number[1] : 0.0;
    *q_size = sqrt(number[2]);
}

static carom_solve_report shared_memory(const carom_pairs_others *others, bool has_room)
{
    double missing = has_room ? 0.0 : 1.0;
    others->sum(others->context, 1, &missing);
    if (missing > 0.0)
        return (carom_solve_report){.status = CAROM_NO_MEMORY, .word = CAROM_SOLVE_MEMORY, .error = INFINITY};
    return (carom_solve_report){.word = CAROM_SOLVE_STALLED, .error = INFINITY};
}

carom_solve_report carom_pairs_solve_shared(carom_pairs_solver *self, const carom_pairs *problem,
                                            const carom_pairs_others *others, double *r, double *velocity)
{
    const carom_solver_options *options = &self->options;
    const pairs_accelerated_limits limits = {.tolerance = nearly * self->tolerance,
                                             .most = options->max_iterations > 0 &&
                                                             options->max_iterations < SHARED_SWEEPS
                                                         ? options->max_iterations
                                                         : SHARED_SWEEPS,
                                             .others = others};
    pairs_rows *rows = &self->rows;
    double scale, q_size;
    measure_shared(problem, others, &scale, &q_size);
    carom_solve_report report =
        shared_memory(others, take_bodies(self, (size_t)problem->bodies) &&
                                  take_room(self, (size_t)problem->contacts + 1) &&
                                  pairs_rows_take(rows, problem, scale > 0.0 ? scale : 1.0) &&
                                  pairs_sweep_take(&self->sweeps, rows) &&
                                  pairs_accelerated_take(&self->accelerated, rows));
    if (report.word == CAROM_SOLVE_MEMORY || !(scale > 0.0))
        return report;
    rows->q_size = q_size;
    rows->joints = NULL;
    pairs_rows_pack(rows, r, self->scaled);
    pairs_accelerated_motion(&limits, rows, self->scaled, self->v);
    report.error = pairs_accelerated_error(&limits, rows, self->scaled, self->v);
    if (!(report.error <= limits.tolerance) && isfinite(q_size))
        report.iterations = pairs_accelerated_run(&self->accelerated, &self->sweeps, &limits, self->scaled,
                                                  self->v, &report.error);
    pairs_rows_unpack(rows, self->scaled, r);
    carom_pairs_motion(problem, r, velocity);
    others->mean(others->context, 6, velocity);
    report.tolerance = self->tolerance;
    report.word = report.error <= self->tolerance ? CAROM_SOLVE_OK : CAROM_SOLVE_STALLED;
    report.status = report.word == CAROM_SOLVE_OK ? CAROM_OK : CAROM_FAILED;
    return report;
}
