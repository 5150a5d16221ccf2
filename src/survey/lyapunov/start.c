/* How a motion whose exponents are sought begins: scheme, options, step, start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/forcing.h"
#include "lyapunov.h"

enum {
    OUTPUTS = 20000,
    TRANSIENT_PERIODS = 100,
    TIME_PERIODS = 500,
    RUN_PERIODS = 50, /* of the experiment's run, where nothing drives the model */
    DECAYS = 10,      /* of the transient; five times as many of the time */
    DECAY_PERIODS = 100,
    SCATTERED = 1000 /* starts that are tried */
};

static carom_status check(const carom_lyapunov_request *request, carom_error *error)
{
    const carom_model *model = request->experiment->model;
    if (!(request->time >= 0.0) || !isfinite(request->time))
        return carom_fail(error, CAROM_BAD_INPUT, "the time must be above 0 and finite; it is %g",
                          request->time);
    if (!(request->transient >= 0.0) || !isfinite(request->transient))
        return carom_fail(error, CAROM_BAD_INPUT, "the transient must be 0 or more and finite; it is %g",
                          request->transient);
    if (!(request->scatter >= 0.0) || !isfinite(request->scatter))
        return carom_fail(error, CAROM_BAD_INPUT, "starts are scattered by 0 or more, and finite; it is %g",
                          request->scatter);
    if (model->dof == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing moves: the model has no coordinates");
    if (request->exponents < 0 || request->exponents > 2 * model->dof)
        return carom_fail(error, CAROM_BAD_INPUT, "%d exponents: the model has %d, two per coordinate",
                          request->exponents, 2 * model->dof);
    return CAROM_OK;
}

/* ---- times -------------------------------------------------------------------------------------------------------------- */

/* Time in which damping makes deviations smaller by a factor e, in the mean over all directions: -2n / trace of M^-1 df/du at the
 * start. 0: there is no damping. */
static carom_status find_decay(const carom_lyapunov_request *request, double *decay, carom_error *error)
{
    const carom_model *model = request->experiment->model;
    const int n = model->dof;
    const size_t size = (size_t)n;
    carom_stepping *stepping = NULL;
    *decay = 0.0;
    if (model->has_bodies || !model->ops->mass || !model->ops->force_jacobian)
        return CAROM_OK;
    double *matrix = carom_new_array(carom_product(2 * size + 1, size), sizeof *matrix);
    int *pivot = carom_new_array(size, sizeof *pivot);
    carom_status status = matrix && pivot ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_stepping_create(&(carom_run_request){.experiment = request->experiment,
                                                            .parameter = request->parameter,
                                                            .h = request->h},
                                       &stepping, error);
    if (status == CAROM_OK) {
        const carom_stepper *stepper = stepping->stepper;
        const double trace =
            lyapunov_divergence(stepper, matrix, matrix + size * size, matrix + 2 * size * size, pivot);
        *decay = trace < 0.0 ? -2.0 * n / trace : 0.0;
    }
    carom_stepping_free(stepping);
    free(matrix);
    free(pivot);
    return status;
}

/* Period of what drives the model; of the fastest sine where there is no common one. */
static carom_status find_period(const carom_lyapunov_request *request, double *period, carom_error *error)
{
    const carom_experiment *experiment = request->experiment;
    const double *parameter = request->parameter ? request->parameter : experiment->parameter;
    carom_model_work *work = NULL;
    carom_forcing forcing = {0};
    carom_status status = carom_model_work_create(experiment->model, parameter, &work, error);
    if (status == CAROM_OK)
        status = carom_model_forcing(work, &forcing, error);
    carom_model_work_free(work);
    if (status != CAROM_OK)
        return status;
    *period = forcing.period > 0.0 ? forcing.period : 0.0;
    if (!(*period > 0.0) && forcing.fastest > 0.0 && isfinite(forcing.fastest))
        *period = 2.0 * CAROM_PI / forcing.fastest;
    if (*period > 0.0)
        return CAROM_OK;
    double t0, until;
    const carom_run_request run = {.experiment = experiment, .parameter = request->parameter};
    status = carom_run_times(&run, &t0, &until, error);
    *period = status == CAROM_OK ? (until - t0) / RUN_PERIODS : 0.0;
    return status;
}

carom_status carom_lyapunov_times(const carom_lyapunov_request *request, double *transient, double *time,
                                  double *unit, carom_error *error)
{
    double period = 0.0, decay = 0.0;
    carom_status status = check(request, error);
    if (status == CAROM_OK)
        status = find_period(request, &period, error);
    if (status == CAROM_OK && !(request->time > 0.0))
        status = find_decay(request, &decay, error);
    if (status != CAROM_OK)
        return status;
    const double settles = DECAYS * fmin(decay, DECAY_PERIODS * period);
    *unit = period / (2.0 * CAROM_PI);
    *transient = request->time > 0.0 || request->transient > 0.0 ? request->transient
                                                                 : fmax(TRANSIENT_PERIODS * period, settles);
    *time = request->time > 0.0 ? request->time : fmax(TIME_PERIODS * period, 5.0 * settles);
    return CAROM_OK;
}

/* ---- the start ---------------------------------------------------------------------------------------------------------- */

static bool is_outside(carom_stepper *stepper, double *gap, const double *q)
{
    const carom_model *model = stepper->model;
    if (!model->ops->gaps || model->contacts == 0)
        return true;
    model->ops->gaps(stepper->work, stepper->state.t, q, gap);
    for (int contact = 0; contact < model->contacts; contact++)
        if (gap[contact] < 0.0)
            return false;
    return true;
}

/* A state nearby, outside all obstacles. */
static carom_status scatter(lyapunov *self, double *state, carom_error *error)
{
    const carom_lyapunov_request *request = self->request;
    carom_stepper *stepper = self->stepping->stepper;
    const int positions = carom_model_positions(stepper->model), width = positions + stepper->dof;
    const double length = request->scatter_in_sizes ? stepper->scales.length : 1.0;
    const double speed = request->scatter_in_sizes ? length / stepper->scales.time : 1.0;
    double *moved = carom_arena_take(self->result->arena, (size_t)width, sizeof *moved);
    double *gap = carom_arena_take(self->result->arena, (size_t)stepper->model->contacts, sizeof *gap);
    carom_random random = {.state = request->scatter_seed};
    if (!moved || !gap)
        return carom_fail_memory(error);
    for (int attempt = 0; attempt < SCATTERED; attempt++) {
        for (int i = 0; i < width; i++)
            moved[i] = state[i] + (i < positions ? length : speed) *
                                      carom_random_uniform(&random, -request->scatter, request->scatter);
        if (is_outside(stepper, gap, moved)) {
            memcpy(state, moved, (size_t)width * sizeof *state);
            return CAROM_OK;
        }
    }
    return carom_fail(error, CAROM_BAD_INPUT,
                      "none of %d starts within %g of the given one is outside all obstacles: scatter them "
                      "less, or begin further away",
                      SCATTERED, request->scatter);
}

/* The start of the experiment, with the numbers that the request has instead. */
static carom_status move_start(lyapunov *self, carom_error *error)
{
    const carom_lyapunov_request *request = self->request;
    const carom_model *model = self->stepping->stepper->model;
    const size_t positions = (size_t)carom_model_positions(model), dof = (size_t)model->dof;
    double *state = carom_arena_take(self->result->arena, positions + dof, sizeof *state);
    if (request->start_count == 0 && !(request->scatter > 0.0))
        return CAROM_OK;
    if (!state)
        return carom_fail_memory(error);
    memcpy(state, self->stepping->q, positions * sizeof *state);
    memcpy(state + positions, self->stepping->v, dof * sizeof *state);
    for (int i = 0; i < request->start_count; i++) {
        const int place = carom_model_state_place(model, request->start[i].name, error);
        if (place < 0)
            return CAROM_BAD_INPUT;
        state[place] = request->start[i].value;
    }
    const carom_status status = request->scatter > 0.0 ? scatter(self, state, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    return carom_stepping_set(self->stepping, NAN, state, state + positions, error);
}

static carom_status begin_motion(lyapunov *self, double h, carom_error *error)
{
    const carom_lyapunov_request *request = self->request;
    const carom_status status = carom_stepping_create(&(carom_run_request){.experiment = request->experiment,
                                                                           .parameter = request->parameter,
                                                                           .scheme = self->scheme,
                                                                           .h = h,
                                                                           .option = self->option},
                                                      &self->stepping, error);
    return status == CAROM_OK ? move_start(self, error) : status;
}

static bool has_obstacles(const carom_model *model)
{
    for (int contact = 0; contact < model->contacts; contact++)
        if (!model->contact[contact].friction_force)
            return true;
    return false;
}

/* A scheme that locates impacts and has derivatives, for a model with obstacles whose own does not. NULL: none. */
static const carom_scheme_ops *find_locating(const carom_model *model)
{
    carom_error error = {0};
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        if ((scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS) && scheme->tangent &&
            carom_scheme_accepts(scheme, model, &error) == CAROM_OK)
            return scheme;
    }
    return NULL;
}

static carom_status take_options(lyapunov *self, const carom_scheme_ops *scheme, carom_error *error)
{
    size_t count = 0;
    for (const carom_option *option = self->request->option; option && option->name; option++) {
        if (count == LYAPUNOV_OPTIONS)
            return carom_fail(error, CAROM_BAD_INPUT, "more than %d options of the scheme", LYAPUNOV_OPTIONS);
        self->option[count++] = *option;
    }
    if (scheme && carom_scheme_find_option(scheme, "zeno") >= 0 &&
        !carom_experiment_chooses(self->request->experiment, self->request->option, "zeno"))
        self->option[count++] = (carom_option){.name = "zeno", .word = "continue"};
    self->option[count] = (carom_option){0};
    return CAROM_OK;
}

/* The step of the request or the experiment; where that is only an interval of outputs a longer one, if there would be very
 * many. */
static carom_status begin_with(lyapunov *self, const carom_scheme_ops *scheme, carom_error *error)
{
    const carom_lyapunov_request *request = self->request;
    self->scheme = scheme ? scheme->name : NULL;
    carom_status status = take_options(self, scheme, error);
    if (status == CAROM_OK)
        status = begin_motion(self, request->h, error);
    if (status == CAROM_OK)
        status = carom_tangent_accepts(self->stepping->stepper, error);
    if (status != CAROM_OK)
        return status;
    const carom_stepper *stepper = self->stepping->stepper;
    if (stepper->model->has_bodies)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "bodies with shapes have derivatives of their steps, but no exponents: write the model "
            "in coordinates, with contact { ... }");
    const bool own_steps = stepper->ops->abilities & (CAROM_SCHEME_OWN_STEPS | CAROM_SCHEME_LOCATES_IMPACTS);
    const double longest = fmin(request->time / OUTPUTS, 2.0 * CAROM_PI * self->unit);
    if (!own_steps || request->h > 0.0 || stepper->h >= longest)
        return CAROM_OK;
    carom_stepping_free(self->stepping);
    self->stepping = NULL;
    return begin_motion(self, longest, error);
}

/* With the scheme of the request; else with the experiment's, unless it would miss what moments of impacts do. */
carom_status lyapunov_begin(lyapunov *self, carom_error *error)
{
    const carom_lyapunov_request *request = self->request;
    const char *name = request->scheme ? request->scheme : request->experiment->scheme;
    const carom_scheme_ops *scheme = name ? carom_scheme_find(name, error) : NULL;
    if (name && !scheme)
        return CAROM_BAD_INPUT;
    const bool given = request->scheme || (request->option && request->option->name);
    const carom_model *model = request->experiment->model;
    const carom_scheme_ops *other =
        !given && has_obstacles(model) && scheme && !(scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS)
            ? find_locating(model)
            : NULL;
    carom_error refused = {0};
    const carom_status begun = other ? begin_with(self, other, &refused) : CAROM_BAD_INPUT;
    if (begun == CAROM_OK || begun == CAROM_NO_MEMORY)
        return begun == CAROM_OK ? CAROM_OK : carom_fail_memory(error);
    carom_stepping_free(self->stepping);
    self->stepping = NULL;
    return begin_with(self, scheme, error);
}
