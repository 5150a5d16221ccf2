/* The derivative of the map of a period by the state it begins in: columns of the variational equations through all events of
 * the period (carom_tangent), all in one run. Where the motion has no derivative, as where it grazes, or the scheme has none for
 * the model, by differences of order 4 of whole periods.
 *
 * A direction in which the state cannot be moved both ways, such as into an obstacle that it lies on, has a quotient of one
 * side. */
#include <math.h>
#include <string.h>

#include "map.h"

/* The scheme is good to some 1e-11. */
static const double state_step = 5e-5;

/* Column k: (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12 h, or of one side. */
static bool differentiate_by(carom_period_map *self, double t, double period, const double *state, int k,
                             double h, double *matrix)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const int size = self->size;
    double *from = self->beside, *to = self->beside + size, *column = self->beside + 2 * (ptrdiff_t)size;
    bool both = true;
    memset(column, 0, (size_t)size * sizeof *column);
    for (int p = 0; p < 4 && both; p++) {
        memcpy(from, state, (size_t)size * sizeof *from);
        from[k] += place[p] * h;
        both = map_apply(self, t, period, from, false, to);
        carom_axpy(size, weight[p] / (12.0 * h), to, column);
    }
    for (int side = 0; side < 2 && !both; side++) {
        memcpy(from, state, (size_t)size * sizeof *from);
        from[k] += (side ? -0.1 : 0.1) * h;
        if (!map_apply(self, t, period, from, false, to)) {
            if (side)
                return false;
            continue;
        }
        for (int i = 0; i < size; i++)
            column[i] = (to[i] - self->end[i]) / ((side ? -0.1 : 0.1) * h);
        both = true;
    }
    for (int i = 0; i < size; i++)
        matrix[(ptrdiff_t)i * size + k] = column[i];
    return true;
}

static bool by_differences(carom_period_map *self, double t, double period, const double *state,
                           double *matrix)
{
    if (!map_apply(self, t, period, state, false, self->end))
        return false;
    for (int k = 0; k < self->size; k++)
        if (!differentiate_by(self, t, period, state, k, state_step * self->scale[k], matrix))
            return false;
    return true;
}

/* Unit columns, one per number of the state. */
static bool take_columns(carom_period_map *self)
{
    const size_t size = (size_t)self->size;
    if (self->column)
        return true;
    double *unit = carom_arena_take(self->arena, carom_product(size, size), sizeof *unit);
    carom_tangent_column *column = carom_arena_take(self->arena, size, sizeof *column);
    if (!unit || !column)
        return false;
    for (size_t k = 0; k < size; k++) {
        unit[k * size + k] = 1.0;
        column[k].q0 = unit + k * size;
        column[k].v0 = unit + k * size + self->dof;
    }
    self->column = column;
    return true;
}

static bool take_step(carom_period_map *self, carom_tangent *tangent, double *matrix)
{
    const int size = self->size;
    if (carom_tangent_step(tangent, &self->stopped) != CAROM_OK || tangent->lost || tangent->breaks > 0)
        return false;
    const carom_state *state = &tangent->stepper->state;
    memcpy(self->end, state->q, (size_t)self->dof * sizeof *self->end);
    memcpy(self->end + self->dof, state->v, (size_t)self->dof * sizeof *self->end);
    for (int k = 0; k < size; k++) {
        const double *column = carom_tangent_q(tangent, k);
        for (int i = 0; i < size; i++)
            matrix[(ptrdiff_t)i * size + k] = column[i];
    }
    return carom_all_finite(size, self->end);
}

/* False: there is none, or not to be trusted. */
static bool exactly(carom_period_map *self, double t, double period, const double *state, double *matrix)
{
    carom_stepper *run = NULL;
    carom_tangent *tangent = NULL;
    self->stopped = (carom_error){0};
    if (!take_columns(self)) {
        carom_fail_memory(&self->stopped);
        return false;
    }
    if (map_begin_run(self, t, period, state, &run, &self->stopped) != CAROM_OK)
        return false;
    const bool found =
        carom_tangent_create(run, self->size, self->column, &tangent, &self->stopped) == CAROM_OK &&
        take_step(self, tangent, matrix);
    carom_tangent_free(tangent);
    carom_stepper_free(run);
    return found;
}

bool map_differentiate(carom_period_map *self, double t, double period, const double *state, double *matrix)
{
    self->exact = exactly(self, t, period, state, matrix);
    if (!self->exact && self->stopped.status == CAROM_NO_MEMORY)
        return false; /* differences would be another method */
    return self->exact || by_differences(self, t, period, state, matrix);
}
