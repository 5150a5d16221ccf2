#include "impact_joints.h"

#include <math.h>
#include <string.h>

/* What is left of a row that depends on others is rounding: less than this share of its length. */
static const double least_share = 1e-10;

bool impact_joints_take(carom_arena *arena, const carom_impact_sizes *sizes, impact_joints *joints)
{
    const size_t count = (size_t)sizes->joints, n = (size_t)sizes->coordinates;
    *joints = (impact_joints){
        .row = carom_arena_take(arena, count, n * sizeof(double)),
        .answer = carom_arena_take(arena, count, n * sizeof(double)),
        .triangle = carom_arena_take(arena, count, count * sizeof(double)),
        .share = carom_arena_take(arena, count, sizeof(double)),
    };
    return count == 0 || (joints->row && joints->answer && joints->triangle && joints->share);
}

/* x := M^-1 x */
static void divide(const carom_impact *impact, const double *factor, double *x)
{
    if (impact->mass)
        carom_cholesky_solve(impact->coordinates, factor, x);
    else
        for (int i = 0; i < impact->coordinates; i++)
            x[i] /= impact->masses[i];
}

/* The length of row k in the metric of M^-1, and its answer. */
static double measure(const carom_impact *impact, const double *factor, const double *row, double *answer)
{
    const int n = impact->coordinates;
    memcpy(answer, row, (size_t)n * sizeof *answer);
    divide(impact, factor, answer);
    return sqrt(fmax(0.0, carom_dot(n, row, answer)));
}

/* Gram and Schmidt, twice: once leaves the rounding of rows that are nearly parallel. */
carom_status impact_joints_fill(const carom_impact *impact, const double *factor, impact_joints *joints,
                                carom_error *error)
{
    const int n = joints->coordinates = impact->coordinates, count = joints->count = impact->joints;
    for (int k = 0; k < count; k++) {
        double *row = joints->row + (ptrdiff_t)k * n, *answer = joints->answer + (ptrdiff_t)k * n;
        double *entry = joints->triangle + (ptrdiff_t)k * count;
        memcpy(row, impact->joint + (ptrdiff_t)k * n, (size_t)n * sizeof *row);
        memset(entry, 0, (size_t)count * sizeof *entry);
        const double whole = measure(impact, factor, row, answer);
        if (!(whole > 0.0 && isfinite(whole)))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the direction of joint %d is zero or too large: it has no gradient here",
                              k + 1);
        for (int j = 0; j < 2 * k; j++) {
            const double share = carom_dot(n, joints->answer + (ptrdiff_t)(j % k) * n, row);
            carom_axpy(n, -share, joints->row + (ptrdiff_t)(j % k) * n, row);
            entry[j % k] += share;
        }
        entry[k] = measure(impact, factor, row, answer);
        if (!(entry[k] > least_share * whole))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "joint %d depends on those before: its impulse is not unique; remove one",
                              k + 1);
        for (int i = 0; i < n; i++) {
            row[i] /= entry[k];
            answer[i] /= entry[k];
        }
    }
    return CAROM_OK;
}

/* lambda from sum over k of lambda_k triangle[k][j] = -share_j, from the last on. */
static void find_impulses(const impact_joints *joints, double *lambda)
{
    const int count = joints->count;
    for (int j = count - 1; j >= 0; j--) {
        double sum = -joints->share[j];
        for (int k = j + 1; k < count; k++)
            sum -= lambda[k] * joints->triangle[(ptrdiff_t)k * count + j];
        lambda[j] = sum / joints->triangle[(ptrdiff_t)j * count + j];
    }
}

/* Twice, so that J dv is at the rounding of what is left of dv. */
void impact_joints_project(const impact_joints *joints, double *dv, double *lambda)
{
    const int n = joints->coordinates, count = joints->count;
    memset(joints->share, 0, (size_t)count * sizeof *joints->share);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < count; k++) {
            const double share = carom_dot(n, joints->row + (ptrdiff_t)k * n, dv);
            carom_axpy(n, -share, joints->answer + (ptrdiff_t)k * n, dv);
            joints->share[k] += share;
        }
    if (lambda)
        find_impulses(joints, lambda);
}
