/* What a step reports: why it failed, and what its solvers did. */
#ifndef CAROM_SCHEME_PARTS_STEP_REPORT_H
#define CAROM_SCHEME_PARTS_STEP_REPORT_H

#include "carom/scheme.h"

/* CAROM_FAILED with a text that starts with "t = ..., step ...: ". Steps are counted from 1. */
carom_status fail_step(carom_error *error, double t, long step, const char *format, ...) CAROM_PRINTF(4, 5);
#ifdef __clang_analyzer__ /* as of carom_fail() */
#define fail_step(error, t, step, ...) (fail_step(error, t, step, __VA_ARGS__), CAROM_FAILED)
#endif

/* Says which entry of the force, or else of the velocity made from it, is not a finite number. */
carom_status fail_not_finite(carom_error *error, double t, long step, const carom_model *model,
                             const double *force, const double *velocity);

/* Index of the first entry that is not finite; n when all are. */
int first_not_finite(int n, const double *x);

/* For advice: the schemes with time steps that treat whatever a model may have. Returns text. */
const char *schemes_for_anything(char *text, size_t size);

/* Number of the step under way, from 1. */
static inline long step_number(const carom_stepper *stepper)
{
    return stepper->counts.steps + 1;
}

/* Time at its end: from the number, since a sum of steps would drift. */
static inline double step_end(const carom_stepper *stepper)
{
    if (stepper->next_output)
        return *stepper->next_output;
    const double t = stepper->t0 + (double)step_number(stepper) * stepper->h;
    /* An interval that ends at the end up to rounding is the last one. */
    return t < stepper->end - 1e-6 * stepper->h ? t : stepper->end;
}

/* Derivative along a column of the time of the last output. */
static inline double step_end_along(const carom_stepper *stepper, const carom_tangent_column *column)
{
    return stepper->state.t == stepper->end ? column->end
                                            : column->t0 + (double)stepper->counts.steps * column->h;
}

/* True when a solver ended before its tolerance: what it found is a solution of less accuracy. */
static inline bool misses_tolerance(const carom_solve_report *report)
{
    return report->status != CAROM_OK &&
           (report->word == CAROM_SOLVE_ITERATIONS || report->word == CAROM_SOLVE_TIME ||
            report->word == CAROM_SOLVE_STALLED || report->word == CAROM_SOLVE_ROUNDING);
}

/* Nothing that a step could go on with: no solution, or an error above a thousandth. */
static inline bool is_useless(const carom_solve_report *report)
{
    return report->status != CAROM_OK && !(misses_tolerance(report) && report->error <= 1e-3);
}

static inline void count_solve(carom_step_counts *counts, int iterations, double error)
{
    counts->solver_iterations += iterations;
    if (error > counts->worst_solver_error)
        counts->worst_solver_error = error;
}

/* Of a contact problem. */
static inline void count_report(carom_step_counts *counts, const carom_solve_report *report)
{
    count_solve(counts, report->iterations, report->error);
    if (report->tolerance > counts->solver_tolerance)
        counts->solver_tolerance = report->tolerance;
}

/* Counts a contact problem that a step may go on with, and says in *missed whether its solution misses the tolerance: the
 * step is then one of counts.unsolved. False: it is useless. */
static inline bool accept_report(carom_step_counts *counts, const carom_solve_report *report, bool *missed)
{
    count_report(counts, report);
    *missed = report->status != CAROM_OK;
    return !is_useless(report);
}

#endif
