/* One tangent: Moreau 1986 (13.13) in contact space.
 *
 * Impulses of the cone that give the normal velocity its target form a segment between the two edges
 * p_T = g p_N of the cone, or a half-line when one edge cannot reach the target (w_j = W_NN + g_j W_NT <= 0):
 *
 *       p_T
 *        |        / g_1 (high)            on this set the slip u_T falls strictly from the end on the
 *        |      /                         high edge to the end on the low edge, because W is positive
 *        |    P1                          definite. So either it is <= 0 already at P1 (slip backwards, full
 *        |  /   \                         friction forwards), or >= 0 still at P2, or it vanishes between.
 *        |/______\____ p_N                Minimising the kinetic norm on the set, as (13.13) does for
 *         \       \                       target 0, gives the same point: its derivative is the slip.
 *           \      P2
 *             \ g_2 (low)                 Vanishing on a half-line is the jam.
 */
#include "regimes.h"

/* Impulse on the edge p_T = gradient * p_N and the slip it leaves; false when the edge cannot reach the
 * target. */
static bool edge_impulse(const carom_friction_contact *contact, double gradient, double impulse[3],
                         double *slip)
{
    const double w = contact->W[0][0] + gradient * contact->W[0][1];
    if (!(w > 0.0))
        return false;
    impulse[0] = (contact->target - contact->u_free[0]) / w;
    impulse[1] = gradient * impulse[0];
    impulse[2] = 0.0;
    *slip = contact->u_free[1] + contact->W[1][0] * impulse[0] + contact->W[1][1] * impulse[1];
    return true;
}

carom_status friction_one_tangent(const carom_friction_contact *contact, carom_friction_result *result,
                                  carom_error *error)
{
    double slip;
    bool slips = edge_impulse(contact, contact->set.b, result->impulse, &slip) && slip <= 0.0;
    slips = slips || (edge_impulse(contact, contact->set.a, result->impulse, &slip) && slip >= 0.0);
    if (slips) {
        friction_slip(contact, result);
        return CAROM_OK;
    }
    /* Elimination rather than determinants: it keeps the residual at rounding when W is nearly singular. */
    const double nn = contact->W[0][0], nt = contact->W[0][1], tt = contact->W[1][1];
    const double ratio = nt / nn, remaining = tt - ratio * nt;
    if (!(remaining > 0.0))
        return carom_fail(
            error, CAROM_FAILED,
            "frictional contact cannot stick: its matrix [%g %g; %g %g] is not positive definite", nn, nt, nt,
            tt);
    const double normal = contact->target - contact->u_free[0], tangential = -contact->u_free[1];
    result->impulse[1] = (tangential - ratio * normal) / remaining;
    result->impulse[0] = (normal - nt * result->impulse[1]) / nn;
    friction_stick(contact, result);
    return CAROM_OK;
}
