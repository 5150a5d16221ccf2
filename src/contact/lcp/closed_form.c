/* One or two unknowns by formula: the four regions of the plane of free velocities. */
#include <math.h>

#include "lcp_report.h"

/* The impulse that stops row i alone. */
static double lone_impulse(const carom_lcp *problem, int i)
{
    double diagonal = problem->matrix[i * problem->size + i], approach = -problem->vector[i];
    return approach > 0.0 && diagonal > 0.0 ? approach / diagonal : 0.0;
}

/* Rows that say the same twice, or nearly: one of them carries the impulse, the one that serves both. */
static void solve_parallel(const carom_lcp *problem, double z[2])
{
    const double first[2] = {lone_impulse(problem, 0), 0.0};
    const double second[2] = {0.0, lone_impulse(problem, 1)};
    bool take_first = carom_lcp_error(problem, first) <= carom_lcp_error(problem, second);
    z[0] = take_first ? first[0] : 0.0;
    z[1] = take_first ? 0.0 : second[1];
}

static void solve_two(const carom_lcp *problem, double z[2])
{
    const double m11 = problem->matrix[0], m12 = problem->matrix[1];
    const double m21 = problem->matrix[2], m22 = problem->matrix[3];
    const double b1 = -problem->vector[0], b2 = -problem->vector[1];
    const double determinant = m11 * m22 - m12 * m21;
    z[0] = z[1] = 0.0;
    if (b1 <= 0.0 && b2 <= 0.0)
        return;
    if (!(determinant > 1e-12 * m11 * m22)) {
        solve_parallel(problem, z);
        return;
    }
    const double both1 = (m22 * b1 - m12 * b2) / determinant, both2 = (m11 * b2 - m21 * b1) / determinant;
    if (both1 >= 0.0 && both2 >= 0.0) {
        z[0] = both1;
        z[1] = both2;
    } else if (b1 > 0.0 && m21 * (b1 / m11) - b2 >= 0.0) {
        z[0] = b1 / m11;
    } else {
        z[1] = lone_impulse(problem, 1);
    }
}

static void solve(carom_solver *self, const carom_lcp *problem, double *z, carom_solve_report *report)
{
    if (problem->size == 1)
        z[0] = lone_impulse(problem, 0);
    if (problem->size == 2)
        solve_two(problem, z);
    lcp_report(self, problem, z, 1, CAROM_SOLVE_STALLED, report);
}

const carom_solver_ops carom_lcp_closed_form = {
    .name = "closed-form",
    .summary = "formula for one or two unknowns",
    .kind = CAROM_PROBLEM_LCP,
    .tolerance = 1e-12,
    .max_size = 2,
    .solve.lcp = solve,
};
