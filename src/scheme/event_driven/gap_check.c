/* Obstacles so thin that a step of the integrator passes them. A sign of gap or gap rate that differs at the ends of the
 * step is a root that the integrator finds; here is what shows at neither. A gap g whose rate stays below L cannot vanish
 * within g / L, so that a part of the step from s to s' is safe when
 *
 *   g(s) + g(s') > L (s' - s),
 *
 * and otherwise is halved, until the gap cannot be negative by more than what contacts are put back by. L is twice the
 * largest rate at the ends and the points between that the option gap_check asks for. That is an estimate: an obstacle
 * that no such point feels anything of needs more of them. */
#include <math.h>

#include "event_driven.h"

enum {
    LOOKS_MAX = 4000, /* points per contact and step of the integrator */
    HALVINGS_MAX = 40
};

static const double safety = 2.0;
/* Depth that does not matter, relative to event_driven_size. */
static const double depth_allowed = 1e-9;

typedef struct gap_look {
    double t, gap, rate;
} gap_look;

static bool look(event_driven *self, int contact, double t, gap_look *seen)
{
    const double *y = ode_flow_at(self->flow, t);
    if (!y || !event_driven_gaps(self, t, y))
        return false;
    motion_frame(&self->motion, contact, t, y);
    *seen = (gap_look){t, self->motion.gap[contact] + self->guard[contact],
                       contact_velocity(&self->motion.rows, contact, 0, y + self->motion.dof)};
    return isfinite(seen->gap) && isfinite(seen->rate);
}

/* The first moment, within rounding, at which the gap is negative, between one at which it is not and one at which it
 * is. */
static double first_negative(event_driven *self, int contact, double low, double high)
{
    for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high)) {
        gap_look seen;
        if (!look(self, contact, middle, &seen))
            break;
        *(seen.gap < 0.0 ? &high : &low) = middle;
    }
    return high;
}

/* Looks between two points from the left to the right: the right ends of the parts that are still to be looked at
 * stand on a stack. */
static bool dips_between(event_driven *self, int contact, gap_look left, gap_look right, double rate_max,
                         double depth, int *looks, double *t)
{
    gap_look stack[HALVINGS_MAX];
    int waiting = 0;
    stack[waiting++] = right;
    while (waiting > 0) {
        right = stack[waiting - 1];
        if (right.gap < 0.0) {
            *t = first_negative(self, contact, left.t, right.t);
            return true;
        }
        const double reach = rate_max * (right.t - left.t);
        gap_look middle;
        if (left.gap + right.gap > reach || reach <= depth || waiting == HALVINGS_MAX ||
            ++*looks > LOOKS_MAX || !look(self, contact, 0.5 * (left.t + right.t), &middle)) {
            left = right;
            waiting--;
            continue;
        }
        stack[waiting++] = middle;
    }
    return false;
}

/* True when the gap of an open contact falls below zero between; *t is the moment. A gap that is negative at one of the
 * ends is for others to judge; at a root it is so by rounding. */
static bool dips(event_driven *self, int contact, double from, double to, double *t)
{
    const int parts = self->gap_check;
    gap_look seen[GAP_CHECK_MAX + 1];
    double rate_max = 0.0;
    for (int k = 0; k <= parts; k++) {
        if (!look(self, contact, k == parts ? to : from + (to - from) * k / parts, &seen[k]))
            return false;
        rate_max = fmax(rate_max, fabs(seen[k].rate));
    }
    const double depth = depth_allowed * event_driven_size(self, ode_flow_values(self->flow));
    if (seen[0].gap < 0.0 || seen[parts].gap < -depth)
        return false;
    seen[parts].gap = fmax(seen[parts].gap, 0.0);
    int looks = 0;
    for (int k = 1; k <= parts; k++)
        if (dips_between(self, contact, seen[k - 1], seen[k], safety * rate_max, depth, &looks, t))
            return true;
    return false;
}

int event_driven_gap_check(event_driven *self, double from, double *to)
{
    int first = -1;
    for (int contact = 0; contact < self->motion.contacts && self->gap_check > 0; contact++) {
        double t = *to;
        if (self->closed[contact] || self->motion.model->contact[contact].constant_frame ||
            !dips(self, contact, from, *to, &t) || !(t < *to))
            continue;
        first = contact;
        *to = t;
    }
    return first;
}
