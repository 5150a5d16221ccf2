/* One contact by Newton's method for the functions of Alart and Curnier (63) and of Jean and Moreau (61):
 *
 *   G_N = r_N - max(0, y_N),   G_T = r_T - P_{D(mu c)}(y_T),   y = r - rho u,
 *   c = max(0, y_N) (Alart-Curnier) or max(0, r_N) (Jean-Moreau);   (A W + B) d = -G,
 *
 * A = dG/du, B = dG/dr (160)-(166). Fails for some contacts (one in ten from r = 0). */
#include <math.h>
#include <string.h>

#include "contact/coulomb/local_contact.h"

enum {
    ITERATIONS_MAX = 100,
    TRIALS_MAX = 100
};

/* Goldstein and Price: the mean slope of a step is between these parts of the slope at its beginning. */
static const double slope_least = 0.1, slope_most = 0.9, step_growth = 2.0, step_limit = 1e4;

typedef struct newton_map {
    double G[3], A[9], B[9];
} newton_map;

static void evaluate_normal(const coulomb_local *contact, const double u[3], const double r[3], double y,
                            newton_map *map)
{
    if (y > 0.0) {
        map->G[0] = contact->rho_N * u[0];
        map->A[0] = contact->rho_N;
    } else {
        map->G[0] = r[0];
        map->B[0] = 1.0;
    }
}

/* c: the normal impulse whose disk has the friction impulse; it depends on u_N for Alart-Curnier. */
static void evaluate_tangents(const coulomb_local *contact, const double u[3], const double r[3], double c,
                              bool jean_moreau, newton_map *map)
{
    const double mu = contact->mu, rho = contact->rho_T;
    const double y[2] = {r[1] - rho * u[1], r[2] - rho * u[2]}, size = hypot(y[0], y[1]);
    double *A = map->A, *B = map->B;
    if (size <= mu * fmax(0.0, c)) {
        map->G[1] = rho * u[1];
        map->G[2] = rho * u[2];
        A[4] = A[8] = rho;
        return;
    }
    B[4] = B[8] = 1.0;
    map->G[1] = r[1];
    map->G[2] = r[2];
    if (c <= 0.0)
        return;
    const double n[2] = {y[0] / size, y[1] / size}, radius = mu * c, factor = radius / size;
    const double gamma[3] = {factor * n[1] * n[1], -factor * n[0] * n[1], factor * n[0] * n[0]};
    for (int k = 0; k < 2; k++) {
        map->G[1 + k] -= radius * n[k];
        A[3 * (1 + k)] = jean_moreau ? 0.0 : mu * contact->rho_N * n[k];
        B[3 * (1 + k)] = -mu * n[k];
        for (int l = 0; l < 2; l++) {
            A[3 * (1 + k) + 1 + l] = rho * gamma[k + l];
            B[3 * (1 + k) + 1 + l] -= gamma[k + l];
        }
    }
}

static void evaluate(const coulomb_local *contact, bool jean_moreau, const double q[3], const double r[3],
                     newton_map *map)
{
    double u[3] = {q[0], q[1], q[2]};
    carom_block_add(contact->W, r, u);
    memset(map, 0, sizeof *map);
    const double y = r[0] - contact->rho_N * u[0];
    evaluate_normal(contact, u, r, y, map);
    evaluate_tangents(contact, u, r, jean_moreau ? r[0] : y, jean_moreau, map);
}

static void exchange_rows(double a[3][4], int i, int j)
{
    for (int k = 0; k < 4; k++) {
        const double kept = a[i][k];
        a[i][k] = a[j][k];
        a[j][k] = kept;
    }
}

/* Elimination with pivots; false when the matrix is singular or not finite. */
static bool solve_three(double a[3][4], double x[3])
{
    for (int k = 0; k < 3; k++) {
        int pivot = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (!(fabs(a[pivot][k]) > 0.0))
            return false;
        exchange_rows(a, k, pivot);
        for (int i = k + 1; i < 3; i++)
            for (int j = 3; j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    x[2] = a[2][3] / a[2][2];
    x[1] = (a[1][3] - a[1][2] * x[2]) / a[1][1];
    x[0] = (a[0][3] - a[0][1] * x[1] - a[0][2] * x[2]) / a[0][0];
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static bool find_direction(const coulomb_local *contact, const newton_map *map, double d[3])
{
    const double *W = contact->W;
    double a[3][4];
    for (int i = 0; i < 3; i++) {
        const double *A = map->A + 3 * i;
        for (int j = 0; j < 3; j++)
            a[i][j] = A[0] * W[j] + A[1] * W[3 + j] + A[2] * W[6 + j] + map->B[3 * i + j];
        a[i][3] = -map->G[i];
    }
    return solve_three(a, d);
}

/* Algorithm 5: a step along d for |G|^2 / 2, whose slope at 0 is -|G|^2. */
static double search_step(const coulomb_local *contact, bool jean_moreau, const double q[3],
                          const double r[3], const double d[3], double merit)
{
    const double slope = -2.0 * merit;
    double left = 0.0, right = 0.0, t = 1.0;
    for (int k = 0; k < TRIALS_MAX; k++) {
        const double at[3] = {r[0] + t * d[0], r[1] + t * d[1], r[2] + t * d[2]};
        newton_map map;
        evaluate(contact, jean_moreau, q, at, &map);
        const double mean = (0.5 * carom_dot(3, map.G, map.G) - merit) / t;
        if (mean >= slope_most * slope && mean <= slope_least * slope)
            break;
        if (mean < slope_most * slope)
            left = t;
        else
            right = t;
        t = right > 0.0 ? 0.5 * (left + right) : step_growth * t;
        if (t > step_limit)
            return step_limit;
    }
    return t;
}

bool coulomb_local_newton(const coulomb_local *contact, bool jean_moreau, bool line_search, double tolerance,
                          const double q[3], double r[3], coulomb_local_counts *counts)
{
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        const double error = coulomb_local_error(contact, q, r);
        if (error <= tolerance)
            return true;
        if (!isfinite(error))
            return false;
        newton_map map;
        evaluate(contact, jean_moreau, q, r, &map);
        const double merit = 0.5 * carom_dot(3, map.G, map.G);
        double d[3];
        counts->iterations++;
        if (!(merit > 0.0) || !find_direction(contact, &map, d))
            return false;
        const double t = line_search ? search_step(contact, jean_moreau, q, r, d, merit) : 1.0;
        carom_axpy(3, t, d, r);
    }
    return coulomb_local_error(contact, q, r) <= tolerance;
}
