/* The law of FC(W, q, mu), part by part: a second opinion beside the natural map. */
#include <math.h>

#include "contact/coulomb/parts/error_map.h"
#include "contact/coulomb/parts/law_residual.h"

static double square(int n, const double *x)
{
    return carom_dot(n, x, x);
}

/* K* = { v_N >= mu |v_T| } is -1 times the polar cone of K, so v - P_K*(v) = -P_K(-v). */
static double distance_to_dual(double mu, const double v[3])
{
    double p[3];
    carom_cone_project(mu, (const double[]){-v[0], -v[1], -v[2]}, p);
    return sqrt(square(3, p));
}

static double distance_to_cone(double mu, const double r[3])
{
    double p[3];
    carom_cone_project(mu, r, p);
    for (int k = 0; k < 3; k++)
        p[k] = r[k] - p[k];
    return sqrt(square(3, p));
}

/* |W| |r| + |q| of a contact, squared. */
static double terms_square(const carom_coulomb *problem, int contact, const double *r)
{
    const carom_blocks *W = &problem->W;
    double sum[3];
    for (int k = 0; k < 3; k++)
        sum[k] = fabs(problem->q[3 * (ptrdiff_t)contact + k]);
    for (int place = W->row_start[contact]; place < W->row_start[contact + 1]; place++) {
        const double *block = carom_block_at(W, place), *x = r + 3 * (ptrdiff_t)W->column[place];
        if (x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0)
            continue;
        for (int k = 0; k < 9; k += 3)
            sum[k / 3] += fabs(block[k] * x[0]) + fabs(block[k + 1] * x[1]) + fabs(block[k + 2] * x[2]);
    }
    return square(3, sum);
}

void coulomb_law_add(coulomb_law_sums *sums, double mu, const double q[3], const double r[3],
                     const double u[3], double terms_square)
{
    const double v[3] = {u[0] + mu * hypot(u[1], u[2]), u[1], u[2]};
    double approach = distance_to_dual(mu, v);
    const double outside = distance_to_cone(mu, r);
    if (mu > coulomb_large_mu && -u[0] > approach) /* the distance is |u_N| / (1 + mu^2)^(1/2) */
        approach = -u[0];
    sums->q_square += square(3, q);
    sums->r_square += square(3, r);
    sums->v_square += square(3, v);
    sums->approach_square += approach * approach;
    sums->outside_square += outside * outside;
    sums->rounding_square += terms_square;
    sums->power += fabs(carom_dot(3, r, v));
}

/* 0 / 0 is 0, what is not finite is infinite. */
static double ratio(double part, double size)
{
    if (part == 0.0)
        return 0.0;
    const double value = part / size;
    return isfinite(value) ? value : INFINITY;
}

carom_coulomb_residual coulomb_law_residual(const coulomb_law_sums *sums)
{
    const double unit = 1.2e-16; /* rounding of one operation, 2^-53 */
    const double q = sqrt(sums->q_square), r_size = sqrt(sums->r_square);
    return (carom_coulomb_residual){
        .velocity = ratio(sqrt(sums->approach_square), q),
        .reaction = ratio(sqrt(sums->outside_square), r_size),
        .complementarity = ratio(sums->power, r_size * fmax(q, sqrt(sums->v_square))),
        .rounding = ratio(unit * sqrt(sums->rounding_square), q),
    };
}

carom_coulomb_residual carom_coulomb_residuals(const carom_coulomb *problem, const double *r)
{
    coulomb_law_sums sums = {0};
    for (int i = 0; i < problem->contacts; i++) {
        double u[3];
        carom_blocks_row(&problem->W, i, r, problem->q, u);
        coulomb_law_add(&sums, problem->mu[i], problem->q + 3 * (ptrdiff_t)i, r + 3 * (ptrdiff_t)i, u,
                        terms_square(problem, i, r));
    }
    return coulomb_law_residual(&sums);
}

/* Where r is so large that u is rounding a small natural map says nothing; and it adds r and u as if they had one
 * unit: where r is small in that unit, r may be wrong by much. In exact arithmetic contacts approach at most as
 * fast as the map is large; four leaves room for rounding. The parts that are relative to |r| may be a hundred
 * times the tolerance. */
carom_solve_word coulomb_law_judge(const carom_coulomb_residual *residual, double tolerance)
{
    if (!(residual->velocity <= 4.0 * tolerance && residual->rounding <= tolerance))
        return CAROM_SOLVE_ROUNDING;
    return fmax(residual->reaction, residual->complementarity) <= 100.0 * tolerance ? CAROM_SOLVE_OK
                                                                                    : CAROM_SOLVE_STALLED;
}
