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

carom_solve_report lcp_report(const carom_lcp *problem, const double *z, double tolerance, int iterations)
{
    double error = carom_lcp_error(problem, z);
    return (carom_solve_report){
        .status = error <= tolerance ? CAROM_OK : CAROM_FAILED, .iterations = iterations, .error = error};
}
