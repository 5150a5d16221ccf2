/* Problems with rolling friction by a solver of FC(W, q, mu), which gets their parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/law_residual.h"
#include "rolling_parts.h"

enum {
    ATTEMPTS = 5 /* each with a smaller tolerance of the solver, whose error knows the parts alone */
};
static const double much_smaller = 1e-3, a_little_smaller = 0.5;
static const double default_tolerance = 1e-8;

/* The error of r, and what it is worth. */
static void judge(const carom_rolling *problem, double tolerance, double *r, double *u,
                  carom_solve_report *report)
{
    carom_coulomb_residual residual;
    carom_rolling_examine(problem, r, u, NULL, NULL, &residual);
    report->error = carom_rolling_error(problem, r, u);
    if (report->error <= tolerance)
        report->word = coulomb_law_judge(&residual, tolerance);
    else if (report->word == CAROM_SOLVE_OK)
        report->word = CAROM_SOLVE_STALLED;
}

/* What one attempt leaves of the limits. */
static carom_solver_options rest_of(const carom_solver_options *limits, double tolerance, double started,
                                    int iterations)
{
    carom_solver_options rest = *limits;
    rest.tolerance = tolerance;
    if (limits->max_seconds > 0.0)
        rest.max_seconds = fmax(limits->max_seconds - (carom_seconds() - started), 1e-9);
    if (limits->max_iterations > 0)
        rest.max_iterations = limits->max_iterations > iterations ? limits->max_iterations - iterations : 1;
    return rest;
}

/* Goes on where it stopped: r is the best so far. */
static carom_status solve(const carom_solver_ops *ops, const carom_rolling *problem,
                          const carom_solver_options *limits, double *r, double *u, double *best,
                          carom_solve_report *report, carom_error *error)
{
    const size_t bytes = 3 * (size_t)problem->parts.contacts * sizeof *r;
    const double started = carom_seconds();
    double tolerance = limits->tolerance;
    *report = (carom_solve_report){.word = CAROM_SOLVE_STALLED, .failed_contact = -1};
    judge(problem, limits->tolerance, r, u, report);
    memcpy(best, r, bytes);
    for (int i = 0; i < ATTEMPTS && report->word != CAROM_SOLVE_OK; i++) {
        const carom_solver_options rest = rest_of(limits, tolerance, started, report->iterations);
        carom_solve_report found;
        const double best_error = report->error;
        const carom_status status = carom_coulomb_solve(ops, &problem->parts, &rest, r, &found, error);
        if (status != CAROM_OK)
            return status;
        const bool ended = found.word != CAROM_SOLVE_OK;
        judge(problem, limits->tolerance, r, u, &found);
        found.iterations += report->iterations;
        found.inner_iterations += report->inner_iterations;
        found.local_failures += report->local_failures;
        const double error_now = found.error;
        if (!(error_now < best_error) && found.word != CAROM_SOLVE_OK) {
            memcpy(r, best, bytes);
            found.error = best_error;
        }
        *report = found;
        memcpy(best, r, bytes);
        if (ended || !(error_now > 0.0) || !isfinite(error_now))
            break;
        tolerance *= fmax(fmin(limits->tolerance / error_now, 1.0) * a_little_smaller, much_smaller);
    }
    report->seconds = carom_seconds() - started;
    return CAROM_OK;
}

carom_status carom_rolling_solve(const carom_solver_ops *ops, const carom_rolling *problem,
                                 const carom_solver_options *options, double *r, carom_solve_report *report,
                                 carom_error *error)
{
    carom_solver_options limits = options ? *options : (carom_solver_options){0};
    if (!ops)
        ops = carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", error);
    if (!(limits.tolerance > 0.0))
        limits.tolerance = default_tolerance;
    const size_t size = 3 * (size_t)problem->parts.contacts;
    double *u = carom_new_array(2 * size, sizeof *u);
    const carom_status status =
        u ? solve(ops, problem, &limits, r, u, u + size, report, error) : carom_fail_memory(error);
    free(u);
    report->tolerance = limits.tolerance;
    report->status = report->word == CAROM_SOLVE_OK            ? CAROM_OK
                     : report->word == CAROM_SOLVE_INTERRUPTED ? CAROM_INTERRUPTED
                     : report->word == CAROM_SOLVE_MEMORY      ? CAROM_NO_MEMORY
                                                               : CAROM_FAILED;
    return status;
}
