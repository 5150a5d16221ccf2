/* Two tangents. For a given normal impulse p_N the friction impulse minimises
 *
 *      1/2 p_T.W_TT p_T + (u_free_T + W_TN p_N).p_T     over p_N D_1,
 *
 * which is the law -u_T in the normal cone of p_N D_1 at p_T (with Q^2 u_T where the set has a slip rule of
 * its own, which is no minimum any more). What remains is the scalar equation
 *
 *      f(p_N) = u_free_N - target + W_NN p_N + W_NT.p_T(p_N) = 0.
 *
 * f(0) < 0, and f grows without bound because W is positive definite and 0 is in D_1; with a slip rule of its
 * own it need not. */
#include <float.h>
#include <math.h>

#include "carom/linalg.h"
#include "regimes.h"

enum {
    DOUBLINGS_MAX = 1100, /* the whole range of a double */
    ROOT_STEPS_MAX = 400
};

typedef struct trial {
    double normal;
    double tangential[2];
    double excess;   /* f */
    double rounding; /* of f: relative to its terms */
    bool sticks;
} trial;

static trial try_normal(const carom_friction_contact *contact, double normal)
{
    trial t = {.normal = normal};
    const double b[2] = {contact->u_free[1] + contact->W[1][0] * normal,
                         contact->u_free[2] + contact->W[2][0] * normal};
    t.sticks = carom_planar_minimise(&contact->set, normal, contact->W[1][1], contact->W[1][2],
                                     contact->W[2][2], b, t.tangential);
    double needed = contact->target - contact->u_free[0], direct = contact->W[0][0] * normal;
    double first = contact->W[0][1] * t.tangential[0], second = contact->W[0][2] * t.tangential[1];
    t.excess = direct + (first + second) - needed;
    t.rounding = DBL_EPSILON * (needed + direct + fabs(first) + fabs(second));
    return t;
}

static void take(const carom_friction_contact *contact, const trial *t, carom_friction_result *result)
{
    result->impulse[0] = t->normal;
    result->impulse[1] = t->tangential[0];
    result->impulse[2] = t->tangential[1];
    if (t->sticks)
        friction_stick(contact, result);
    else
        friction_slip(contact, result);
}

/* The impulse that stops the slip altogether, when it is in the cone. */
static bool try_stick(const carom_friction_contact *contact, carom_friction_result *result)
{
    double factor[9], impulse[3];
    for (int i = 0; i < 3; i++) {
        impulse[i] = -contact->u_free[i];
        for (int j = 0; j < 3; j++)
            factor[3 * i + j] = contact->W[i][j];
    }
    impulse[0] += contact->target;
    if (carom_cholesky_factor(3, factor) != 0)
        return false;
    carom_cholesky_solve(3, factor, impulse);
    double nearest[2];
    if (!(impulse[0] >= 0.0) || !carom_planar_project(&contact->set, impulse[0], impulse + 1, nearest))
        return false;
    for (int i = 0; i < 3; i++)
        result->impulse[i] = impulse[i];
    friction_stick(contact, result);
    return true;
}

/* True when the tangents do not act on the normal: f is W_NN p_N - needed. */
static bool is_decoupled(const carom_friction_contact *contact)
{
    const double limit = 1e-14 * sqrt(contact->W[0][0]);
    return fabs(contact->W[0][1]) <= limit * sqrt(contact->W[1][1]) &&
           fabs(contact->W[0][2]) <= limit * sqrt(contact->W[2][2]);
}

/* Root of f between low (f < 0) and high (f >= 0): false position with the Illinois weight, and a bisection
 * whenever three steps did not halve the bracket. */
static trial find_root(const carom_friction_contact *contact, trial low, trial high)
{
    double low_weight = low.excess, high_weight = high.excess;
    double width = high.normal - low.normal;
    for (int step = 1; step <= ROOT_STEPS_MAX; step++) {
        double middle = high.normal - high_weight * (high.normal - low.normal) / (high_weight - low_weight);
        if (step % 3 == 0) {
            if (high.normal - low.normal > 0.5 * width)
                middle = 0.5 * (low.normal + high.normal);
            width = high.normal - low.normal;
        }
        if (!(middle > low.normal && middle < high.normal))
            middle = 0.5 * (low.normal + high.normal);
        if (!(middle > low.normal && middle < high.normal))
            break;
        trial t = try_normal(contact, middle);
        if (fabs(t.excess) <= t.rounding)
            return t;
        if (t.excess < 0.0) {
            low = t;
            low_weight = t.excess;
            high_weight *= 0.5;
        } else {
            high = t;
            high_weight = t.excess;
            low_weight *= 0.5;
        }
    }
    return -low.excess < high.excess ? low : high;
}

carom_status friction_two_tangents(const carom_friction_contact *contact, carom_friction_result *result,
                                   carom_error *error)
{
    trial low = {.excess = contact->u_free[0] - contact->target};
    trial high = try_normal(contact, -low.excess / contact->W[0][0]);
    if (is_decoupled(contact)) {
        take(contact, &high, result);
        return CAROM_OK;
    }
    if (try_stick(contact, result))
        return CAROM_OK;
    for (int k = 0; k < DOUBLINGS_MAX && high.excess < 0.0; k++) {
        low = high;
        high = try_normal(contact, 2.0 * high.normal);
    }
    if (!(high.excess >= 0.0) || !isfinite(high.normal))
        return carom_fail(
            error, CAROM_FAILED,
            "frictional contact: no normal impulse up to %g brings the normal velocity from %g to "
            "%g; the contact matrix must be positive definite (diagonal %g, %g, %g), and much friction with "
            "a "
            "slip potential of its own may have no solution",
            low.normal, contact->u_free[0], contact->target, contact->W[0][0], contact->W[1][1],
            contact->W[2][2]);
    trial root = find_root(contact, low, high);
    take(contact, &root, result);
    return CAROM_OK;
}
