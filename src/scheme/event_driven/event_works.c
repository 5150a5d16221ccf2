/* Works that forces and closed contacts do along the flow, beside the integration and without any influence on it.
 *
 *   forces    integral of dE/dt while no contact acts (carom_model_power)
 *   contacts  integral of sum lambda n.(u + c), c the velocity of a frame that moves: moving walls work, and friction
 *   joints    integral of -lambda g_t: those that depend on time work
 *
 * at times at which the integrator evaluates forces anyway (work_panel.h). That is at the states it predicts, which
 * differ from those it finds by some ten of its tolerances. */
#include "event_driven.h"

#include <math.h>
#include <string.h>

/* Of powers of friction: the least distance of moments, relative to 1 and the time. */
static const double nearest = 1e-9;

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

static bool any_closed(const event_driven *self)
{
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->closed[contact])
            return true;
    return false;
}

/* Powers at a state; `evaluated`: the forces of closed contacts and joints there are known. */
static void find_powers(event_driven *self, double t, const double *y, bool evaluated,
                        double power[PANEL_POWERS])
{
    const double *q = y, *u = y + self->motion.dof;
    const bool known =
        evaluated || (!any_closed(self) && self->joints.count == 0) || event_driven_forces(self, t, q, u);
    power[0] = carom_model_power(self->motion.work, t, q, u, self->power_scratch);
    power[1] = known ? contact_power(self, t, y) : 0.0;
    power[2] = known ? event_joints_power(self) : 0.0;
}

/* Slips that begin or end one after the other leave stretches so short that rounding of their times would show in a polynomial. */
static bool is_too_near(const event_driven *self, double t)
{
    const double distance = t - self->panel.newest;
    return self->general && distance > 0.0 && distance < nearest * (1.0 + fabs(t));
}

void event_driven_works_rated(event_driven *self, double t, const double *y)
{
    double power[PANEL_POWERS];
    if (!self->has_works || !work_panel_wants(&self->panel, t) || is_too_near(self, t))
        return;
    find_powers(self, t, y, true, power);
    work_panel_add(&self->panel, t, power, &self->stepper.works);
}

void event_driven_works_end(event_driven *self)
{
    double power[PANEL_POWERS];
    if (!self->has_works || self->panel.count == 0)
        return;
    const double *y = ode_flow_values(self->flow);
    find_powers(self, self->t, y, false, power);
    work_panel_end(&self->panel, self->t, power, &self->stepper.works);
}

void event_driven_works_half(event_driven *self, double length)
{
    double power[PANEL_POWERS];
    if (!self->has_works)
        return;
    find_powers(self, self->t, ode_flow_values(self->flow), false, power);
    self->stepper.works.forces += 0.5 * length * power[0];
    self->stepper.works.contacts += 0.5 * length * power[1];
    self->stepper.works.joints += 0.5 * length * power[2];
}

void event_driven_works_hop(event_driven *self, double length)
{
    static const double place[3] = {0.0, 0.5, 1.0}, weight[3] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};
    const event_driven_hop *hop = &self->hop;
    const double *y[3] = {hop->start, hop->middle, hop->end};
    for (int k = 0; k < 3 && self->has_works; k++) {
        double power[PANEL_POWERS];
        find_powers(self, self->t + place[k] * length, y[k], false, power);
        self->stepper.works.forces += weight[k] * length * power[0];
        self->stepper.works.contacts += weight[k] * length * power[1];
        self->stepper.works.joints += weight[k] * length * power[2];
    }
}

void event_driven_works_record(event_driven *self)
{
    self->recorded = self->stepper.works;
    if (self->has_works)
        work_panel_copy(&self->panel, &self->recorded_panel);
}

carom_works event_driven_works(carom_stepper *stepper)
{
    event_driven *self = (event_driven *)stepper;
    const carom_state *state = &stepper->state;
    carom_works works = self->recorded;
    if (!self->has_works || self->recorded_panel.count == 0)
        return works;
    work_panel panel = self->recorded_panel;
    const size_t dof = (size_t)self->motion.dof;
    double power[PANEL_POWERS], *y = self->hop.stage; /* no hop is under way */
    memcpy(y, state->q, dof * sizeof *y);
    memcpy(y + dof, state->v, dof * sizeof *y);
    find_powers(self, state->t, y, false, power);
    work_panel_end(&panel, state->t, power, &works);
    return works;
}
