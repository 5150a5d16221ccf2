#include "normal_lcp.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact_solver.h"
#include "sparse_normals.h"
#include "step_report.h"

bool normal_lcp_take(normal_lcp *lcp, carom_arena *arena, int capacity)
{
    const size_t count = (size_t)capacity;
    const carom_problem_shape shape = {.size = capacity};
    *lcp =
        (normal_lcp){.matrix = carom_arena_take(arena, carom_product(count, count), sizeof(double)),
                     .vector = carom_arena_take(arena, count, sizeof(double)),
                     .z = carom_arena_take(arena, count, sizeof(double)),
                     .work = carom_arena_take(arena, carom_lcp_active_set.work_size(&shape), sizeof(double))};
    return lcp->matrix && lcp->vector && lcp->z && lcp->work;
}

carom_status normal_lcp_setup(normal_lcp *lcp, const carom_stepper *stepper, carom_error *error)
{
    if (sparse_normals_serve(stepper)) { /* nothing of contacts x contacts */
        const size_t count = (size_t)stepper->contacts;
        lcp->vector = carom_arena_take(stepper->arena, count, sizeof(double));
        lcp->z = carom_arena_take(stepper->arena, count, sizeof(double));
        lcp->limits = contact_solver_limits(stepper);
        return lcp->vector && lcp->z ? CAROM_OK : carom_fail_memory(error);
    }
    return normal_lcp_setup_full(lcp, stepper, error);
}

carom_status normal_lcp_setup_full(normal_lcp *lcp, const carom_stepper *stepper, carom_error *error)
{
    if (!normal_lcp_take(lcp, stepper->arena, stepper->contacts))
        return carom_fail_memory(error);
    lcp->limits = contact_solver_limits(stepper);
    return contact_solver_create(stepper, CAROM_PROBLEM_LCP, NULL, NULL, NULL, &lcp->solver, error);
}

bool normal_lcp_make_room(normal_lcp *lcp, int size)
{
    const carom_problem_shape shape = {.size = size};
    const size_t matrix = carom_product((size_t)size, (size_t)size);
    const size_t work = carom_lcp_active_set.work_size(&shape);
    double *grown = carom_new_array(matrix > SIZE_MAX - work ? SIZE_MAX : matrix + work, sizeof *grown);
    if (!grown)
        return false;
    free(lcp->grown);
    lcp->grown = lcp->matrix = grown;
    lcp->work = grown + matrix;
    return true;
}

void normal_lcp_free(normal_lcp *lcp)
{
    carom_solver_free(lcp->solver);
    lcp->solver = NULL;
    free(lcp->grown);
    lcp->grown = NULL;
}

/* Also of problems whose solution is a formula. */
static double tolerance_of(const normal_lcp *lcp)
{
    return lcp->solver                   ? lcp->solver->limits.tolerance
           : lcp->limits.tolerance > 0.0 ? lcp->limits.tolerance
                                         : carom_lcp_active_set.tolerance;
}

/* Of those that need no memory but the work of the active set. */
static carom_solve_report solve_by(const carom_solver_ops *ops, const normal_lcp *lcp)
{
    const carom_lcp problem = {lcp->size, lcp->matrix, lcp->vector};
    const double tolerance = lcp->limits.tolerance > 0.0 ? lcp->limits.tolerance : ops->tolerance;
    carom_solver solver =
        carom_solver_in(ops, &(carom_problem_shape){.size = lcp->size}, tolerance, lcp->work);
    if (lcp->limits.max_iterations > 0)
        solver.limits.max_iterations = lcp->limits.max_iterations;
    return carom_solver_lcp(&solver, &problem, lcp->z);
}

static carom_solve_report solve_scaled(const normal_lcp *lcp)
{
    if (lcp->solver)
        return carom_solver_lcp(lcp->solver, &(carom_lcp){lcp->size, lcp->matrix, lcp->vector}, lcp->z);
    if (lcp->size <= 2) {
        const carom_solve_report report = solve_by(&carom_lcp_closed_form, lcp);
        if (report.status == CAROM_OK)
            return report;
    }
    const carom_solve_report report = solve_by(&carom_lcp_active_set, lcp);
    return report.status == CAROM_OK ? report : solve_by(&carom_lcp_gauss_seidel, lcp);
}

/* Where there is no solution impulses grow without end, and the error, which is relative to them, falls with every
 * iteration. What is left against the free velocities, which are of order 1 here, does not. */
static bool leaves_too_much(const normal_lcp *lcp)
{
    static const double too_much = 0.1;
    double largest = 0.0;
    for (int i = 0; i < lcp->size; i++)
        largest = fmax(largest, fabs(lcp->z[i]));
    return !(lcp->report.error * (1.0 + largest) <= too_much);
}

carom_solve_report normal_lcp_solve(normal_lcp *lcp)
{
    const int n = lcp->size;
    if (n == 1 && !lcp->solver) { /* Moreau 1986 (10.7) */
        lcp->z[0] = lcp->vector[0] < 0.0 ? -lcp->vector[0] / lcp->matrix[0] : 0.0;
        return (carom_solve_report){.status = CAROM_OK, .tolerance = tolerance_of(lcp)};
    }
    /* Impulses of order 1, which leaves_too_much relies on. */
    double scale = 0.0;
    bool all_leave = true;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(lcp->vector[i]) / lcp->matrix[i * n + i]);
        all_leave = all_leave && lcp->vector[i] >= 0.0;
    }
    if (all_leave) {
        for (int i = 0; i < n; i++)
            lcp->z[i] = 0.0;
        return (carom_solve_report){.status = CAROM_OK, .tolerance = tolerance_of(lcp)};
    }
    for (int i = 0; i < n; i++) {
        lcp->vector[i] /= scale;
        lcp->z[i] /= scale;
    }
    lcp->report = solve_scaled(lcp);
    if (lcp->report.status != CAROM_OK && !is_useless(&lcp->report) && leaves_too_much(lcp))
        lcp->report.word = CAROM_SOLVE_DIVERGED;
    for (int i = 0; i < n; i++)
        lcp->z[i] *= scale;
    return lcp->report;
}

const char *normal_lcp_reason(const normal_lcp *lcp, char *text, size_t size)
{
    carom_format(text, size, "%s: %s, error %g after %d iterations",
                 lcp->solver ? lcp->solver->ops->name : "auto", carom_solve_word_text(lcp->report.word),
                 lcp->report.error, lcp->report.iterations);
    return text;
}

void normal_lcp_keep(normal_lcp *lcp, int capacity, carom_snapshot *snapshot)
{
    carom_snapshot_block(snapshot, &lcp->size, sizeof lcp->size);
    carom_snapshot_block(snapshot, lcp->z, (size_t)capacity * sizeof *lcp->z);
    contact_solver_keep(lcp->solver, snapshot);
}
