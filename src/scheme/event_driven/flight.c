/* Flights: while no contact is closed and neither mass nor force depends on anything, the motion is
 *
 *   q(s) = q_0 + s u_0 + s^2/2 a,   u(s) = u_0 + s a,
 *
 * and the gap of a contact whose rows do not change is a parabola, too: when it falls to zero is the root of a quadratic. There
 * is nothing to integrate; outputs are values of the parabola, each from the start of the flight. Gaps are evaluated there all
 * the same: one that jumps is no parabola, and the integrator goes on from the output before. */
#include "event_driven.h"

#include <math.h>
#include <string.h>

/* Gaps that differ by more than this from their parabola, relative to positions and the way in the time so far, have jumped. */
static const double jumped = 1e-9;

/* What the model must be like; the rest may change while it moves. */
static bool is_possible(const event_driven *self)
{
    const carom_model *model = self->motion.model;
    if (!model->constant_mass || !model->constant_force || model->moving_frame || self->general ||
        self->joints.count > 0)
        return false;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (!model->contact[contact].constant_frame)
            return false;
    return true;
}

bool event_flight_take(event_driven *self)
{
    event_flight *flight = &self->flight;
    const size_t dof = (size_t)self->motion.dof, contacts = (size_t)self->motion.contacts;
    carom_arena *arena = self->stepper.arena;
    flight->possible = is_possible(self);
    flight->start = carom_arena_take(arena, 2 * dof, sizeof(double));
    flight->acceleration = carom_arena_take(arena, dof, sizeof(double));
    flight->gap = carom_arena_take(arena, 3 * contacts, sizeof(double));
    flight->next = carom_arena_take(arena, dof, sizeof(double));
    return flight->start && flight->acceleration && flight->gap && flight->next;
}

/* Until gap + s rate + s^2/2 curvature falls to zero, from a gap that is positive, or zero with a positive rate. */
static double time_to_zero(double gap, double rate, double curvature)
{
    const double square = rate * rate - 2.0 * curvature * gap;
    if (!(square >= 0.0) || (rate > 0.0 && !(curvature < 0.0)))
        return INFINITY;
    const double root = sqrt(square);
    if (rate > 0.0)
        return (rate + root) / -curvature;
    return root - rate > 0.0 ? 2.0 * gap / (root - rate) : INFINITY;
}

static bool wants_integrator(const event_driven *self)
{
    return self->stepper.tangent || self->stepper.ending.value || self->has_works;
}

/* The parabolas of all gaps, and the first contact. False: one touches, or is held inside. */
static bool expect(event_driven *self)
{
    event_flight *flight = &self->flight;
    smooth_motion *motion = &self->motion;
    const double *q = flight->start, *u = q + motion->dof;
    flight->hit = INFINITY;
    flight->contact = -1;
    for (int contact = 0; contact < motion->contacts; contact++) {
        double *parabola = flight->gap + 3 * (ptrdiff_t)contact;
        motion_frame(motion, contact, self->t, q);
        parabola[0] = motion->gap[contact];
        parabola[1] = contact_velocity(&motion->rows, contact, 0, u);
        parabola[2] = carom_row_dot(&motion->rows.frame[contact].normal, flight->acceleration);
        const bool touches = parabola[0] <= event_driven_near(self, parabola[1]);
        if (self->closed[contact] || self->depth[contact] > 0.0 || (touches && !(parabola[1] > 0.0)))
            return false;
        const double s = time_to_zero(touches ? 0.0 : parabola[0], parabola[1], parabola[2]);
        if (!(s < flight->hit))
            continue;
        flight->hit = s;
        flight->contact = contact;
    }
    return true;
}

bool event_flight_begin(event_driven *self)
{
    event_flight *flight = &self->flight;
    smooth_motion *motion = &self->motion;
    const double *y = ode_flow_values(self->flow);
    const size_t dof = (size_t)motion->dof;
    if (!flight->possible || wants_integrator(self))
        return false;
    memcpy(flight->start, y, 2 * dof * sizeof *y);
    if (!event_driven_forces(self, self->t, y, y + dof) || !event_driven_gaps(self, self->t, y))
        return false;
    memcpy(flight->acceleration, motion->acceleration, dof * sizeof *y);
    flight->begin = self->t;
    flight->on = expect(self);
    return flight->on;
}

/* Whether the gaps at s, of the position `next`, are those of the parabolas. */
static bool gaps_agree(event_driven *self, double t, double s)
{
    const event_flight *flight = &self->flight;
    smooth_motion *motion = &self->motion;
    const double size = event_driven_size(self, flight->next);
    if (!event_driven_gaps(self, t, flight->next))
        return false;
    for (int contact = 0; contact < motion->contacts; contact++) {
        const double *parabola = flight->gap + 3 * (ptrdiff_t)contact;
        const double expected = parabola[0] + s * (parabola[1] + 0.5 * s * parabola[2]);
        if (!(fabs(motion->gap[contact] - expected) <=
              jumped * (size + fabs(expected) + fabs(parabola[1] * t))))
            return false;
        if (motion->gap[contact] > 10.0 * self->guard[contact]) /* as event_driven_drop_guards */
            self->guard[contact] = 0.0;
    }
    return true;
}

bool event_flight_advance(event_driven *self, double t_end, bool *event)
{
    event_flight *flight = &self->flight;
    const int dof = self->motion.dof;
    const double *q = flight->start, *u = q + dof, *a = flight->acceleration;
    double *y = ode_flow_values(self->flow);
    const bool hits = flight->begin + flight->hit <= t_end;
    const double s = hits ? flight->hit : t_end - flight->begin;
    if (wants_integrator(self))
        return false;
    for (int i = 0; i < dof; i++)
        flight->next[i] = q[i] + s * (u[i] + 0.5 * s * a[i]);
    if (!gaps_agree(self, hits ? flight->begin + s : t_end, s)) {
        flight->possible = false;
        return false;
    }
    self->replay.evaluations++;
    for (int i = 0; i < dof; i++) {
        y[i] = flight->next[i];
        y[dof + i] = u[i] + s * a[i];
    }
    self->t = hits ? flight->begin + s : t_end;
    if (hits)
        self->hit[flight->contact] = true;
    *event = hits;
    return true;
}
