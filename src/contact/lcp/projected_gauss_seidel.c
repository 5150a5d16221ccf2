/* Projected Gauss-Seidel: row by row, the impulse that makes the row hold. */
#include <math.h>

#include "carom/linalg.h"
#include "lcp_report.h"

enum {
    SWEEPS_MAX = 20000
};

static size_t work_size(int size)
{
    (void)size;
    return 0;
}

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

static carom_solve_report solve(const carom_lcp *problem, double tolerance, double *work, double *z)
{
    (void)work;
    const int n = problem->size;
    for (int i = 0; i < n; i++)
        if (!isfinite(z[i]))
            z[i] = 0.0;
    for (int done = 1; done <= SWEEPS_MAX; done++) {
        double change = sweep(problem, z);
        if (!isfinite(change))
            return lcp_report(problem, z, tolerance, done);
        /* The change is a cheap sign of convergence; the error decides. */
        if (change > tolerance * (1.0 + largest_of(n, z)))
            continue;
        carom_solve_report report = lcp_report(problem, z, tolerance, done);
        if (report.status == CAROM_OK || change == 0.0)
            return report;
    }
    return lcp_report(problem, z, tolerance, SWEEPS_MAX);
}

const carom_lcp_solver_ops carom_lcp_gauss_seidel = {
    .name = "gauss-seidel",
    .summary = "projected Gauss-Seidel sweeps, first order",
    .max_size = 0,
    .work_size = work_size,
    .solve = solve,
};
