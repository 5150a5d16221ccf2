#include <math.h>

#include "carom/contact.h"
#include "carom/linalg.h"

/* Distance of p_T from the law by its natural map, in velocity units. */
static double tangential_error(const carom_friction_contact *contact, const double impulse[3],
                               const double slip[2])
{
    const bool planar = contact->tangents == 2;
    const double p[2] = {impulse[1], planar ? impulse[2] : 0.0};
    const double w = planar ? 0.5 * (contact->W[1][1] + contact->W[2][2]) : contact->W[1][1];
    if (contact->set.kind == CAROM_PLANAR_POINT)
        return p[0] == 0.0 && p[1] == 0.0 ? 0.0 : w * hypot(p[0], p[1]);
    double ruled[2] = {slip[0], slip[1]}, nearest[2];
    if (planar)
        carom_planar_slip(&contact->set, slip, ruled);
    const double moved[2] = {p[0] - ruled[0] / w, p[1] - ruled[1] / w};
    carom_planar_project(&contact->set, impulse[0] > 0.0 ? impulse[0] : 0.0, moved, nearest);
    return w * (planar ? hypot(p[0] - nearest[0], p[1] - nearest[1]) : fabs(p[0] - nearest[0]));
}

double carom_friction_contact_error(const carom_friction_contact *contact, const double impulse[3])
{
    const int size = 1 + contact->tangents;
    double u[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < size; i++)
        u[i] = contact->u_free[i] + carom_dot(size, contact->W[i], impulse);
    /* Without impulse the contact may leave faster than the target. */
    double a = contact->W[0][0] * impulse[0], b = u[0] - contact->target;
    double tangential = contact->tangents > 0 ? tangential_error(contact, impulse, u + 1) : 0.0;
    if (isnan(a) || isnan(b) || isnan(tangential))
        return INFINITY;
    const double normal = fabs(a < b ? a : b);
    return normal > tangential ? normal : tangential;
}
