/* Projected Gauss-Seidel: row by row, the impulse that makes the row hold. */
#include <math.h>

#include "carom/linalg.h"
#include "lcp_report.h"

enum {
    SWEEPS_MAX = 20000
};

/* One sweep; the largest change of an impulse, or not a number. */
static double sweep(const carom_lcp *problem, double *z)
{
    const int n = problem->size;
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = problem->matrix + (ptrdiff_t)i * n;
        double w = carom_dot(n, row, z) + problem->vector[i];
        double next = row[i] > 0.0 ? z[i] - w / row[i] : 0.0;
        if (isnan(next))
            return NAN;
        next = fmax(0.0, next);
        largest = fmax(largest, fabs(next - z[i]));
        z[i] = next;
    }
    return largest;
}

static double largest_of(int n, const double *z)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, z[i]);
    return largest;
}

static void solve(carom_solver *self, const carom_lcp *problem, double *z, carom_solve_report *report)
{
    const int n = problem->size;
    const double tolerance = self->limits.tolerance, size = lcp_impulse_size(problem);
    for (int i = 0; i < n; i++)
        if (!isfinite(z[i]))
            z[i] = 0.0;
    for (int done = 1; done <= self->limits.max_iterations; done++) {
        const double change = sweep(problem, z);
        if (!isfinite(change)) {
            lcp_report(self, problem, z, done, CAROM_SOLVE_DIVERGED, report);
            return;
        }
        /* The change is a cheap sign of convergence; the error decides. */
        if (change > tolerance * (size + largest_of(n, z)))
            continue;
        lcp_report(self, problem, z, done, CAROM_SOLVE_STALLED, report);
        if (report->word == CAROM_SOLVE_OK || change == 0.0)
            return;
    }
    lcp_report(self, problem, z, self->limits.max_iterations, CAROM_SOLVE_ITERATIONS, report);
}

const carom_solver_ops carom_lcp_gauss_seidel = {
    .name = "gauss-seidel",
    .summary = "projected Gauss-Seidel sweeps, first order",
    .kind = CAROM_PROBLEM_LCP,
    .tolerance = 1e-12,
    .max_iterations = SWEEPS_MAX,
    .solve.lcp = solve,
};
