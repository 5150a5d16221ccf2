#include "contact/coulomb/vi_problem.h"

#include <math.h>
#include <string.h>

coulomb_vi coulomb_vi_of(const carom_coulomb *problem)
{
    return (coulomb_vi){
        .W = problem->W, .b = problem->q, .mu = problem->mu, .set = COULOMB_SET_CONE, .corrected = true};
}

void coulomb_vi_map(const coulomb_vi *vi, const double *r, double *F)
{
    carom_blocks_multiply(&vi->W, r, vi->b, F);
    for (int i = 0; i < vi->W.rows; i++) {
        double *Fi = F + 3 * (ptrdiff_t)i;
        if (vi->corrected)
            Fi[0] += vi->mu[i] * hypot(Fi[1], Fi[2]);
        if (vi->set == COULOMB_SET_HALF_LINE)
            Fi[1] = Fi[2] = 0.0;
        if (vi->set == COULOMB_SET_DISK)
            Fi[0] = 0.0;
    }
}

/* Nearest point of the disk to z_T. */
static void project_on_disk(double radius, double z[3])
{
    const double size = hypot(z[1], z[2]);
    if (size <= radius)
        return;
    const double factor = radius / size;
    z[1] *= factor;
    z[2] *= factor;
}

static void project_one(const coulomb_vi *vi, int contact, double z[3])
{
    if (vi->set == COULOMB_SET_CONE) {
        const double point[3] = {z[0], z[1], z[2]};
        carom_cone_project(vi->mu[contact], point, z);
        return;
    }
    if (vi->set != COULOMB_SET_DISK)
        z[0] = fmax(0.0, z[0]);
    if (vi->set != COULOMB_SET_HALF_LINE)
        project_on_disk(vi->radius[contact], z);
}

/* P_X(r - rho F) at one contact. */
static void project_from(const coulomb_vi *vi, int contact, const double *r, double rho, const double *F,
                         double z[3])
{
    const ptrdiff_t at = 3 * (ptrdiff_t)contact;
    for (int k = 0; k < 3; k++)
        z[k] = r[at + k] - rho * F[at + k];
    project_one(vi, contact, z);
}

void coulomb_vi_project(const coulomb_vi *vi, const double *r, double rho, const double *F, double *p)
{
    for (int i = 0; i < vi->W.rows; i++) {
        double z[3];
        project_from(vi, i, r, rho, F, z);
        memcpy(p + 3 * (ptrdiff_t)i, z, sizeof z);
    }
}

double coulomb_vi_residual(const coulomb_vi *vi, const double *r, const double *F)
{
    double sum = 0.0;
    for (int i = 0; i < vi->W.rows; i++) {
        double z[3];
        project_from(vi, i, r, 1.0, F, z);
        const double *ri = r + 3 * (ptrdiff_t)i;
        for (int k = 0; k < 3; k++)
            sum += (ri[k] - z[k]) * (ri[k] - z[k]);
    }
    return sqrt(sum);
}

double coulomb_row_norm(const carom_blocks *W)
{
    double largest = 0.0;
    for (int i = 0; i < W->rows; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++)
            for (int e = 0; e < 9; e++)
                sum[e / 3] += fabs(carom_block_at(W, k)[e]);
        largest = fmax(largest, fmax(sum[0], fmax(sum[1], sum[2])));
    }
    return largest;
}
