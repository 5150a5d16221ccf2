/* Impulses of an output interval, and the output itself. */
#include <math.h>
#include <string.h>

#include "event_driven.h"

/* The same of all components, and of joints. */
static void collect_components(event_driven *self, const double *carried)
{
    const double since = self->t - self->collected;
    event_joints *joints = &self->joints;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        for (int i = 0; i < CAROM_CONTACT_COMPONENTS; i++) {
            const int place = CAROM_CONTACT_COMPONENTS * contact + i;
            const double part = carried[place] - self->carried[place];
            self->carried[place] = carried[place];
            if (part == 0.0 || (i == 0 && fabs(part) <= self->least[contact] * since))
                continue;
            self->impulse[place] += part;
            self->touched[contact] = true;
        }
    carried += CAROM_CONTACT_COMPONENTS * (ptrdiff_t)self->motion.contacts;
    for (int k = 0; k < joints->count; k++) {
        joints->impulse[k] += carried[k] - joints->carried[k];
        joints->carried[k] = carried[k];
    }
}

/* Takes over what closed contacts have carried since the last time, forces of rounding left out. */
void event_driven_collect(event_driven *self)
{
    const double *carried = ode_flow_values(self->flow) + 2 * self->motion.dof;
    const double since = self->t - self->collected;
    if (self->general)
        collect_components(self, carried);
    for (int contact = 0; !self->general && contact < self->motion.contacts; contact++) {
        const double part = carried[contact] - self->carried[contact];
        self->carried[contact] = carried[contact];
        if (fabs(part) <= self->least[contact] * since)
            continue;
        self->impulse[contact] += part;
        self->touched[contact] = true;
    }
    self->collected = self->t;
}

/* Of the output interval: of a contact that is closed at its end, what it does there, else what its last impact did. */
static unsigned char regime_of(const event_driven *self, int contact)
{
    if (!self->touched[contact] && !self->motion.model->contact[contact].friction_force)
        return CAROM_CONTACT_OPEN;
    if (!self->general)
        return CAROM_CONTACT_SLIP;
    if (self->closed[contact])
        return self->mode.status[contact] == EVENT_STICK ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP;
    return self->impact_regime[contact] == CAROM_CONTACT_STICK ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP;
}

void event_driven_record(event_driven *self, double t_end)
{
    carom_state *state = &self->stepper.state;
    const size_t dof = (size_t)self->motion.dof;
    const double *y = ode_flow_values(self->flow);
    event_driven_collect(self);
    state->t = t_end;
    memcpy(state->q, y, dof * sizeof *y);
    memcpy(state->v, y + dof, dof * sizeof *y);
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        for (int i = 0; i < self->components; i++) {
            state->impulse[CAROM_CONTACT_COMPONENTS * contact + i] =
                self->impulse[self->components * contact + i];
            self->impulse[self->components * contact + i] = 0.0;
        }
        state->regime[contact] = regime_of(self, contact);
        self->touched[contact] = false;
    }
    for (int k = 0; k < self->joints.count; k++) {
        self->joints.recorded[k] = self->joints.impulse[k];
        self->joints.impulse[k] = 0.0;
    }
    event_driven_works_record(self);
    self->stepper.counts.steps++;
    self->stepper.counts.unsolved += self->unsolved;
    self->unsolved = false;
}
