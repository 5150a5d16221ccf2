/* The flow of event-driven between events: q, u and the impulses of closed contacts, their roots, and what happened where
 * it ends. */
#include <math.h>
#include <string.h>

#include "event_driven.h"
#include "scheme/event_driven/variation/variation.h"

/* While a contact is closed, the rates of gaps beside it may be nothing but rounding. Above minus this share of the model's speed
 * they count as positive, so that rounding gives no roots. */
static const double no_rate = 1e-12;

bool event_driven_rate(event_driven *self, double t, const double *y, double *rate)
{
    const size_t dof = (size_t)self->motion.dof, contacts = (size_t)self->motion.contacts;
    const size_t carried = (size_t)self->components * contacts;
    const double *q = y, *u = y + dof;
    self->replay.evaluations++;
    if (!event_driven_forces(self, t, q, u))
        return false;
    memcpy(rate, u, dof * sizeof *rate);
    memcpy(rate + dof, self->motion.acceleration, dof * sizeof *rate);
    memcpy(rate + 2 * dof, self->general ? self->mode.force : self->lambda, carried * sizeof *rate);
    if (self->joints.count > 0)
        memcpy(rate + 2 * dof + carried, self->joints.reaction, (size_t)self->joints.count * sizeof *rate);
    event_driven_powers(self, t, y, rate + self->size - EVENT_WORKS);
    return true;
}

static bool flow_rate(void *context, double t, const double *y, double *rate)
{
    return event_driven_rate(context, t, y, rate);
}

static bool any_closed(const event_driven *self)
{
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->closed[contact])
            return true;
    return false;
}

/* The last root function, where the motion ends by itself. False: it is not a number. */
bool event_driven_ending_value(const event_driven *self, double t, const double *q, const double *u,
                               double *value)
{
    const carom_ending *ending = &self->stepper.ending;
    if (!ending->value)
        return true;
    *value = ending->value(ending->context, t, q, u);
    return !isnan(*value);
}

/* Root functions of a contact: gap and gap rate when it is open, lambda when it is closed, and the third one of its friction. A
 * root of the gap rate is no event, but shows gaps that were negative only within a step. */
static bool flow_roots(void *context, double t, const double *y, double *value)
{
    event_driven *self = context;
    const double *q = y, *u = y + self->motion.dof;
    const bool held = any_closed(self);
    const double still = held ? no_rate * event_driven_speed(self) : 0.0;
    if (held && !event_driven_forces(self, t, q, u))
        return false;
    if (!event_driven_gaps(self, t, q))
        return false;
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        double *own = value + self->roots * contact;
        if (self->general)
            own[2] = self->closed[contact] ? event_mode_root(self, contact, u) : 1.0;
        if (self->closed[contact]) {
            own[0] = self->lambda[contact] + self->guard[contact];
            own[1] = 1.0;
            continue;
        }
        motion_frame(&self->motion, contact, t, q);
        own[0] = self->motion.gap[contact] + self->guard[contact];
        own[1] = self->muted[contact] ? 1.0 : contact_velocity(&self->motion.rows, contact, 0, u) + still;
    }
    return event_driven_ending_value(self, t, q, u, &value[self->roots * self->motion.contacts]);
}

static bool flow_stop(void *context)
{
    return carom_stop_asked(&((event_driven *)context)->stepper.stop);
}

/* A stretch of the flow: obstacles that it passed. */
static bool flow_passed(void *context, double from, double *to)
{
    event_driven *self = context;
    self->dipped = event_driven_gap_check(self, from, to);
    return self->dipped < 0;
}

static bool has_gaps_to_check(const event_driven *self)
{
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (!self->motion.model->contact[contact].constant_frame)
            return self->gap_check > 0;
    return false;
}

/* Positions, velocities and impulses: relative to the model's scales. Errors of works do not count. */
static void set_tolerances(event_driven *self)
{
    const carom_scales *scales = &self->stepper.scales;
    const int n = self->motion.dof;
    const double speed = event_driven_speed(self);
    for (int i = 0; i < self->size; i++)
        self->tolerance[i] = i < n                          ? self->atol * scales->length
                             : i < 2 * n                    ? self->atol * speed
                             : i < self->size - EVENT_WORKS ? self->atol * (scales->mass * speed)
                                                            : INFINITY;
}

carom_status event_driven_create_flow(event_driven *self, carom_error *error)
{
    const int contacts = self->motion.contacts;
    self->has_works = event_driven_has_works(self);
    set_tolerances(self);
    const bool may_end = self->stepper.ending.value;
    int *direction =
        carom_arena_take(self->stepper.arena, (size_t)self->roots * (size_t)contacts + 1, sizeof(int));
    if (!direction)
        return carom_fail_memory(error);
    for (int contact = 0; contact < contacts; contact++)
        for (int k = 0; k < self->roots; k++)
            direction[self->roots * contact + k] = k == 1 ? 0 : -1; /* the gap rate: both */
    direction[self->roots * contacts] = 1;
    const ode_flow_problem problem = {
        .size = self->size,
        .roots = self->roots * contacts + (may_end ? 1 : 0),
        .context = self,
        .rate = flow_rate,
        .root = flow_roots,
        .direction = direction,
        .relative_tolerance = self->rtol,
        .absolute_tolerance = self->tolerance,
        .max_step = ode_flow_longest * self->stepper.scales.time,
        .stop = flow_stop,
        .passed = has_gaps_to_check(self) ? flow_passed : NULL,
    };
    return ode_flow_create(&problem, &self->flow, error);
}

/* ---- what happened ------------------------------------------------------------------------------------- */

/* An open contact that is violated though the integrator saw no change of sign: goes back to where that
 * began. */
static bool find_overlooked(event_driven *self, ode_flow_end end, int contact)
{
    const double *q = ode_flow_values(self->flow), *u = q + self->motion.dof;
    if (!event_driven_gaps(self, self->t, q))
        return false;
    const double gap = self->motion.gap[contact];
    if (gap + self->guard[contact] >= 0.0)
        return false;
    if (ode_flow_back_to_root(self->flow, self->roots * contact, &self->t))
        return true;
    if (end == ODE_FLOW_ROOT && ode_flow_is_root(self->flow, self->roots * contact + 1))
        return true; /* violated since its start, and turning */
    motion_frame(&self->motion, contact, self->t, q);
    return gap < -event_driven_overlooked * event_driven_size(self, q) &&
           contact_velocity(&self->motion.rows, contact, 0, u) < 0.0;
}

/* A gap that grows though it fell to zero: an error of the integration after a slow start. */
static bool opens(event_driven *self, int contact)
{
    const double *q = ode_flow_values(self->flow), *u = q + self->motion.dof;
    motion_frame(&self->motion, contact, self->t, q);
    return contact_velocity(&self->motion.rows, contact, 0, u) > 0.0;
}

/* Gaps that are clearly open need their guards no more. Before a gap returns to zero it has a maximum, which
 * is a root of the gap rate, so that this is seen in time. */
void event_driven_drop_guards(event_driven *self)
{
    if (!event_driven_gaps(self, self->t, ode_flow_values(self->flow)))
        return;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (!self->closed[contact] && self->motion.gap[contact] > 10.0 * self->guard[contact])
            self->guard[contact] = 0.0;
    if (self->general)
        event_friction_drop_guards(self);
}

/* A contact that started inside has come out: from now on its obstacle is where it says. */
void event_driven_forget_depths(event_driven *self)
{
    if (!event_driven_gaps(self, self->t, ode_flow_values(self->flow)))
        return;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (!self->closed[contact] && self->motion.gap[contact] >= self->depth[contact])
            self->depth[contact] = 0.0;
}

/* Of friction: what it may be is reached, or the slip is zero, or (in space) has a direction of its own now. */
static bool find_friction_events(event_driven *self, ode_flow_end end)
{
    bool any = false;
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        const bool root = end == ODE_FLOW_ROOT && self->closed[contact] &&
                          ode_flow_is_root(self->flow, self->roots * contact + 2);
        self->yielding[contact] = root && self->mode.status[contact] == EVENT_STICK;
        self->stopping[contact] = root && self->mode.status[contact] == EVENT_SLIP;
        any = any || root;
    }
    return any;
}

/* Gaps of open contacts that have come to a minimum. Of one that was just left, and is not clearly open, it is rounding. */
static void tell_of_minima(event_driven *self)
{
    if (!event_driven_gaps(self, self->t, ode_flow_values(self->flow)))
        return;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (!self->closed[contact] && !(self->guard[contact] > 0.0) &&
            ode_flow_is_root(self->flow, self->roots * contact + 1))
            event_variation_missed(self, contact);
}

/* What happened where the flow has come to: fills hit and leaving; false when nothing did. */
bool event_driven_find_events(event_driven *self, ode_flow_end end)
{
    bool any = self->general && find_friction_events(self, end);
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        const bool root = end == ODE_FLOW_ROOT && ode_flow_is_root(self->flow, self->roots * contact);
        self->leaving[contact] = root && self->closed[contact];
        self->hit[contact] = (root && !self->closed[contact] && !opens(self, contact)) ||
                             (end == ODE_FLOW_BACK && contact == self->dipped);
        any = any || self->leaving[contact] || self->hit[contact];
        if (self->leaving[contact])
            self->last_detachment = self->t;
    }
    bool known = false; /* the gaps, where the flow is */
    for (int contact = 0; contact < self->motion.contacts; contact++) {
        if (self->closed[contact] || self->hit[contact])
            continue;
        known = known || event_driven_gaps(self, self->t, ode_flow_values(self->flow));
        if ((known && self->motion.gap[contact] + self->guard[contact] >= 0.0) ||
            !find_overlooked(self, end, contact))
            continue;
        known = false;
        /* The flow may have gone back: what was found later has not happened yet. */
        memset(self->hit, 0, (size_t)self->motion.contacts * sizeof *self->hit);
        memset(self->leaving, 0, (size_t)self->motion.contacts * sizeof *self->leaving);
        if (self->general) {
            memset(self->yielding, 0, (size_t)self->motion.contacts * sizeof *self->yielding);
            memset(self->stopping, 0, (size_t)self->motion.contacts * sizeof *self->stopping);
        }
        self->hit[contact] = any = true;
    }
    if (!any && end == ODE_FLOW_ROOT && self->stepper.tangent)
        tell_of_minima(self);
    return any;
}
