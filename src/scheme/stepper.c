/* The beginning, the steps and the end of a motion, whatever the scheme: checks, memory of the state,
 * warnings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/model/bodies.h"
#include "carom/scheme.h"
#include "scheme/parts/contact_rows.h"
#include "scheme/parts/step_report.h"

static void keep_warning(carom_warnings *warnings, bool is_doubt, const char *format, va_list arguments)
{
    if (warnings->count < CAROM_WARNINGS_KEPT) {
        vsnprintf(warnings->text[warnings->count], sizeof warnings->text[0], format, arguments);
        warnings->is_doubt[warnings->count] = is_doubt;
    }
    warnings->count++;
}

void carom_warn(carom_warnings *warnings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_warning(warnings, false, format, arguments);
    va_end(arguments);
}

void carom_doubt(carom_warnings *warnings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_warning(warnings, true, format, arguments);
    va_end(arguments);
}

void carom_doubt_again(carom_warnings *warnings, int place, const char *format, ...)
{
    va_list arguments;
    if (place >= warnings->count || place >= CAROM_WARNINGS_KEPT)
        return;
    va_start(arguments, format);
    vsnprintf(warnings->text[place], sizeof warnings->text[0], format, arguments);
    va_end(arguments);
}

const char *carom_event_word(carom_event_kind kind)
{
    static const char *const word[] = {
        [CAROM_EVENT_IMPACT] = "impact",   [CAROM_EVENT_CONTACT] = "contact", [CAROM_EVENT_STICK] = "stick",
        [CAROM_EVENT_RELEASE] = "release", [CAROM_EVENT_SLIP] = "slip",       [CAROM_EVENT_STOP] = "stop"};
    return word[kind];
}

const char *carom_event_contact(const carom_model *model, const carom_event *event, char *text, size_t size)
{
    return event->contact >= 0
               ? model->contact[event->contact].name
               : carom_bodies_model_pair_name(model, event->body[0], event->body[1], text, size);
}

/* ---- checks ------------------------------------------------------------------------------------------- */

static carom_status check_given(const carom_scheme_ops *scheme, const carom_model_work *work,
                                const carom_step_settings *settings, const double *q0, const double *v0,
                                carom_error *error)
{
    if (!scheme)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no scheme to step with; carom_scheme_find gives one by its name");
    if (!work || !work->model)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no model to step: give the work that model->ops->work_create makes, bound to its "
                          "parameters");
    if (!settings)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no settings; the least is a time step: &(carom_step_settings){.h = 1e-3}");
    if ((!q0 || !v0) && work->model->dof > 0)
        return carom_fail(error, CAROM_BAD_INPUT, "no initial %s; give %d numbers, one per coordinate",
                          q0 ? "velocity" : "position",
                          q0 ? work->model->dof : carom_model_positions(work->model));
    return CAROM_OK;
}

static carom_status check_time(const carom_step_settings *settings, carom_error *error)
{
    if (!(settings->h > 0.0) || !isfinite(settings->h))
        return carom_fail(error, CAROM_BAD_INPUT, "the time step h = %g must be a positive finite number",
                          settings->h);
    if (!isfinite(settings->t0))
        return carom_fail(error, CAROM_BAD_INPUT, "the initial time t0 = %g must be finite", settings->t0);
    return CAROM_OK;
}

static carom_status check_initial(const carom_model *model, bool velocity, const double *x,
                                  carom_error *error)
{
    const int count = velocity ? model->dof : carom_model_positions(model), i = first_not_finite(count, x);
    if (i == count)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "the initial %s of coordinate '%s' is %g; it must be finite",
                      velocity ? "velocity" : "position",
                      velocity ? carom_model_velocity_name(model, i) : model->coordinate[i], x[i]);
}

/* By position a list that is too short would be read past its end. */
static carom_status check_positions(const carom_scheme_ops *scheme, const carom_step_settings *settings,
                                    carom_error *error)
{
    if (settings->option)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme '%s': options are given by name and by position; give them one way",
                          scheme->name);
    if (settings->value_count == scheme->option_count)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "scheme '%s': value_count = %d, but it has %d options; give a value for each, or options by "
        "name",
        scheme->name, settings->value_count, scheme->option_count);
}

static carom_status check_values(const carom_scheme_ops *scheme, const double *value, carom_error *error)
{
    for (int i = 0; i < scheme->option_count; i++) {
        const carom_option_info *info = &scheme->options[i];
        const int words = carom_option_word_count(info);
        const double min = words ? 0.0 : info->min, max = words ? words - 1.0 : info->max;
        if (!(value[i] >= min && value[i] <= max))
            return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s': option %s = %g is not in [%g, %g]",
                              scheme->name, info->name, value[i], min, max);
    }
    return CAROM_OK;
}

/* ---- what the scheme would ignore ---------------------------------------------------------------------- */

/* Restitution and friction, as they are at the start. */
static carom_status check_contacts(const carom_stepper *self, carom_error *error)
{
    const carom_model *model = self->model;
    const unsigned needed = CAROM_SCHEME_RESTITUTION | CAROM_SCHEME_FRICTION;
    carom_contact_frame frame = {0};
    if ((self->ops->abilities & needed) == needed || self->contacts == 0 || !model->ops->frame ||
        model->ops->structure || model->has_bodies)
        return CAROM_OK;
    if (!carom_contact_frame_take(self->arena, model, &frame))
        return carom_fail_memory(error);
    for (int contact = 0; contact < self->contacts; contact++) {
        model->ops->frame(self->work, contact, self->state.t, self->state.q, &frame);
        const carom_status status = contact_check_abilities(self, &model->contact[contact], &frame, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* Of a model that does not give the places of its mass matrix. */
static carom_status check_mass(const carom_stepper *self, carom_error *error)
{
    const carom_model_ops *ops = self->model->ops;
    const size_t n = (size_t)self->dof;
    char able[200];
    if (self->ops->abilities & CAROM_SCHEME_COUPLED_MASS || ops->matrix_pattern || !ops->mass ||
        ops->structure)
        return CAROM_OK;
    double *mass = carom_arena_take(self->arena, n * n, sizeof *mass);
    if (!mass)
        return carom_fail_memory(error);
    ops->mass(self->work, self->state.t, self->state.q, mass);
    for (size_t i = 0; i < n * n; i++)
        if (i % (n + 1) != 0 && mass[i] != 0.0)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "the mass matrix couples '%s' and '%s', and scheme '%s' needs a diagonal mass "
                "matrix; take %s",
                self->model->coordinate[i / n], self->model->coordinate[i % n], self->ops->name,
                carom_scheme_names_for(self->model, CAROM_SCHEME_COUPLED_MASS, able, sizeof able));
    return CAROM_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static bool take_state(carom_stepper *self, const carom_step_settings *settings)
{
    const size_t dof = (size_t)self->dof, contacts = (size_t)self->contacts;
    carom_state *state = &self->state;
    const bool located = self->ops->abilities & CAROM_SCHEME_EVENTS;
    const size_t positions = (size_t)carom_model_positions(self->model);
    state->q = settings->q ? settings->q : carom_arena_take(self->arena, positions, sizeof(double));
    state->v = settings->v ? settings->v : carom_arena_take(self->arena, dof, sizeof(double));
    state->impulse = carom_arena_take(self->arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    state->regime = carom_arena_take(self->arena, contacts, sizeof *state->regime);
    if (located)
        state->impact_time = carom_arena_take(self->arena, contacts, sizeof(double));
    return state->q && state->v && state->impulse && state->regime && (!located || state->impact_time);
}

static bool take_inputs(carom_stepper *self, const carom_step_settings *settings)
{
    const size_t count = (size_t)self->model->parameters;
    if (!self->work->input)
        return true;
    self->input = settings->input;
    if (self->input)
        return true;
    self->input = carom_arena_take(self->arena, count, sizeof *self->input);
    if (self->input)
        memcpy(self->input, self->work->input, count * sizeof *self->input);
    return self->input;
}

/* Sorts the list: to the scheme what it has, the rest to its solver and its law of impact. */
static carom_status sort_options(carom_stepper *self, const carom_option *list, double *value,
                                 carom_error *error)
{
    const carom_scheme_ops *scheme = self->ops;
    size_t count = 0;
    while (list && list[count].name)
        count++;
    carom_option *own = carom_arena_take(self->arena, count + 1, sizeof *own);
    carom_option *of_solver = carom_arena_take(self->arena, count + 1, sizeof *of_solver);
    if (!own || !of_solver)
        return carom_fail_memory(error);
    self->solver_option = of_solver;
    for (size_t i = 0, k = 0; i < count; i++) {
        const bool to_solver = carom_scheme_find_option(scheme, list[i].name) < 0 &&
                               carom_scheme_takes_option(scheme, list[i].name);
        if (to_solver)
            *of_solver++ = list[i];
        else
            own[k++] = list[i];
    }
    char owner[80];
    snprintf(owner, sizeof owner, "scheme '%s'", scheme->name);
    return carom_options_resolve(owner, scheme->option_count, scheme->options, own, value, error);
}

static carom_status fail_law_option(const carom_stepper *self, const char *name, carom_error *error)
{
    const carom_impact_law_ops *law = carom_scheme_impact_law(self->ops, self->option);
    if (!law)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "scheme '%s': option '%s' is of a law of impact, and none is chosen; give impact_law",
            self->ops->name, name);
    carom_text list = {0};
    for (int i = 0; i < law->option_count; i++)
        carom_text_append(&list, "%simpact_%s", i ? ", " : "", law->options[i].name);
    carom_fail(error, CAROM_BAD_INPUT, "scheme '%s': impact law '%s' has no option '%s'; it has %s",
               self->ops->name, law->name, name, list.bytes ? list.bytes : "none");
    carom_text_free(&list);
    return CAROM_BAD_INPUT;
}

/* An option of a solver that is not the chosen one, or of a law that is not. */
static carom_status fail_not_chosen(const carom_stepper *self, const char *name, carom_error *error)
{
    const carom_scheme_ops *scheme = self->ops;
    const int at = carom_scheme_find_option(scheme, "solver");
    if (carom_scheme_find_option(scheme, "impact_law") >= 0 && strncmp(name, "impact_", 7) == 0)
        return fail_law_option(self, name, error);
    if (at < 0)
        return carom_scheme_fail_option(scheme, name, error);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "scheme '%s': solver '%s' has no option '%s'; carom list solvers says which one has",
                      scheme->name, carom_option_word(&scheme->options[at], (int)self->option[at]), name);
}

/* Options of solvers and laws must be those of one that is used. */
static carom_status check_solver_options(const carom_stepper *self, carom_error *error)
{
    for (const carom_option *option = self->solver_option; option && option->name; option++)
        if (!carom_scheme_choice_has(self->ops, self->option, option->name))
            return fail_not_chosen(self, option->name, error);
    return CAROM_OK;
}

static carom_status take_options(carom_stepper *self, const carom_step_settings *settings, carom_error *error)
{
    const carom_scheme_ops *scheme = self->ops;
    const size_t count = (size_t)scheme->option_count;
    double *value = carom_arena_take(self->arena, count, sizeof *value);
    if (!value)
        return carom_fail_memory(error);
    self->option = value;
    carom_status status = CAROM_OK;
    if (settings->values) {
        status = check_positions(scheme, settings, error);
        if (status != CAROM_OK)
            return status;
        memcpy(value, settings->values, count * sizeof *value);
        self->solver_option = settings->solver_option;
        status = check_values(scheme, value, error);
    } else {
        status = sort_options(self, settings->option, value, error);
    }
    return status == CAROM_OK ? check_solver_options(self, error) : status;
}

static carom_status set_up(carom_stepper *self, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_error *error)
{
    carom_status status = take_options(self, settings, error);
    if (status == CAROM_OK)
        status = check_initial(self->model, false, q0, error);
    if (status == CAROM_OK)
        status = check_initial(self->model, true, v0, error);
    if (status != CAROM_OK)
        return status;
    if (!take_state(self, settings) || !take_inputs(self, settings))
        return carom_fail_memory(error);
    self->state.t = self->t0;
    self->ending = settings->ending;
    memmove(self->state.q, q0, (size_t)carom_model_positions(self->model) * sizeof *q0);
    memmove(self->state.v, v0, (size_t)self->dof * sizeof *v0);
    status =
        carom_model_scales(self->work, self->t0, self->state.q, self->state.v, self->h, &self->scales, error);
    if (status == CAROM_OK)
        status = check_contacts(self, error);
    if (status == CAROM_OK)
        status = check_mass(self, error);
    if (status == CAROM_OK)
        status = self->ops->setup(self, error);
    self->solver_option = NULL; /* the caller's list need not outlive it */
    return status;
}

/* ---- life --------------------------------------------------------------------------------------------- */

carom_status carom_stepper_create(const carom_scheme_ops *scheme, carom_model_work *work,
                                  const carom_step_settings *settings, const double *q0, const double *v0,
                                  carom_stepper **stepper, carom_error *error)
{
    *stepper = NULL;
    carom_status status = check_given(scheme, work, settings, q0, v0, error);
    if (status == CAROM_OK)
        status = carom_scheme_accepts(scheme, work->model, error);
    if (status == CAROM_OK)
        status = check_time(settings, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    carom_stepper *self = arena ? carom_arena_take(arena, 1, scheme->size) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    self->ops = scheme;
    self->work = work;
    self->model = work->model;
    self->dof = work->model->dof;
    self->contacts = work->model->contacts;
    self->t0 = settings->t0;
    self->h = settings->h;
    self->end = INFINITY;
    self->no_works = settings->no_works;
    self->sharing = settings->sharing;
    self->arena = arena;
    status = set_up(self, settings, q0, v0, error);
    if (status != CAROM_OK) {
        carom_stepper_free(self);
        return status;
    }
    *stepper = self;
    return CAROM_OK;
}

/* Gives the model the inputs for the step that begins. */
static carom_status take_new_inputs(carom_stepper *stepper, carom_error *error)
{
    const carom_model *model = stepper->model;
    for (int i = 0; i < model->parameters; i++) {
        const carom_parameter *info = &model->parameter[i];
        const double value = stepper->input[i];
        if (info->input && !(isfinite(value) && value >= info->min && value <= info->max))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "input '%s' = %g at t = %.9g: a finite number from %g to %g is needed",
                              info->name, value, stepper->state.t, info->min, info->max);
    }
    memcpy(stepper->work->input, stepper->input, (size_t)model->parameters * sizeof *stepper->input);
    stepper->renews = stepper->ops->renew != NULL;
    return CAROM_OK;
}

/* What goes before a step of a model with inputs. */
static carom_status look_at_inputs(carom_stepper *stepper, carom_error *error)
{
    const size_t bytes = (size_t)stepper->model->parameters * sizeof *stepper->input;
    carom_status status = CAROM_OK;
    if (memcmp(stepper->input, stepper->work->input, bytes) != 0)
        status = take_new_inputs(stepper, error);
    if (status == CAROM_OK && stepper->renews)
        status = stepper->ops->renew(stepper, error);
    if (status == CAROM_OK)
        stepper->renews = false; /* after a failure it is due again */
    return status;
}

carom_status carom_stepper_step(carom_stepper *stepper, carom_error *error)
{
    if (stepper->input) {
        const carom_status status = look_at_inputs(stepper, error);
        if (status != CAROM_OK)
            return status;
    }
    if (stepper->v_before)
        memcpy(stepper->v_before, stepper->state.v, (size_t)stepper->dof * sizeof *stepper->v_before);
    return stepper->ops->step(stepper, error);
}

const carom_contact_frame *carom_stepper_frame(const carom_stepper *stepper, int contact,
                                               carom_contact_frame *scratch)
{
    const carom_state *state = &stepper->state;
    const double *p = state->impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * contact;
    if (stepper->frame && (p[0] != 0.0 || p[1] != 0.0 || p[2] != 0.0))
        return &stepper->frame[contact];
    stepper->model->ops->frame(stepper->work, contact, state->t, state->q, scratch);
    return scratch;
}

int carom_stepper_body_points(const carom_stepper *stepper, int room, carom_body_point *point)
{
    return stepper->ops->body_points ? stepper->ops->body_points(stepper, room, point) : 0;
}

double carom_stepper_energy(carom_stepper *stepper)
{
    const carom_state *state = &stepper->state;
    if (stepper->energy)
        return *stepper->energy;
    return stepper->ops->energy ? stepper->ops->energy(stepper)
                                : stepper->model->ops->energy(stepper->work, state->t, state->q, state->v);
}

carom_works carom_stepper_works(carom_stepper *stepper)
{
    return stepper->ops->works ? stepper->ops->works(stepper) : stepper->works;
}

void carom_stepper_keep_state(carom_stepper *stepper, carom_snapshot *snapshot)
{
    carom_state *state = &stepper->state;
    const size_t dof = (size_t)stepper->dof * sizeof(double), contacts = (size_t)stepper->contacts;
    carom_snapshot_block(snapshot, &state->t, sizeof state->t);
    carom_snapshot_block(snapshot, state->q, (size_t)carom_model_positions(stepper->model) * sizeof(double));
    carom_snapshot_block(snapshot, state->v, dof);
    carom_snapshot_block(snapshot, state->impulse, CAROM_CONTACT_COMPONENTS * contacts * sizeof(double));
    carom_snapshot_block(snapshot, state->regime, contacts * sizeof *state->regime);
    if (state->impact_time)
        carom_snapshot_block(snapshot, state->impact_time, contacts * sizeof(double));
    if (stepper->v_before)
        carom_snapshot_block(snapshot, stepper->v_before, dof);
}

void carom_stepper_keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    carom_stepper_keep_state(stepper, snapshot);
    const size_t inputs = stepper->input ? (size_t)stepper->model->parameters * sizeof *stepper->input : 0;
    double *given = stepper->input;
    if (given) { /* those of the last step first: schemes may make it again */
        carom_snapshot_block(snapshot, stepper->work->input, inputs);
        if (snapshot->restores && !snapshot->failed)
            memcpy(given, stepper->work->input, inputs);
    }
    carom_snapshot_block(snapshot, &stepper->counts, sizeof stepper->counts);
    carom_snapshot_block(snapshot, &stepper->warnings, sizeof stepper->warnings);
    if (stepper->accounts.kept) {
        carom_snapshot_block(snapshot, &stepper->works, sizeof stepper->works);
        carom_snapshot_block(snapshot, &stepper->accounts, sizeof stepper->accounts);
    }
    stepper->ops->keep(stepper, snapshot);
    if (given)
        carom_snapshot_block(snapshot, given, inputs);
}

void carom_stepper_free(carom_stepper *stepper)
{
    if (!stepper)
        return;
    if (stepper->ops->free)
        stepper->ops->free(stepper);
    carom_arena_free(stepper->arena);
}
