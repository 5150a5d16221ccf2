/* What a motion of a fit starts from: parameters, initial positions and velocities, and how they change with the unknowns.
 *
 * An initial value comes from initial { } of the model, which may be an expression of parameters; what the data of this motion
 * set, and what is sought, is stronger. */
#include <math.h>
#include <stdlib.h>

#include "carom/linalg.h"
#include "carom/run/curves.h"
#include "fit.h"

typedef struct beginning {
    fit_motion *motion;
    const carom_experiment *experiment;
    const carom_model *model;
    const double *x;
    double *work, *tangent, *along; /* of the experiment's values */
} beginning;

/* A value by what it is. */
static double *place_of(fit_motion *motion, fit_place place, int index)
{
    return (place == FIT_PARAMETER  ? motion->parameter
            : place == FIT_POSITION ? motion->q0
                                    : motion->v0) +
           index;
}

static bool is_mine(const fit_motion *motion, const fit_unknown *unknown)
{
    return unknown->data < 0 || unknown->data == motion->prediction->run;
}

/* Values of parameters first (initial ones may depend on them), then initial ones. */
static void put_values(const beginning *self, bool initial)
{
    fit_motion *motion = self->motion;
    const fit_problem *problem = motion->problem;
    for (int i = 0; i < motion->run->setting_count; i++) {
        const fit_setting *setting = &motion->run->setting[i];
        if ((setting->place != FIT_PARAMETER) == initial)
            *place_of(motion, setting->place, setting->index) = setting->value;
    }
    for (int k = 0; k < problem->unknown_count; k++) {
        const fit_unknown *unknown = &problem->unknown[k];
        if ((unknown->place != FIT_PARAMETER) == initial && is_mine(motion, unknown))
            *place_of(motion, unknown->place, unknown->index) = self->x[k];
    }
}

static carom_status take_initial(const beginning *self, carom_error *error)
{
    fit_motion *motion = self->motion;
    const carom_model *model = self->model;
    motion->q0 = carom_arena_take(motion->arena, (size_t)carom_model_positions(model), sizeof *motion->q0);
    motion->v0 = carom_arena_take(motion->arena, (size_t)model->dof, sizeof *motion->v0);
    if (!motion->q0 || !motion->v0)
        return carom_fail_memory(error);
    if (model->ops->initial) {
        carom_model_work *work = NULL;
        const carom_status status = carom_model_work_create(model, motion->parameter, &work, error);
        if (status == CAROM_OK)
            model->ops->initial(work, motion->q0, motion->v0);
        carom_model_work_free(work);
        return status;
    }
    double *values = carom_experiment_values(self->experiment, motion->parameter);
    if (!values)
        return carom_fail_memory(error);
    for (int i = 0; self->experiment->q0 && i < model->dof; i++) {
        const carom_value q = self->experiment->q0[i], v = self->experiment->v0[i];
        motion->q0[i] = q == CAROM_NO_VALUE ? 0.0 : values[q];
        motion->v0[i] = v == CAROM_NO_VALUE ? 0.0 : values[v];
    }
    free(values);
    return CAROM_OK;
}

static bool sets_initial(const fit_motion *motion)
{
    const fit_problem *problem = motion->problem;
    for (int i = 0; i < motion->run->setting_count; i++)
        if (motion->run->setting[i].place != FIT_PARAMETER)
            return true;
    for (int k = 0; k < problem->unknown_count; k++)
        if (problem->unknown[k].place != FIT_PARAMETER && is_mine(motion, &problem->unknown[k]))
            return true;
    return false;
}

/* ---- directions ------------------------------------------------------------------------------------------- */

static double along_value(const beginning *self, carom_value value)
{
    return value == CAROM_NO_VALUE ? 0.0 : self->along[value];
}

/* Does the parameter of this column move the times or the options of the run? */
static bool moves_run(const beginning *self)
{
    const carom_experiment *experiment = self->experiment;
    const fit_problem *problem = self->motion->problem;
    if (along_value(self, experiment->t0) != 0.0)
        return true;
    if (isnan(carom_given_time(problem->h)) && !problem->own_steps && along_value(self, experiment->h) != 0.0)
        return true;
    for (int i = 0; i < experiment->choice_count; i++)
        if (!experiment->choice[i].word && along_value(self, experiment->choice[i].value) != 0.0)
            return true;
    return false;
}

static bool take_value_tangents(beginning *self)
{
    const carom_tape *values = self->experiment->values;
    carom_arena *arena = self->motion->arena;
    if (!values)
        return true;
    self->work = carom_arena_take(arena, carom_tape_work_size(values), sizeof(double));
    self->tangent = carom_arena_take(arena, carom_tape_work_size(values), sizeof(double));
    self->along = carom_arena_take(arena, (size_t)carom_tape_outputs(values) + 1, sizeof(double));
    if (!self->work || !self->tangent || !self->along)
        return false;
    carom_tape_bind(values, self->motion->parameter, self->work);
    carom_tape_evaluate(values, self->work, &(carom_inputs){0}, self->along);
    return true;
}

/* Of a model with an initial state of its own. */
static carom_status put_own_directions(const beginning *self, const double *dp, double *dq, double *dv,
                                       bool *exact, carom_error *error)
{
    const carom_model *model = self->model;
    carom_model_work *work = NULL;
    if (!model->ops->tangent || !model->ops->tangent->initial) {
        *exact = false;
        return CAROM_OK;
    }
    const carom_status status = carom_model_work_create(model, self->motion->parameter, &work, error);
    if (status == CAROM_OK)
        model->ops->tangent->initial(work, dp, dq, dv);
    carom_model_work_free(work);
    return status;
}

/* Not where the initial value is given otherwise. */
static void put_initial_directions(const beginning *self, double *dq, double *dv)
{
    const fit_motion *motion = self->motion;
    const fit_problem *problem = motion->problem;
    for (int i = 0; !self->model->ops->initial && self->along && self->experiment->q0 && i < self->model->dof;
         i++) {
        dq[i] = along_value(self, self->experiment->q0[i]);
        dv[i] = along_value(self, self->experiment->v0[i]);
    }
    for (int i = 0; i < motion->run->setting_count; i++) {
        const fit_setting *setting = &motion->run->setting[i];
        if (setting->place != FIT_PARAMETER)
            (setting->place == FIT_POSITION ? dq : dv)[setting->index] = 0.0;
    }
    for (int k = 0; k < problem->unknown_count; k++) {
        const fit_unknown *unknown = &problem->unknown[k];
        if (unknown->place != FIT_PARAMETER && is_mine(motion, unknown))
            (unknown->place == FIT_POSITION ? dq : dv)[unknown->index] = 0.0;
    }
}

static carom_status take_column(beginning *self, int c, carom_tangent_column *column, bool *exact,
                                carom_error *error)
{
    fit_motion *motion = self->motion;
    const fit_unknown *unknown = &motion->problem->unknown[motion->run->column[c]];
    const carom_model *model = self->model;
    double *dq = carom_arena_take(motion->arena, (size_t)carom_model_positions(model), sizeof *dq);
    double *dv = carom_arena_take(motion->arena, (size_t)model->dof, sizeof *dv);
    double *dp = carom_arena_take(motion->arena, (size_t)model->parameters + 1, sizeof *dp);
    if (!dq || !dv || !dp)
        return carom_fail_memory(error);
    motion->direction[c] = dp;
    *column = (carom_tangent_column){.q0 = dq, .v0 = dv, .parameter = dp};
    if (unknown->place != FIT_PARAMETER) {
        (unknown->place == FIT_POSITION ? dq : dv)[unknown->index] = 1.0;
        return CAROM_OK;
    }
    dp[unknown->index] = 1.0;
    if (self->along) {
        carom_tape_along_bind(self->experiment->values, self->work, dp, self->tangent);
        carom_tape_along(self->experiment->values, self->work, self->tangent, &(carom_inputs){0},
                         self->along);
        *exact = *exact && !moves_run(self);
    }
    const carom_status status =
        model->ops->initial ? put_own_directions(self, dp, dq, dv, exact, error) : CAROM_OK;
    put_initial_directions(self, dq, dv);
    return status;
}

carom_status fit_motion_begin(fit_motion *motion, const double *x, carom_tangent_column *column, bool *exact,
                              carom_error *error)
{
    const carom_experiment *experiment = motion->problem->experiment;
    const size_t parameters = (size_t)experiment->model->parameters;
    beginning self = {.motion = motion, .experiment = experiment, .model = experiment->model, .x = x};
    motion->parameter = carom_arena_take(motion->arena, parameters + 1, sizeof *motion->parameter);
    motion->direction =
        carom_arena_take(motion->arena, (size_t)motion->columns + 1, sizeof *motion->direction);
    if (!motion->parameter || !motion->direction)
        return carom_fail_memory(error);
    carom_copy((int)parameters, experiment->parameter, motion->parameter);
    put_values(&self, false);
    carom_status status = CAROM_OK;
    if (sets_initial(motion)) {
        status = take_initial(&self, error);
        if (status == CAROM_OK)
            put_values(&self, true);
    }
    if (status == CAROM_OK && motion->columns > 0 && !take_value_tangents(&self))
        status = carom_fail_memory(error);
    for (int c = 0; status == CAROM_OK && c < motion->columns; c++)
        status = take_column(&self, c, &column[c], exact, error);
    return status;
}
