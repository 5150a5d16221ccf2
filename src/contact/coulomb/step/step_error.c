#include <math.h>

#include "step_problem.h"

enum {
    COMPONENTS = 3
};

/* Keeps a value that is not a number, where fmax would hide it. */
static double greater(double a, double b)
{
    return a >= b ? a : isnan(a) ? a : b;
}

carom_friction_contact friction_contact_among(const carom_friction_problem *problem, const double *impulse,
                                              int k)
{
    const int width = COMPONENTS * problem->count, first = COMPONENTS * k;
    carom_friction_contact contact = {.tangents = problem->tangents[k], .target = problem->target[k]};
    if (contact.tangents > 0)
        contact.set = problem->set[k];
    for (int i = 0; i <= contact.tangents; i++) {
        const double *row = problem->W + (ptrdiff_t)(first + i) * width;
        double u = problem->u_free[first + i];
        for (int l = 0; l < problem->count; l++)
            for (int j = 0; l != k && j <= problem->tangents[l]; j++)
                u += row[COMPONENTS * l + j] * impulse[COMPONENTS * l + j];
        contact.u_free[i] = u;
        for (int j = 0; j <= contact.tangents; j++)
            contact.W[i][j] = row[first + j];
    }
    return contact;
}

/* Below this share of the largest velocity there is no slip: where impulses are not unique, one on the surface of its
 * cone may stick. */
static const double slip_rounding = 1e-13;

static bool slips(const carom_friction_contact *contact, const double *impulse, double limit)
{
    double slip = 0.0;
    for (int i = 1; i <= contact->tangents; i++) {
        double u = contact->u_free[i];
        for (int j = 0; j <= contact->tangents; j++)
            u += contact->W[i][j] * impulse[j];
        slip = greater(slip, fabs(u));
    }
    return contact->tangents == 0 || contact->set.kind == CAROM_PLANAR_POINT || !(slip <= limit);
}

void friction_find_regimes(const carom_friction_problem *problem, const double *impulse,
                           unsigned char *regime)
{
    const double limit = slip_rounding * friction_largest_velocity(problem);
    for (int k = 0; k < problem->count; k++) {
        const carom_friction_contact contact = friction_contact_among(problem, impulse, k);
        carom_friction_result result = {.regime = CAROM_CONTACT_OPEN};
        if (!(contact.u_free[0] >= contact.target))
            (void)carom_friction_contact_solve(&contact, &result, NULL);
        if (result.regime == CAROM_CONTACT_SLIP &&
            !slips(&contact, impulse + (ptrdiff_t)COMPONENTS * k, limit))
            result.regime = CAROM_CONTACT_STICK;
        regime[k] = (unsigned char)result.regime;
    }
}

double friction_largest_velocity(const carom_friction_problem *problem)
{
    double largest = 0.0;
    for (int k = 0; k < problem->count; k++) {
        double velocity = fabs(problem->target[k]);
        for (int i = 0; i <= problem->tangents[k]; i++)
            velocity = greater(velocity, fabs(problem->u_free[COMPONENTS * k + i]));
        largest = greater(largest, velocity);
    }
    return largest;
}

double carom_friction_problem_error(const carom_friction_problem *problem, const double *impulse)
{
    const double largest = friction_largest_velocity(problem);
    double worst = 0.0;
    for (int k = 0; k < problem->count; k++) {
        const carom_friction_contact contact = friction_contact_among(problem, impulse, k);
        worst = greater(worst, carom_friction_contact_error(&contact, impulse + (ptrdiff_t)COMPONENTS * k));
    }
    if (!isfinite(largest) || !isfinite(worst))
        return INFINITY;
    /* Without velocities there is nothing to be near to: what is not the solution is far from it. */
    if (largest == 0.0)
        return worst == 0.0 ? 0.0 : INFINITY;
    return worst / largest;
}
