#include "row_contacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

/* Gaps that are not closed on purpose, relative to the smallest body, as of points. */
static const double near_enough = 1e-6;
/* Work of an impulse that is no rounding, and one that is a warning, relative to what it moves to and fro. */
static const double gain_noted = 1e-9, gain_told = 1e-3;
/* Slip that the tolerance of the contact problem does not know from rest. */
static const double stick_factor = 100.0;

carom_status row_contacts_set_up(body_step *self, carom_error *error)
{
    body_step_row_contacts *rows = &self->rows;
    const size_t count = (size_t)self->bodies->contacts;
    rows->contact = carom_arena_take(self->arena, count, sizeof *rows->contact);
    rows->number = carom_arena_take(self->arena, 3 * count, sizeof *rows->number);
    rows->list = carom_arena_take(self->arena, count, sizeof *rows->list);
    rows->count = self->bodies->contacts;
    return rows->contact && rows->number && rows->list ? CAROM_OK : carom_fail_memory(error);
}

int row_contacts_row(const body_step *self, int contact)
{
    return self->joints.count + self->joints.guides + CAROM_CONTACT_COMPONENTS * contact;
}

void row_contacts_velocity(const body_step *self, int contact, const double *x, bool with_rates, double u[3])
{
    const int row = row_contacts_row(self, contact);
    for (int k = 0; k < 3; k++)
        u[k] = k > self->bodies->contact[contact].tangents
                   ? 0.0
                   : body_row_velocity(self, row + k, x) + (with_rates ? self->joints.g_t[row + k] : 0.0);
}

/* Closed at the predicted position, or as near and slow as what rests. */
static bool is_closed(const body_step *self, int contact)
{
    const row_contact *own = &self->rows.contact[contact];
    const double h = self->stepper->h;
    double plain[3];
    if (own->gap <= self->gap_tolerance)
        return true;
    row_contacts_velocity(self, contact, self->plain, true, plain);
    const double speed = fabs(plain[0] - own->before[0]);
    return own->gap <= h * speed && fabs(own->before[0]) <= 2.0 * speed;
}

static void begin_contact(body_step *self, int contact)
{
    const carom_row_contact *info = &self->bodies->contact[contact];
    const carom_state *state = &self->stepper->state;
    const double *number = self->rows.number + 3 * (ptrdiff_t)contact;
    row_contact *own = &self->rows.contact[contact];
    own->regime = state->regime[info->number];
    own->gap = self->joints.g[self->joints.count + self->joints.guides + contact];
    row_contacts_velocity(self, contact, self->old, true, own->before);
    own->shift = own->bounce = 0.0;
    if (info->is_force) {
        own->mu = self->stepper->h * number[1];
        own->takes_part = true;
    } else {
        own->mu = number[info->two_level && own->regime != CAROM_CONTACT_STICK ? 2 : 1];
        own->takes_part = is_closed(self, contact);
        if (own->gap <= self->gap_tolerance)
            own->shift = number[0] * fmin(own->before[0], 0.0); /* u_N+ >= -e u_N- */
        else if (own->gap > near_enough * self->stepper->accounts.length)
            own->shift = own->gap / (self->options.theta * self->stepper->h); /* it may close, not more */
        if (own->shift < 0.0 && self->options.impact == BODY_IMPACT_MOREAU)
            own->bounce = number[0]; /* the tangents bounce, too (impact.c) */
    }
    for (int k = 0; k < 3; k++) /* where the last step ended */
        own->impulse[k] = own->takes_part ? state->impulse[CAROM_CONTACT_COMPONENTS * info->number + k] : 0.0;
}

carom_status row_contacts_begin(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    if (self->rows.count == 0)
        return CAROM_OK;
    carom_bodies_contact_numbers(stepper->work, stepper->state.t + self->step_ahead, self->q,
                                 self->rows.number);
    for (int i = 0; i < self->rows.count; i++) {
        const double *number = self->rows.number + 3 * (ptrdiff_t)i;
        const double gap = self->joints.g[self->joints.count + self->joints.guides + i];
        if (!isfinite(gap) || !(number[0] >= 0.0 && number[0] <= 1.0) || !(number[1] >= 0.0) ||
            !(number[2] >= 0.0) || !isfinite(number[1] + number[2]))
            return fail_step(error, step_end(stepper), step_number(stepper),
                             "contact '%s': gap = %g, restitution = %g, friction = %g at the predicted "
                             "position: a finite gap, a restitution from 0 to 1 and a finite friction that "
                             "is not negative are right",
                             self->bodies->contact[i].name, gap, number[0], number[1]);
        begin_contact(self, i);
    }
    return CAROM_OK;
}

/* ---- after the velocities are known --------------------------------------------------------------------- */

static bool sticks(const body_step *self, const row_contact *own)
{
    const double slip = hypot(own->after[1], own->after[2]);
    return slip <= stick_factor * self->tolerance * (fabs(own->before[0]) + self->scale_speed);
}

static bool carries(const body_step *self, int contact)
{
    const row_contact *own = &self->rows.contact[contact];
    return self->bodies->contact[contact].is_force ? own->mu > 0.0 : own->impulse[0] > 0.0;
}

/* Work on what is free, and what the partners of the contact get together, which no law of impact should make positive. */
static void add_work(body_step *self, int contact)
{
    carom_stepper *stepper = self->stepper;
    const row_contact *own = &self->rows.contact[contact];
    const int row = row_contacts_row(self, contact);
    double together = 0.0, size = 0.0;
    for (int k = 0; k <= self->bodies->contact[contact].tangents; k++) {
        const double work = 0.5 * own->impulse[k] * (own->before[k] + own->after[k]);
        stepper->works.contacts += body_row_work(self, row + k, own->impulse[k]);
        together += work;
        size += fabs(own->impulse[k]) * (fabs(own->before[k]) + fabs(own->after[k]));
    }
    stepper->accounts.moved += fabs(together);
    const double held = own->impulse[0] * self->scale_speed; /* what the forces give in a step */
    const double moves = fmax(size + held, stepper->accounts.moved);
    if (together > gain_noted * size)
        body_step_tell_gain(self, together, together > gain_told * moves,
                            self->bodies->contact[contact].name);
}

void row_contacts_account(body_step *self)
{
    carom_state *state = &self->stepper->state;
    for (int i = 0; i < self->rows.count; i++) {
        const int number = self->bodies->contact[i].number;
        row_contact *own = &self->rows.contact[i];
        row_contacts_velocity(self, i, self->end, true, own->after);
        if (own->takes_part)
            add_work(self, i);
        memcpy(state->impulse + CAROM_CONTACT_COMPONENTS * (ptrdiff_t)number, own->impulse,
               sizeof own->impulse);
        state->regime[number] = !carries(self, i)   ? CAROM_CONTACT_OPEN
                                : sticks(self, own) ? CAROM_CONTACT_STICK
                                                    : CAROM_CONTACT_SLIP;
    }
}

/* ---- positions -------------------------------------------------------------------------------------------- */

double row_contacts_end_gaps(body_step *self, const double *q)
{
    double deepest = 0.0;
    if (self->rows.count == 0)
        return 0.0;
    carom_bodies_joint_values(self->stepper->work, step_end(self->stepper), q, self->joints.g);
    for (int i = 0; i < self->rows.count; i++) {
        row_contact *own = &self->rows.contact[i];
        own->end_gap = self->joints.g[self->joints.count + self->joints.guides + i];
        if (!self->bodies->contact[i].is_force)
            deepest = fmax(deepest, -own->end_gap);
    }
    return deepest;
}

void row_contacts_select(body_step *self, double reach)
{
    for (int i = 0; i < self->rows.count; i++)
        self->rows.contact[i].takes_part =
            !self->bodies->contact[i].is_force && self->rows.contact[i].end_gap <= reach;
}

void row_contacts_note(body_step *self, const double *q)
{
    carom_step_accounts *accounts = &self->stepper->accounts;
    row_contacts_end_gaps(self, q);
    for (int i = 0; i < self->rows.count; i++) {
        const carom_row_contact *info = &self->bodies->contact[i];
        const double gap = self->rows.contact[i].end_gap;
        self->watched_gap[info->number] = gap;
        if (info->is_force || !(-gap > accounts->penetration))
            continue;
        accounts->penetration = -gap;
        accounts->penetration_time = self->stepper->state.t + self->stepper->h;
        snprintf(accounts->penetration_contact, sizeof accounts->penetration_contact, "%s", info->name);
    }
}

/* ---- events ------------------------------------------------------------------------------------------------- */

static void tell(body_step *self, int contact, carom_event_kind kind, double energy_before,
                 double energy_after)
{
    const row_contact *own = &self->rows.contact[contact];
    const bool tangential = kind == CAROM_EVENT_STICK || kind == CAROM_EVENT_SLIP;
    const carom_event event = {.t = self->stepper->state.t,
                               .kind = kind,
                               .contact = self->bodies->contact[contact].number,
                               .rate_before =
                                   tangential ? hypot(own->before[1], own->before[2]) : own->before[0],
                               .rate_after = tangential ? hypot(own->after[1], own->after[2]) : own->after[0],
                               .impulse = own->impulse[0],
                               .energy_before = energy_before,
                               .energy_after = energy_after};
    self->stepper->listener.take(self->stepper->listener.context, &event);
}

void row_contacts_tell_events(body_step *self, double energy_before, double energy_after)
{
    for (int i = 0; i < self->rows.count; i++) {
        const unsigned char before = self->rows.contact[i].regime,
                            after = self->stepper->state.regime[self->bodies->contact[i].number];
        const bool is_force = self->bodies->contact[i].is_force;
        if (!is_force && before == CAROM_CONTACT_OPEN && after != CAROM_CONTACT_OPEN)
            tell(self, i, CAROM_EVENT_IMPACT, energy_before, energy_after);
        if (!is_force && before != CAROM_CONTACT_OPEN && after == CAROM_CONTACT_OPEN)
            tell(self, i, CAROM_EVENT_RELEASE, energy_before, energy_after);
        if (after == CAROM_CONTACT_STICK && before != CAROM_CONTACT_STICK)
            tell(self, i, CAROM_EVENT_STICK, energy_before, energy_after);
        if (after == CAROM_CONTACT_SLIP && before == CAROM_CONTACT_STICK)
            tell(self, i, CAROM_EVENT_SLIP, energy_before, energy_after);
    }
}
