/* Two tangents and an ellipse with a slip rule of its own, where the scalar equation for the normal impulse
 * has no root: friction jumps with the normal impulse when the rule is far from associated and the coupling
 * strong. Uzawa's predictor and corrector (coulomb/bipotential/uzawa.c) has no such equation:
 *
 *   p = P_K(p - rho (u_N - target + |F Q^2 u_T|, Q^2 u_T)). */
#include <math.h>
#include <string.h>

#include "contact/elliptic.h"
#include "regimes.h"

enum {
    MOST_STEPS = 100000
};

/* 1 / |W|, which is not above 1 / largest eigenvalue */
static double safe_step(const carom_friction_contact *contact)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += carom_dot(3, contact->W[i], contact->W[i]);
    return 1.0 / sqrt(sum);
}

/* One step; how far the impulse moves. */
static double advance(const carom_friction_contact *contact, const carom_elliptic_cone *cone, double rho,
                      double impulse[3])
{
    const double angle = contact->set.angle;
    double u[3], v[3], p[3], moved[3];
    for (int i = 0; i < 3; i++)
        u[i] = contact->u_free[i] + carom_dot(3, contact->W[i], impulse);
    elliptic_rotate(angle, u, u);
    elliptic_rotate(angle, impulse, p);
    carom_elliptic_cone_velocity(cone, -contact->target, u, v);
    for (int i = 0; i < 3; i++)
        p[i] -= rho * v[i];
    carom_elliptic_cone_project(cone->mu, p, moved);
    elliptic_rotate(-angle, moved, moved);
    const double change = hypot(hypot(moved[0] - impulse[0], moved[1] - impulse[1]), moved[2] - impulse[2]);
    memcpy(impulse, moved, sizeof moved);
    return change;
}

void friction_own_rule(const carom_friction_contact *contact, carom_friction_result *result)
{
    const carom_planar_set *set = &contact->set;
    const carom_elliptic_cone cone = {.mu = {set->a, set->b}, .q2 = {set->q2[0], set->q2[1]}};
    const double rho = safe_step(contact);
    double *p = result->impulse, change = INFINITY;
    p[0] = p[1] = p[2] = 0.0;
    for (int k = 0; k < MOST_STEPS && change > 4e-16 * p[0]; k++)
        change = advance(contact, &cone, rho, p);
    friction_slip(contact, result);
}
