/* The convex relaxation: friction without the correction mu |u_T|, so that sliding contacts open (associated
 * friction). Its solution is in general none of FC(W, q, mu). */
#include <math.h>
#include <string.h>

#include "contact/solvers.h"
#include "convex_loop.h"

enum {
    SWEEPS_PER_LOOK = 10,
    DEFAULT_SWEEPS = 20000,
};

static double own_error(coulomb_convex *loop, double size)
{
    coulomb_vi_refresh(&loop->vi, &loop->state);
    const double residual = coulomb_vi_residual(&loop->vi, loop->state.r, loop->state.F);
    if (residual == 0.0)
        return 0.0;
    return isfinite(residual / size) ? residual / size : INFINITY;
}

static bool is_solved_or_hopeless(const coulomb_watch *watch, double error)
{
    if (error <= watch->limits->tolerance)
        watch->report->word = CAROM_SOLVE_STALLED;
    else if (!(error <= 1e20))
        watch->report->word = CAROM_SOLVE_DIVERGED;
    else
        return false;
    return true;
}

/* STALLED says that the relaxation is solved and nothing more can be done for FC(W, q, mu). */
static double sweep(coulomb_convex *loop)
{
    coulomb_watch *watch = &loop->watch;
    carom_solve_report *report = watch->report;
    const double size = sqrt(carom_dot(3 * loop->problem->contacts, loop->problem->q, loop->problem->q));
    double error = own_error(loop, size);
    while (!is_solved_or_hopeless(watch, error) && !coulomb_watch_is_over(watch)) {
        const int left = watch->max_iterations - report->iterations;
        loop->limit = left < SWEEPS_PER_LOOK ? left : SWEEPS_PER_LOOK;
        const int sweeps = coulomb_convex_solve(loop, watch->limits->tolerance * size);
        report->iterations += sweeps;
        error = own_error(loop, size);
        if (watch->limits->report)
            watch->limits->report(watch->limits->context, report->iterations, error,
                                  carom_seconds() - watch->started);
        if (sweeps == 0 && !is_solved_or_hopeless(watch, error)) {
            report->word = coulomb_watch_is_over(watch) ? report->word : CAROM_SOLVE_STALLED;
            break;
        }
    }
    return error;
}

void coulomb_relaxation_solve(const carom_coulomb *problem, const carom_solver_options *limits, double *work,
                              double *r, carom_solve_report *report, double *error)
{
    coulomb_convex loop = coulomb_convex_begin(problem, COULOMB_INNER_NSGS, work, r);
    *error = INFINITY;
    loop.vi.set = COULOMB_SET_CONE;
    coulomb_watch_begin(&loop.watch, problem, limits, DEFAULT_SWEEPS, loop.best, r, report);
    if (report->word != CAROM_SOLVE_DIVERGED) {
        *error = sweep(&loop);
        /* the solution of the relaxation is wanted, not the iterate that suits FC(W, q, mu) best */
        memcpy(loop.watch.best, r, 3 * (size_t)problem->contacts * sizeof(double));
        loop.watch.best_error = isfinite(*error) ? carom_coulomb_error(problem, r) : INFINITY;
    }
    coulomb_watch_end(&loop.watch, report->word, r);
}

static void solve(carom_solver *self, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    double error;
    coulomb_relaxation_solve(problem, &self->limits, self->work, r, report, &error);
}

const carom_solver_ops coulomb_soclcp_nsgs_pli = {
    .name = "SOCLCP-NSGS-PLI",
    .summary =
        "convex relaxation without the correction mu |u_T|, by Gauss-Seidel with local projections: another "
        "problem, in which sliding contacts open; 'stalled' when it is solved and friction is not",
    .kind = CAROM_PROBLEM_COULOMB,
    .tolerance = 1e-8,
    .max_iterations = DEFAULT_SWEEPS,
    .work_size = coulomb_convex_work_size,
    .solve.coulomb = solve,
};
