/* Closed contacts of which a column asks something else on its one side than on the other. */
#include <math.h>

#include "parts.h"

/* A gap rate of a closed contact that changes by more, relative to the derivatives of velocities, opens it or presses it. */
static const double one_sided = 1e-7;
/* A gap that changes by less, relative to the derivatives of positions, does not. */
static const double same_gap = 1e-9;

/* Whether a column changes the gap rate of a contact. self->u and du are those after the event. */
static bool moves_rate(event_variation *self, int contact)
{
    equations *e = &self->equations;
    const int n = self->n;
    equations_look_at(e, contact, self->flow.t, self->q, self->columns + 1, self->direction);
    const double by_time = self->scheme->starting
                               ? 0.0
                               : equations_rate_along(e, contact, 0, self->u, self->columns,
                                                      self->du + (ptrdiff_t)self->columns * n);
    for (int c = 0; c < self->columns; c++) {
        const double *du = self->du + (ptrdiff_t)c * n;
        const double change =
            equations_rate_along(e, contact, 0, self->u, c, du) + by_time * self->chosen_time[c];
        if (fabs(change) > one_sided * carom_largest(n, du))
            return true;
    }
    return false;
}

/* A closed contact that an impact of others, or the start, leaves without an impulse and without a gap rate: where a column
 * changes that rate, the contact is struck on one side, and opens on the other. */
void variation_look_at_closed(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    const equations *e = &self->equations;
    const bool starts = scheme->starting;
    double largest = 0.0;
    for (int contact = 0; contact < e->contacts; contact++)
        largest = fmax(largest, self->impulse[3 * contact]);
    for (int contact = 0; (starts || largest > 0.0) && contact < e->contacts; contact++) {
        const bool held = scheme->closed[contact] && (starts || scheme->was_closed[contact]);
        if (!held || self->impulse[3 * contact] > 0.0 || e->model->contact[contact].friction_force ||
            !moves_rate(self, contact))
            continue;
        carom_tangent_tell(&self->tangent, self->flow.t,
                           "contact '%s' is closed and %s: on one side it is struck; taken: it stays closed",
                           e->model->contact[contact].name,
                           starts ? "does not move at the start" : "takes no part in an impact");
    }
}

/* Whether a column changes the gap of a contact. */
bool variation_moves_gap(const event_variation *self, int contact)
{
    for (int c = 0; c < self->columns; c++)
        if (fabs(self->gap_along[(ptrdiff_t)c * self->equations.contacts + contact]) >
            same_gap * carom_largest(self->n, self->dq + (ptrdiff_t)c * self->n))
            return true;
    return false;
}
