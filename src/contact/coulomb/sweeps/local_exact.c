/* One contact by enumeration: open, then stick, then slide. Sliding in the direction t, r = r_N (1, mu t),
 *
 *   u_N = 0:  r_N = -q_N / (W_NN + mu W_NT.t);   u_T parallel to t:  phi(t) = 0,
 *
 * a trigonometric polynomial of degree two, and u_T.t <= 0. The order makes the solution one function of q
 * where there are several. */
#include <math.h>
#include <string.h>

#include "circle_roots.h"
#include "contact/coulomb/local_contact.h"

enum {
    WARM_STEPS = 20
};

static const double warm_tolerance = 1e-13;
static const double opposite_tolerance = 1e-13; /* of u_T.t <= 0, relative to its terms */

static bool is_in_cone(double mu, const double r[3])
{
    const double limit = mu * r[0];
    return r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= limit * limit;
}

/* r = -W^-1 q, corrected once for the rounding of the inverse where that matters. */
static bool try_stick(const coulomb_local *contact, const double q[3], double r[3])
{
    if (!contact->regular)
        return false;
    double rest[3] = {q[0], q[1], q[2]}, correction[3] = {0.0, 0.0, 0.0};
    r[0] = r[1] = r[2] = 0.0;
    carom_block_add(contact->inverse, q, correction);
    carom_axpy(3, -1.0, correction, r);
    if (contact->well_conditioned)
        return is_in_cone(contact->mu, r);
    carom_block_add(contact->W, r, rest);
    correction[0] = correction[1] = correction[2] = 0.0;
    carom_block_add(contact->inverse, rest, correction);
    carom_axpy(3, -1.0, correction, r);
    return is_in_cone(contact->mu, r);
}

/* The condition t x u_T = 0, times W_NN + mu W_NT.t. */
static coulomb_circle sliding_condition(const coulomb_local *contact, const double q[3])
{
    const double *W = contact->W, mu = contact->mu;
    return (coulomb_circle){.P = W[0] * q[2] - q[0] * W[6],
                            .Q = -W[0] * q[1] + q[0] * W[3],
                            .R = mu * (W[1] * q[2] - q[0] * W[7]),
                            .S = mu * (-W[2] * q[1] + q[0] * W[5]),
                            .U = mu * (W[2] * q[2] - W[1] * q[1] - q[0] * (W[8] - W[4]))};
}

/* The impulse that slides in the direction t; false when it pulls or friction would drive. */
static bool slide(const coulomb_local *contact, const double q[3], const double t[2], double r[3])
{
    const double *W = contact->W, mu = contact->mu;
    const double normal = -q[0] / (W[0] + mu * (W[1] * t[0] + W[2] * t[1]));
    if (!(normal > 0.0 && isfinite(normal)))
        return false;
    const double x = mu * normal * t[0], y = mu * normal * t[1];
    const double along = (q[1] + W[3] * normal + W[4] * x + W[5] * y) * t[0] +
                         (q[2] + W[6] * normal + W[7] * x + W[8] * y) * t[1];
    const double scale = fabs(q[1]) + fabs(q[2]) + contact->size * (1.0 + mu) * normal;
    if (!(along <= opposite_tolerance * scale))
        return false;
    r[0] = normal;
    r[1] = x;
    r[2] = y;
    return true;
}

static bool try_last_direction(coulomb_local *contact, const coulomb_circle *phi, const double q[3],
                               double r[3])
{
    double t[2] = {contact->direction[0], contact->direction[1]};
    if ((t[0] == 0.0 && t[1] == 0.0) || !coulomb_circle_polish(phi, WARM_STEPS, warm_tolerance, t) ||
        !slide(contact, q, t, r))
        return false;
    memcpy(contact->direction, t, sizeof t);
    return true;
}

/* Among several directions the one nearest to the last, or the one with the smallest impulse. */
static bool try_all_directions(coulomb_local *contact, const coulomb_circle *phi, const double q[3],
                               double r[3])
{
    double root[CIRCLE_ROOTS][2], best = INFINITY;
    const double last[2] = {contact->direction[0], contact->direction[1]};
    const bool has_last = last[0] != 0.0 || last[1] != 0.0;
    const int count = coulomb_circle_roots(phi, root);
    for (int i = 0; i < count && i < CIRCLE_ROOTS; i++) { /* gcc does not know that count is one of them */
        double trial[3];
        if (!slide(contact, q, root[i], trial))
            continue;
        const double rank = has_last ? -(root[i][0] * last[0] + root[i][1] * last[1]) : trial[0];
        if (!(rank < best))
            continue;
        best = rank;
        memcpy(r, trial, sizeof trial);
        memcpy(contact->direction, root[i], sizeof root[i]);
    }
    return best < INFINITY;
}

/* The direction that friction would have if only the normal impulse acted. */
static bool try_guess(coulomb_local *contact, const coulomb_circle *phi, const double q[3], double r[3])
{
    const double *W = contact->W, normal = -q[0] / W[0];
    const double x = -(q[1] + W[3] * normal), y = -(q[2] + W[6] * normal), length = sqrt(x * x + y * y);
    if (!contact->any_solution || !(length > 0.0))
        return false;
    const double last[2] = {contact->direction[0], contact->direction[1]};
    contact->direction[0] = x / length;
    contact->direction[1] = y / length;
    if (try_last_direction(contact, phi, q, r))
        return true;
    memcpy(contact->direction, last, sizeof last);
    return false;
}

bool coulomb_local_exact(coulomb_local *contact, const double q[3], double r[3])
{
    if (q[0] >= 0.0) {
        r[0] = r[1] = r[2] = 0.0;
        return true;
    }
    if (!(contact->W[0] > 0.0))
        return false;
    if (try_stick(contact, q, r))
        return true;
    if (contact->mu == 0.0) {
        r[0] = -q[0] / contact->W[0];
        r[1] = r[2] = 0.0;
        return isfinite(r[0]);
    }
    const coulomb_circle phi = sliding_condition(contact, q);
    return try_last_direction(contact, &phi, q, r) || try_guess(contact, &phi, q, r) ||
           try_all_directions(contact, &phi, q, r);
}
