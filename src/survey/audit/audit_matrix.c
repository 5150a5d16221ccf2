/* The matrix N = G - E G E: Newton's law is non-expansive iff it is positive semidefinite, and creates no
 * energy if it is copositive (Winandy, Baumann and Leine 2018, after (212)). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact_audit.h"

enum {
    ENUMERATED_MAX = 12, /* contacts whose subsets are all looked at */
    RAYS = 20000         /* samples beyond that */
};

/* A quadratic form below this, of vectors and entries of size 1, is rounding. */
static const double rounding = 1e-12;

void audit_fill_matrix(const audit_system *system, const double *weight, double *matrix)
{
    const int n = system->contacts, rank = system->rank;
    const double *e = system->impact->restitution;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double g = carom_dot(rank, system->direction + (ptrdiff_t)i * rank,
                                       system->direction + (ptrdiff_t)j * rank);
            matrix[(ptrdiff_t)i * n + j] = (weight ? weight[i] * weight[j] : 1.0) * g * (1.0 - e[i] * e[j]);
        }
}

carom_status audit_smallest_eigenvalue(int n, const double *matrix, double *value, carom_error *error)
{
    const size_t size = (size_t)n * (size_t)n;
    double *copy = carom_new_array(size + (size_t)n, sizeof *copy);
    *value = 0.0;
    if (!copy)
        return carom_fail_memory(error);
    memcpy(copy, matrix, size * sizeof *copy);
    const int failed = carom_symmetric_eigenvalues(n, copy, copy + size);
    *value = copy[size];
    free(copy);
    return failed == 0 ? CAROM_OK : carom_fail(error, CAROM_FAILED, "no eigenvalues of G - E G E were found");
}

/* ---- copositivity -------------------------------------------------------------------------------------- */

/* On the simplex x >= 0, sum x = 1 a form has its minimum m at a point with some support S, where
 * A_SS x_S = m 1; when A_SS is singular the minimum reaches on to a smaller support. So A is not copositive
 * iff for some S with regular A_SS the solution of A_SS z = 1 is negative throughout: x = z / sum z, m = 1 /
 * sum z. */
static bool negative_inside(int n, const double *matrix, unsigned support)
{
    double part[ENUMERATED_MAX * ENUMERATED_MAX], z[ENUMERATED_MAX], sum = 0.0;
    int member[ENUMERATED_MAX], pivot[ENUMERATED_MAX], members = 0;
    for (int i = 0; i < n; i++)
        if (support >> i & 1u)
            member[members++] = i;
    for (int i = 0; i < members; i++) {
        z[i] = 1.0;
        for (int j = 0; j < members; j++)
            part[i * members + j] = matrix[member[i] * n + member[j]];
    }
    if (carom_lu_factor(members, part, pivot) != 0)
        return false;
    carom_lu_solve(members, part, pivot, z);
    for (int i = 0; i < members; i++) {
        if (!(z[i] < 0.0))
            return false;
        sum += z[i];
    }
    return 1.0 / sum < -rounding;
}

static bool copositive_by_supports(int n, const double *matrix)
{
    for (unsigned support = 1; support < 1u << n; support++)
        if (negative_inside(n, matrix, support))
            return false;
    return true;
}

/* For a matrix without positive entries off the diagonal |x| has no larger value than x: copositive means
 * semidefinite. */
static bool off_diagonal_is_not_positive(int n, const double *matrix)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (matrix[(ptrdiff_t)i * n + j] > 0.0)
                return false;
    return true;
}

static bool pairs_are_copositive(int n, const double *matrix)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double a = matrix[(ptrdiff_t)i * n + i], b = matrix[(ptrdiff_t)j * n + j];
            if (a < -rounding || matrix[(ptrdiff_t)i * n + j] < -sqrt(fmax(a, 0.0) * fmax(b, 0.0)) - rounding)
                return false;
        }
    return true;
}

/* Random rays with few and many entries. */
static bool rays_are_copositive(int n, const double *matrix, unsigned seed, double *x)
{
    carom_random random = {seed};
    for (int ray = 0; ray < RAYS; ray++) {
        const double share = carom_random_uniform(&random, 0.0, 1.0);
        double value = 0.0, sum = 0.0;
        for (int i = 0; i < n; i++) {
            const bool in = carom_random_uniform(&random, 0.0, 1.0) < share;
            x[i] = in ? -log(1.0 - carom_random_uniform(&random, 0.0, 1.0)) : 0.0;
            sum += x[i];
        }
        for (int i = 0; i < n; i++)
            if (x[i] > 0.0)
                value += x[i] * carom_dot(n, matrix + (ptrdiff_t)i * n, x);
        if (value < -rounding * sum * sum)
            return false;
    }
    return true;
}

carom_status audit_copositive(int n, const double *matrix, unsigned seed, bool *copositive,
                              carom_error *error)
{
    if (n <= ENUMERATED_MAX) {
        *copositive = copositive_by_supports(n, matrix);
        return CAROM_OK;
    }
    double smallest;
    const carom_status status = audit_smallest_eigenvalue(n, matrix, &smallest, error);
    if (status != CAROM_OK)
        return status;
    *copositive = smallest >= -rounding;
    if (*copositive || off_diagonal_is_not_positive(n, matrix) || !pairs_are_copositive(n, matrix))
        return CAROM_OK;
    double *x = carom_new_array((size_t)n, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    *copositive = rays_are_copositive(n, matrix, seed, x);
    free(x);
    return CAROM_OK;
}
