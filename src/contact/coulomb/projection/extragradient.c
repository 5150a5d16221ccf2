#include "contact/coulomb/extragradient.h"

#include <math.h>
#include <string.h>

/* (98)-(101): the step rho is shortened while rho |F(r) - F(z)| > 0.9 |r - z| and grows again below 0.3. */
static const double ratio_high = 0.9, ratio_low = 0.3, shortening = 2.0 / 3.0;
enum {
    MOST_SHORTENINGS = 100
};

/* F(r) = u + (mu |u_T|, 0, 0), u = W r + q */
static void velocity(const carom_coulomb *problem, const double *r, double *F)
{
    carom_blocks_multiply(&problem->W, r, problem->q, F);
    for (int a = 0; a < problem->contacts; a++)
        F[3 * a] += problem->mu[a] * hypot(F[3 * a + 1], F[3 * a + 2]);
}

/* z = P_K(r - rho F); z may be r. */
static void project(const carom_coulomb *problem, const double *r, double rho, const double *F, double *z)
{
    for (int a = 0; a < problem->contacts; a++) {
        double y[3];
        for (int k = 0; k < 3; k++)
            y[k] = r[3 * a + k] - rho * F[3 * a + k];
        carom_cone_project(problem->mu[a], y, z + 3 * (ptrdiff_t)a);
    }
}

static double distance(int size, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < size; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* One step; rho is the step's length, kept between steps. False when r does not move. */
static bool advance(const carom_coulomb *problem, double *rho, double *work, double *r)
{
    const int size = 3 * problem->contacts;
    double *F = work, *z = work + size, *Fz = work + 2 * (ptrdiff_t)size;
    velocity(problem, r, F);
    double ratio = INFINITY;
    for (int k = 0; ratio > ratio_high && k <= MOST_SHORTENINGS; k++) {
        if (k > 0)
            *rho *= shortening;
        project(problem, r, *rho, F, z);
        const double moved = distance(size, r, z);
        if (moved == 0.0)
            return false;
        velocity(problem, z, Fz);
        ratio = *rho * distance(size, F, Fz) / moved;
    }
    project(problem, r, *rho, Fz, r);
    if (ratio < ratio_low)
        *rho /= shortening;
    return true;
}

bool coulomb_extragradient(coulomb_watch *watch, int steps, double *work, double *r)
{
    double rho = 1.0;
    for (int step = 0; step < steps && advance(watch->problem, &rho, work, r); step++) {
        watch->report->inner_iterations++;
        if (coulomb_watch_look(watch, r))
            return true;
    }
    return false;
}
