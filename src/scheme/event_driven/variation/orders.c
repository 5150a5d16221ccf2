/* Impacts at one time, one after the other: a motion nearby meets them in some order. Where every order leads to the same
 * velocities and to the same derivatives, to first order, the motion is differentiable there. */
#include <math.h>
#include <string.h>

#include "parts.h"

enum {
    ALL_ORDERS =
        4, /* contacts of which all orders are tried; of more: each of them first, forwards and backwards */
    IMPACTS_MAX = 50 /* in one order */
};

/* Derivatives that differ by less, relative to the largest of a block, are the same; velocities, relative to the speed of the
 * model and the largest velocity. */
static const double same = 1e-7;
/* A gap rate that closes, relative to the speed of the model and the largest velocity. */
static const double closing = 1e-10;

/* Contacts that were closed and stay closed. */
static void list_staying(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    equations_list_none(&self->equations);
    for (int contact = 0; contact < self->equations.contacts; contact++)
        if (scheme->was_closed[contact] && scheme->closed[contact])
            equations_list_add(&self->equations, contact, EVENT_FRICTIONLESS);
}

static void set_directions(event_variation *self, double *y, const double *rate)
{
    for (int c = 0; c <= self->columns; c++) {
        const bool time = c == self->columns;
        const double *column = time ? rate : variation_column(self, y, c);
        self->direction[c] = (carom_direction){.t = time ? 1.0 : 0.0,
                                               .q = column,
                                               .u = column + self->n,
                                               .parameter = time ? NULL : self->tangent.column[c].parameter};
    }
}

/* Impact of one contact, with those that stay closed, on all blocks y. */
static bool strike_one(event_variation *self, int contact, double *y)
{
    equations *e = &self->equations;
    const int n = self->n, all = self->columns + 1;
    double *before = self->rate, *after = self->rate + self->block;
    list_staying(self);
    if (!variation_motion_rate(self, self->flow.t, y, before))
        return false;
    set_directions(self, y, before);
    e->model->ops->tangent->gaps(e->work, self->flow.t, y, all, self->direction, self->gap_along);
    list_staying(self);
    equation_contact *entry = equations_list_add(e, contact, EVENT_FRICTIONLESS);
    entry->rebounds = e->model->contact[contact].has_restitution;
    entry->e = entry->rebounds ? motion_restitution(&self->scheme->motion, contact) : 0.0;
    if (!equations_strike(e, self->flow.t, y, y + n) || !equations_along(e, all, self->direction, self->dz))
        return false;
    const int unknowns = e->unknowns, first = e->list[e->listed - 1].first;
    const double rate = self->gap_along[(ptrdiff_t)self->columns * e->contacts + contact];
    const double impulse = e->z[first];
    memcpy(self->u, e->z, (size_t)n * sizeof(double));
    for (int c = 0; c < self->columns; c++) { /* S_u and impulses: what R makes of them, times come below */
        double *column = variation_column(self, y, c);
        const double *dz = self->dz + (ptrdiff_t)c * unknowns,
                     *time = self->dz + (ptrdiff_t)self->columns * unknowns;
        const double dt = -self->gap_along[(ptrdiff_t)c * e->contacts + contact] / rate;
        self->chosen_time[c] = dt;
        for (int i = 0; i < n; i++) {
            column[i] += before[i] * dt;
            column[n + i] = dz[i] + time[i] * dt;
        }
        for (int i = 0; i < self->extra; i++)
            column[2 * n + i] += before[2 * n + i] * dt;
        column[2 * n + 3 * contact] += dz[first] + time[first] * dt;
    }
    memcpy(y + n, self->u, (size_t)n * sizeof(double));
    y[2 * n + 3 * contact] += impulse;
    list_staying(self);
    if (!variation_motion_rate(self, self->flow.t, y, after))
        return false;
    for (int c = 0; c < self->columns; c++)
        carom_axpy(self->block, -self->chosen_time[c], after, variation_column(self, y, c));
    return true;
}

/* The impacts of an order, and those that follow from them, on self->trial. */
static bool strike_in_order(event_variation *self, int count, const int *order)
{
    equations *e = &self->equations;
    const int n = self->n;
    memcpy(self->trial, self->y, (size_t)(1 + self->columns) * (size_t)self->block * sizeof(double));
    for (int i = 0; i < IMPACTS_MAX; i++) {
        int next = -1;
        const double speed = event_driven_speed(self->scheme) + carom_largest(n, self->trial + n);
        for (int k = 0; next < 0 && k < count; k++) {
            equations_look_at(e, order[k], self->flow.t, self->trial, 0, NULL);
            if (equations_rate(e, order[k], 0, self->trial + n) < -closing * speed)
                next = order[k];
        }
        if (next < 0)
            return true;
        if (!strike_one(self, next, self->trial))
            return false;
    }
    return false;
}

static bool are_same(const event_variation *self, const double *a, const double *b)
{
    for (int block = 0; block <= self->columns; block++) {
        const double *first = a + (ptrdiff_t)block * self->block,
                     *second = b + (ptrdiff_t)block * self->block;
        const double size = carom_largest(2 * self->n, first);
        for (int i = 0; i < 2 * self->n; i++)
            if (!(fabs(first[i] - second[i]) <= same * size))
                return false;
    }
    return true;
}

/* The order of this number: all permutations of few, else each first, forwards and backwards. */
static void make_order(int count, const int *fresh, int number, int *order)
{
    if (count > ALL_ORDERS) {
        for (int k = 0; k < count; k++)
            order[k] = fresh[(number / 2 + (number % 2 == 0 ? k : count - k)) % count];
        return;
    }
    memcpy(order, fresh, (size_t)count * sizeof *order);
    for (int k = count; k > 1; k--) {
        const int other = number % k, kept = order[k - 1];
        number /= k;
        order[k - 1] = order[other];
        order[other] = kept;
    }
}

bool variation_orders_agree(event_variation *self, int count, const int *fresh)
{
    const event_driven *scheme = self->scheme;
    const int n = self->n;
    const double speed = event_driven_speed(scheme) + carom_largest(n, self->u); /* of the law for all */
    int *order = self->order + self->equations.contacts, orders = 1;
    for (int k = 2; k <= count; k++)
        orders *= k <= ALL_ORDERS ? k : 1;
    if (count > ALL_ORDERS)
        orders = 2 * count;
    for (int contact = 0; contact < self->equations.contacts; contact++)
        if (scheme->closed[contact] && !scheme->was_closed[contact])
            return false;                                       /* one that closes: no single impacts */
    memcpy(self->u_after, self->u, (size_t)n * sizeof(double)); /* of the law for all of them */
    bool agree = true;
    for (int number = 0; agree && number < orders; number++) {
        make_order(count, fresh, number, order);
        agree = strike_in_order(self, count, order);
        for (int i = 0; agree && i < n; i++)
            agree = fabs(self->trial[n + i] - self->u_after[i]) <= same * speed;
        if (number == 0)
            memcpy(self->first_trial, self->trial,
                   (size_t)(1 + self->columns) * (size_t)self->block * sizeof(double));
        else
            agree = agree && are_same(self, self->first_trial, self->trial);
    }
    memcpy(self->u, self->u_after, (size_t)n * sizeof(double));
    variation_directions(self);
    return agree;
}
