#include "watch.h"

#include <math.h>
#include <string.h>

/* An error beyond this is a divergence. */
static const double error_limit = 1e20;

static size_t bytes(const coulomb_watch *watch)
{
    return 3 * (size_t)watch->problem->contacts * sizeof(double);
}

static double seconds(const coulomb_watch *watch)
{
    return carom_seconds() - watch->started;
}

static double error_of(const coulomb_watch *watch, const double *r)
{
    return watch->elliptic ? carom_elliptic_error(watch->elliptic, r)
                           : carom_coulomb_error(watch->problem, r);
}

bool coulomb_watch_begin(coulomb_watch *watch, const carom_coulomb *problem,
                         const carom_solver_options *limits, int default_iterations, double *best, double *r,
                         carom_solve_report *report)
{
    return coulomb_watch_begin_elliptic(watch, problem, NULL, limits, default_iterations, best, r, report);
}

bool coulomb_watch_begin_elliptic(coulomb_watch *watch, const carom_coulomb *problem,
                                  const carom_elliptic_problem *elliptic, const carom_solver_options *limits,
                                  int default_iterations, double *best, double *r, carom_solve_report *report)
{
    *watch = (coulomb_watch){
        .problem = problem, .elliptic = elliptic, .limits = limits, .report = report, .best = best};
    watch->max_iterations = limits->max_iterations > 0 ? limits->max_iterations : default_iterations;
    watch->started = carom_seconds();
    *report = (carom_solve_report){.word = CAROM_SOLVE_ITERATIONS, .other_cones = elliptic != NULL};
    watch->best_error = INFINITY;
    /* r = 0 gives u = q: with q = 0 it is a solution */
    if (carom_largest(3 * problem->contacts, problem->q) == 0.0)
        memset(r, 0, bytes(watch));
    return coulomb_watch_look(watch, r);
}

bool coulomb_watch_is_over(coulomb_watch *watch)
{
    carom_solve_report *report = watch->report;
    if (report->iterations >= watch->max_iterations)
        report->word = CAROM_SOLVE_ITERATIONS;
    else if (watch->limits->max_seconds > 0.0 && seconds(watch) > watch->limits->max_seconds)
        report->word = CAROM_SOLVE_TIME;
    else if (watch->limits->progress.report &&
             !watch->limits->progress.report(watch->limits->progress.context, seconds(watch),
                                             watch->limits->max_seconds))
        report->word = CAROM_SOLVE_INTERRUPTED;
    else
        return false;
    return true;
}

bool coulomb_watch_look(coulomb_watch *watch, const double *r)
{
    carom_solve_report *report = watch->report;
    const double error = error_of(watch, r);
    if (error < watch->best_error) {
        watch->best_error = error;
        memcpy(watch->best, r, bytes(watch));
    }
    if (watch->limits->report)
        watch->limits->report(watch->limits->context, report->iterations, error, seconds(watch));
    if (error <= watch->limits->tolerance) {
        report->word = CAROM_SOLVE_OK;
        return true;
    }
    if (!(error <= error_limit)) {
        report->word = CAROM_SOLVE_DIVERGED;
        return true;
    }
    return coulomb_watch_is_over(watch);
}

void coulomb_watch_end(coulomb_watch *watch, carom_solve_word word, double *r)
{
    carom_solve_report *report = watch->report;
    if (watch->best_error < INFINITY) {
        memcpy(r, watch->best, bytes(watch));
        report->error = watch->best_error;
    } else {
        memset(r, 0, bytes(watch));
        report->error = error_of(watch, r);
    }
    report->word = report->error <= watch->limits->tolerance ? CAROM_SOLVE_OK : word;
    report->seconds = seconds(watch);
}
