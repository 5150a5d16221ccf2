/* Hops: flights so low that the integrator's tolerances would not see them, as the last ones of a series of
 * impacts that accumulates. Two Runge-Kutta steps of order 4 make one hop, and the gap along it is the
 * integral of the gap rate, so that rounding of positions does not enter:
 *
 *   gap(s) - gap(0) = s/6 (gap'(0) + 4 gap'(s/2) + gap'(s)). */
#include "event_driven.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    NEWTON_MAX = 20
};

/* Flights higher than this share of the model's length are left to the integrator. */
static const double highest = 1e-3;
/* Slower than this, relative to the model's speed, a contact does not hop, whatever vtol is. */
static const double slowest = 1e-12;
/* Relative error of the gap rate at the end, from the comparison with one step. */
static const double rate_accuracy = 1e-9;

static int size_of(const event_driven *self)
{
    return self->size;
}

bool event_driven_hop_take(event_driven_hop *hop, carom_arena *arena, int size)
{
    double **vectors[] = {&hop->start, &hop->rate_start, &hop->middle, &hop->end,
                          &hop->whole, &hop->stage,      &hop->rate};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, (size_t)size, sizeof(double))))
            return false;
    return true;
}

/* One classical Runge-Kutta step of length s from y to `to`, whose first rate stands in hop.rate. */
static bool runge_kutta(event_driven *self, double t, const double *y, double s, double *to)
{
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    static const double ahead[4] = {0.5, 0.5, 1.0, 0.0};
    event_driven_hop *hop = &self->hop;
    const int size = size_of(self);
    memcpy(to, y, (size_t)size * sizeof *y);
    for (int k = 0; k < 4; k++) {
        carom_axpy(size, s * weight[k], hop->rate, to);
        if (k == 3)
            return true;
        memcpy(hop->stage, y, (size_t)size * sizeof *y);
        carom_axpy(size, s * ahead[k], hop->rate, hop->stage);
        if (!event_driven_rate(self, t + s * ahead[k], hop->stage, hop->rate))
            return false;
    }
    return true;
}

static double gap_rate(event_driven *self, int contact, double t, const double *y)
{
    motion_frame(&self->motion, contact, t, y);
    return contact_velocity(&self->motion.rows, contact, 0, y + self->motion.dof);
}

/* Two steps of s/2 each, to hop.end; what the gap changes by, and its rate at the end. */
static bool fly(event_driven *self, double s, double *change, double *rate_end)
{
    event_driven_hop *hop = &self->hop;
    const double half = 0.5 * s, t = self->t;
    memcpy(hop->rate, hop->rate_start, (size_t)size_of(self) * sizeof(double));
    if (!runge_kutta(self, t, hop->start, half, hop->middle) ||
        !event_driven_rate(self, t + half, hop->middle, hop->rate) ||
        !runge_kutta(self, t + half, hop->middle, half, hop->end))
        return false;
    const double middle = gap_rate(self, hop->contact, t + half, hop->middle);
    *rate_end = gap_rate(self, hop->contact, t + s, hop->end);
    *change = s / 6.0 * (hop->gap_rate + 4.0 * middle + *rate_end);
    return true;
}

/* Gap from which an open contact starts. A contact that touches is at zero, whatever rounding says; it does
 * not hop when it has no speed. */
static bool starting_gap(const event_driven *self, int contact, double rate, double *gap)
{
    const event_driven_hop *hop = &self->hop;
    *gap = self->motion.gap[contact];
    if (hop->resumes && hop->contact == contact)
        *gap = hop->resumed_gap;
    else if (*gap <= event_driven_near(self, rate))
        *gap = 0.0;
    return *gap > 0.0 || rate > fmax(self->rebound_min, slowest * event_driven_speed(self));
}

/* The open contact that a parabola brings back first, and when; false when there is none. */
static bool expect_hit(event_driven *self, double *duration, double *height)
{
    event_driven_hop *hop = &self->hop;
    smooth_motion *motion = &self->motion;
    const double *q = hop->start, *u = q + motion->dof;
    int first = -1;
    *duration = INFINITY;
    if (!event_driven_gaps(self, self->t, q))
        return false;
    for (int contact = 0; contact < motion->contacts; contact++) {
        if (self->closed[contact])
            continue;
        const double rate = gap_rate(self, contact, self->t, hop->start);
        double gap = 0.0;
        if (!starting_gap(self, contact, rate, &gap))
            continue;
        const double acceleration =
            carom_row_dot(&motion->rows.frame[contact].normal, hop->rate_start + motion->dof) +
            motion_curvature(motion, contact, self->t, q, u);
        if (!(acceleration < 0.0))
            continue;
        const double until = (rate + sqrt(rate * rate - 2.0 * acceleration * gap)) / -acceleration;
        if (until >= *duration)
            continue;
        first = contact;
        *duration = until;
        *height = gap + rate * rate / (-2.0 * acceleration);
        hop->gap = gap;
        hop->gap_rate = rate;
    }
    hop->contact = first;
    hop->resumes = false;
    return first >= 0;
}

/* Newton's method for gap(s) = 0 from the parabola's value, with the change of the gap; false when it does not settle on a
 * falling gap. */
static bool find_hit(event_driven *self, double *s, double *change)
{
    for (int i = 0; i < NEWTON_MAX; i++) {
        double rate = 0.0;
        if (!fly(self, *s, change, &rate) || !(rate < 0.0))
            return false;
        const double correction = (self->hop.gap + *change) / rate;
        if (fabs(correction) <= 1e-15 * *s + DBL_EPSILON * fabs(self->t))
            return true;
        if (!(*s - correction > 0.0))
            return false;
        *s -= correction;
    }
    return false;
}

/* The rule for the gap is of order 4: it has to agree with the gap itself, to the tolerance and to rounding. */
static bool gap_agrees(event_driven *self, double s, double change, double rate)
{
    const event_driven_hop *hop = &self->hop;
    const carom_row *normal = &self->motion.rows.frame[hop->contact].normal;
    const double allowed = self->rtol * s * (fabs(hop->gap_rate) + fabs(rate));
    double size = fabs(rate) * (fabs(self->t) + s);
    if (!event_driven_gaps(self, self->t, hop->start))
        return false;
    const double before = self->motion.gap[hop->contact];
    if (!event_driven_gaps(self, self->t + s, hop->end))
        return false;
    const double after = self->motion.gap[hop->contact];
    for (int i = 0; i < normal->count; i++)
        size += fabs(normal->value[i] * hop->end[carom_row_column(normal, i)]);
    return fabs(after - before - change) <=
           allowed + 16.0 * DBL_EPSILON * (size + fabs(before) + fabs(after));
}

/* Do two steps agree with one, and has nothing else happened meanwhile? */
static bool is_sound(event_driven *self, double s, double change)
{
    event_driven_hop *hop = &self->hop;
    smooth_motion *motion = &self->motion;
    const double t_hop = self->t + s;
    memcpy(hop->rate, hop->rate_start, (size_t)size_of(self) * sizeof(double));
    if (!runge_kutta(self, self->t, hop->start, s, hop->whole))
        return false;
    for (int i = 0; i < 2 * motion->dof; i++)
        if (!(fabs(hop->whole[i] - hop->end[i]) <= self->tolerance[i] + self->rtol * fabs(hop->end[i])))
            return false;
    const double rate = gap_rate(self, hop->contact, t_hop, hop->end);
    const double rate_whole = gap_rate(self, hop->contact, t_hop, hop->whole);
    const carom_row *normal = &motion->rows.frame[hop->contact].normal;
    const double *u = hop->end + motion->dof;
    double rounding = 0.0;
    for (int i = 0; i < normal->count; i++)
        rounding += 8.0 * DBL_EPSILON * fabs(normal->value[i] * u[carom_row_column(normal, i)]);
    if (!gap_agrees(self, s, change, rate))
        return false;
    if (!(fabs(rate_whole - rate) <= rate_accuracy * (fabs(rate) + fabs(hop->gap_rate)) + rounding))
        return false;
    if (!event_driven_forces(self, t_hop, hop->end, hop->end + motion->dof) ||
        !event_driven_gaps(self, t_hop, hop->end))
        return false;
    for (int contact = 0; contact < motion->contacts; contact++) {
        const double left = self->closed[contact] ? self->lambda[contact] : motion->gap[contact];
        if (contact != hop->contact && left + self->guard[contact] < 0.0)
            return false;
        if (self->general && self->closed[contact] &&
            event_mode_root(self, contact, hop->end + motion->dof) < 0.0)
            return false;
    }
    return true;
}

bool event_driven_hop_try(event_driven *self, double t_end)
{
    event_driven_hop *hop = &self->hop;
    const size_t bytes = (size_t)size_of(self) * sizeof(double);
    double duration = 0.0, height = 0.0;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        if (self->depth[contact] > 0.0) /* its wall moves when it comes out */
            return false;
    memcpy(hop->start, ode_flow_values(self->flow), bytes);
    if (!event_driven_rate(self, self->t, hop->start, hop->rate_start) ||
        !expect_hit(self, &duration, &height) || height > highest * self->stepper.scales.length)
        return false;
    const double left = t_end - self->t;
    double s = duration, change = 0.0, rate = 0.0;
    /* the whole hop decides, whether or not it is cut by an output */
    if (!find_hit(self, &s, &change) || !is_sound(self, s, change))
        return false;
    const bool hits = s <= left;
    if (!hits) {
        s = left;
        if (!fly(self, s, &change, &rate) || hop->gap + change < 0.0)
            return false;
    }
    memcpy(ode_flow_values(self->flow), hop->end, bytes);
    self->t = hits ? self->t + s : t_end;
    self->hit[hop->contact] = hits;
    hop->resumes = !hits;
    hop->resumed_gap = hop->gap + change;
    return true;
}
