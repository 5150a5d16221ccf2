/* Exact derivatives of a run: the tangent of its steps, and what rows are made of along its columns.
 *
 *   parameters, initial values --> values of the experiment (q0, v0, t0, h, options) --> steps --> rows --> measures */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/linalg.h"
#include "sensitivity.h"

/* ---- where the columns begin ---------------------------------------------------------------------------------- */

/* Derivatives of the experiment's values by each name. */
static carom_status find_values(active_run *run, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    const carom_tape *tape = run->plan.experiment->values;
    if (!tape)
        return CAROM_OK;
    const size_t size = carom_tape_work_size(tape), outputs = (size_t)carom_tape_outputs(tape);
    double *work = carom_arena_take(run->arena, size, sizeof *work);
    double *tangent = carom_arena_take(run->arena, size, sizeof *tangent);
    double *value = carom_arena_take(run->arena, outputs, sizeof *value);
    self->values =
        carom_arena_take(run->arena, carom_product((size_t)self->count, outputs), sizeof *self->values);
    if (!work || !tangent || !value || !self->values)
        return carom_fail_memory(error);
    carom_tape_bind(tape, run->plan.parameter, work);
    carom_tape_evaluate(tape, work, &(carom_inputs){0}, value);
    for (int c = 0; c < self->count; c++) {
        carom_tape_along_bind(tape, work, self->parameter[c], tangent);
        carom_tape_along(tape, work, tangent, &(carom_inputs){0}, self->values + (size_t)c * outputs);
    }
    return CAROM_OK;
}

static double value_along(const active_run *run, int column, carom_value value)
{
    const run_sensitivity *self = run->sensitivity;
    if (value == CAROM_NO_VALUE)
        return 0.0;
    return self
        ->values[(size_t)column * (size_t)carom_tape_outputs(run->plan.experiment->values) + (size_t)value];
}

/* A time that is given for the run does not change, unless it is a parameter's value. */
static double time_along(const active_run *run, int column, double given, carom_value value, int parameter)
{
    if (isnan(carom_given_time(given)))
        return value_along(run, column, value);
    const carom_units *units = &run->plan.experiment->units;
    const double unit = carom_units_are_given(units) ? units->time : 1.0;
    return parameter >= 0 ? unit * run->sensitivity->parameter[column][parameter] : 0.0;
}

static bool is_given(const carom_run_request *request, const char *name)
{
    for (const carom_option *option = request->option; option && option->name; option++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

static void fill_options(const active_run *run, int column, double *option)
{
    const carom_experiment *experiment = run->plan.experiment;
    for (int i = 0; i < experiment->choice_count; i++) {
        const carom_scheme_choice *choice = &experiment->choice[i];
        const int index = carom_scheme_find_option(run->plan.scheme, choice->name);
        if (index >= 0 && !choice->word && !is_given(run->request, choice->name))
            option[index] = value_along(run, column, choice->value);
    }
}

static carom_status fill_column(active_run *run, int c, carom_tangent_column *column, carom_error *error)
{
    const run_sensitivity *self = run->sensitivity;
    const carom_experiment *experiment = run->plan.experiment;
    const carom_model *model = experiment->model;
    const sensitivity_name *name = &self->name[c];
    const size_t positions = (size_t)carom_model_positions(model);
    double *q0 = carom_arena_take(run->arena, positions, sizeof *q0);
    double *v0 = carom_arena_take(run->arena, (size_t)model->dof, sizeof *v0);
    double *option = carom_arena_take(run->arena, (size_t)run->plan.scheme->option_count, sizeof *option);
    if (!q0 || !v0 || !option)
        return carom_fail_memory(error);
    for (int i = 0; !model->ops->initial && experiment->q0 && i < model->dof; i++) {
        q0[i] = run->plan.q0 ? 0.0 : value_along(run, c, experiment->q0[i]);
        v0[i] = run->plan.v0 ? 0.0 : value_along(run, c, experiment->v0[i]);
    }
    if (model->ops->initial && name->parameter >= 0) {
        const carom_model_tangent_ops *along = model->ops->tangent;
        if (along->initial)
            along->initial(run->work, self->parameter[c], q0, v0);
        for (int i = 0; i < carom_model_positions(model); i++)
            q0[i] = run->plan.q0 ? 0.0 : along->initial ? q0[i] : NAN;
        for (int i = 0; i < model->dof; i++)
            v0[i] = run->plan.v0 ? 0.0 : along->initial ? v0[i] : NAN;
    }
    if (name->position >= 0)
        q0[name->position] = 1.0;
    if (name->velocity >= 0)
        v0[name->velocity] = 1.0;
    fill_options(run, c, option);
    *column = (carom_tangent_column){
        .q0 = q0,
        .v0 = v0,
        .parameter = name->parameter >= 0 ? self->parameter[c] : NULL,
        .option = option,
        .t0 = time_along(run, c, run->request->t0, experiment->t0, -1),
        .h = time_along(run, c, run->request->h, experiment->h, experiment->h_parameter),
        .end = isinf(run->plan.end)
                   ? 0.0
                   : time_along(run, c, run->request->until, experiment->until, experiment->until_parameter)};
    return CAROM_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static carom_status take_parameters(active_run *run, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    const size_t parameters = (size_t)run->plan.experiment->model->parameters;
    self->parameter = carom_arena_take(run->arena, (size_t)self->count, sizeof *self->parameter);
    for (int c = 0; self->parameter && c < self->count; c++) {
        self->parameter[c] = carom_arena_take(run->arena, parameters, sizeof(double));
        if (!self->parameter[c])
            return carom_fail_memory(error);
        if (self->name[c].parameter < 0)
            continue;
        /* how numbers of studies change is not known; it matters for what depends on them only */
        const carom_model *model = run->plan.experiment->model;
        for (int i = 0; i < model->parameters; i++)
            if (model->parameter[i].computed)
                self->parameter[c][i] = NAN;
        self->parameter[c][self->name[c].parameter] = 1.0;
    }
    return self->parameter ? CAROM_OK : carom_fail_memory(error);
}

static carom_status take_rows(active_run *run, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    const carom_experiment *experiment = run->plan.experiment;
    const size_t count = (size_t)self->count, width = (size_t)run->layout.width,
                 dof = (size_t)run->layout.dof;
    self->row = carom_arena_take(run->arena, carom_product(count, width), sizeof(double));
    self->last = carom_arena_take(run->arena, carom_product(count, width), sizeof(double));
    self->before = carom_arena_take(run->arena, carom_product(count, dof), sizeof(double));
    self->velocity = carom_arena_take(run->arena, dof, sizeof(double));
    self->observed = carom_arena_take(run->arena, 1 + (size_t)experiment->model->observables, sizeof(double));
    if (!self->row || !self->last || !self->before || !self->velocity || !self->observed)
        return carom_fail_memory(error);
    if (!experiment->observe)
        return CAROM_OK;
    const size_t size = carom_tape_work_size(experiment->observe);
    self->observe = carom_arena_take(run->arena, carom_product(count, size), sizeof(double));
    if (!self->observe)
        return carom_fail_memory(error);
    for (size_t c = 0; c < count; c++)
        carom_tape_along_bind(experiment->observe, run->observe_work, self->parameter[c],
                              self->observe + c * size);
    return CAROM_OK;
}

/* A scheme may correct an initial velocity into a closed contact, or data that joints do not fit; not every one tells how. */
static bool changes_start(const active_run *run)
{
    const carom_state *given = &run->start, *taken = &run->stepper->state;
    const carom_tangent_ops *ops = run->stepper->ops->tangent;
    if ((ops && ops->corrects_start) ||
        run->stepper->model->has_bodies) /* of these: velocities of driven ones */
        return false;
    return memcmp(given->q, taken->q, (size_t)run->layout.positions * sizeof(double)) != 0 ||
           memcmp(given->v, taken->v, (size_t)run->layout.dof * sizeof(double)) != 0;
}

/* A motion that depends on numbers of studies, whose derivatives are not known. */
static bool depends_on_studies(active_run *run, const carom_tangent_column *column)
{
    const carom_model *model = run->plan.experiment->model;
    const carom_state *state = &run->stepper->state;
    const carom_direction direction = {column->t0, column->q0, column->v0, column->parameter};
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts;
    if (run->plan.experiment->study_number_count == 0)
        return false;
    if (model->has_bodies)
        return true;
    if (!isfinite(column->h) || !isfinite(column->t0) || !isfinite(column->end) ||
        !carom_all_finite(carom_model_positions(model), column->q0) ||
        !carom_all_finite(model->dof, column->v0))
        return true;
    double *numbers = carom_arena_take(run->arena, carom_product(n, n) + contacts + 1, sizeof *numbers);
    carom_contact_frame frame = {0};
    if (!numbers || !carom_contact_frame_take(run->arena, model, &frame))
        return true;
    model->ops->tangent->force(run->work, state->t, state->q, state->v, 1, &direction, numbers);
    bool depends = !carom_all_finite(model->dof, numbers);
    model->ops->tangent->mass(run->work, state->t, state->q, 1, &direction, numbers);
    depends = depends || !carom_all_finite(model->dof * model->dof, numbers);
    model->ops->tangent->gaps(run->work, state->t, state->q, 1, &direction, numbers);
    depends = depends || !carom_all_finite(model->contacts, numbers);
    for (int k = 0; !depends && k < model->contacts; k++) {
        model->ops->tangent->frame(run->work, k, state->t, state->q, 1, &direction, &frame);
        depends = isnan(frame.restitution);
        for (int i = 0; i < model->contact[k].coefficients; i++)
            depends = depends || isnan(frame.coefficients[i]);
    }
    return depends;
}

/* The directions of all names; *why says what has no derivatives. */
static carom_status find_columns(active_run *run, carom_tangent_column *column, carom_error *why,
                                 carom_error *error)
{
    const run_sensitivity *self = run->sensitivity;
    carom_status status = take_parameters(run, error);
    if (status == CAROM_OK)
        status = find_values(run, error);
    for (int c = 0; status == CAROM_OK && c < self->count; c++) {
        status = fill_column(run, c, &column[c], error);
        if (status == CAROM_OK && depends_on_studies(run, &column[c]))
            carom_fail(why, CAROM_BAD_INPUT,
                       "the motion depends on numbers of studies, which have no derivatives");
    }
    return status;
}

static carom_status refuse(active_run *run, const carom_error *why, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    if (why->status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    snprintf(self->why, sizeof self->why, "%.250s", why->text);
    return run->request->only_exact
               ? carom_fail(error, CAROM_BAD_INPUT, "no exact derivatives: %s", self->why)
               : CAROM_OK;
}

carom_status run_begin_sensitivity(active_run *run, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    carom_error why = {0};
    if (run->request->differences)
        carom_fail(&why, CAROM_BAD_INPUT, "differences are asked for");
    else if (changes_start(run))
        carom_fail(&why, CAROM_BAD_INPUT, "initial data that the scheme corrects have no derivatives");
    else
        carom_tangent_accepts(run->stepper, &why);
    if (why.text[0])
        return refuse(run, &why, error);
    carom_tangent_column *column = carom_arena_take(run->arena, (size_t)self->count, sizeof *column);
    carom_status status = column ? find_columns(run, column, &why, error) : carom_fail_memory(error);
    if (status == CAROM_OK && why.text[0])
        return refuse(run, &why, error);
    if (status == CAROM_OK)
        status = carom_tangent_create(run->stepper, self->count, column, &self->tangent, error);
    if (status == CAROM_OK)
        status = take_rows(run, error);
    if (status == CAROM_OK && run->measures)
        status =
            measure_set_watch(run->measures,
                              &(measure_slopes){.count = self->count,
                                                .width = run->layout.width,
                                                .row = self->row,
                                                .event_time = (const double *const *)&self->event_time.value},
                              error);
    if (status == CAROM_OK)
        run_build_sensitivity_row(run);
    return status;
}

/* The number of steps is whole: where its quotient just is, it jumps with the step, the start and the end. A motion that ends
 * between steps has no such jump. */
static void look_at_end(const active_run *run)
{
    const run_plan *plan = &run->plan;
    const carom_experiment *experiment = plan->experiment;
    const double quotient = (plan->until - plan->t0) / plan->h;
    carom_tangent *tangent = run->sensitivity->tangent;
    if (fabs(quotient - round(quotient)) > 1e-5 || run->stopped || !isinf(plan->end))
        return;
    for (int c = 0; c < run->sensitivity->count; c++) {
        const carom_tangent_column *column = &tangent->column[c];
        const double until =
            time_along(run, c, run->request->until, experiment->until, experiment->until_parameter);
        const double change = (until - column->t0 - quotient * column->h) / plan->h;
        if (fabs(change) > 1e-9)
            carom_tangent_tell(tangent, plan->until,
                               "the number of steps jumps with %s: derivatives are those of step %ld",
                               run->request->sensitivity[c], plan->steps);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

carom_status sensitivity_step(active_run *run, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    carom_tangent *tangent = self->tangent;
    const int dof = run->layout.dof;
    const size_t events = run->events.count;
    for (int c = 0; c < self->count; c++)
        carom_copy(dof, carom_tangent_v(tangent, c), self->before + (size_t)c * (size_t)dof);
    carom_copy(dof, run->stepper->state.v, self->velocity);
    carom_status status = carom_tangent_step(tangent, error);
    /* times of the events that the scheme has told of */
    for (size_t i = events; status == CAROM_OK && i < run->events.count; i++)
        for (int c = 0; status == CAROM_OK && c < self->count; c++) {
            const size_t place = (i - events) * (size_t)self->count + (size_t)c;
            const bool known = tangent->event_time && i - events < (size_t)tangent->events;
            status = carom_numbers_append(&self->event_time, known ? tangent->event_time[place] : NAN, error);
        }
    return status;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* Of schemes whose accelerations and forces of joints are means over the step. */
static void add_forces_along(const active_run *run, int c, double *row)
{
    const run_sensitivity *self = run->sensitivity;
    const carom_tangent *tangent = self->tangent;
    const carom_row_layout *layout = &run->layout;
    const carom_stepper *stepper = run->stepper;
    const double h = stepper->h, dh = tangent->column[c].h;
    const bool known = stepper->counts.steps > 0 && !stepper->ops->forces;
    const double *dv = carom_tangent_v(tangent, c), *before = self->before + (size_t)c * (size_t)layout->dof;
    for (int i = 0; i < layout->accelerations; i++)
        row[layout->acceleration + i] =
            known ? (dv[i] - before[i] - (stepper->state.v[i] - self->velocity[i]) * dh / h) / h : NAN;
    for (int i = 0; i < layout->reactions; i++)
        row[layout->reaction + i] =
            known && stepper->state.reaction
                ? (tangent->reaction[(size_t)c * (size_t)stepper->model->joints + (size_t)i] -
                   stepper->state.reaction[i] * dh / h) /
                      h
                : NAN;
}

/* The row must be complete, but for its columns; `values` is what it has derivatives of. */
static void evaluate_columns_along(const active_run *run, int c, const double *values, double *row)
{
    const run_sensitivity *self = run->sensitivity;
    const carom_experiment *experiment = run->plan.experiment;
    const carom_row_layout *layout = &run->layout;
    if (!experiment->observe)
        return;
    self->observed[0] = row[layout->energy];
    const carom_model_tangent_ops *along = experiment->model->ops->tangent;
    for (int i = 0; i < experiment->model->observables; i++)
        self->observed[1 + i] = NAN;
    if (experiment->model->observables > 0 && along->observe) {
        const carom_direction to = {row[0], row + layout->q, row + layout->v,
                                    self->tangent->column[c].parameter};
        along->observe(run->work, values[0], values + layout->q, values + layout->v, values + layout->impulse,
                       &to, row + layout->impulse, self->observed + 1);
    }
    const carom_inputs direction = {.t = row[0],
                                    .q = row + layout->q,
                                    .u = row + layout->v,
                                    .impulse = row + layout->impulse,
                                    .observed = self->observed,
                                    .acceleration = row + layout->acceleration,
                                    .multiplier = row + layout->reaction};
    carom_tape_along(experiment->observe, run->observe_work,
                     self->observe + (size_t)c * carom_tape_work_size(experiment->observe), &direction,
                     row + layout->column);
}

static void build_row(active_run *run, int c)
{
    const run_sensitivity *self = run->sensitivity;
    const carom_tangent *tangent = self->tangent;
    const carom_row_layout *layout = &run->layout;
    const carom_stepper *stepper = run->stepper;
    const carom_state *state = &stepper->state;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    double *row = self->row + (size_t)c * (size_t)layout->width;
    memset(row, 0, (size_t)layout->width * sizeof *row);
    row[0] = tangent->t[c];
    carom_copy(layout->positions, carom_tangent_q(tangent, c), row + layout->q);
    carom_copy(layout->dof, carom_tangent_v(tangent, c), row + layout->v);
    const carom_direction to = {row[0], row + layout->q, row + layout->v, tangent->column[c].parameter};
    row[layout->energy] = tangent->ops->energy ? tangent->ops->energy(self->tangent, c) : NAN;
    if (!stepper->ops->energy)
        along->energy(stepper->work, state->t, state->q, state->v, 1, &to, row + layout->energy);
    if (layout->contacts > 0)
        along->gaps(stepper->work, state->t, state->q, 1, &to, row + layout->gap);
    carom_copy(CAROM_CONTACT_COMPONENTS * layout->contacts,
               tangent->impulse + (size_t)c * CAROM_CONTACT_COMPONENTS * (size_t)layout->contacts,
               row + layout->impulse);
    for (int i = 0; i < layout->contacts; i++)
        row[layout->located + i] = row[0];
    add_forces_along(run, c, row);
    if (run->columns_in_use)
        evaluate_columns_along(run, c, run->candidate, row);
    for (int i = 0; i < layout->width; i++)
        row[i] = tangent->lost ? NAN : row[i] + 0.0; /* no -0 */
}

void run_build_sensitivity_row(active_run *run)
{
    const run_sensitivity *self = run->sensitivity;
    for (int c = 0; self && self->tangent && c < self->count; c++)
        build_row(run, c);
}

void run_keep_sensitivity_row(active_run *run)
{
    const run_sensitivity *self = run->sensitivity;
    if (self && self->tangent)
        memcpy(self->last, self->row, (size_t)self->count * (size_t)run->layout.width * sizeof *self->row);
}

void run_sample_sensitivity(active_run *run, int place, bool earlier)
{
    const run_sensitivity *self = run->sensitivity;
    if (!self || !self->tangent)
        return;
    const size_t numbers = (size_t)self->count * (size_t)run->layout.width;
    memcpy(run->result->sensitivity->sample + (size_t)place * numbers, earlier ? self->last : self->row,
           numbers * sizeof *self->row);
}

const double *run_sensitivity_rows(const active_run *run)
{
    const run_sensitivity *self = run->sensitivity;
    return self && self->tangent ? self->last : NULL;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static carom_status take_breaks(const carom_tangent *tangent, carom_sensitivity *result, carom_error *error)
{
    result->break_count = tangent->breaks;
    result->breaks_kept = tangent->breaks < CAROM_BREAKS_KEPT ? tangent->breaks : CAROM_BREAKS_KEPT;
    result->breaks = carom_new_array((size_t)result->breaks_kept, sizeof *result->breaks);
    if (!result->breaks)
        return carom_fail_memory(error);
    memcpy(result->breaks, tangent->kept, (size_t)result->breaks_kept * sizeof *result->breaks);
    return CAROM_OK;
}

carom_status run_finish_sensitivity(active_run *run, carom_error *error)
{
    run_sensitivity *self = run->sensitivity;
    carom_sensitivity *result = run->result->sensitivity;
    const size_t count = (size_t)self->count, width = (size_t)run->layout.width;
    const size_t measures = (size_t)run->plan.experiment->measure_count;
    result->exact = self->tangent != NULL;
    memcpy(result->why, self->why, sizeof result->why);
    result->width = run->layout.width;
    result->final = carom_new_array(carom_product(count, width), sizeof(double));
    result->measure = carom_new_array(carom_product(count, measures), sizeof *result->measure);
    result->measure_error = carom_new_array(carom_product(count, measures), sizeof(double));
    if (!result->final || !result->measure || !result->measure_error)
        return carom_fail_memory(error);
    result->measure_count = (int)measures;
    if (!self->tangent)
        return CAROM_OK;
    for (int c = 0; !run->columns_in_use && c < self->count; c++)
        evaluate_columns_along(run, c, run->last, self->last + (size_t)c * width);
    memcpy(result->final, self->last, count * width * sizeof(double));
    look_at_end(run);
    carom_status status = take_breaks(self->tangent, result, error);
    if (status == CAROM_OK && run->measures)
        status = measure_set_finish_slopes(run->measures, result->measure, error);
    if (status == CAROM_OK && run->request->events && self->event_time.length > 0) {
        result->event_count = run->events.count;
        result->event_time = self->event_time.value;
        self->event_time = (carom_numbers){0};
    }
    return status;
}
