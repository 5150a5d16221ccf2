/* One contact as a variational inequality: r <- P_K(r - rho F(r)), F = u + g(u) (40), with the step rule of
 * Khobotov (101). */
#include <math.h>
#include <string.h>

#include "contact/coulomb/local_contact.h"

enum {
    ITERATIONS_MAX = 1000,
    REDUCTIONS_MAX = 100
};

/* Step rule: reduce above `ratio_max`, enlarge below `ratio_min`. */
static const double ratio_max = 0.9, ratio_min = 0.3, reduction = 2.0 / 3.0;

typedef struct trial {
    double z[3], F[3];
    double distance; /* from the iterate */
    double ratio;    /* rho |F - F'| / |z - z'| */
} trial;

static double difference(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(carom_dot(3, d, d));
}

static void project(const coulomb_local *contact, const double q[3], const double z[3], const double F[3],
                    double rho, trial *t)
{
    carom_cone_project(contact->mu, (const double[]){z[0] - rho * F[0], z[1] - rho * F[1], z[2] - rho * F[2]},
                       t->z);
    coulomb_local_modified_velocity(contact, q, t->z, t->F);
    t->distance = difference(z, t->z);
    t->ratio = t->distance > 0.0 ? rho * difference(F, t->F) / t->distance : 0.0;
}

bool coulomb_local_vi(coulomb_local *contact, double tolerance, const double q[3], double r[3],
                      coulomb_local_counts *counts)
{
    double rho = contact->step > 0.0 ? contact->step : contact->size > 0.0 ? 1.0 / contact->size : 1.0;
    const double size_q = sqrt(carom_dot(3, q, q));
    double F[3];
    coulomb_local_modified_velocity(contact, q, r, F);
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        trial t;
        project(contact, q, r, F, rho, &t);
        for (int i = 0; i < REDUCTIONS_MAX && t.ratio > ratio_max; i++) {
            rho *= reduction;
            project(contact, q, r, F, rho, &t);
        }
        counts->iterations++;
        memcpy(r, t.z, sizeof t.z);
        memcpy(F, t.F, sizeof t.F);
        const double size_r = sqrt(carom_dot(3, r, r));
        if (!isfinite(size_r))
            return false;
        contact->step = rho;
        if (t.distance <= tolerance * (size_r + rho * size_q))
            return true;
        if (t.ratio < ratio_min)
            rho /= reduction;
    }
    return false;
}
