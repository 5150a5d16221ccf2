/* The law of FC(W, q, mu), part by part: a second opinion beside the natural map. */
#include <math.h>

#include "carom/contact.h"

/* Sums over contacts; squares where the name ends so. */
typedef struct law_sums {
    double q_square, r_square, v_square;
    double approach_square, outside_square, rounding_square;
    double power;
} law_sums;

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
        for (int k = 0; k < 9; k++)
            sum[k / 3] += fabs(block[k] * x[k % 3]);
    }
    return square(3, sum);
}

static void add_contact(const carom_coulomb *problem, int contact, const double *r, law_sums *sums)
{
    const double *ri = r + 3 * (ptrdiff_t)contact, mu = problem->mu[contact];
    double v[3];
    carom_blocks_row(&problem->W, contact, r, problem->q, v);
    v[0] += mu * hypot(v[1], v[2]);
    const double approach = distance_to_dual(mu, v), outside = distance_to_cone(mu, ri);
    sums->q_square += square(3, problem->q + 3 * (ptrdiff_t)contact);
    sums->r_square += square(3, ri);
    sums->v_square += square(3, v);
    sums->approach_square += approach * approach;
    sums->outside_square += outside * outside;
    sums->rounding_square += terms_square(problem, contact, r);
    sums->power += fabs(carom_dot(3, ri, v));
}

/* 0 / 0 is 0, what is not finite is infinite. */
static double ratio(double part, double size)
{
    if (part == 0.0)
        return 0.0;
    const double value = part / size;
    return isfinite(value) ? value : INFINITY;
}

carom_coulomb_residual carom_coulomb_residuals(const carom_coulomb *problem, const double *r)
{
    const double unit = 1.2e-16; /* rounding of one operation, 2^-53 */
    law_sums sums = {0};
    for (int i = 0; i < problem->contacts; i++)
        add_contact(problem, i, r, &sums);
    const double q = sqrt(sums.q_square), r_size = sqrt(sums.r_square);
    return (carom_coulomb_residual){
        .velocity = ratio(sqrt(sums.approach_square), q),
        .reaction = ratio(sqrt(sums.outside_square), r_size),
        .complementarity = ratio(sums.power, r_size * fmax(q, sqrt(sums.v_square))),
        .rounding = ratio(unit * sqrt(sums.rounding_square), q),
    };
}
