/* Works that forces and closed contacts do along the flow, integrated with it and without any influence on it.
 *
 *   forces    integral of dE/dt while no contact acts (carom_model_power)
 *   contacts  integral of sum lambda n.(u + c), c the velocity of a frame that moves: moving walls work, and friction
 *   joints    integral of -lambda g_t: those that depend on time work
 *
 * The integrator carries the three as further unknowns, whose errors do not count for its steps: forces that make a power change
 * fast do so with velocities. */
#include "event_driven.h"

#include <math.h>
#include <string.h>

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
    const size_t power = carom_model_power_scratch(model),
                 carrier = model->moving_frame ? carom_model_carrier_scratch(model) : 0;
    self->power_scratch = carom_arena_take(arena, power > carrier ? power : carrier, sizeof(double));
    self->carrier = carom_arena_take(arena, dof, sizeof(double));
    return self->power_scratch && self->carrier;
}

bool event_driven_has_works(const event_driven *self)
{
    if (self->stepper.no_works)
        return false;
    if (!self->motion.model->powerless)
        return true;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (may_move(self, contact))
            return true;
    return self->general;
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

/* Of closed contacts, with the forces of the last evaluation. */
static double contact_power(event_driven *self, double t, const double *y)
{
    const double *q = y, *u = y + self->motion.dof;
    bool any = false;
    if (self->general)
        return event_mode_power(self, event_driven_velocity(self, t, q, u));
    for (int contact = 0; contact < self->motion.contacts; contact++)
        any = any || (self->closed[contact] && may_move(self, contact));
    if (!any)
        return 0.0;
    const double *velocity = event_driven_velocity(self, t, q, u);
    double power = 0.0;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->closed[contact])
            power +=
                self->lambda[contact] * carom_row_dot(&self->motion.rows.frame[contact].normal, velocity);
    return power;
}

void event_driven_powers(event_driven *self, double t, const double *y, double power[EVENT_WORKS])
{
    memset(power, 0, EVENT_WORKS * sizeof *power);
    if (!self->has_works)
        return;
    power[0] = carom_model_power(self->motion.work, t, y, y + self->motion.dof, self->power_scratch);
    power[1] = contact_power(self, t, y);
    power[2] = event_joints_power(self);
    for (int i = 0; i < EVENT_WORKS; i++)
        if (!isfinite(power[i])) { /* the integrator cannot carry it */
            power[i] = 0.0;
            self->works_lost = true;
        }
}

/* Works that the flow carries. */
static double *carried_works(event_driven *self)
{
    return ode_flow_values(self->flow) + self->size - EVENT_WORKS;
}

static carom_works add_works(carom_works works, const double *carried)
{
    works.forces += carried[0];
    works.contacts += carried[1];
    works.joints += carried[2];
    return works;
}

void event_driven_works_take_over(event_driven *self)
{
    double *carried = carried_works(self);
    self->stepper.works = add_works(self->stepper.works, carried);
    memset(carried, 0, EVENT_WORKS * sizeof *carried);
}

void event_driven_works_record(event_driven *self)
{
    self->recorded = add_works(self->stepper.works, carried_works(self));
    if (self->works_lost)
        self->recorded.forces = NAN;
}

carom_works event_driven_works(carom_stepper *stepper)
{
    return ((event_driven *)stepper)->recorded;
}
