/* Returns of a motion, one after the other. */
#include "returns.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/forcing.h"

enum {
    OWN_STEPS_PER_PERIOD = 16
};

static const double default_escape = 1e6;  /* times the model's length and speed */
static const double default_wait = 1000.0; /* periods */
static const char linear_scheme[] = "event-driven-linear", integrated_scheme[] = "event-driven";

static const carom_model *model_of(const returns *self)
{
    return self->request.experiment->model;
}

const char *carom_return_word(carom_return end)
{
    static const char *const word[] = {"returned", "escaped", "no-impact", "failed"};
    return word[end];
}

/* ---- scheme and options -------------------------------------------------------------------------------- */

/* The fast scheme takes the place of event-driven where nothing asks for what it does not have. */
static bool may_be_linear(const returns *self)
{
    const carom_experiment *experiment = self->request.experiment;
    const carom_scheme_ops *linear = carom_scheme_find(linear_scheme, NULL);
    if (self->request.scheme || !experiment->scheme || strcmp(experiment->scheme, integrated_scheme) != 0 ||
        !linear || carom_scheme_accepts(linear, experiment->model, NULL) != CAROM_OK ||
        carom_experiment_chooses(experiment, self->request.option, "impact_law"))
        return false;
    for (const carom_option *option = self->request.option; option && option->name; option++)
        if (!carom_scheme_takes_option(linear, option->name))
            return false;
    return true;
}

static carom_status choose_scheme(returns *self, carom_error *error)
{
    const char *name = self->request.scheme ? self->request.scheme : self->request.experiment->scheme;
    size_t count = 0;
    for (const carom_option *option = self->request.option; option && option->name; option++) {
        if (count == OPTIONS_MAX)
            return carom_fail(error, CAROM_BAD_INPUT, "more than %d options of the scheme", OPTIONS_MAX);
        self->option[count++] = *option;
    }
    if (!name)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no scheme: the model says nothing of integration; give one, such as moreau-jean");
    self->base.scheme = carom_scheme_find(may_be_linear(self) ? linear_scheme : name, error);
    if (!self->base.scheme)
        return CAROM_BAD_INPUT;
    if (carom_scheme_find_option(self->base.scheme, "zeno") >= 0 &&
        !carom_experiment_chooses(self->request.experiment, self->request.option, "zeno"))
        self->option[count++] = (carom_option){"zeno", 0.0, "continue"};
    const bool locates = self->base.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS;
    char able[200];
    if (self->request.at_impact && !locates)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "scheme '%s' does not locate impacts, and the section is at impacts of a contact; take %s",
            self->base.scheme->name,
            carom_scheme_names_for(model_of(self), CAROM_SCHEME_LOCATES_IMPACTS, able, sizeof able));
    return CAROM_OK;
}

/* ---- impacts ----------------------------------------------------------------------------------------------- */

static bool grow(returns *self)
{
    const size_t width = (size_t)carom_model_positions(model_of(self)) + (size_t)model_of(self)->dof;
    const size_t room = self->room ? 2 * self->room : 16;
    crossing *list = carom_new_array(room, sizeof *list);
    double *state = carom_new_array(carom_product(room, width), sizeof *state);
    if (!list || !state) {
        free(list);
        free(state);
        return false;
    }
    for (size_t i = 0; i < room; i++)
        list[i].state = state + i * width;
    for (size_t i = 0; i < self->crossings; i++) {
        list[i].t = self->crossing[i].t;
        memcpy(list[i].state, self->crossing[i].state, width * sizeof *state);
    }
    free(self->crossing);
    free(self->crossing_state);
    self->crossing = list;
    self->crossing_state = state;
    self->room = room;
    return true;
}

/* Told by schemes that report impacts. */
static void take_event(void *context, const carom_event *event)
{
    returns *self = context;
    if (event->kind != CAROM_EVENT_IMPACT)
        return;
    self->base.impacts++;
    if (!self->request.at_impact || event->contact != self->request.contact)
        return;
    if (self->crossings == self->room && !grow(self)) {
        self->no_memory = true;
        return;
    }
    const size_t positions = (size_t)carom_model_positions(model_of(self));
    crossing *next = &self->crossing[self->crossings++];
    next->t = event->t;
    memcpy(next->state, event->q, positions * sizeof *event->q);
    memcpy(next->state + positions, event->v_after, (size_t)model_of(self)->dof * sizeof *event->q);
}

/* Of other schemes: contacts that carry an impulse and carried none in the step before. */
static void count_impacts(returns *self)
{
    const carom_state *state = &self->stepping->stepper->state;
    for (int k = 0; k < model_of(self)->contacts; k++) {
        if (model_of(self)->contact[k].friction_force)
            continue;
        self->base.impacts += state->regime[k] != CAROM_CONTACT_OPEN && self->regime[k] == CAROM_CONTACT_OPEN;
        self->regime[k] = state->regime[k];
    }
}

static bool reports(const returns *self)
{
    return self->base.scheme->abilities & CAROM_SCHEME_EVENTS;
}

/* After each new stepper. */
static void listen(returns *self)
{
    carom_stepper *stepper = self->stepping->stepper;
    stepper->stop = self->stop;
    if (reports(self))
        stepper->listener = (carom_event_listener){self, take_event};
    memset(self->regime, CAROM_CONTACT_OPEN, (size_t)model_of(self)->contacts);
    self->crossings = self->handed = 0;
    self->begun = true;
}

/* ---- parameters ---------------------------------------------------------------------------------------------- */

static carom_status begin_stepping(returns *self, double h, carom_error *error)
{
    const carom_run_request run = {.experiment = self->request.experiment,
                                   .parameter = self->base.parameter,
                                   .scheme = self->base.scheme->name,
                                   .h = h,
                                   .option = self->option};
    carom_stepping_free(self->stepping);
    self->stepping = NULL;
    return carom_stepping_create(&run, &self->stepping, error);
}

/* The period, from the request or from the model. */
static carom_status find_period(returns *self, carom_error *error)
{
    carom_forcing forcing;
    self->base.period = self->request.period;
    if (self->request.period > 0.0)
        return CAROM_OK;
    if (!self->request.at_impact)
        return carom_model_period(self->work, "give --period T, or look at impacts with --section CONTACT",
                                  &self->base.period, error);
    const carom_status status = carom_model_forcing(self->work, &forcing, error);
    self->base.period = isnan(forcing.period) ? 0.0 : forcing.period;
    return status;
}

/* Time between two outputs: h of the experiment, or what the scheme can do with. */
static carom_status find_step(returns *self, carom_error *error)
{
    const double period = self->base.period, given = carom_given_time(self->request.h);
    const bool own_steps =
        self->base.scheme->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS);
    const bool linear = strcmp(self->base.scheme->name, linear_scheme) == 0;
    double h = given;
    if (isnan(given) && own_steps && period > 0.0)
        h = period / (linear ? 1 : OWN_STEPS_PER_PERIOD);
    if (isnan(h)) {
        const carom_status status = begin_stepping(self, NAN, error);
        if (status != CAROM_OK)
            return status;
        h = self->stepping->stepper->h;
    }
    self->steps = 1;
    if (period > 0.0) {
        const double steps = ceil(period / h - 1e-9);
        if (!(steps <= 1e9))
            return carom_fail(error, CAROM_BAD_INPUT, "h = %.10g is too short for the period %.10g", h,
                              period);
        self->steps = steps < 1.0 ? 1 : (long)steps;
        h = period / (double)self->steps;
    }
    self->base.h = h;
    return begin_stepping(self, h, error);
}

carom_status carom_returns_bind(carom_returns *base, const double *parameter, carom_error *error)
{
    returns *self = (returns *)base;
    const carom_model *model = model_of(self);
    if (parameter)
        memcpy(base->parameter, parameter, (size_t)model->parameters * sizeof *parameter);
    carom_model_work_free(self->work);
    self->work = NULL;
    carom_status status = carom_model_work_create(model, base->parameter, &self->work, error);
    if (status == CAROM_OK)
        status = find_period(self, error);
    if (status == CAROM_OK)
        status = find_step(self, error);
    if (status != CAROM_OK)
        return status;
    listen(self);
    const carom_state *state = &self->stepping->stepper->state;
    base->length = self->stepping->stepper->scales.length;
    base->speed = carom_scales_speed(&self->stepping->stepper->scales);
    self->t0 = base->t = state->t;
    memcpy(self->q0, state->q, (size_t)carom_model_positions(model) * sizeof *state->q);
    memcpy(self->v0, state->v, (size_t)model->dof * sizeof *state->v);
    memcpy(base->q, self->q0, (size_t)carom_model_positions(model) * sizeof *state->q);
    memcpy(base->v, self->v0, (size_t)model->dof * sizeof *state->v);
    base->impacts = 0;
    return CAROM_OK;
}

/* ---- creation ------------------------------------------------------------------------------------------------ */

static bool take_memory(returns *self)
{
    const carom_model *model = model_of(self);
    const size_t n = (size_t)model->dof, positions = (size_t)carom_model_positions(model);
    carom_arena *arena = self->arena;
    carom_returns *base = &self->base;
    base->parameter = carom_arena_take(arena, (size_t)model->parameters, sizeof(double));
    base->q = carom_arena_take(arena, positions, sizeof(double));
    base->v = carom_arena_take(arena, n, sizeof(double));
    self->q0 = carom_arena_take(arena, positions, sizeof(double));
    self->v0 = carom_arena_take(arena, n, sizeof(double));
    self->gap = carom_arena_take(arena, (size_t)model->contacts, sizeof(double));
    self->response = carom_arena_take(arena, n, sizeof(double));
    self->regime = carom_arena_take(arena, (size_t)model->contacts, 1);
    return base->parameter && base->q && base->v && self->q0 && self->v0 && self->gap && self->response &&
           self->regime && (!model->ops->frame || carom_contact_frame_take(arena, model, &self->frame));
}

static carom_status check_request(const carom_returns_request *request, carom_error *error)
{
    const carom_experiment *experiment = request->experiment;
    if (!experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "no motion to look at: give an experiment");
    if (experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is a study: nothing moves, so nothing returns",
                          experiment->name);
    if (request->at_impact && (request->contact < 0 || request->contact >= experiment->model->contacts))
        return carom_fail(error, CAROM_BAD_INPUT, "the section is at contact %d, and the model has %d",
                          request->contact, experiment->model->contacts);
    if (!(request->period >= 0.0 && isfinite(request->period)))
        return carom_fail(error, CAROM_BAD_INPUT, "period = %g: must be finite and above 0", request->period);
    if (!(request->wait >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "wait = %g: must be above 0", request->wait);
    if (!(request->escape >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "escape = %g: must be above 0", request->escape);
    return CAROM_OK;
}

/* Longest time without an impact. */
static carom_status choose_wait(returns *self, carom_error *error)
{
    if (!self->request.at_impact || self->request.wait > 0.0)
        return CAROM_OK;
    self->request.wait = default_wait * self->base.period;
    if (self->base.period > 0.0)
        return CAROM_OK;
    double t0, until;
    const carom_run_request run = {.experiment = self->request.experiment, .parameter = self->base.parameter};
    const carom_status status = carom_run_times(&run, &t0, &until, error);
    self->request.wait = status == CAROM_OK ? until - t0 : 0.0;
    return status;
}

carom_status carom_returns_create(const carom_returns_request *request, carom_stop stop, carom_returns **out,
                                  carom_error *error)
{
    *out = NULL;
    carom_status status = check_request(request, error);
    if (status != CAROM_OK)
        return status;
    returns *self = carom_new_array(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    self->request = *request;
    self->stop = stop;
    self->arena = carom_arena_create();
    status = choose_scheme(self, error);
    if (status == CAROM_OK && (!self->arena || !take_memory(self)))
        status = carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_returns_bind(&self->base, request->experiment->parameter, error);
    if (status == CAROM_OK)
        status = choose_wait(self, error);
    if (status == CAROM_OK)
        *out = &self->base;
    else
        carom_returns_free(&self->base);
    return status;
}

void carom_returns_free(carom_returns *base)
{
    returns *self = (returns *)base;
    if (!self)
        return;
    carom_stepping_free(self->stepping);
    carom_model_work_free(self->work);
    carom_arena_free(self->arena);
    free(self->mass);
    free(self->crossing);
    free(self->crossing_state);
    free(self);
}

/* ---- start --------------------------------------------------------------------------------------------------- */

/* q += M^-1 n (-gap) / (n.M^-1 n): the nearest place on the obstacle in the metric of M. False: that cannot be had. */
static bool push_out(returns *self, int contact, double t, double *q)
{
    const carom_model *model = model_of(self);
    const size_t n = (size_t)model->dof;
    if (model->rotations > 0 || model->has_bodies || model->ops->structure || carom_model_is_sparse(model))
        return false;
    if (!self->mass)
        self->mass = carom_new_array(n * n, sizeof *self->mass);
    if (!self->mass)
        return false;
    model->ops->mass(self->work, t, q, self->mass);
    model->ops->frame(self->work, contact, t, q, &self->frame);
    if (carom_cholesky_factor(model->dof, self->mass) > 0)
        return false;
    carom_row_spread(&self->frame.normal, model->dof, self->response);
    carom_cholesky_solve(model->dof, self->mass, self->response);
    const double square = carom_row_dot(&self->frame.normal, self->response);
    if (!(square > 0.0))
        return false;
    carom_axpy(model->dof, -self->gap[contact] / square, self->response, q);
    return true;
}

static bool is_inside(returns *self, double t, double *q, double pushed)
{
    const carom_model *model = model_of(self);
    const double allowed = 1e-8 * fmax(self->base.length, carom_largest(carom_model_positions(model), q));
    for (int k = 0; model->ops->gaps && k < model->contacts; k++) {
        model->ops->gaps(self->work, t, q, self->gap);
        if (!(self->gap[k] < 0.0))
            continue;
        const bool moved = self->gap[k] >= -fmax(pushed, allowed) && push_out(self, k, t, q);
        if (!moved && self->gap[k] < -allowed)
            return true;
    }
    return false;
}

carom_status carom_returns_start(carom_returns *base, double t, const double *q, const double *v,
                                 double pushed, bool *inside, carom_error *error)
{
    returns *self = (returns *)base;
    const carom_model *model = model_of(self);
    base->t = isnan(t) ? self->t0 : t;
    if (q)
        memmove(base->q, q, (size_t)carom_model_positions(model) * sizeof *q);
    if (v)
        memmove(base->v, v, (size_t)model->dof * sizeof *v);
    base->impacts = 0;
    *inside = is_inside(self, base->t, base->q, pushed);
    if (*inside)
        return CAROM_OK;
    const carom_status status = carom_stepping_set(self->stepping, base->t, base->q, base->v, error);
    if (status == CAROM_OK)
        listen(self);
    return status;
}

void carom_returns_origin(const carom_returns *base, double *q, double *v)
{
    const returns *self = (const returns *)base;
    memcpy(q, self->q0, (size_t)carom_model_positions(model_of(self)) * sizeof *q);
    memcpy(v, self->v0, (size_t)model_of(self)->dof * sizeof *v);
}

/* ---- returns ------------------------------------------------------------------------------------------------- */

static bool has_escaped(const returns *self)
{
    const carom_model *model = model_of(self);
    const int positions = carom_model_positions(model);
    const double given = self->request.escape;
    return !carom_all_finite(positions, self->base.q) || !carom_all_finite(model->dof, self->base.v) ||
           carom_largest(positions, self->base.q) >
               (given > 0.0 ? given : default_escape * self->base.length) ||
           carom_largest(model->dof, self->base.v) >
               (given > 0.0 ? given : default_escape * self->base.speed);
}

static void take_state(returns *self, double t, const double *q, const double *v)
{
    self->base.t = t;
    memcpy(self->base.q, q, (size_t)carom_model_positions(model_of(self)) * sizeof *q);
    memcpy(self->base.v, v, (size_t)model_of(self)->dof * sizeof *v);
}

carom_status returns_after_step(returns *self, carom_status status, carom_return *end, carom_error *error)
{
    if (status == CAROM_NO_MEMORY || status == CAROM_INTERRUPTED)
        return status;
    if (status != CAROM_OK) { /* a step that fails has escaped where its numbers did */
        const carom_state *state = &self->stepping->stepper->state;
        take_state(self, state->t, state->q, state->v);
        *end = has_escaped(self) ? CAROM_RETURN_ESCAPED : CAROM_RETURN_FAILED;
        return CAROM_OK;
    }
    if (self->no_memory)
        return carom_fail_memory(error);
    if (!reports(self))
        count_impacts(self);
    return CAROM_OK;
}

void returns_end_period(returns *self, carom_return *end)
{
    const carom_state *state = &self->stepping->stepper->state;
    take_state(self, state->t, state->q, state->v);
    if (has_escaped(self))
        *end = CAROM_RETURN_ESCAPED;
}

carom_status returns_ask(returns *self, carom_error *error)
{
    enum {
        OFTEN = 50
    };
    self->unasked = (self->unasked + 1) % OFTEN;
    return self->unasked == 0 && carom_stop_asked(&self->stop)
               ? carom_fail(error, CAROM_INTERRUPTED, "interrupted")
               : CAROM_OK;
}

static carom_status step(returns *self, carom_return *end, carom_error *error)
{
    const carom_status status = returns_ask(self, error);
    if (status != CAROM_OK)
        return status;
    return returns_after_step(self, carom_stepper_step(self->stepping->stepper, error), end, error);
}

static carom_status next_period(returns *self, carom_return *end, carom_error *error)
{
    for (long i = 0; i < self->steps && *end == CAROM_RETURNED; i++) {
        const carom_status status = step(self, end, error);
        if (status != CAROM_OK)
            return status;
    }
    if (*end == CAROM_RETURNED)
        returns_end_period(self, end);
    return CAROM_OK;
}

static carom_status next_impact(returns *self, carom_return *end, carom_error *error)
{
    const double latest = self->base.t + self->request.wait;
    while (self->handed == self->crossings) {
        const carom_state *state = &self->stepping->stepper->state;
        self->handed = self->crossings = 0;
        if (state->t >= latest) {
            *end = CAROM_RETURN_NONE;
            return CAROM_OK;
        }
        const carom_status status = step(self, end, error);
        if (status != CAROM_OK)
            return status;
        if (*end != CAROM_RETURNED && self->crossings == 0)
            return CAROM_OK;
        *end = CAROM_RETURNED; /* impacts before the failure count */
    }
    const crossing *found = &self->crossing[self->handed++];
    take_state(self, found->t, found->state, found->state + carom_model_positions(model_of(self)));
    if (has_escaped(self))
        *end = CAROM_RETURN_ESCAPED;
    return CAROM_OK;
}

carom_status carom_returns_next(carom_returns *base, carom_return *end, carom_error *error)
{
    returns *self = (returns *)base;
    *end = CAROM_RETURNED;
    base->impacts = 0;
    return self->request.at_impact ? next_impact(self, end, error) : next_period(self, end, error);
}

/* ---- periods -------------------------------------------------------------------------------------------------- */

/* Largest difference of two lists, relative to the larger of their entries and `size`. */
static double relative_difference(int count, const double *a, const double *b, double size)
{
    double difference = 0.0;
    for (int i = 0; i < count; i++) {
        difference = fmax(difference, fabs(a[i] - b[i]));
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
    }
    return difference / size;
}

double carom_returns_distance(const carom_returns *base, int positions, int dof, const double *a,
                              const double *b)
{
    return fmax(relative_difference(positions, a, b, base->length),
                relative_difference(dof, a + positions, b + positions, base->speed));
}

int carom_returns_period(const carom_returns *base, int positions, int dof, int count, const double *state,
                         int longest, double tolerance)
{
    const ptrdiff_t width = positions + dof;
    for (int p = 1; p <= longest && 2 * p <= count; p++) {
        bool repeats = true;
        for (int i = 0; repeats && i < p; i++)
            repeats = carom_returns_distance(base, positions, dof, state + (count - 1 - i) * width,
                                             state + (count - 1 - i - p) * width) <= tolerance;
        if (repeats)
            return p;
    }
    return 0;
}
