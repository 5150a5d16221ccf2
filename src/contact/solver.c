/* The life of a solver: options and memory at the beginning, one problem after the other, the end. */
#include "carom/contact.h"
#include "contact/coulomb/parts/law_residual.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact/coulomb/parts/dense_blocks.h"
#include "contact/coulomb/step/step_coulomb.h"

enum {
    MOST_CONTACTS = 15000, /* blocks are counted by ints */
};

/* ---- create ------------------------------------------------------------------------------------------- */

static carom_status check_limits(const carom_solver_ops *ops, const carom_solver_options *options,
                                 carom_error *error)
{
    if (options->tolerance >= 0.0 && options->max_iterations >= 0 && options->max_seconds >= 0.0)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "solver '%s': tolerance %g, max_iterations %d, max_seconds %g; none may be negative, 0 is the "
        "default",
        ops->name, options->tolerance, options->max_iterations, options->max_seconds);
}

static bool serves_steps(const carom_solver *solver)
{
    return solver->shape.kind == CAROM_PROBLEM_STEP;
}

static carom_status check_shape(const carom_solver *solver, carom_error *error)
{
    const carom_solver_ops *ops = solver->ops;
    const carom_problem_shape *shape = &solver->shape;
    const bool adapts = serves_steps(solver) && ops->kind == CAROM_PROBLEM_COULOMB;
    if (shape->kind != ops->kind && !adapts)
        return carom_fail(error, CAROM_BAD_INPUT, "solver '%s' is for problems of the kind '%s', not '%s'",
                          ops->name, carom_problem_kind_word(ops->kind),
                          carom_problem_kind_word(shape->kind));
    if (ops->kind == CAROM_PROBLEM_QP)
        return shape->qp
                   ? CAROM_OK
                   : carom_fail(error, CAROM_BAD_INPUT,
                                "solver '%s' needs the matrix and the rows of the program at its creation",
                                ops->name);
    if (shape->size < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "solver '%s': %d unknowns or contacts; at least 0",
                          ops->name, shape->size);
    if (ops->max_size > 0 && shape->size > ops->max_size)
        return carom_fail(error, CAROM_BAD_INPUT, "solver '%s' takes problems up to size %d, not %d",
                          ops->name, ops->max_size, shape->size);
    const bool dense = serves_steps(solver) || (ops->kind == CAROM_PROBLEM_COULOMB && shape->blocks == 0);
    if (dense && shape->size > MOST_CONTACTS)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d contacts; at most %d can be solved together when all blocks of W are there",
                          shape->size, MOST_CONTACTS);
    return CAROM_OK;
}

static carom_status take_options(carom_solver *solver, const carom_option *list, carom_error *error)
{
    const carom_solver_ops *ops = solver->ops;
    double *value = (double *)(void *)(solver + 1); /* behind the solver: carom_solver_create */
    solver->option = value;
    if (carom_options_resolve("", ops->option_count, ops->options, list, value, NULL) == CAROM_OK)
        return CAROM_OK;
    char owner[160]; /* for the message only: small problems are solved sooner than it is written */
    snprintf(owner, sizeof owner, "solver '%s'", ops->name);
    return carom_options_resolve(owner, ops->option_count, ops->options, list, value, error);
}

/* Blocks where none are given, and all of them where W is treated as dense. */
static void complete_shape(carom_solver *solver)
{
    carom_problem_shape *shape = &solver->shape;
    if (solver->ops->kind != CAROM_PROBLEM_COULOMB)
        return;
    if (shape->kind == CAROM_PROBLEM_STEP || shape->blocks == 0 || coulomb_is_dense(shape))
        shape->blocks = shape->size * shape->size;
}

/* Memory for the shape. */
static carom_status set_up(carom_solver *solver, carom_error *error)
{
    const carom_solver_ops *ops = solver->ops;
    if (ops->work_size) {
        solver->work = carom_new_array(ops->work_size(&solver->shape), sizeof *solver->work);
        if (!solver->work)
            return carom_fail_memory(error);
    }
    if (serves_steps(solver) && ops->kind == CAROM_PROBLEM_COULOMB) {
        solver->step = step_coulomb_create(solver->shape.size);
        if (!solver->step)
            return carom_fail_memory(error);
    }
    return ops->setup ? ops->setup(solver, error) : CAROM_OK;
}

static void give_back(carom_solver *solver)
{
    if (solver->ops->free && solver->data)
        solver->ops->free(solver);
    solver->data = NULL;
    free(solver->work);
    solver->work = NULL;
    step_coulomb_free(solver->step);
    solver->step = NULL;
}

static carom_status fill(carom_solver *solver, const carom_problem_shape *shape,
                         const carom_solver_options *options, carom_error *error)
{
    const carom_solver_ops *ops = solver->ops;
    static const carom_problem_shape none = {0};
    static const carom_solver_options defaults = {0};
    solver->shape = shape ? *shape : none;
    if (solver->shape.kind == 0)
        solver->shape.kind = ops->kind;
    solver->limits = options ? *options : defaults;
    carom_status status = check_limits(ops, &solver->limits, error);
    if (status == CAROM_OK)
        status = check_shape(solver, error);
    if (status == CAROM_OK)
        complete_shape(solver);
    if (status == CAROM_OK)
        status = take_options(solver, solver->limits.option, error);
    if (solver->limits.tolerance == 0.0)
        solver->limits.tolerance = serves_steps(solver) ? carom_step_auto.tolerance : ops->tolerance;
    if (solver->limits.max_iterations == 0)
        solver->limits.max_iterations = ops->max_iterations;
    solver->limits.option = NULL;
    return status == CAROM_OK ? set_up(solver, error) : status;
}

carom_status carom_solver_create(const carom_solver_ops *ops, const carom_problem_shape *shape,
                                 const carom_solver_options *options, carom_solver **solver,
                                 carom_error *error)
{
    *solver = NULL;
    if (!ops)
        return carom_fail(error, CAROM_BAD_INPUT, "no solver; carom_solver_find finds one by its name");
    carom_solver *made = carom_new_array(1, sizeof *made + (size_t)ops->option_count * sizeof *made->option);
    if (!made)
        return carom_fail_memory(error);
    made->ops = ops;
    const carom_status status = fill(made, shape, options, error);
    if (status == CAROM_OK)
        *solver = made;
    else
        carom_solver_free(made);
    return status;
}

void carom_solver_free(carom_solver *solver)
{
    if (!solver)
        return;
    give_back(solver);
    free(solver);
}

carom_solver carom_solver_in(const carom_solver_ops *ops, const carom_problem_shape *shape, double tolerance,
                             double *work)
{
    carom_solver solver = {.ops = ops, .shape = *shape, .work = work};
    solver.limits = (carom_solver_options){.tolerance = tolerance, .max_iterations = ops->max_iterations};
    return solver;
}

/* ---- growth ------------------------------------------------------------------------------------------- */

carom_problem_shape carom_coulomb_shape(const carom_coulomb *problem)
{
    return (carom_problem_shape){.kind = CAROM_PROBLEM_COULOMB,
                                 .size = problem->contacts,
                                 .blocks =
                                     problem->contacts > 0 ? problem->W.row_start[problem->contacts] : 0};
}

static bool fits(const carom_solver *solver, const carom_problem_shape *asked)
{
    const carom_problem_shape *shape = &solver->shape;
    if (asked->size > shape->size || asked->blocks > shape->blocks)
        return false;
    return solver->ops->kind != CAROM_PROBLEM_COULOMB || coulomb_is_dense(asked) == coulomb_is_dense(shape);
}

/* Memory for what is asked; that of before is kept in mind unless it was for matrices of another storage. */
static carom_status grow(carom_solver *solver, const carom_problem_shape *asked)
{
    carom_problem_shape *shape = &solver->shape;
    const bool other_storage = solver->ops->kind == CAROM_PROBLEM_COULOMB && shape->size > 0 &&
                               coulomb_is_dense(asked) != coulomb_is_dense(shape);
    give_back(solver);
    if (other_storage || asked->size > shape->size)
        shape->size = asked->size;
    if (other_storage || asked->blocks > shape->blocks)
        shape->blocks = asked->blocks;
    complete_shape(solver);
    const carom_status status = set_up(solver, NULL);
    if (status != CAROM_OK) {
        give_back(solver);
        shape->size = shape->blocks = -1; /* the next problem tries again */
    }
    return status;
}

/* False: it does not take this problem, the reason in the report. */
static bool make_room(carom_solver *solver, const carom_problem_shape *asked, carom_solve_report *report)
{
    const int most = solver->ops->max_size;
    if (most > 0 && asked->size > most)
        report->status = CAROM_BAD_INPUT;
    else if (!fits(solver, asked))
        report->status = grow(solver, asked);
    report->word = report->status == CAROM_OK          ? CAROM_SOLVE_OK
                   : report->status == CAROM_NO_MEMORY ? CAROM_SOLVE_MEMORY
                                                       : CAROM_SOLVE_REFUSED;
    return report->status == CAROM_OK;
}

/* ---- solve -------------------------------------------------------------------------------------------- */

static const carom_solve_report nothing_done = {.failed_contact = -1};

/* A status and a word that say the same; solvers give one of them. */
static void complete(const carom_solver *solver, carom_solve_report *report)
{
    report->tolerance = solver->limits.tolerance;
    if (!serves_steps(solver))
        report->failed_contact = -1;
    if (report->status == CAROM_OK && report->word != CAROM_SOLVE_OK)
        report->status = report->word == CAROM_SOLVE_MEMORY        ? CAROM_NO_MEMORY
                         : report->word == CAROM_SOLVE_REFUSED     ? CAROM_BAD_INPUT
                         : report->word == CAROM_SOLVE_INTERRUPTED ? CAROM_INTERRUPTED
                                                                   : CAROM_FAILED;
    else if (report->status != CAROM_OK && report->word == CAROM_SOLVE_OK)
        report->word = report->status == CAROM_NO_MEMORY     ? CAROM_SOLVE_MEMORY
                       : report->status == CAROM_BAD_INPUT   ? CAROM_SOLVE_REFUSED
                       : report->status == CAROM_INTERRUPTED ? CAROM_SOLVE_INTERRUPTED
                                                             : CAROM_SOLVE_STALLED;
}

carom_solve_report carom_solver_lcp(carom_solver *solver, const carom_lcp *problem, double *z)
{
    carom_solve_report report = nothing_done;
    if (make_room(solver, &(carom_problem_shape){.size = problem->size}, &report))
        solver->ops->solve.lcp(solver, problem, z, &report);
    else
        report.error = carom_lcp_error(problem, z);
    complete(solver, &report);
    return report;
}

carom_solve_report carom_solver_qp(carom_solver *solver, const carom_qp *problem, double *x, double *r)
{
    carom_solve_report report = nothing_done;
    solver->ops->solve.qp(solver, problem, x, r, &report);
    complete(solver, &report);
    return report;
}

carom_solve_report carom_solver_one_contact(carom_solver *solver, const carom_friction_contact *contact,
                                            carom_friction_result *result, carom_error *error)
{
    carom_solve_report report = nothing_done;
    solver->ops->solve.one_contact(solver, contact, result, &report, error);
    complete(solver, &report);
    return report;
}

carom_solve_report carom_solver_step(carom_solver *solver, const carom_friction_problem *problem,
                                     double *impulse, unsigned char *regime, carom_error *error)
{
    carom_solve_report report = nothing_done;
    const bool adapts = solver->ops->kind == CAROM_PROBLEM_COULOMB;
    const int blocks = adapts ? problem->count * problem->count : 0;
    solver->shape.kind = CAROM_PROBLEM_STEP;
    if (!make_room(solver, &(carom_problem_shape){.size = problem->count, .blocks = blocks}, &report)) {
        report.error = carom_friction_problem_error(problem, impulse);
        carom_fail(error, report.status, "solver '%s' cannot take a step with %d contacts%s",
                   solver->ops->name, problem->count,
                   report.word == CAROM_SOLVE_MEMORY ? ": out of memory" : "");
    } else if (adapts) {
        step_coulomb_solve(solver, problem, impulse, regime, &report, error);
    } else {
        solver->ops->solve.step(solver, problem, impulse, regime, &report, error);
    }
    complete(solver, &report);
    return report;
}

/* In the place of a zeroed problem, whose arrays are not there. */
static const int no_place[1] = {0};
static const double no_number[1] = {0.0};
static const carom_coulomb no_contacts = {
    .W = {.row_start = no_place, .column = no_place, .diagonal = no_place, .block = no_number},
    .q = no_number,
    .mu = no_number};
/* A small natural map is not enough. */
static carom_solve_word judge(const carom_coulomb *problem, const double *r, double tolerance)
{
    const carom_coulomb_residual residual = carom_coulomb_residuals(problem, r);
    return coulomb_law_judge(&residual, tolerance);
}

/* Goes on from r with a tolerance that is the `part`-th of what it was. */
static void solve_closer(carom_solver *solver, const carom_coulomb *problem, double part, double *r,
                         carom_solve_report *report)
{
    const carom_solve_report before = *report;
    *report = nothing_done;
    solver->limits.tolerance *= part;
    if (solver->limits.max_iterations > 0)
        solver->limits.max_iterations -= before.iterations;
    solver->ops->solve.coulomb(solver, problem, r, report);
    report->iterations += before.iterations;
    report->inner_iterations += before.inner_iterations;
    report->local_failures += before.local_failures;
    report->seconds += before.seconds;
}

/* Until all parts of the law hold, or it cannot be done. */
static void solve_and_judge(carom_solver *solver, const carom_coulomb *problem, double *r,
                            carom_solve_report *report)
{
    const carom_solver_options limits = solver->limits;
    solver->ops->solve.coulomb(solver, problem, r, report);
    carom_solve_word word = report->word;
    for (int round = 0; report->word == CAROM_SOLVE_OK && !report->other_cones; round++) {
        word = judge(problem, r, limits.tolerance);
        const bool is_over = (limits.max_seconds > 0.0 && report->seconds > limits.max_seconds) ||
                             (limits.max_iterations > 0 && report->iterations >= limits.max_iterations);
        if (word != CAROM_SOLVE_STALLED || is_over || round == 4)
            break;
        solve_closer(solver, problem, 0.01, r, report);
        word = report->word;
    }
    solver->limits = limits;
    report->word = word;
}

carom_solve_report carom_solver_coulomb(carom_solver *solver, const carom_coulomb *problem, double *r)
{
    carom_solve_report report = nothing_done;
    if (problem->contacts == 0 && !problem->W.row_start)
        problem = &no_contacts;
    const carom_problem_shape asked = carom_coulomb_shape(problem);
    if (make_room(solver, &asked, &report))
        solve_and_judge(solver, problem, r, &report);
    else
        report.error = carom_coulomb_error(problem, r);
    complete(solver, &report);
    return report;
}

carom_status carom_coulomb_solve(const carom_solver_ops *ops, const carom_coulomb *problem,
                                 const carom_solver_options *options, double *r, carom_solve_report *report,
                                 carom_error *error)
{
    const carom_problem_shape shape = carom_coulomb_shape(problem);
    carom_solver *solver = NULL;
    *report = nothing_done;
    const carom_status status = carom_solver_create(ops, &shape, options, &solver, error);
    if (status == CAROM_NO_MEMORY) {
        *report = (carom_solve_report){status, 0, INFINITY, .word = CAROM_SOLVE_MEMORY, .failed_contact = -1};
        return CAROM_OK;
    }
    if (status != CAROM_OK || !solver)
        return status;
    *report = carom_solver_coulomb(solver, problem, r);
    carom_solver_free(solver);
    return CAROM_OK;
}
