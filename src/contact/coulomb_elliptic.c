/* Contacts with elliptic cones: what a problem must be, its error, the certificate of the bipotential. */
#include <math.h>
#include <stdlib.h>

#include "carom/bipotential.h"

static double gap_of(const carom_elliptic_problem *problem, int contact)
{
    return problem->gap ? problem->gap[contact] : 0.0;
}

static carom_status check_numbers(const carom_elliptic_problem *problem, bool allow_penetration,
                                  carom_error *error)
{
    if (!carom_all_finite(3 * problem->contacts, problem->q))
        return carom_fail(error, CAROM_BAD_INPUT, "q has an entry that is not a number");
    for (int a = 0; a < problem->contacts; a++) {
        const double gap = gap_of(problem, a);
        if (!isfinite(gap) || (gap < 0.0 && !allow_penetration))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact %d: initial penetration, gap = %g; move the bodies apart, or allow it "
                              "(allow_penetration)",
                              a + 1, gap);
    }
    return CAROM_OK;
}

static void fill_dense(const carom_blocks *W, double *dense)
{
    const ptrdiff_t n = 3 * (ptrdiff_t)W->rows;
    for (int a = 0; a < W->rows; a++)
        for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++)
            for (int i = 0; i < 9; i++)
                dense[(3 * a + i / 3) * n + 3 * W->column[k] + i % 3] = carom_block_at(W, k)[i];
}

/* `dense` is overwritten, `value` has n places. */
static carom_status check_dense(int n, double *dense, double *value, carom_error *error)
{
    if (!carom_all_finite(n * n, dense))
        return carom_fail(error, CAROM_BAD_INPUT, "W has an entry that is not a number");
    const double size = carom_largest(n * n, dense);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(dense[(ptrdiff_t)i * n + j] - dense[(ptrdiff_t)j * n + i]) > 1e-12 * size)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "W is not symmetric: W(%d, %d) = %g, W(%d, %d) = %g", i + 1, j + 1,
                                  dense[(ptrdiff_t)i * n + j], j + 1, i + 1, dense[(ptrdiff_t)j * n + i]);
    if (carom_symmetric_eigenvalues(n, dense, value) != 0)
        return carom_fail(error, CAROM_FAILED, "the eigenvalues of W were not found");
    if (!(value[0] > 1e-14 * value[n - 1]))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "W is not positive definite: its smallest eigenvalue is %g; a compliance resists "
                          "every reaction",
                          value[0]);
    return CAROM_OK;
}

carom_status carom_elliptic_problem_check(const carom_elliptic_problem *problem, bool allow_penetration,
                                          carom_error *error)
{
    carom_status status = check_numbers(problem, allow_penetration, error);
    if (status != CAROM_OK || problem->contacts == 0)
        return status;
    const size_t n = 3 * (size_t)problem->contacts;
    double *dense = carom_new_array(n * n + n, sizeof *dense);
    if (!dense)
        return carom_fail_memory(error);
    fill_dense(&problem->W, dense);
    status = check_dense((int)n, dense, dense + n * n, error);
    free(dense);
    return status;
}

double carom_elliptic_error(const carom_elliptic_problem *problem, const double *r)
{
    double sum = 0.0, size = 0.0;
    for (int a = 0; a < problem->contacts; a++) {
        double u[3], v[3], z[3], p[3];
        const double *ra = r + 3 * (ptrdiff_t)a, *q = problem->q + 3 * (ptrdiff_t)a, gap = gap_of(problem, a);
        carom_blocks_row(&problem->W, a, r, problem->q, u);
        carom_elliptic_cone_velocity(problem->cone + a, gap, u, v);
        for (int k = 0; k < 3; k++)
            z[k] = ra[k] - v[k];
        carom_elliptic_cone_project(problem->cone[a].mu, z, p);
        for (int k = 0; k < 3; k++) {
            const double given = k == 0 ? q[0] + gap : q[k];
            sum += (ra[k] - p[k]) * (ra[k] - p[k]);
            size += given * given;
        }
    }
    if (sum == 0.0 && isfinite(size))
        return 0.0;
    const double error = sqrt(sum) / sqrt(size);
    return isfinite(error) ? error : INFINITY;
}

carom_elliptic_certificate carom_elliptic_certify(const carom_elliptic_problem *problem, const double *r,
                                                  double *u)
{
    carom_elliptic_certificate found = {0};
    for (int a = 0; a < problem->contacts; a++) {
        double ua[3];
        carom_blocks_row(&problem->W, a, r, problem->q, ua);
        const carom_law_defect defect =
            carom_bipotential_defect(problem->cone + a, gap_of(problem, a), ua, r + 3 * (ptrdiff_t)a);
        found.power += defect.power;
        found.largest_power = fmax(found.largest_power, fabs(defect.power));
        found.penetration = fmax(found.penetration, defect.penetration);
        found.outside = fmax(found.outside, defect.outside);
        for (int k = 0; u && k < 3; k++)
            u[3 * (ptrdiff_t)a + k] = ua[k];
    }
    return found;
}
