/* Contacts with elliptic cones: what a problem must be, its error, the certificate of the bipotential. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/coulomb_summary.h"
#include "contact/coulomb/parts/error_map.h"
#include "contact/elliptic.h"

static double gap_of(const carom_elliptic_problem *problem, int contact)
{
    return problem->gap ? problem->gap[contact] : 0.0;
}

void elliptic_rotate(double angle, const double x[3], double rotated[3])
{
    const double c = cos(angle), s = sin(angle), along = x[1], across = x[2];
    rotated[0] = x[0];
    rotated[1] = c * along + s * across;
    rotated[2] = c * across - s * along;
}

double elliptic_axes(const carom_elliptic_problem *problem, int contact)
{
    return problem->axes ? problem->axes[contact] : 0.0;
}

/* u and r of a contact along the axes of its cone. */
static void pair_of(const carom_elliptic_problem *problem, int contact, const double *r, double u[3],
                    double own[3])
{
    const double angle = elliptic_axes(problem, contact);
    carom_blocks_row(&problem->W, contact, r, problem->q, u);
    memcpy(own, r + 3 * (ptrdiff_t)contact, 3 * sizeof *own);
    if (angle == 0.0)
        return;
    elliptic_rotate(angle, u, u);
    elliptic_rotate(angle, own, own);
}

static carom_status check_numbers(const carom_elliptic_problem *problem, bool allow_penetration,
                                  carom_error *error)
{
    if (!carom_all_finite(3 * problem->contacts, problem->q))
        return carom_fail(error, CAROM_BAD_INPUT, "q has an entry that is not a number");
    for (int a = 0; a < problem->contacts; a++) {
        const double gap = gap_of(problem, a);
        if (!isfinite(gap))
            return carom_fail(error, CAROM_BAD_INPUT, "contact %d: gap = %g must be a finite number", a + 1,
                              gap);
        if (gap < 0.0 && !allow_penetration)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact %d: initial penetration, gap = %g; move the bodies apart, or allow it "
                              "(allow_penetration)",
                              a + 1, gap);
        if (!isfinite(elliptic_axes(problem, a)))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact %d: the angle of the axes is %g; it must be finite", a + 1,
                              elliptic_axes(problem, a));
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
        double u[3], ra[3], v[3], z[3], p[3];
        const double *q = problem->q + 3 * (ptrdiff_t)a, gap = gap_of(problem, a);
        pair_of(problem, a, r, u, ra);
        carom_elliptic_cone_velocity(problem->cone + a, gap, u, v);
        for (int k = 0; k < 3; k++)
            z[k] = ra[k] - v[k];
        carom_elliptic_cone_project(problem->cone[a].mu, z, p);
        /* r - P(z) = v + (z - P(z)): where r is large, z = r - v has lost v */
        const bool is_large = carom_largest(3, ra) > carom_largest(3, v);
        double own = 0.0;
        for (int k = 0; k < 3; k++) {
            const double given = k == 0 ? q[0] + gap : q[k];
            const double map = is_large ? v[k] + (z[k] - p[k]) : ra[k] - p[k];
            own += map * map;
            size += given * given;
        }
        /* what approaches is hidden by large coefficients */
        const double normal = fmin(ra[0], u[0] + gap);
        sum += carom_largest(2, problem->cone[a].mu) > coulomb_large_mu ? fmax(own, normal * normal) : own;
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
        double ua[3], ra[3];
        pair_of(problem, a, r, ua, ra);
        const carom_law_defect defect =
            carom_bipotential_defect(problem->cone + a, gap_of(problem, a), ua, ra);
        found.power += defect.power;
        found.largest_power = fmax(found.largest_power, fabs(defect.power));
        found.penetration = fmax(found.penetration, defect.penetration);
        found.outside = fmax(found.outside, defect.outside);
    }
    if (u)
        carom_blocks_multiply(&problem->W, r, problem->q, u);
    return found;
}

void carom_elliptic_summarise(const carom_elliptic_problem *problem, const double *r, double *u,
                              unsigned char *regime, carom_coulomb_summary *summary)
{
    carom_blocks_multiply(&problem->W, r, problem->q, u);
    coulomb_summary_fill(problem->contacts, problem->q, r, u, carom_elliptic_error(problem, r), regime,
                         summary);
}

/* ---- from round cones ------------------------------------------------------------------------------ */

static carom_status check_orthotropy(const carom_orthotropy *given, carom_error *error)
{
    if (!(given->ratio > 0.0) || !isfinite(given->ratio))
        return carom_fail(error, CAROM_BAD_INPUT, "ratio = %g of mu_y to mu_x must be positive",
                          given->ratio);
    if (!(given->slip_ratio >= 0.0) || !isfinite(given->slip_ratio))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "slip_ratio = %g of p_y to p_x must be positive, or 0 for the associated rule",
                          given->slip_ratio);
    if (!isfinite(given->angle))
        return carom_fail(error, CAROM_BAD_INPUT, "angle = %g of the axes must be finite", given->angle);
    return CAROM_OK;
}

/* Without friction there is no direction of slip to rule. */
static carom_status make_cone(double mu, const carom_orthotropy *given, carom_elliptic_cone *cone,
                              carom_error *error)
{
    const double slip[2] = {1.0, given->slip_ratio};
    const bool associated = given->slip_ratio == 0.0 || mu == 0.0;
    return carom_elliptic_cone_make((const double[]){mu, given->ratio * mu}, associated ? NULL : slip, cone,
                                    error);
}

carom_status elliptic_pose(const carom_coulomb *problem, const carom_orthotropy *orthotropy,
                           carom_elliptic_cone *cone, double *axes, carom_elliptic_problem *elliptic,
                           carom_error *error)
{
    carom_status status = check_orthotropy(orthotropy, error);
    for (int a = 0; status == CAROM_OK && a < problem->contacts; a++) {
        status = make_cone(problem->mu[a], orthotropy, cone + a, error);
        axes[a] = orthotropy->angle;
    }
    *elliptic = (carom_elliptic_problem){.contacts = problem->contacts,
                                         .W = problem->W,
                                         .q = problem->q,
                                         .cone = cone,
                                         .axes = orthotropy->angle == 0.0 ? NULL : axes};
    return status;
}

carom_status carom_elliptic_from_coulomb(const carom_coulomb *problem, const carom_orthotropy *orthotropy,
                                         carom_arena *arena, carom_elliptic_problem *elliptic,
                                         carom_error *error)
{
    const size_t contacts = (size_t)problem->contacts;
    carom_elliptic_cone *cone = carom_arena_take(arena, contacts, sizeof *cone);
    double *axes = carom_arena_take(arena, contacts, sizeof *axes);
    return cone && axes ? elliptic_pose(problem, orthotropy, cone, axes, elliptic, error)
                        : carom_fail_memory(error);
}
