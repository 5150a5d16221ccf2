/* Moreau's law of impact for contacts with friction: Coulomb's law holds between the impulses p and u~ = (u+ + e u-)/(1 + e) in
 * all components, with one e for all contacts of the step. Since it does not change when velocities are multiplied, it holds for
 * u+ + e u-. With u+ = u- + W p
 *
 *   change of energy = p.(u+ + u-)/2 = p.u~ - (1 - e)/(2 (1 + e)) p.W p <= 0
 *
 * as p_N u~_N = 0 and p_T.u~_T <= 0: no impact gains, while Newton's law with friction may (Kane's paradox). Both
 * velocities are along the rows of the iterate, which makes this true whatever the step is.
 *
 * e belongs to contacts that are struck: they approach by more than forces change their velocity in a step. Where they
 * differ, e is their mean, weighted with the energy u_N-^2 / W_NN with which they approach. */
#include <math.h>
#include <string.h>

#include "moreau_jean.h"

bool moreau_jean_is_oblique(const carom_stepper *stepper, const char *law)
{
    const carom_model *model = stepper->model;
    if (model->has_bodies || strcmp(law, carom_impact_moreau.name) != 0)
        return false;
    for (int contact = 0; contact < model->contacts; contact++)
        if (carom_friction_law_coefficients(&model->contact[contact].friction) > 0)
            return true;
    return false;
}

static double velocity_before(const moreau_jean *self, int contact, int component)
{
    return contact_velocity(&self->rows, contact, component, self->stepper.state.v);
}

static double find_restitution(const moreau_jean *self)
{
    double sum = 0.0, weights = 0.0;
    for (int k = 0; k < self->active_count; k++) {
        const int contact = self->active[k];
        const carom_contact_info *info = &self->stepper.model->contact[contact];
        if (info->friction_force)
            continue;
        const double before = velocity_before(self, contact, 0);
        const double by_forces = fabs(contact_velocity(&self->rows, contact, 0, self->v_free) - before);
        if (!(before < -by_forces))
            continue;
        const double energy = before * before / contact_coupling(&self->rows, contact, 0, contact, 0);
        weights += energy;
        sum += energy * (info->has_restitution ? self->rows.frame[contact].restitution : 0.0);
    }
    return weights > 0.0 ? sum / weights : 0.0;
}

void moreau_jean_oblique_targets(moreau_jean *self)
{
    if (!self->restitution_known)
        self->restitution = find_restitution(self);
    self->restitution_known = true;
    for (int k = 0; k < self->active_count; k++) {
        const int contact = self->active[k];
        const bool obstacle = !self->stepper.model->contact[contact].friction_force;
        self->target[contact] = obstacle ? -self->restitution * velocity_before(self, contact, 0) : 0.0;
    }
}

void moreau_jean_oblique_slips(moreau_jean *self)
{
    friction_assembly *assembly = &self->assembly;
    for (int k = 0; k < self->active_count; k++) {
        const int contact = self->active[k];
        const bool obstacle = !self->stepper.model->contact[contact].friction_force;
        for (int i = 1; obstacle && i <= assembly->tangents[k]; i++)
            assembly->u_free[CAROM_CONTACT_COMPONENTS * k + i] +=
                self->restitution * velocity_before(self, contact, i);
    }
}
