/* Coulomb's law with elliptic cones: the bipotential, its defect, the slip rule. */
#include <math.h>

#include "carom/convex.h"

static carom_status check_coefficients(const double mu[2], carom_error *error)
{
    for (int i = 0; i < 2; i++)
        if (!(mu[i] >= 0.0) || !isfinite(mu[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "friction coefficient mu_%c = %g must be a number >= 0",
                              "xy"[i], mu[i]);
    return CAROM_OK;
}

static carom_status check_slip(const double mu[2], const double slip[2], carom_error *error)
{
    for (int i = 0; i < 2; i++) {
        if (!(slip[i] > 0.0) || !isfinite(slip[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "semi-axis p_%c = %g of the slip potential must be positive", "xy"[i], slip[i]);
        if (mu[i] == 0.0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mu_%c = 0 allows the associated rule only: leave out the slip potential p",
                              "xy"[i]);
    }
    return CAROM_OK;
}

carom_status carom_elliptic_cone_make(const double mu[2], const double *slip, carom_elliptic_cone *cone,
                                      carom_error *error)
{
    carom_status status = check_coefficients(mu, error);
    if (status == CAROM_OK && slip)
        status = check_slip(mu, slip, error);
    if (status != CAROM_OK)
        return status;
    *cone = (carom_elliptic_cone){.mu = {mu[0], mu[1]}, .q2 = {1.0, 1.0}};
    if (!slip)
        return CAROM_OK;
    const double q[2] = {slip[0] / mu[0], slip[1] / mu[1]}, largest = fmax(q[0], q[1]);
    for (int i = 0; i < 2; i++)
        cone->q2[i] = (q[i] / largest) * (q[i] / largest);
    return CAROM_OK;
}

/* |F Q^2 u_T| */
static double dual_norm(const carom_elliptic_cone *cone, const double u[3])
{
    return hypot(cone->mu[0] * cone->q2[0] * u[1], cone->mu[1] * cone->q2[1] * u[2]);
}

void carom_elliptic_cone_velocity(const carom_elliptic_cone *cone, double gap, const double u[3], double v[3])
{
    v[0] = gap + u[0] + dual_norm(cone, u);
    v[1] = cone->q2[0] * u[1];
    v[2] = cone->q2[1] * u[2];
}

/* |F^-1 r_T|; infinite when there is friction along a direction that has none. */
static double elliptic_norm(const carom_elliptic_cone *cone, const double r[3])
{
    double part[2];
    for (int i = 0; i < 2; i++) {
        const double t = fabs(r[i + 1]);
        part[i] = cone->mu[i] > 0.0 ? t / cone->mu[i] : (t > 0.0 ? INFINITY : 0.0);
    }
    return hypot(part[0], part[1]);
}

double carom_bipotential(const carom_elliptic_cone *cone, const double u[3], const double r[3])
{
    if (elliptic_norm(cone, r) > r[0] || u[0] < 0.0)
        return INFINITY;
    return -(1.0 - cone->q2[0]) * u[1] * r[1] - (1.0 - cone->q2[1]) * u[2] * r[2] + r[0] * dual_norm(cone, u);
}

/* b + u.r = r_N (u_N + |F Q^2 u_T|) + Q^2 u_T . r_T: v.r of the modified velocity */
carom_law_defect carom_bipotential_defect(const carom_elliptic_cone *cone, double gap, const double u[3],
                                          const double r[3])
{
    double v[3];
    carom_elliptic_cone_velocity(cone, gap, u, v);
    return (carom_law_defect){.power = r[0] * v[0] + r[1] * v[1] + r[2] * v[2],
                              .penetration = fmax(0.0, -(gap + u[0])),
                              .outside = fmax(0.0, elliptic_norm(cone, r) - r[0])};
}

/* r_T = -r_N P^2 d / |F^-1 P^2 d| with P^2 = F^2 Q^2 */
double carom_slip_reaction(const carom_elliptic_cone *cone, double normal, const double direction[2],
                           double reaction[2])
{
    const double length = hypot(direction[0], direction[1]);
    double along[2], scaled[2];
    for (int i = 0; i < 2; i++) {
        scaled[i] = cone->mu[i] * cone->q2[i] * direction[i] / length;
        along[i] = cone->mu[i] * scaled[i];
    }
    const double size = hypot(scaled[0], scaled[1]);
    for (int i = 0; i < 2; i++)
        reaction[i] = size > 0.0 ? -normal * along[i] / size : 0.0;
    return -(reaction[0] * direction[0] + reaction[1] * direction[1]) / length;
}
