/* Jumps of derivatives at events: impacts, contacts that close, open, stick or begin to slip. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"
#include "variation.h"

/* A gap rate before an impact below this, relative to the speed of the model and the largest velocity (speed_of), grazes. */
static const double grazing_rate = 1e-6;
/* ... and below this there is nothing to divide by: the derivative is that of the motion that just misses. */
static const double no_rate = 1e-10;
/* Velocities and accelerations that differ by less, relative to the model's scale plus the largest of them, are the same. */
static const double same = 1e-9;
/* Rates of forces and of slips that are smaller, relative to the scales of the model, are nothing to divide by. */
static const double no_change = 1e-12;
/* Impulses that are smaller, relative to the largest of an impact, are none. */
static const double rounding = 1e-13;
/* Times that differ by less, relative to the largest, are the same. */
static const double same_time = 1e-8;

/* ---- impacts ---------------------------------------------------------------------------------------------------------- */

/* Velocities and impulses of an impact of the listed contacts, and their derivatives. */
static bool strike_listed(event_variation *self)
{
    equations *e = &self->equations;
    const int n = self->n;
    if (!equations_strike(e, self->flow.t, self->q, self->u) ||
        !equations_along(e, self->columns + 1, self->direction, self->dz))
        return false;
    for (int c = 0; c <= self->columns; c++) {
        const double *dz = self->dz + (ptrdiff_t)c * e->unknowns;
        double *along = self->impulse_along + (ptrdiff_t)c * self->extra;
        for (int k = 0; k < e->listed; k++) {
            double r[3];
            equations_force_along(e, k, c, &self->direction[c], dz, r);
            for (int i = 0; i < 3; i++)
                along[3 * e->list[k].contact + i] += r[i];
        }
        for (int j = 0; j < e->joints; j++)
            along[3 * e->contacts + j] += dz[n + j];
    }
    for (int k = 0; k < e->listed; k++) {
        double r[3];
        equations_force(e, k, e->z, r);
        for (int i = 0; i < 3; i++)
            self->impulse[3 * e->list[k].contact + i] += r[i];
    }
    for (int j = 0; j < e->joints; j++)
        self->impulse[3 * e->contacts + j] += e->z[n + j];
    for (int c = 0; c <= self->columns; c++)
        memcpy(self->du + (ptrdiff_t)c * n, self->dz + (ptrdiff_t)c * e->unknowns,
               (size_t)n * sizeof(double));
    memcpy(self->u, e->z, (size_t)n * sizeof(double));
    return true;
}

void event_variation_strike(event_driven *scheme, bool rebounds, const double *impulse, int stride,
                            const unsigned char *status, const double *x)
{
    event_variation *self = (event_variation *)scheme->stepper.tangent;
    equations *e = &self->equations;
    if (self->tangent.lost)
        return;
    double largest = 0.0;
    for (int a = 0; a < scheme->count; a++)
        largest = fmax(largest, impulse[a * stride]);
    equations_list_none(e);
    for (int a = 0; a < scheme->count; a++) {
        const int contact = scheme->list[a];
        if (!(impulse[a * stride] > rounding * largest))
            continue;
        const bool friction = status && event_mode_tangents(scheme, contact) > 0;
        equation_contact *entry = equations_list_add(e, contact, friction ? status[a] : EVENT_FRICTIONLESS);
        entry->rebounds = rebounds && e->model->contact[contact].has_restitution;
        entry->e = entry->rebounds ? motion_restitution(&scheme->motion, contact) : 0.0;
        if (!friction)
            continue;
        self->friction_struck = true;
        entry->tangents = e->model->contact[contact].tangents;
        if (!event_slips(status[a]))
            continue;
        entry->status = EVENT_SLIP;
        entry->held = scheme->was_closed[contact] && scheme->mode.status[contact] == EVENT_STICK;
        entry->x[0] = x[2 * a];
        entry->x[1] = x[2 * a + 1];
        entry->given = entry->tangents == 1;
        entry->direction[0] = x[2 * a] > 0.0 ? -1.0 : 1.0;
    }
    if (e->listed > 0 && !strike_listed(self))
        variation_lose(self, "the derivatives of an impact are not finite");
}

/* Contacts that are closed after the event have no gap rate, those that stick no slip. */
static bool hold_closed(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    equations *e = &self->equations;
    equations_list_none(e);
    for (int contact = 0; contact < e->contacts; contact++) {
        if (!scheme->closed[contact])
            continue;
        const bool sticks = scheme->general && event_mode_tangents(scheme, contact) > 0 &&
                            scheme->mode.status[contact] == EVENT_STICK;
        if (!sticks && e->model->contact[contact].friction_force)
            continue;
        equations_list_add(e, contact, sticks ? EVENT_STICK : EVENT_FRICTIONLESS);
    }
    return e->listed == 0 || strike_listed(self);
}

/* ---- times of events ---------------------------------------------------------------------------------------------------- */

static double *times_of(const event_variation *self, int contact)
{
    return self->time + (ptrdiff_t)contact * self->columns;
}

/* dt = - (value along the column) / (value along time) of a function that is zero at the event. False: the second is
 * nothing. */
static bool set_times(event_variation *self, int contact, const double *along, int stride, double nothing)
{
    const double by_time = along[(ptrdiff_t)self->columns * stride];
    double *time = times_of(self, contact);
    const bool transversal = fabs(by_time) > nothing;
    for (int c = 0; c < self->columns; c++)
        time[c] = transversal ? -along[(ptrdiff_t)c * stride] / by_time : 0.0;
    return transversal;
}

/* Derivatives of the slip of a contact along the columns and time, in the direction in which it slips. */
static void slip_along(event_variation *self, int contact, double *along)
{
    equations *e = &self->equations;
    const event_driven *scheme = self->scheme;
    const int n = self->n, tangents = e->model->contact[contact].tangents;
    const double *direction = scheme->slip_before + 2 * contact;
    equations_look_at(e, contact, self->flow.t, self->y, self->columns + 1, self->direction);
    double size = 0.0;
    for (int i = 0; i < tangents; i++)
        size = hypot(size, direction[i]);
    for (int c = 0; c <= self->columns; c++) {
        const double *du =
            c == self->columns ? self->rate_before + n : variation_column(self, self->y, c) + n;
        along[c] = 0.0;
        for (int i = 0; i < tangents; i++)
            along[c] += (tangents == 1 || !(size > 0.0) ? (double)(i == 0) : direction[i] / size) *
                        equations_rate_along(e, contact, 1 + i, self->y + n, c, du);
    }
}

/* The same of what of friction is left to a contact that sticks: margin(r, coefficients), by central differences of order 6. */
static void margin_along(event_variation *self, int contact, double *along)
{
    static const double weight[3] = {45.0, -9.0, 1.0};
    equations *e = &self->equations;
    const carom_contact_info *info = &e->model->contact[contact];
    const double *force = self->force_before + 3 * contact;
    equations_look_at(e, contact, self->flow.t, self->y, self->columns + 1, self->direction);
    for (int c = 0; c <= self->columns; c++) {
        const double *df = self->force_before_along + 3 * ((ptrdiff_t)c * e->contacts + contact);
        const double *dc = e->along[contact * e->directions + c].coefficients;
        const double *coefficient = e->frame[contact].coefficients;
        double least = INFINITY;
        for (int i = 0; i < 3; i++)
            if (df[i] != 0.0)
                least = fmin(least, fmax(fabs(force[0]), hypot(force[1], force[2])) / fabs(df[i]));
        for (int i = 0; i < info->coefficients; i++)
            if (dc[i] != 0.0 && coefficient[i] != 0.0)
                least = fmin(least, fabs(coefficient[i]) / fabs(dc[i]));
        along[c] = 0.0;
        if (!isfinite(least) || !(least > 0.0))
            continue;
        const double step = 5e-3 * least;
        for (int k = 1; k <= 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                double moved[EQUATIONS_COEFFICIENTS], r[3];
                for (int i = 0; i < 3; i++)
                    r[i] = force[i] + side * k * step * df[i];
                if (info->friction_force)
                    r[0] = 1.0;
                for (int i = 0; i < info->coefficients; i++)
                    moved[i] = coefficient[i] + side * k * step * dc[i];
                const carom_planar_set set =
                    carom_friction_law_set(&info->friction, moved, info->tangents, true);
                along[c] +=
                    side * weight[k - 1] / (60.0 * step) * event_friction_margin(&set, info->tangents, r);
            }
    }
}

/* ---- what happened --------------------------------------------------------------------------------------------------------- */

static double speed_of(const event_variation *self)
{
    return event_driven_speed(self->scheme) + carom_largest(self->n, self->y + self->n);
}

/* A contact that returns about as fast as it left, however slowly, hops and does not graze. */
static bool returns(const event_variation *self, int contact, double rate)
{
    return self->rebound[contact] > 0.0 && fabs(rate) > 0.1 * self->rebound[contact];
}

static bool grazes(const event_variation *self, int contact, double rate)
{
    return fabs(rate) < grazing_rate * speed_of(self) && !returns(self, contact, rate);
}

static void tell_grazing(event_variation *self, int contact, double rate)
{
    carom_tangent_tell(&self->tangent, self->flow.t,
                       "contact '%s' grazes: it hits with the gap rate %.3g, and derivatives are not to be "
                       "used below %.3g; taken: "
                       "the motion that %s",
                       self->equations.model->contact[contact].name, rate, grazing_rate * speed_of(self),
                       fabs(rate) > no_rate * speed_of(self) ? "hits" : "misses");
}

/* Contacts that hit, not those that were closed; fills their times. One that carries no impulse counts among others: in another
 * order it might. *missed: one had no gap rate. */
static int find_fresh(event_variation *self, int *fresh, bool *missed)
{
    const event_driven *scheme = self->scheme;
    const equations *e = &self->equations;
    int count = 0;
    bool any = false;
    for (int k = 0; k < scheme->touching_count; k++)
        any = any || (scheme->struck[scheme->touching[k]] && !scheme->was_closed[scheme->touching[k]]);
    for (int k = 0; k < scheme->touching_count; k++) {
        const int contact = scheme->touching[k];
        const double rate = self->gap_along[(ptrdiff_t)self->columns * e->contacts + contact];
        const bool hit = scheme->hit[contact] && !scheme->was_closed[contact];
        if (hit && !scheme->struck[contact] && fabs(rate) < grazing_rate * speed_of(self))
            tell_grazing(self, contact, rate);
        if (scheme->was_closed[contact] || !any ||
            (!scheme->struck[contact] && !(rate < -no_rate * speed_of(self))))
            continue;
        if (grazes(self, contact, rate))
            tell_grazing(self, contact, rate);
        if (scheme->depth[contact] > 0.0)
            carom_tangent_tell(&self->tangent, self->flow.t,
                               "contact '%s' hits while it is inside its obstacle",
                               e->model->contact[contact].name);
        if (set_times(self, contact, self->gap_along + contact, e->contacts,
                      returns(self, contact, rate) ? 0.0 : no_rate * speed_of(self)))
            fresh[count++] = contact;
        else
            *missed = true;
    }
    return count;
}

static bool times_agree(const event_variation *self, int first, int second)
{
    const double *a = times_of(self, first), *b = times_of(self, second);
    for (int c = 0; c < self->columns; c++)
        if (fabs(a[c] - b[c]) > same_time * fmax(fabs(a[c]), fabs(b[c])))
            return false;
    return true;
}

static void choose(event_variation *self, int contact)
{
    memcpy(self->chosen_time, times_of(self, contact), (size_t)self->columns * sizeof(double));
}

/* Contacts whose forces reached their bounds, or whose slips ended: fills their times. Returns the first, -1: none; *differ:
 * their times do. */
static int find_changes(event_variation *self, bool *differ)
{
    const event_driven *scheme = self->scheme;
    const equations *e = &self->equations;
    int first = -1;
    double *along = self->first_trial;
    const double no_slip_rate = no_change * event_driven_acceleration(scheme),
                 no_force_rate = no_slip_rate * scheme->stepper.scales.mass / scheme->stepper.scales.time;
    *differ = false;
    for (int contact = 0; contact < e->contacts; contact++) {
        const bool stops = scheme->general && scheme->stopping[contact],
                   yields = scheme->general && scheme->yielding[contact];
        bool found = false;
        if (scheme->leaving[contact]) {
            for (int c = 0; c <= self->columns; c++)
                along[c] = self->force_before_along[3 * ((ptrdiff_t)c * e->contacts + contact)];
            found = set_times(self, contact, along, 1, no_force_rate);
        } else if (stops) {
            slip_along(self, contact, along);
            found = set_times(self, contact, along, 1, no_slip_rate);
        } else if (yields && scheme->mode.status[contact] != EVENT_STICK) {
            margin_along(self, contact, along);
            found = set_times(self, contact, along, 1, no_force_rate);
        } else {
            continue;
        }
        if (!found)
            carom_tangent_tell(&self->tangent, self->flow.t,
                               "contact '%s' %s without a rate: it may or may not; taken: it does",
                               e->model->contact[contact].name,
                               stops    ? "stops slipping"
                               : yields ? "begins to slip"
                                        : "opens");
        if (first < 0)
            first = contact;
        else
            *differ = *differ || !times_agree(self, first, contact);
    }
    return first;
}

/* ---- accumulations ----------------------------------------------------------------------------------------------------------- */

/* Hops of a contact with constant acceleration -A: after an impact with rebound v they end after 2 v / (A (1 - e)). Self->u and
 * du are those after the impact, before the contact closes. */
static void end_accumulation(event_variation *self, int contact)
{
    const event_driven *scheme = self->scheme;
    equations *e = &self->equations;
    const int n = self->n, all = e->joints + e->contacts;
    equations_list_mode(e, scheme);
    int kept = 0;
    for (int k = 0; k < e->listed; k++)
        if (e->list[k].contact != contact)
            e->list[kept++] = e->list[k];
    e->listed = kept;
    for (int c = 0; c <= self->columns; c++)
        self->direction[c].u = self->du + (ptrdiff_t)c * n;
    if (!equations_accelerate(e, self->flow.t, self->q, self->u) ||
        !equations_along(e, self->columns + 1, self->direction, self->dz))
        return;
    equations_look_at(e, contact, self->flow.t, self->q, self->columns + 1, self->direction);
    const carom_motion motion = {.t = self->flow.t, .q = self->q, .v = self->u};
    if (e->model->ops->constraints) {
        e->model->ops->constraints(e->work, &motion, e->value, e->rate, e->curvature);
        e->model->ops->tangent->constraints(e->work, &motion, self->columns + 1, self->direction,
                                            e->value_along, e->rate_along, e->curvature_along);
    } else { /* frames that never change: no curvature */
        memset(e->curvature, 0, (size_t)all * sizeof(double));
        memset(e->curvature_along, 0, (size_t)(self->columns + 1) * (size_t)all * sizeof(double));
    }
    const carom_contact_frame *frame = &e->frame[contact];
    const double v = equations_rate(e, contact, 0, self->u), restitution = frame->restitution;
    const double A = -carom_row_dot(&frame->normal, e->z) - e->curvature[e->joints + contact];
    if (!(v > 0.0) || !(A > 0.0) || !(restitution < 1.0))
        return;
    const double left = 2.0 * v / (A * (1.0 - restitution));
    for (int c = 0; c < self->columns; c++) {
        const double dt = times_of(self, contact)[c];
        double change = 0.0; /* of log(left), at the event that moves */
        for (int which = 0; which < 2; which++) {
            const int d = which == 0 ? c : self->columns;
            const double *dz = self->dz + (ptrdiff_t)d * e->unknowns;
            const carom_contact_frame *along = &e->along[contact * e->directions + d];
            const double dv = equations_rate_along(e, contact, 0, self->u, d, self->du + (ptrdiff_t)d * n);
            const double dA = -carom_row_dot(&frame->normal, dz) - carom_row_dot(&along->normal, e->z) -
                              e->curvature_along[d * all + e->joints + contact];
            change += (which == 0 ? 1.0 : dt) * (dv / v - dA / A + along->restitution / (1.0 - restitution));
        }
        self->accumulation[c] = dt + left * change;
    }
    self->ends_accumulation = true;
}

/* ---- the jump ------------------------------------------------------------------------------------------------------------------ */

/* At the start contacts that are closed and joints hold for the start itself: derivatives of positions that would violate them
 * are corrected, in the kinetic metric. */
static bool correct_start(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    equations *e = &self->equations;
    const int n = self->n;
    equations_list_none(e);
    for (int contact = 0; contact < e->contacts; contact++)
        if (scheme->closed[contact] && !e->model->contact[contact].friction_force)
            equations_list_add(e, contact, EVENT_FRICTIONLESS);
    if (e->listed == 0 && e->joints == 0)
        return true;
    for (int k = 0; k < e->listed; k++) {
        const int contact = e->list[k].contact;
        for (int c = 0; c < self->columns; c++) {
            const double gap = self->gap_along[(ptrdiff_t)c * e->contacts + contact];
            if (fabs(gap) > same * carom_largest(n, self->dq + (ptrdiff_t)c * n))
                carom_tangent_tell(
                    &self->tangent, self->flow.t,
                    "contact '%s' is closed at the start, and a column opens it: the derivative is that of a "
                    "start in contact",
                    e->model->contact[contact].name);
        }
    }
    /* M dq - G^T r - n r = M dq_given,  G dq = -g_p,  n.dq = -gap_p: the system of a velocity, with a right side of its own */
    if (!equations_strike(e, self->flow.t, self->q, self->u))
        return false;
    const carom_motion motion = {.t = self->flow.t, .q = self->q, .v = self->u};
    for (int c = 0; c < self->columns; c++) {
        double *dq = self->dq + (ptrdiff_t)c * n;
        carom_direction moved = {
            .t = self->tangent.t[c], .q = dq, .parameter = self->tangent.column[c].parameter};
        double *right = self->dz;
        memset(right, 0, (size_t)e->unknowns * sizeof *right);
        if (e->contacts > 0)
            e->model->ops->tangent->gaps(e->work, self->flow.t, self->q, 1, &moved, e->gap_along);
        for (int k = 0; k < e->listed; k++)
            right[e->list[k].first] = -e->gap_along[e->list[k].contact];
        if (e->joints > 0)
            e->model->ops->tangent->constraints(e->work, &motion, 1, &moved, e->value_along, NULL, NULL);
        for (int k = 0; k < e->joints; k++)
            right[n + k] = -e->value_along[k];
        if (!equations_solve(e, right))
            return false;
        carom_axpy(n, 1.0, right, dq);
    }
    return true;
}

/* Rates before and after the event are the same but for rounding: then its time does not count. */
static bool is_smooth(const event_variation *self, const double *after)
{
    const int n = self->n;
    const double *before = self->rate_before,
                 size = event_driven_acceleration(self->scheme) + carom_largest(n, before + n);
    for (int i = 0; i < n; i++)
        if (fabs(before[i] - after[i]) > same * speed_of(self) ||
            fabs(before[n + i] - after[n + i]) > same * size)
            return false;
    return true;
}

/* S+ = dx+ - f+ dt, where dx+ is what R makes of (S-, 0) and of (f-, 1) dt. At the start there is no motion before: dx+ is given
 * there, at the time of the start. */
static void put_together(event_variation *self, const double *rate)
{
    const int n = self->n;
    const double *time_q = self->dq + (ptrdiff_t)self->columns * n,
                 *time_u = self->du + (ptrdiff_t)self->columns * n;
    const double *time_impulse = self->impulse_along + (ptrdiff_t)self->columns * self->extra;
    const bool starts = self->scheme->starting, smooth = !starts && is_smooth(self, rate);
    for (int c = 0; c < self->columns; c++) {
        double *column = variation_column(self, self->y, c);
        const double dt = smooth ? 0.0 : self->chosen_time[c];
        for (int i = 0; i < n; i++) {
            column[i] = self->dq[(ptrdiff_t)c * n + i] + ((starts ? 0.0 : time_q[i]) - rate[i]) * dt;
            column[n + i] = self->du[(ptrdiff_t)c * n + i] + ((starts ? 0.0 : time_u[i]) - rate[n + i]) * dt;
        }
        for (int i = 0; i < self->extra; i++)
            column[2 * n + i] +=
                self->impulse_along[(ptrdiff_t)c * self->extra + i] +
                ((starts ? 0.0 : self->rate_before[2 * n + i] + time_impulse[i]) - rate[2 * n + i]) * dt;
    }
    memcpy(self->y + n, self->u, (size_t)n * sizeof(double));
    carom_axpy(self->extra, 1.0, self->impulse, self->y + 2 * n);
}

/* Fresh impacts at one time: their common law has a derivative where their times stay together, or where all orders of single
 * impacts lead to the same. True: the blocks after the event are known. */
static bool treat_together(event_variation *self, int count, const int *fresh)
{
    bool together = true;
    for (int k = 1; k < count; k++)
        together = together && times_agree(self, fresh[0], fresh[k]);
    if (together)
        return false;
    if (!self->friction_struck && variation_orders_agree(self, count, fresh)) {
        memcpy(self->y, self->trial, (size_t)(1 + self->columns) * (size_t)self->block * sizeof(double));
        return true;
    }
    choose(self, fresh[0]);
    carom_tangent_tell(&self->tangent, self->flow.t,
                       "%d contacts, '%s' and '%s' among them, hit at one time, and the order in which they "
                       "do matters; taken: all at once",
                       count, self->equations.model->contact[fresh[0]].name,
                       self->equations.model->contact[fresh[1]].name);
    return false;
}

static void remember_rebounds(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    equations *e = &self->equations;
    for (int contact = 0; contact < e->contacts; contact++)
        if (scheme->struck[contact]) {
            equations_look_at(e, contact, self->flow.t, self->q, 0, NULL);
            self->rebound[contact] = fmax(0.0, equations_rate(e, contact, 0, self->u));
        }
}

/* An impact that only grazes: derivatives go on as if there were none. */
static void forget_impact(event_variation *self)
{
    const int n = self->n;
    for (int c = 0; c <= self->columns; c++) {
        const double *column = c == self->columns ? self->rate_before : variation_column(self, self->y, c);
        memcpy(self->du + (ptrdiff_t)c * n, column + n, (size_t)n * sizeof(double));
    }
    memset(self->impulse_along, 0, (size_t)(self->columns + 1) * (size_t)self->extra * sizeof(double));
}

/* The time of the event, as far as there is one. True: the blocks after the event are known already. */
static bool find_time(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    const equations *e = &self->equations;
    int *fresh = self->order;
    memset(self->time, 0, (size_t)e->contacts * (size_t)self->columns * sizeof(double));
    memcpy(self->chosen_time, self->tangent.t, (size_t)self->columns * sizeof(double));
    if (scheme->starting) {
        for (int contact = 0; contact < e->contacts; contact++) {
            memcpy(times_of(self, contact), self->chosen_time, (size_t)self->columns * sizeof(double));
            if (scheme->struck[contact] && variation_moves_gap(self, contact))
                carom_tangent_tell(&self->tangent, self->flow.t,
                                   "contact '%s' is struck at the start, where it touches already",
                                   e->model->contact[contact].name);
        }
        return false;
    }
    bool missed = false, differ = false;
    const int count = find_fresh(self, fresh, &missed);
    if (missed && count == 0)
        forget_impact(self);
    const int changed = find_changes(self, &differ);
    if (count > 0)
        choose(self, fresh[0]);
    else if (changed >= 0)
        choose(self, changed);
    if (changed >= 0 && (differ || (count > 0 && !times_agree(self, fresh[0], changed))))
        carom_tangent_tell(&self->tangent, self->flow.t,
                           "contact '%s' opens, sticks or begins to slip at the time of another event",
                           e->model->contact[changed].name);
    /* contacts that are struck because another one hits share its time */
    for (int contact = 0; contact < e->contacts; contact++)
        if (count > 0 && scheme->was_closed[contact])
            memcpy(times_of(self, contact), self->chosen_time, (size_t)self->columns * sizeof(double));
    return count > 1 && treat_together(self, count, fresh);
}

void variation_jump(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    self->ends_accumulation = false;
    if (scheme->starting && !correct_start(self)) {
        variation_lose(self, "the derivatives at the start are not finite");
        return;
    }
    const bool known = find_time(self);
    remember_rebounds(self);
    for (int contact = 0; contact < self->equations.contacts; contact++)
        if (scheme->accumulating[contact] && scheme->closed[contact] && !scheme->was_closed[contact])
            end_accumulation(self, contact);
    if (known)
        return;
    variation_look_at_closed(self);
    if (!hold_closed(self)) {
        variation_lose(self, "the derivatives of a contact that closes are not finite");
        return;
    }
    equations_list_mode(&self->equations, scheme);
    memcpy(self->trial, self->q, (size_t)self->n * sizeof(double));
    memcpy(self->trial + self->n, self->u, (size_t)self->n * sizeof(double));
    if (variation_motion_rate(self, self->flow.t, self->trial, self->rate))
        put_together(self, self->rate);
    else
        variation_lose(self, "the forces after an event are not finite");
}
