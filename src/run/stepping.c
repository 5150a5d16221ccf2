/* A motion step by step. Where the state is set or restored, a stepper is made anew: a scheme remembers forces, vertices,
 * factors and impulses of the states before, and all of that must belong to the state. Positions, velocities and inputs stay
 * where they are, for who looks at them. */
#include "carom/run/stepping.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/bodies.h"
#include "plan.h"
#include "start.h"

/* Seconds between two questions whether to go on, at most twice as many. */
static const double ask_every = 5e-3;

/* Where the stepper began. */
typedef struct origin {
    double t, *q, *v;
    double *input; /* as the model had them; NULL: no inputs */
} origin;

typedef struct stepping {
    carom_stepping base;
    run_plan plan;
    carom_model_work *work;
    carom_arena *arena;
    origin origin, other; /* the other one: room for the next */
} stepping;

static const carom_model *model_of(const stepping *self)
{
    return self->plan.experiment->model;
}

static size_t position_bytes(const stepping *self)
{
    return (size_t)carom_model_positions(model_of(self)) * sizeof(double);
}

static size_t velocity_bytes(const stepping *self)
{
    return (size_t)model_of(self)->dof * sizeof(double);
}

static size_t input_bytes(const stepping *self)
{
    return self->work->input ? (size_t)model_of(self)->parameters * sizeof(double) : 0;
}

static bool take_origin(stepping *self, origin *at)
{
    at->q = carom_arena_take(self->arena, position_bytes(self), 1);
    at->v = carom_arena_take(self->arena, velocity_bytes(self), 1);
    at->input = carom_arena_take(self->arena, input_bytes(self), 1);
    return at->q && at->v && at->input;
}

/* A stepper that begins at self->other takes the place of the one under way. On failure nothing has changed. */
static carom_status begin_at_other(stepping *self, carom_error *error)
{
    carom_stepping *base = &self->base;
    const size_t inputs = input_bytes(self);
    const carom_step_settings settings = {.t0 = self->other.t,
                                          .h = self->plan.h,
                                          .values = self->plan.option,
                                          .value_count = self->plan.scheme->option_count,
                                          .solver_option = self->plan.solver_option,
                                          .no_works = true,
                                          .q = base->q,
                                          .v = base->v,
                                          .input = base->input};
    double *kept = carom_new_array(1, position_bytes(self) + velocity_bytes(self) + inputs + 1);
    if (!kept)
        return carom_fail_memory(error);
    double *kept_v = kept + position_bytes(self) / sizeof *kept,
           *kept_input = kept_v + velocity_bytes(self) / sizeof *kept;
    memcpy(kept, base->q, position_bytes(self));
    memcpy(kept_v, base->v, velocity_bytes(self));
    if (inputs > 0) {
        memcpy(kept_input, self->work->input, inputs);
        memcpy(self->work->input, self->other.input, inputs);
    }
    carom_stepper *stepper = NULL;
    const carom_status status = carom_stepper_create(self->plan.scheme, self->work, &settings, self->other.q,
                                                     self->other.v, &stepper, error);
    if (status == CAROM_OK) {
        const origin spare = self->origin;
        carom_stepper_free(base->stepper);
        base->stepper = stepper;
        self->origin = self->other;
        self->other = spare;
    } else {
        memcpy(base->q, kept, position_bytes(self));
        memcpy(base->v, kept_v, velocity_bytes(self));
        if (inputs > 0)
            memcpy(self->work->input, kept_input, inputs);
    }
    free(kept);
    return status;
}

static carom_status take_memory(stepping *self, carom_error *error)
{
    carom_stepping *base = &self->base;
    base->q = carom_arena_take(self->arena, position_bytes(self), 1);
    base->v = carom_arena_take(self->arena, velocity_bytes(self), 1);
    if (input_bytes(self) > 0) {
        base->input = carom_arena_take(self->arena, input_bytes(self), 1);
        if (base->input)
            memcpy(base->input, self->work->input, input_bytes(self));
    }
    return base->q && base->v && (base->input || input_bytes(self) == 0) &&
                   take_origin(self, &self->origin) && take_origin(self, &self->other)
               ? CAROM_OK
               : carom_fail_memory(error);
}

static carom_status set_up(stepping *self, const carom_run_request *request, carom_error *error)
{
    carom_status status = run_plan_create(request, &self->plan, error);
    if (status != CAROM_OK)
        return status;
    if (self->plan.experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is a study: nothing moves, there is nothing to step",
                          self->plan.experiment->name);
    self->arena = carom_arena_create();
    if (!self->arena)
        return carom_fail_memory(error);
    carom_state start = {0};
    status = carom_model_work_create(model_of(self), self->plan.parameter, &self->work, error);
    if (status == CAROM_OK)
        status = run_start(&self->plan, self->work, self->arena, &start, error);
    if (status == CAROM_OK)
        status = take_memory(self, error);
    if (status != CAROM_OK)
        return status;
    self->plan.q0 = self->plan.v0 = NULL; /* the request's */
    self->other.t = start.t;
    memcpy(self->other.q, start.q, position_bytes(self));
    memcpy(self->other.v, start.v, velocity_bytes(self));
    if (self->work->input)
        memcpy(self->other.input, self->work->input, input_bytes(self));
    return begin_at_other(self, error);
}

carom_status carom_stepping_create(const carom_run_request *request, carom_stepping **out, carom_error *error)
{
    *out = NULL;
    stepping *self = calloc(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    carom_run_request endless = *request;
    endless.endless = true;
    const carom_status status = set_up(self, &endless, error);
    if (status == CAROM_OK)
        *out = &self->base;
    else
        carom_stepping_free(&self->base);
    return status;
}

void carom_stepping_free(carom_stepping *base)
{
    stepping *self = (stepping *)base;
    if (!self)
        return;
    carom_stepper_free(base->stepper);
    carom_model_work_free(self->work);
    run_plan_free(&self->plan);
    carom_arena_free(self->arena);
    free(self);
}

carom_status carom_stepping_run(carom_stepping *base, long count, carom_progress progress, long *done,
                                carom_error *error)
{
    carom_stepper *stepper = base->stepper;
    double asked = carom_seconds();
    long made = 0, next = 1, stride = 1;
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && made < count) {
        status = carom_stepper_step(stepper, error);
        if (status != CAROM_OK)
            break;
        if (++made < next || !progress.report)
            continue;
        if (!progress.report(progress.context, (double)made, (double)count))
            status = carom_fail(error, CAROM_INTERRUPTED, "interrupted after %ld of %ld steps, at t = %.10g",
                                made, count, stepper->state.t);
        const double now = carom_seconds();
        stride = now - asked < ask_every && stride < LONG_MAX / 4 ? 2 * stride : stride / 2 + 1;
        asked = now;
        next = made > LONG_MAX - stride ? LONG_MAX : made + stride;
    }
    *done = made;
    return status;
}

/* Quaternions get the length 1; those that have it up to rounding keep their bits. */
static carom_status straighten(const stepping *self, double *q, carom_error *error)
{
    const carom_bodies *bodies = model_of(self)->rotations > 0 ? carom_model_bodies(self->work) : NULL;
    for (int i = 0; bodies && i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        if (body->q < 0)
            continue;
        double *turn = q + body->q + 3;
        const double length = sqrt(carom_dot(4, turn, turn));
        if (!(length > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the quaternion of body '%s' is zero; the body as it is made has 1, 0, 0, 0",
                              body->name);
        for (int k = 0; fabs(length - 1.0) > 1e-12 && k < 4; k++)
            turn[k] /= length;
    }
    return CAROM_OK;
}

carom_status carom_stepping_set(carom_stepping *base, double t, const double *q, const double *v,
                                carom_error *error)
{
    stepping *self = (stepping *)base;
    self->other.t = isnan(t) ? base->stepper->state.t : t;
    memcpy(self->other.q, q ? q : base->q, position_bytes(self));
    memcpy(self->other.v, v ? v : base->v, velocity_bytes(self));
    if (self->work->input)
        memcpy(self->other.input, self->work->input, input_bytes(self));
    const carom_status status = straighten(self, self->other.q, error);
    return status == CAROM_OK ? begin_at_other(self, error) : status;
}

/* ---- snapshots ---------------------------------------------------------------------------------------- */

/* What must be the same where it is restored. */
static void visit_identity(const stepping *self, carom_snapshot *snapshot)
{
    const carom_model *model = model_of(self);
    const int size[] = {model->dof, model->rotations, model->contacts, model->joints, model->parameters};
    carom_snapshot_same(snapshot, self->plan.scheme->name, strlen(self->plan.scheme->name));
    carom_snapshot_same(snapshot, size, sizeof size);
    carom_snapshot_same(snapshot, &self->plan.h, sizeof self->plan.h);
    carom_snapshot_same(snapshot, self->plan.option,
                        (size_t)self->plan.scheme->option_count * sizeof(double));
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].input)
            carom_snapshot_same(snapshot, &self->plan.parameter[i], sizeof *self->plan.parameter);
    for (int i = 0; i < carom_model_positions(model); i++)
        carom_snapshot_same(snapshot, model->coordinate[i], strlen(model->coordinate[i]));
}

static void visit_origin(const stepping *self, origin *at, carom_snapshot *snapshot)
{
    carom_snapshot_block(snapshot, &at->t, sizeof at->t);
    carom_snapshot_block(snapshot, at->q, position_bytes(self));
    carom_snapshot_block(snapshot, at->v, velocity_bytes(self));
    carom_snapshot_block(snapshot, at->input, input_bytes(self));
}

carom_status carom_stepping_save(carom_stepping *base, carom_snapshot *snapshot, carom_error *error)
{
    stepping *self = (stepping *)base;
    *snapshot = (carom_snapshot){0};
    visit_identity(self, snapshot);
    visit_origin(self, &self->origin, snapshot);
    carom_stepper_keep(base->stepper, snapshot);
    if (!snapshot->failed)
        return CAROM_OK;
    carom_snapshot_free(snapshot);
    return carom_fail_memory(error);
}

carom_status carom_stepping_restore(carom_stepping *base, const void *bytes, size_t count, carom_error *error)
{
    stepping *self = (stepping *)base;
    carom_snapshot snapshot = carom_snapshot_of(bytes, count);
    visit_identity(self, &snapshot);
    visit_origin(self, &self->other, &snapshot);
    if (snapshot.failed)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the state is of another model, scheme, step or other parameters; it belongs to a "
                          "stepper with the same ones");
    const carom_status status = begin_at_other(self, error);
    if (status != CAROM_OK)
        return status;
    carom_stepper_keep(base->stepper, &snapshot);
    return snapshot.failed || snapshot.place != snapshot.length
               ? carom_fail(error, CAROM_FAILED, "the state could not be restored; set another one")
               : CAROM_OK;
}
