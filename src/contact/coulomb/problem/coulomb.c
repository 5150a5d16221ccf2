/* The problem FC(W, q, mu): cone, error measure. */
#include <math.h>

#include "contact/coulomb/parts/error_map.h"

/* (148): inside, in the polar cone, or on the boundary at (a, mu a z_T / |z_T|), a = (z_N + mu |z_T|) / (1 +
 * mu^2). */
void carom_cone_project(double mu, const double z[3], double p[3])
{
    const double t = hypot(z[1], z[2]);
    if (z[0] >= 0.0 && t <= mu * z[0]) { /* without friction 0 <= 0 * z[0] says nothing about its sign */
        p[0] = z[0];
        p[1] = z[1];
        p[2] = z[2];
        return;
    }
    if (mu * t <= -z[0]) {
        p[0] = p[1] = p[2] = 0.0;
        return;
    }
    const double a = (z[0] + mu * t) / (1.0 + mu * mu);
    p[0] = a;
    p[1] = mu * a * z[1] / t;
    p[2] = mu * a * z[2] / t;
}

/* r - P_K(r - v). Where r is large r - v has lost v, so that the difference of the two would be zero whatever v
 * is; the same is v - P_K*(v - r), and there P_K* = 0 exactly where the contact sticks. On the boundary, with
 * z = r - v,
 *
 *   v + s (-mu, z_T / |z_T|),   s = (|z_T| - mu z_N) / (1 + mu^2). */
void coulomb_error_map(double mu, const double r[3], const double v[3], double map[3])
{
    const double z[3] = {r[0] - v[0], r[1] - v[1], r[2] - v[2]}, t = hypot(z[1], z[2]);
    const bool is_large = carom_largest(3, r) > carom_largest(3, v);
    if (!is_large || (mu * t <= -z[0] && !(z[0] >= 0.0 && t <= mu * z[0]))) {
        double p[3];
        carom_cone_project(mu, z, p);
        for (int k = 0; k < 3; k++)
            map[k] = r[k] - p[k];
        return;
    }
    for (int k = 0; k < 3; k++)
        map[k] = v[k];
    if (t <= mu * z[0])
        return;
    const double s = (t - mu * z[0]) / (1.0 + mu * mu);
    map[0] -= mu * s;
    map[1] += s * z[1] / t;
    map[2] += s * z[2] / t;
}

double carom_coulomb_error(const carom_coulomb *problem, const double *r)
{
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        double u[3], map[3];
        const double *ri = r + 3 * (ptrdiff_t)i, *q = problem->q + 3 * (ptrdiff_t)i;
        carom_blocks_row(&problem->W, i, r, problem->q, u);
        const double mu = problem->mu[i];
        for (int k = 0; k < 3; k++)
            size += q[k] * q[k];
        if (mu > coulomb_large_mu) {
            sum += coulomb_parts_distance(mu, ri, u);
            continue;
        }
        u[0] += mu * hypot(u[1], u[2]);
        coulomb_error_map(mu, ri, u, map);
        for (int k = 0; k < 3; k++)
            sum += map[k] * map[k];
    }
    if (!isfinite(size))
        return INFINITY;
    if (sum == 0.0)
        return 0.0;
    const double error = sqrt(sum) / sqrt(size);
    return isfinite(error) ? error : INFINITY;
}

const char *carom_solve_word_text(carom_solve_word word)
{
    static const char *const text[] = {[CAROM_SOLVE_OK] = "ok",
                                       [CAROM_SOLVE_ITERATIONS] = "max-iterations",
                                       [CAROM_SOLVE_TIME] = "timeout",
                                       [CAROM_SOLVE_STALLED] = "stalled",
                                       [CAROM_SOLVE_DIVERGED] = "diverged",
                                       [CAROM_SOLVE_LOCAL] = "local-failure",
                                       [CAROM_SOLVE_MEMORY] = "no-memory",
                                       [CAROM_SOLVE_REFUSED] = "refused",
                                       [CAROM_SOLVE_ROUNDING] = "rounding",
                                       [CAROM_SOLVE_INFEASIBLE] = "infeasible",
                                       [CAROM_SOLVE_INTERRUPTED] = "interrupted"};
    return text[word];
}
