/* The model whose periodic motions are looked for: its parameters and its initial state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/forcing.h"
#include "carom/periodic/find.h"

/* ---- setup -------------------------------------------------------------------------------------------- */

static carom_status check_model(const char *name, const carom_model *model, carom_error *error)
{
    if (model->has_bodies)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s has bodies with shapes, which the search for periodic motions does not treat: "
                          "write the model in coordinates, with contact { ... }",
                          name);
    if (model->contacts == 0 && model->conservative)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s has no contact, so that nothing strikes, and no force that drives it; add one "
                          "such as contact "
                          "{ \"wall\", gap = 1 - x, restitution = 1 }",
                          name);
    if (model->joints > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has %d joint%s, which the search for periodic motions does not treat: write the "
            "model in coordinates that need none",
            name, model->joints, model->joints == 1 ? "" : "s");
    return CAROM_OK;
}

/* The matrix that carries small changes of a motion over one period, 2n x 2n, is full by its nature, and so are the
 * modes of vibration. */
static carom_status check_size(const char *name, const carom_model *model, carom_error *error)
{
    static const double bytes_most = 536870912.0;
    const double rows = 2.0 * model->dof, bytes = rows * rows * sizeof(double);
    if (bytes <= bytes_most)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "%s has %d coordinates: the search for periodic motions needs a full matrix of %.0f x %.0f numbers, "
        "%.3g GB, and more than %.3g GB are not taken: take fewer coordinates, such as a coarser mesh, or "
        "run "
        "the model over many periods and compare them (carom run, measure { at(...) })",
        name, model->dof, rows, rows, 1e-9 * bytes, 1e-9 * bytes_most);
}

static bool take_memory(carom_periodic_model *self, const char *name, const double *parameter)
{
    const carom_model *model = self->model;
    const size_t dof = (size_t)model->dof, parameters = (size_t)model->parameters;
    self->name = carom_arena_copy_text(self->arena, name);
    self->parameter = carom_arena_take(self->arena, parameters, sizeof(double));
    self->q0 = carom_arena_take(self->arena, dof, sizeof(double));
    self->v0 = carom_arena_take(self->arena, dof, sizeof(double));
    self->work = model->ops->work_create(model);
    if (!self->name || !self->parameter || !self->q0 || !self->v0 || !self->work ||
        !carom_contact_frame_take(self->arena, model, &self->frame))
        return false;
    if (parameters > 0)
        memcpy(self->parameter, parameter, parameters * sizeof(double));
    return true;
}

/* Everything but the state. */
static carom_status begin(const char *name, const carom_model *model, const double *parameter,
                          carom_periodic_model **made, carom_error *error)
{
    *made = NULL;
    carom_status status = check_model(name, model, error);
    if (status == CAROM_OK)
        status = check_size(name, model, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    carom_periodic_model *self = arena ? carom_arena_take(arena, 1, sizeof *self) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    self->arena = arena;
    self->model = model;
    *made = self;
    if (!take_memory(self, name, parameter))
        return carom_fail_memory(error);
    model->ops->bind(self->work, self->parameter);
    return model->ops->check ? model->ops->check(self->work, error) : CAROM_OK;
}

/* Do forces or gaps at the initial position change with time? Looked at a few odd times. */
static carom_status look_at_time(carom_periodic_model *self, carom_error *error)
{
    static const double later[] = {0.137, 0.731, 2.913, 11.27};
    const carom_model *model = self->model;
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts;
    double *now = carom_new_array(2 * (n + contacts), sizeof *now), *then = now ? now + n + contacts : NULL;
    if (!now)
        return carom_fail_memory(error);
    model->ops->force(self->work, self->t0, self->q0, self->v0, now);
    model->ops->gaps(self->work, self->t0, self->q0, now + n);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        model->ops->force(self->work, self->t0 + later[i], self->q0, self->v0, then);
        model->ops->gaps(self->work, self->t0 + later[i], self->q0, then + n);
        self->timed = self->timed || memcmp(now, then, (n + contacts) * sizeof *now) != 0;
    }
    free(now);
    carom_forcing forcing;
    const carom_status status = carom_model_forcing(self->work, &forcing, error);
    if (status != CAROM_OK)
        return status;
    if (forcing.kind == CAROM_TIME_NONE || forcing.kind == CAROM_TIME_PERIODIC)
        self->timed = forcing.kind == CAROM_TIME_PERIODIC;
    return CAROM_OK;
}

static carom_status finish(carom_periodic_model **made, carom_status status, carom_error *error)
{
    carom_periodic_model *self = *made;
    if (status == CAROM_OK && (!carom_all_finite(self->model->dof, self->q0) ||
                               !carom_all_finite(self->model->dof, self->v0) || !isfinite(self->t0)))
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "%s: the initial state is not finite; check the initial values", self->name);
    if (status == CAROM_OK)
        status = look_at_time(self, error);
    if (status != CAROM_OK) {
        carom_periodic_model_free(self);
        *made = NULL;
    }
    return status;
}

carom_status carom_periodic_model_create(const char *name, const carom_model *model, const double *parameter,
                                         double t0, const double *q0, const double *v0,
                                         carom_periodic_model **made, carom_error *error)
{
    *made = NULL;
    if (!model)
        return carom_fail(error, CAROM_BAD_INPUT, "no model is given");
    carom_status status = begin(name ? name : "the model", model, parameter, made, error);
    if (status == CAROM_OK && (!q0 || !v0) && !model->ops->initial)
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "%s has no initial state of its own: give q0 and v0, %d numbers each", name,
                            model->dof);
    if (status == CAROM_OK) {
        const size_t bytes = (size_t)model->dof * sizeof(double);
        (*made)->t0 = t0;
        if (model->ops->initial)
            model->ops->initial((*made)->work, (*made)->q0, (*made)->v0);
        if (q0 && v0) {
            memcpy((*made)->q0, q0, bytes);
            memcpy((*made)->v0, v0, bytes);
        }
    }
    return finish(made, status, error);
}

/* ---- from an experiment ------------------------------------------------------------------------------- */

static double value_or_zero(const double *values, carom_value value)
{
    return value == CAROM_NO_VALUE || !values ? 0.0 : values[value];
}

static carom_status resolve_values(const carom_experiment *experiment, const carom_periodic_model *self,
                                   double **values, carom_error *error)
{
    const carom_tape *tape = experiment->values;
    *values = NULL;
    if (!tape)
        return CAROM_OK;
    *values = carom_arena_take(self->arena, (size_t)carom_tape_outputs(tape), sizeof(double));
    double *work = carom_new_array(carom_tape_work_size(tape), sizeof *work);
    const bool done = *values && work;
    if (done) {
        carom_tape_bind(tape, self->parameter, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){.t = 0.0}, *values);
    }
    free(work);
    return done ? CAROM_OK : carom_fail_memory(error);
}

static carom_status take_state(const carom_experiment *experiment, carom_periodic_model *self,
                               carom_error *error)
{
    const carom_model *model = self->model;
    double *values = NULL;
    const carom_status status = resolve_values(experiment, self, &values, error);
    if (status != CAROM_OK)
        return status;
    if (model->ops->initial)
        model->ops->initial(self->work, self->q0, self->v0);
    for (int i = 0; !model->ops->initial && i < model->dof; i++) {
        self->q0[i] = value_or_zero(values, experiment->q0[i]);
        self->v0[i] = value_or_zero(values, experiment->v0[i]);
    }
    self->t0 = value_or_zero(values, experiment->t0);
    return CAROM_OK;
}

carom_status carom_periodic_model_of(const carom_experiment *experiment, carom_periodic_model **made,
                                     carom_error *error)
{
    carom_status status = begin(experiment->name, experiment->model, experiment->parameter, made, error);
    if (status == CAROM_OK)
        status = take_state(experiment, *made, error);
    return finish(made, status, error);
}

void carom_periodic_model_free(carom_periodic_model *model)
{
    if (!model)
        return;
    if (model->work)
        model->model->ops->work_free(model->work);
    carom_arena_free(model->arena);
}
