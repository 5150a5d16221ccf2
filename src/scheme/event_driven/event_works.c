/* Works that forces and closed contacts do along the flow, beside the integration and without any influence on it.
 *
 *   forces    integral of dE/dt while no contact acts (carom_model_power)
 *   contacts  integral of sum lambda n.(u + c), c the velocity of a frame that moves: only moving walls work
 *
 * On each stretch of the flow, which lies inside one step of the integrator, by Lobatto's rule with four nodes on the
 * integrator's own polynomial, whose values at the ends are there already. */
#include "event_driven.h"

enum {
    NODES = 4
};

/* Whether closed contacts may do work: their walls may move. */
static bool may_move(const event_driven *self, int contact)
{
    const carom_contact_info *info = &self->motion.model->contact[contact];
    return !info->constant_frame || self->motion.rows.frame[contact].normal_rate != 0.0;
}

bool event_driven_works_take(event_driven *self, carom_arena *arena)
{
    const carom_model *model = self->motion.model;
    const size_t dof = (size_t)model->dof;
    const size_t power = carom_model_power_scratch(model), square = model->moving_frame ? dof * dof : 0;
    self->power_scratch = carom_arena_take(arena, power > square ? power : square, sizeof(double));
    self->carrier = carom_arena_take(arena, dof, sizeof(double));
    return self->power_scratch && self->carrier;
}

bool event_driven_has_works(const event_driven *self)
{
    if (!self->motion.model->powerless)
        return true;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (may_move(self, contact))
            return true;
    return false;
}

const double *event_driven_velocity(event_driven *self, double t, const double *q, const double *u)
{
    if (!self->motion.model->moving_frame)
        return u;
    if (!carom_model_carrier(self->motion.work, t, q, self->power_scratch, self->carrier))
        return u;
    carom_axpy(self->motion.dof, 1.0, u, self->carrier);
    return self->carrier;
}

static double contact_power(event_driven *self, double t, const double *y)
{
    const double *q = y, *u = y + self->motion.dof;
    bool any = false;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        any = any || (self->closed[contact] && may_move(self, contact));
    if (!any || !event_driven_forces(self, t, q, u))
        return 0.0;
    const double *velocity = event_driven_velocity(self, t, q, u);
    double power = 0.0;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->closed[contact])
            power += self->lambda[contact] *
                     carom_dot(self->motion.dof, self->motion.rows.frame[contact].normal, velocity);
    return power;
}

static void add_node(event_driven *self, double t, const double *y, double weight)
{
    carom_works *works = &self->stepper.works;
    const double *q = y, *u = y + self->motion.dof;
    works->forces += weight * carom_model_power(self->motion.work, t, q, u, self->power_scratch);
    works->contacts += weight * contact_power(self, t, y);
}

void event_driven_works_add(event_driven *self, double t)
{
    static const double place[NODES] = {-1.0, -0.447213595499957939, 0.447213595499957939, 1.0};
    static const double weight[NODES] = {1.0 / 6.0, 5.0 / 6.0, 5.0 / 6.0, 1.0 / 6.0};
    const double half = 0.5 * (t - self->stretch_from);
    for (int k = 0; k < NODES && half > 0.0; k++) {
        const double at = k == NODES - 1 ? t : self->stretch_from + half * (1.0 + place[k]);
        const double *y = ode_flow_at(self->flow, at);
        if (y)
            add_node(self, at, y, half * weight[k]);
    }
}

void event_driven_works_again(event_driven *self, double t)
{
    if (!self->watches)
        return;
    self->stepper.works = self->works_before;
    event_driven_works_add(self, t);
}

void event_driven_works_hop(event_driven *self, double length)
{
    const event_driven_hop *hop = &self->hop;
    add_node(self, self->t, hop->start, length / 6.0);
    add_node(self, self->t + 0.5 * length, hop->middle, length * (2.0 / 3.0));
    add_node(self, self->t + length, hop->end, length / 6.0);
}
