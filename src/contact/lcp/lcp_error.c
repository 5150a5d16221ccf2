#include <math.h>

#include "carom/linalg.h"
#include "lcp_report.h"

double carom_lcp_error(const carom_lcp *problem, const double *z)
{
    const int n = problem->size;
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = problem->matrix + (ptrdiff_t)i * n;
        double w = carom_dot(n, row, z) + problem->vector[i];
        /* A zero diagonal of a semidefinite matrix belongs to a zero row: no impulse to divide by. */
        double scaled = row[i] > 0.0 ? w / row[i] : w;
        if (isnan(z[i]) || isnan(scaled))
            return INFINITY;
        worst = fmax(worst, fabs(fmin(z[i], scaled)));
        largest = fmax(largest, fabs(z[i]));
    }
    return isinf(largest) ? INFINITY : worst / (1.0 + largest);
}

void lcp_report(const carom_solver *self, const carom_lcp *problem, const double *z, int iterations,
                carom_solve_word word, carom_solve_report *report)
{
    report->error = carom_lcp_error(problem, z);
    report->iterations = iterations;
    report->word = report->error <= self->limits.tolerance ? CAROM_SOLVE_OK : word;
}
