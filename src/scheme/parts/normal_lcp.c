#include "normal_lcp.h"

#include <math.h>

static const double tolerance = 1e-12;

bool normal_lcp_take(normal_lcp *lcp, carom_arena *arena, int capacity)
{
    return normal_lcp_take_for(NULL, lcp, arena, capacity);
}

bool normal_lcp_take_for(const carom_solver_ops *solver, normal_lcp *lcp, carom_arena *arena, int capacity)
{
    const carom_solver_ops *solvers[] = {&carom_lcp_active_set, solver};
    const carom_problem_shape shape = {.size = capacity};
    size_t work_size = 0;
    for (int i = 0; i < 2 && solvers[i]; i++) {
        const size_t size = solvers[i]->work_size ? solvers[i]->work_size(&shape) : 0;
        if (size > work_size)
            work_size = size;
    }
    const size_t count = (size_t)capacity;
    lcp->matrix = carom_arena_take(arena, count * count, sizeof(double));
    lcp->vector = carom_arena_take(arena, count, sizeof(double));
    lcp->z = carom_arena_take(arena, count, sizeof(double));
    lcp->work = carom_arena_take(arena, work_size, sizeof(double));
    return lcp->matrix && lcp->vector && lcp->z && lcp->work;
}

static carom_solve_report solve_by(const carom_solver_ops *ops, const normal_lcp *lcp)
{
    const carom_lcp problem = {lcp->size, lcp->matrix, lcp->vector};
    carom_solver solver =
        carom_solver_in(ops, &(carom_problem_shape){.size = lcp->size}, tolerance, lcp->work);
    return carom_solver_lcp(&solver, &problem, lcp->z);
}

static carom_solve_report solve_by_choice(const normal_lcp *lcp, const carom_solver_ops *solver)
{
    if (solver)
        return solve_by(solver, lcp);
    if (lcp->size <= 2) {
        const carom_solve_report report = solve_by(&carom_lcp_closed_form, lcp);
        if (report.status == CAROM_OK)
            return report;
    }
    const carom_solve_report report = solve_by(&carom_lcp_active_set, lcp);
    return report.status == CAROM_OK ? report : solve_by(&carom_lcp_gauss_seidel, lcp);
}

carom_solve_report normal_lcp_solve(normal_lcp *lcp, const carom_solver_ops *solver)
{
    const int n = lcp->size;
    if (n == 1 && !solver) { /* Moreau 1986 (10.7) */
        lcp->z[0] = lcp->vector[0] < 0.0 ? -lcp->vector[0] / lcp->matrix[0] : 0.0;
        return (carom_solve_report){.status = CAROM_OK};
    }
    /* The error measure of an LCP has an absolute part; impulses of order 1 make it independent of units. */
    double scale = 0.0;
    bool all_leave = true;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(lcp->vector[i]) / lcp->matrix[i * n + i]);
        all_leave = all_leave && lcp->vector[i] >= 0.0;
    }
    if (all_leave) {
        for (int i = 0; i < n; i++)
            lcp->z[i] = 0.0;
        return (carom_solve_report){.status = CAROM_OK};
    }
    for (int i = 0; i < n; i++) {
        lcp->vector[i] /= scale;
        lcp->z[i] /= scale;
    }
    carom_solve_report report = solve_by_choice(lcp, solver);
    for (int i = 0; i < n; i++)
        lcp->z[i] *= scale;
    return report;
}
