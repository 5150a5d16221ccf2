/* What an event leaves behind: the work of its impulses, a warning where a law of impact made energy, and what the
 * listener is told. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "event_driven.h"
#include "scheme/event_driven/variation/variation.h"

/* A gain of energy relative to what the impulses move to and fro that is no rounding. */
static const double gain_told = 1e-9;

/* Slips and statuses of all contacts. */
static void remember_friction(event_driven *self, const double *u)
{
    const size_t contacts = (size_t)self->motion.contacts;
    memcpy(self->status_before, self->mode.status, contacts);
    memset(self->event_friction, 0, 2 * contacts * sizeof *self->event_friction);
    for (int contact = 0; contact < self->motion.contacts; contact++)
        event_mode_slip(self, contact, u, self->slip_before + 2 * contact);
}

void event_driven_before(event_driven *self, const double *q, const double *u)
{
    const smooth_motion *motion = &self->motion;
    const size_t contacts = (size_t)motion->contacts;
    self->touching_count = self->count;
    memcpy(self->touching, self->list, (size_t)self->count * sizeof *self->list);
    for (int a = 0; a < self->count; a++)
        self->rate_before[self->list[a]] = self->rate[a];
    memcpy(self->u_before, u, (size_t)motion->dof * sizeof *u);
    memcpy(self->was_closed, self->closed, contacts * sizeof *self->closed);
    memset(self->event_impulse, 0, contacts * sizeof *self->event_impulse);
    if (self->general)
        remember_friction(self, u);
    if (self->stepper.listener.take)
        self->energy_before = motion->ops.energy(motion->work, self->t, q, u);
}

/* Names of the contacts that were struck. */
static void list_struck(const event_driven *self, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < self->touching_count && length + 4 < size; k++) {
        const int contact = self->touching[k];
        if (!self->struck[contact])
            continue;
        const int written = snprintf(text + length, size - length, "%s'%s'", length ? ", " : "",
                                     self->motion.model->contact[contact].name);
        length += written > 0 ? (size_t)written : 0;
    }
}

/* One doubt tells of all such impacts: of the first, of the one that made most, and how many there are. */
static void tell_of_gains(event_driven *self)
{
    carom_warnings *warnings = &self->stepper.warnings;
    energy_gains *gains = &self->gains;
    if (gains->count == 1) {
        gains->first = gains->most;
        gains->first_time = gains->most_time;
        memcpy(gains->first_contacts, gains->most_contacts, sizeof gains->first_contacts);
        gains->doubt = warnings->count;
        carom_doubt(warnings, "energy-gain: the law of impact made the energy %.6g at t = %.9g (contacts %s)",
                    gains->first, gains->first_time, gains->first_contacts);
    } else {
        carom_doubt_again(
            warnings, gains->doubt,
            "energy-gain: the law of impact made the energy %.6g at t = %.9g (contacts %s); %ld impacts "
            "did so, "
            "at most %.6g at t = %.9g (contacts %s)",
            gains->first, gains->first_time, gains->first_contacts, gains->count, gains->most,
            gains->most_time, gains->most_contacts);
    }
}

/* Of the impulses along the tangents. */
static void add_friction_gain(const event_driven *self, int contact, const double *u, double *gain,
                              double *moved)
{
    double after[2];
    event_mode_slip(self, contact, u, after);
    for (int i = 0; i < 2; i++) {
        const double p = self->event_friction[2 * contact + i], before = self->slip_before[2 * contact + i];
        *gain += p * 0.5 * (before + after[i]);
        *moved += fabs(p) * 0.5 * (fabs(before) + fabs(after[i]));
    }
}

/* With M (u+ - u-) = sum p n the kinetic energy changes by sum p n.(u- + u+)/2: against walls that rest it cannot
 * grow unless the law of impact makes it. */
static void judge_impact(event_driven *self, const double *u)
{
    double gain = 0.0, moved = 0.0;
    for (int k = 0; k < self->touching_count; k++) {
        const int contact = self->touching[k];
        const double p = self->event_impulse[contact], before = self->rate_before[contact];
        const double after = contact_velocity(&self->motion.rows, contact, 0, u);
        gain += p * 0.5 * (before + after);
        moved += fabs(p) * 0.5 * (fabs(before) + fabs(after));
        if (self->general)
            add_friction_gain(self, contact, u, &gain, &moved);
    }
    if (!(gain > gain_told * moved))
        return;
    energy_gains *gains = &self->gains;
    gains->count++;
    if (gain > gains->most) {
        gains->most = gain;
        gains->most_time = self->t;
        list_struck(self, gains->most_contacts, sizeof gains->most_contacts);
    }
    tell_of_gains(self);
}

static void add_impact_work(event_driven *self, const double *q, const double *u)
{
    const int dof = self->motion.dof;
    double *mean = self->u_before; /* is not needed after this */
    for (int i = 0; i < dof; i++)
        mean[i] = 0.5 * (mean[i] + u[i]);
    const double *velocity = event_driven_velocity(self, self->t, q, mean);
    for (int k = 0; k < self->touching_count; k++) {
        const int contact = self->touching[k];
        self->stepper.works.contacts +=
            self->event_impulse[contact] * carom_row_dot(&self->motion.rows.frame[contact].normal, velocity);
        for (int i = 0; self->general && i < self->motion.model->contact[contact].tangents; i++)
            self->stepper.works.contacts +=
                self->event_friction[2 * contact + i] *
                carom_row_dot(&self->motion.rows.frame[contact].tangent[i], velocity);
    }
}

/* Impulses with which joints answered those of contacts. */
static void add_joint_impulses(event_driven *self)
{
    event_joints *joints = &self->joints;
    const size_t dof = (size_t)self->motion.dof;
    bool any = false;
    memset(self->carrying, 0, dof * sizeof *self->carrying);
    memset(joints->share, 0, (size_t)joints->count * sizeof *joints->share);
    for (int contact = 0; contact < self->motion.contacts; contact++)
        for (int i = 0; i < contact_components(&self->motion.model->contact[contact]); i++) {
            const double p =
                i == 0 ? self->event_impulse[contact] : self->event_friction[2 * contact + i - 1];
            if (p == 0.0)
                continue;
            any = true;
            carom_row_add(contact_row(&self->motion.rows, contact, i), p, self->carrying);
        }
    if (!any)
        return;
    event_joints_solve(self, self->carrying, joints->share);
    for (int k = 0; k < joints->count; k++) {
        joints->impulse[k] += joints->share[k];
        self->stepper.works.joints -= joints->share[k] * joints->rate[k];
    }
}

static void tell(event_driven *self, carom_event_kind kind, int contact, double rate_before,
                 double rate_after, double energy_after, const double *q, const double *u)
{
    const carom_event_listener *listener = &self->stepper.listener;
    const carom_event event = {.t = self->t,
                               .kind = kind,
                               .contact = contact,
                               .rate_before = rate_before,
                               .rate_after = rate_after,
                               .impulse = self->event_impulse[contact],
                               .energy_before = self->energy_before,
                               .energy_after = energy_after,
                               .q = q,
                               .v = self->u_before,
                               .v_after = u};
    if (self->stepper.tangent)
        event_variation_told(self, event.kind, contact);
    listener->take(listener->context, &event);
}

/* A contact that stays closed begins to stick, or to slip. Its rates are slips, in space their sizes. */
static void tell_friction(event_driven *self, int contact, double energy_after, const double *q,
                          const double *u)
{
    const bool sticks = self->mode.status[contact] == EVENT_STICK,
               stuck = self->status_before[contact] == EVENT_STICK;
    if (sticks == stuck || event_mode_tangents(self, contact) == 0)
        return;
    double after[2];
    const double *before = self->slip_before + 2 * contact;
    event_mode_slip(self, contact, u, after);
    const bool plane = self->motion.model->contact[contact].tangents == 1;
    tell(self, sticks ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, contact,
         plane ? before[0] : hypot(before[0], before[1]), plane ? after[0] : hypot(after[0], after[1]),
         energy_after, q, u);
}

/* Contacts that close at an accumulation which ends the run do not come to rest. */
static bool stops(const event_driven *self, int contact)
{
    return self->closed[contact] && !self->was_closed[contact] && !self->starting &&
           (self->closes_accumulations || !self->accumulating[contact]);
}

static void tell_all(event_driven *self, const double *q, const double *u)
{
    const double energy = self->motion.ops.energy(self->motion.work, self->t, q, u);
    for (int k = 0; k < self->touching_count; k++) {
        const int contact = self->touching[k];
        const double before = self->rate_before[contact],
                     after = contact_velocity(&self->motion.rows, contact, 0, u);
        if (self->struck[contact])
            tell(self, CAROM_EVENT_IMPACT, contact, before, after, energy, q, u);
        if (stops(self, contact))
            tell(self, CAROM_EVENT_STOP, contact, before, after, energy, q, u);
        if (self->was_closed[contact] && !self->closed[contact])
            tell(self, CAROM_EVENT_RELEASE, contact, before, after, energy, q, u);
    }
    for (int contact = 0; self->general && !self->starting && contact < self->motion.contacts; contact++)
        if (self->was_closed[contact] && self->closed[contact])
            tell_friction(self, contact, energy, q, u);
}

void event_driven_after(event_driven *self, const double *q, const double *u)
{
    judge_impact(self, u);
    if (self->stepper.listener.take)
        tell_all(self, q, u);
    add_impact_work(self, q, u);
    if (self->joints.count > 0)
        add_joint_impulses(self);
}
