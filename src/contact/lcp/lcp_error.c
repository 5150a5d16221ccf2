#include <math.h>

#include "carom/linalg.h"
#include "lcp_report.h"

/* Velocities of row i become impulses by this. A zero diagonal of a semidefinite matrix belongs to a zero row: the largest
 * diagonal stands for it. */
static double diagonal_of(const carom_lcp *problem, int i, double largest)
{
    const double own = problem->matrix[(ptrdiff_t)i * problem->size + i];
    return own > 0.0 ? own : largest;
}

static double largest_diagonal(const carom_lcp *problem)
{
    double largest = 0.0;
    for (int i = 0; i < problem->size; i++)
        largest = fmax(largest, problem->matrix[(ptrdiff_t)i * problem->size + i]);
    return largest > 0.0 ? largest : 1.0;
}

double lcp_impulse_size(const carom_lcp *problem)
{
    const double diagonal = largest_diagonal(problem);
    double size = 0.0;
    for (int i = 0; i < problem->size; i++)
        size = fmax(size, fabs(problem->vector[i]) / diagonal_of(problem, i, diagonal));
    return size;
}

double carom_lcp_error(const carom_lcp *problem, const double *z)
{
    const int n = problem->size;
    const double diagonal = largest_diagonal(problem);
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = problem->matrix + (ptrdiff_t)i * n;
        double w = carom_dot(n, row, z) + problem->vector[i];
        double scaled = w / diagonal_of(problem, i, diagonal);
        if (isnan(z[i]) || isnan(scaled))
            return INFINITY;
        worst = fmax(worst, fabs(fmin(z[i], scaled)));
        largest = fmax(largest, fabs(z[i]));
    }
    const double size = lcp_impulse_size(problem) + largest;
    return worst == 0.0 ? 0.0 : isinf(size) ? INFINITY : worst / size;
}

void lcp_report(const carom_solver *self, const carom_lcp *problem, const double *z, int iterations,
                carom_solve_word word, carom_solve_report *report)
{
    report->error = carom_lcp_error(problem, z);
    report->iterations = iterations;
    report->word = report->error <= self->limits.tolerance ? CAROM_SOLVE_OK : word;
}
