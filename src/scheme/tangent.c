/* The beginning, the steps and the end of the derivatives of a motion, whatever the scheme. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/scheme.h"

carom_status carom_tangent_accepts(const carom_stepper *stepper, carom_error *error)
{
    if (!stepper->ops->tangent)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' has no derivatives of its steps",
                          stepper->ops->name);
    if (!stepper->model->ops->tangent)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model is not made of expressions, and has no derivatives along parameters");
    return stepper->ops->tangent->accepts ? stepper->ops->tangent->accepts(stepper, error) : CAROM_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

/* A copy in the arena; NULL stays NULL. False when memory is short. */
static bool copy_list(carom_arena *arena, int count, const double **list)
{
    if (!*list)
        return true;
    double *copy = carom_arena_take(arena, (size_t)count, sizeof *copy);
    if (copy)
        memcpy(copy, *list, (size_t)count * sizeof *copy);
    *list = copy;
    return copy != NULL;
}

static bool copy_columns(carom_tangent *self, const carom_tangent_column *given)
{
    const carom_model *model = self->stepper->model;
    carom_tangent_column *column = carom_arena_take(self->arena, (size_t)self->columns, sizeof *column);
    if (!column)
        return false;
    for (int c = 0; c < self->columns; c++) {
        column[c] = given[c];
        if (!copy_list(self->arena, carom_model_positions(model), &column[c].q0) ||
            !copy_list(self->arena, model->dof, &column[c].v0) ||
            !copy_list(self->arena, model->parameters, &column[c].parameter) ||
            !copy_list(self->arena, self->stepper->ops->option_count, &column[c].option))
            return false;
    }
    self->column = column;
    return true;
}

static bool take_memory(carom_tangent *self)
{
    const carom_model *model = self->stepper->model;
    const size_t columns = (size_t)self->columns, contacts = (size_t)model->contacts;
    carom_arena *arena = self->arena;
    self->numbers = carom_arena_take(arena, carom_product(columns, (size_t)self->size), sizeof(double));
    self->t = carom_arena_take(arena, columns, sizeof(double));
    self->impulse =
        carom_arena_take(arena, carom_product(columns, CAROM_CONTACT_COMPONENTS * contacts), sizeof(double));
    self->reaction = carom_arena_take(arena, carom_product(columns, (size_t)model->joints), sizeof(double));
    self->q_before = carom_arena_take(arena, (size_t)carom_model_positions(model), sizeof(double));
    self->v_before = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    self->regime_before = carom_arena_take(arena, contacts, 1);
    return self->numbers && self->t && self->impulse && self->reaction && self->q_before && self->v_before &&
           self->regime_before;
}

static void begin(carom_tangent *self)
{
    const carom_model *model = self->stepper->model;
    for (int c = 0; c < self->columns; c++) {
        const carom_tangent_column *column = &self->column[c];
        self->t[c] = column->t0;
        if (column->q0)
            carom_copy(carom_model_positions(model), column->q0, carom_tangent_q(self, c));
        if (column->v0)
            carom_copy(model->dof, column->v0, carom_tangent_v(self, c));
    }
}

/* ---- life --------------------------------------------------------------------------------------------- */

carom_status carom_tangent_create(carom_stepper *stepper, int columns, const carom_tangent_column *column,
                                  carom_tangent **tangent, carom_error *error)
{
    *tangent = NULL;
    carom_status status = carom_tangent_accepts(stepper, error);
    if (status != CAROM_OK)
        return status;
    const carom_tangent_ops *ops = stepper->ops->tangent;
    carom_arena *arena = carom_arena_create();
    carom_tangent *self = arena ? carom_arena_take(arena, 1, ops->bytes) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    self->ops = ops;
    self->stepper = stepper;
    self->arena = arena;
    self->columns = columns;
    self->size = ops->size ? ops->size(stepper) : carom_model_positions(stepper->model) + stepper->dof;
    status = take_memory(self) && copy_columns(self, column) ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK) {
        begin(self);
        status = ops->setup ? ops->setup(self, error) : CAROM_OK;
    }
    if (status != CAROM_OK) {
        carom_tangent_free(self);
        return status;
    }
    stepper->tangent = self;
    *tangent = self;
    return CAROM_OK;
}

void carom_tangent_free(carom_tangent *tangent)
{
    if (!tangent)
        return;
    if (tangent->stepper->tangent == tangent)
        tangent->stepper->tangent = NULL;
    if (tangent->ops->free)
        tangent->ops->free(tangent);
    free(tangent->event_time);
    carom_arena_free(tangent->arena);
}

void carom_tangent_keep(carom_tangent *tangent, carom_snapshot *snapshot)
{
    const carom_model *model = tangent->stepper->model;
    const size_t columns = (size_t)tangent->columns, size = (size_t)tangent->size;
    const size_t contacts = CAROM_CONTACT_COMPONENTS * (size_t)model->contacts,
                 joints = (size_t)model->joints;
    carom_snapshot_same(snapshot, &tangent->columns, sizeof tangent->columns);
    carom_snapshot_same(snapshot, &tangent->size, sizeof tangent->size);
    carom_snapshot_block(snapshot, tangent->numbers, columns * size * sizeof(double));
    carom_snapshot_block(snapshot, tangent->t, columns * sizeof(double));
    carom_snapshot_block(snapshot, tangent->impulse, columns * contacts * sizeof(double));
    carom_snapshot_block(snapshot, tangent->reaction, columns * joints * sizeof(double));
    carom_snapshot_block(snapshot, &tangent->lost, sizeof tangent->lost);
    carom_snapshot_block(snapshot, &tangent->breaks, sizeof tangent->breaks);
    carom_snapshot_block(snapshot, tangent->kept, sizeof tangent->kept);
    carom_snapshot_block(snapshot, &tangent->last_t, sizeof tangent->last_t);
    carom_snapshot_block(snapshot, tangent->last_why, sizeof tangent->last_why);
    if (tangent->ops->keep)
        tangent->ops->keep(tangent, snapshot);
}

carom_status carom_tangent_step(carom_tangent *tangent, carom_error *error)
{
    carom_stepper *stepper = tangent->stepper;
    const carom_state *state = &stepper->state;
    tangent->t_before = state->t;
    carom_copy(carom_model_positions(stepper->model), state->q, tangent->q_before);
    carom_copy(stepper->dof, state->v, tangent->v_before);
    memcpy(tangent->regime_before, state->regime, (size_t)stepper->contacts);
    carom_status status = carom_stepper_step(stepper, error);
    if (status != CAROM_OK || tangent->lost)
        return status;
    status = tangent->ops->step(tangent, error);
    const size_t count = (size_t)tangent->columns * (size_t)tangent->size;
    for (size_t i = 0; status == CAROM_OK && !tangent->lost && i < count; i++)
        if (!isfinite(tangent->numbers[i])) {
            carom_tangent_tell(tangent, state->t, "a derivative is not finite from here on");
            tangent->lost = true;
        }
    return status;
}

void carom_tangent_tell(carom_tangent *tangent, double t, const char *format, ...)
{
    char why[sizeof tangent->kept[0].why];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    /* what goes on from step to step is told once */
    const bool again = tangent->breaks > 0 && strcmp(tangent->last_why, why) == 0 &&
                       t <= tangent->last_t + 1.5 * tangent->stepper->h;
    tangent->last_t = t;
    memcpy(tangent->last_why, why, sizeof why);
    if (again)
        return;
    if (tangent->breaks < CAROM_BREAKS_KEPT) {
        tangent->kept[tangent->breaks].t = t;
        memcpy(tangent->kept[tangent->breaks].why, why, sizeof why);
    }
    tangent->breaks++;
}

double *carom_tangent_add_event(carom_tangent *tangent)
{
    const size_t columns = (size_t)tangent->columns, used = (size_t)tangent->events * columns;
    if (tangent->events == tangent->event_capacity) {
        const int capacity = 2 * tangent->event_capacity + 16;
        double *grown = carom_new_array(carom_product((size_t)capacity, columns), sizeof *grown);
        if (!grown)
            return NULL;
        carom_copy((int)used, tangent->event_time, grown);
        free(tangent->event_time);
        tangent->event_time = grown;
        tangent->event_capacity = capacity;
    }
    tangent->events++;
    return tangent->event_time + used;
}
