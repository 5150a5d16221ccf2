/* One motion of a fit: from values of the unknowns to what would have been measured, with derivatives. */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "fit.h"

/* ---- memory ----------------------------------------------------------------------------------------------- */

static bool take_copy(const fit_motion *motion, fit_state *state)
{
    const carom_model *model = motion->problem->experiment->model;
    state->q = carom_arena_take(motion->arena, (size_t)carom_model_positions(model), sizeof(double));
    state->v = carom_arena_take(motion->arena, (size_t)model->dof, sizeof(double));
    state->along = NULL;
    if (motion->tangent)
        state->along =
            carom_arena_take(motion->arena, (size_t)motion->columns, motion->now.size * sizeof(double));
    return state->q && state->v && (!motion->tangent || state->along);
}

static carom_status take_memory(fit_motion *motion, carom_error *error)
{
    const fit_problem *problem = motion->problem;
    const carom_model *model = problem->experiment->model;
    const carom_state *state = &motion->stepper->state;
    const carom_tangent *tangent = motion->tangent;
    const size_t outputs = (size_t)problem->outputs.count, columns = (size_t)motion->columns;
    motion->now = (fit_state){.t = state->t, .q = state->q, .v = state->v, .impulse = state->impulse};
    if (tangent) {
        motion->now.along = tangent->numbers;
        motion->now.size = (size_t)tangent->size;
        motion->now.impulse_along = tangent->impulse;
    }
    motion->before = motion->between = motion->now;
    motion->seen = carom_arena_take(motion->arena, outputs, sizeof(double));
    motion->seen_derivative = carom_arena_take(motion->arena, columns * outputs + 1, sizeof(double));
    motion->regime_before = carom_arena_take(motion->arena, (size_t)model->contacts, 1);
    const bool taken = motion->seen && motion->seen_derivative && motion->regime_before &&
                       take_copy(motion, &motion->before) && take_copy(motion, &motion->between);
    if (taken && problem->outputs.tape)
        motion->eye = fit_eye_create(&problem->outputs, motion->arena, motion->parameter, motion->columns,
                                     (const double *const *)motion->direction);
    return taken && (motion->eye || !problem->outputs.tape) ? CAROM_OK : carom_fail_memory(error);
}

/* ---- steps ------------------------------------------------------------------------------------------------ */

static void remember(fit_motion *motion)
{
    const carom_model *model = motion->problem->experiment->model;
    const fit_state *now = &motion->now;
    fit_state *before = &motion->before;
    before->t = now->t;
    carom_copy(carom_model_positions(model), now->q, before->q);
    carom_copy(model->dof, now->v, before->v);
    if (before->along)
        memcpy(before->along, now->along, (size_t)motion->columns * now->size * sizeof *now->along);
}

/* A motion may be long: now and then the progress is asked on the way. */
static bool asks_to_stop(void *context)
{
    enum {
        OFTEN = 500
    };
    fit_motion *motion = context;
    motion->asked = (motion->asked + 1) % OFTEN;
    if (motion->asked == 0)
        fit_ask(motion->problem);
    return fit_is_stopped(motion->problem);
}

bool fit_motion_goes_on(fit_motion *motion, carom_status *status, carom_error *error)
{
    const bool more =
        motion->problem->contact >= 0 ? fit_events_go_on(motion, status, error) : fit_times_go_on(motion);
    if (!more)
        return false;
    if (asks_to_stop(motion)) {
        *status = carom_fail(error, CAROM_INTERRUPTED, "interrupted");
        return false;
    }
    memcpy(motion->regime_before, motion->stepper->state.regime, (size_t)motion->stepper->contacts);
    if (!motion->problem->own_steps)
        remember(motion);
    return true;
}

carom_status fit_motion_after_step(fit_motion *motion, carom_status status, carom_error *error)
{
    motion->now.t = motion->stepper->state.t;
    if (status != CAROM_OK)
        return status;
    if (!motion->problem->locates && !motion->prediction->impacts)
        motion->prediction->impacts = fit_motion_struck(motion, -1);
    return motion->problem->contact >= 0 ? fit_events_take(motion, error) : CAROM_OK;
}

bool fit_motion_struck(const fit_motion *motion, int contact)
{
    const unsigned char *regime = motion->stepper->state.regime;
    for (int i = 0; i < motion->stepper->contacts; i++)
        if ((contact < 0 || contact == i) && motion->regime_before[i] == CAROM_CONTACT_OPEN &&
            regime[i] != CAROM_CONTACT_OPEN)
            return true;
    return false;
}

void fit_motion_put(fit_motion *motion, int place, double value, const double *derivative, size_t stride)
{
    fit_prediction *prediction = motion->prediction;
    const size_t at = (size_t)place, residuals = (size_t)motion->run->residuals;
    prediction->value[at] = value;
    for (size_t c = 0; prediction->derivative && c < (size_t)motion->columns; c++)
        prediction->derivative[c * residuals + at] = derivative ? derivative[c * stride] : 0.0;
}

void fit_motion_keep(fit_motion *motion, int row, const fit_state *state)
{
    const size_t outputs = (size_t)motion->problem->outputs.count;
    double *derivative = motion->tangent ? motion->seen_derivative : NULL;
    fit_eye_look(motion->eye, motion->stepper->work, state, motion->seen, derivative);
    for (size_t k = 0; k < outputs; k++) {
        const int place = motion->run->place[(size_t)row * outputs + k];
        if (place >= 0)
            fit_motion_put(motion, place, motion->seen[k], derivative ? derivative + k : NULL, outputs);
    }
}

/* ---- the motion ------------------------------------------------------------------------------------------- */

/* Exact derivatives where there are some; without them the motion goes on, and says so. */
static carom_status begin_tangent(fit_motion *motion, bool exact, const carom_tangent_column *column,
                                  carom_error *error)
{
    fit_prediction *prediction = motion->prediction;
    if (!prediction->derivative)
        return CAROM_OK;
    const fit_problem *problem = motion->problem;
    carom_status status;
    if (!exact)
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "a parameter is also the begin, the step or an option of the scheme");
    else if (problem->contact >= 0 && !problem->locates)
        status = carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' knows impacts up to a step only",
                            problem->scheme->name);
    else if (problem->outputs.tape && !problem->outputs.exact)
        status = carom_fail(error, CAROM_BAD_INPUT, "what is measured has no exact derivatives");
    else
        status = carom_tangent_create(motion->stepper, motion->columns, column, &motion->tangent, error);
    if (status != CAROM_BAD_INPUT)
        return status;
    prediction->inexact = true;
    prediction->why = *error;
    return CAROM_OK;
}

/* Everything before the first step. */
static carom_status begin(fit_motion *motion, const double *x, carom_error *error)
{
    fit_problem *problem = motion->problem;
    bool exact = true;
    carom_tangent_column *column =
        carom_arena_take(motion->arena, (size_t)motion->columns + 1, sizeof *column);
    if (!column)
        return carom_fail_memory(error);
    carom_status status = fit_motion_begin(motion, x, column, &exact, error);
    const carom_run_request request = {.experiment = problem->experiment,
                                       .parameter = motion->parameter,
                                       .q0 = motion->q0,
                                       .v0 = motion->v0,
                                       .scheme_ops = problem->scheme,
                                       .h = problem->h,
                                       .option = problem->option};
    if (status == CAROM_OK)
        status = carom_stepping_create(&request, &motion->stepping, error);
    if (status != CAROM_OK)
        return status;
    motion->stepper = motion->stepping->stepper;
    motion->stepper->stop = (carom_stop){.context = motion, .asked = asks_to_stop};
    status = begin_tangent(motion, exact, column, error);
    if (status == CAROM_OK)
        status = take_memory(motion, error);
    return status == CAROM_OK && problem->contact >= 0 ? fit_events_begin(motion, error) : status;
}

static void note_tangent(fit_motion *motion)
{
    fit_prediction *prediction = motion->prediction;
    if (!motion->tangent)
        return;
    prediction->lost = prediction->lost || motion->tangent->lost;
    prediction->breaks = motion->tangent->breaks;
    if (prediction->breaks > 0)
        prediction->first_break = motion->tangent->kept[0];
}

/* Values that are no numbers are no motion to compare with. */
static carom_status check_values(const fit_motion *motion, carom_error *error)
{
    const fit_prediction *prediction = motion->prediction;
    const int outputs = motion->problem->outputs.count;
    for (int row = 0; row < prediction->rows; row++)
        for (int k = 0; k < outputs; k++) {
            const int place = motion->run->place[row * outputs + k];
            if (place >= 0 && !isfinite(prediction->value[place]))
                return carom_fail(error, CAROM_FAILED, "what is measured is %g in row %d",
                                  prediction->value[place], row + 1);
        }
    return CAROM_OK;
}

carom_status fit_motion_open(fit_motion *motion, fit_problem *problem, const double *x,
                             fit_prediction *prediction, carom_error *error)
{
    const fit_run *run = &problem->run[prediction->run];
    *motion = (fit_motion){.problem = problem, .run = run, .prediction = prediction};
    motion->columns = prediction->derivative ? run->column_count : 0;
    prediction->impacts = prediction->lost = prediction->inexact = false;
    prediction->breaks = 0;
    motion->arena = carom_arena_create();
    return motion->arena ? begin(motion, x, error) : carom_fail_memory(error);
}

carom_status fit_motion_close(fit_motion *motion, carom_status status, carom_error *error)
{
    if (status == CAROM_OK)
        status = check_values(motion, error);
    note_tangent(motion);
    fit_events_end(motion);
    carom_tangent_free(motion->tangent);
    carom_stepping_free(motion->stepping);
    carom_arena_free(motion->arena);
    return status;
}

carom_status fit_motion_move(fit_motion *motion, carom_error *error)
{
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && fit_motion_goes_on(motion, &status, error)) {
        status = motion->tangent ? carom_tangent_step(motion->tangent, error)
                                 : carom_stepper_step(motion->stepper, error);
        status = fit_motion_after_step(motion, status, error);
    }
    return status;
}

carom_status fit_predict(fit_problem *problem, const double *x, fit_prediction *prediction,
                         carom_error *error)
{
    fit_motion motion;
    carom_status status = fit_motion_open(&motion, problem, x, prediction, error);
    if (status == CAROM_OK)
        status = fit_motion_move(&motion, error);
    return fit_motion_close(&motion, status, error);
}
