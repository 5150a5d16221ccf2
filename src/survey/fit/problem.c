/* What a fit seeks and what it is compared with, checked before anything moves. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

enum {
    UNKNOWNS_MAX = 200
};

/* ---- names ------------------------------------------------------------------------------------------------ */

/* Says which names there are. */
static carom_status fail_unknown(const carom_experiment *experiment, const char *what, const char *name,
                                 carom_error *error)
{
    const carom_model *model = experiment->model;
    carom_text list = {0};
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].computed && list.length < 300)
            carom_text_append(&list, "%s%s", list.length ? ", " : "", model->parameter[i].name);
    for (int i = 0; i < model->dof && list.length < 500; i++)
        carom_text_append(&list, "%sq:%s, v:%s", list.length ? ", " : "", model->coordinate[i],
                          carom_model_velocity_name(model, i));
    const carom_status status = carom_fail(error, CAROM_BAD_INPUT, "%s: there is no '%s'; there are %s", what,
                                           name, list.bytes ? list.bytes : "none");
    carom_text_free(&list);
    return status;
}

static bool is_setting(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->setting_count; i++)
        if (strcmp(experiment->setting[i].name, name) == 0)
            return true;
    return false;
}

/* A parameter, q:NAME or v:NAME. `what` says who asks. */
static carom_status find_name(const carom_experiment *experiment, const char *what, const char *name,
                              fit_place *place, int *index, carom_error *error)
{
    if (!name)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: a name is missing", what);
    const carom_model *model = experiment->model;
    const bool initial = (name[0] == 'q' || name[0] == 'v') && name[1] == ':';
    *place = !initial ? FIT_PARAMETER : name[0] == 'q' ? FIT_POSITION : FIT_VELOCITY;
    *index = !initial                 ? carom_model_find_parameter(model, name)
             : *place == FIT_POSITION ? carom_model_find_position(model, name + 2)
                                      : carom_model_find_velocity(model, name + 2);
    if (!initial && is_setting(experiment, name))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s: '%s' is a setting, which shapes the model and cannot change between motions; give "
            "it another value with --set",
            what, name);
    if (*index < 0 || (!initial && model->parameter[*index].computed))
        return fail_unknown(experiment, what, name, error);
    return CAROM_OK;
}

/* ---- unknowns --------------------------------------------------------------------------------------------- */

static carom_status check_fittable(const fit_problem *problem, const fit_unknown *unknown, carom_error *error)
{
    const carom_experiment *experiment = problem->experiment;
    if (unknown->place != FIT_PARAMETER)
        return CAROM_OK;
    const carom_parameter *parameter = &experiment->model->parameter[unknown->index];
    if (parameter->integer)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s' is a whole number and cannot be fitted: compare its values "
                          "with carom sweep",
                          parameter->name);
    if (unknown->index == experiment->h_parameter || unknown->index == experiment->until_parameter)
        return carom_fail(error, CAROM_BAD_INPUT, "'%s' is %s of the run, which the data cannot tell",
                          parameter->name,
                          unknown->index == experiment->h_parameter ? "the step" : "the end");
    return CAROM_OK;
}

/* What the data of a motion set, else what the experiment has. */
static double value_now(const fit_problem *problem, const fit_unknown *unknown, const double *q0,
                        const double *v0)
{
    const int data = unknown->data < 0 ? 0 : unknown->data;
    const fit_run *run = &problem->run[data];
    for (int i = 0; i < run->setting_count; i++)
        if (run->setting[i].place == unknown->place && run->setting[i].index == unknown->index)
            return run->setting[i].value;
    return unknown->place == FIT_PARAMETER  ? problem->experiment->parameter[unknown->index]
           : unknown->place == FIT_POSITION ? q0[unknown->index]
                                            : v0[unknown->index];
}

static carom_status choose_range(const fit_problem *problem, const carom_fit_parameter *asked,
                                 fit_unknown *unknown, carom_error *error)
{
    double least = -INFINITY, most = INFINITY;
    if (unknown->place == FIT_PARAMETER) {
        const carom_parameter *parameter = &problem->experiment->model->parameter[unknown->index];
        least = parameter->min;
        most = parameter->max;
    }
    const double low = carom_given(asked->low, NAN), high = carom_given(asked->high, NAN);
    if (low < least || high > most || low > most || high < least)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bounds %g to %g of '%s' leave the range of the parameter, %g to %g", low, high,
                          asked->name, least, most);
    unknown->low = isnan(low) ? least : low;
    unknown->high = isnan(high) ? most : high;
    if (!(unknown->low < unknown->high))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bounds of '%s': %g to %g is no range; give the lower first", asked->name,
                          unknown->low, unknown->high);
    const double start = carom_given(asked->start, NAN);
    if (!isnan(start))
        unknown->start = start;
    if (!(isfinite(unknown->start) && unknown->start >= unknown->low && unknown->start <= unknown->high))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "'%s' starts at %g, which is not in its range, %g to %g; give another start or range",
            asked->name, unknown->start, unknown->low, unknown->high);
    return CAROM_OK;
}

/* A change that matters: the size of the start value, at most the width of the range. At 0 it is that of the model, of parameters
 * one unit. */
static double choose_scale(const fit_problem *problem, const carom_fit_parameter *asked,
                           const fit_unknown *unknown)
{
    const double given = carom_given(asked->scale, NAN);
    if (given > 0.0)
        return given;
    double scale = fabs(unknown->start);
    if (!(scale > 0.0))
        scale = unknown->place == FIT_POSITION   ? problem->scales.length
                : unknown->place == FIT_VELOCITY ? carom_scales_speed(&problem->scales)
                                                 : 1.0;
    return fmin(scale, unknown->high - unknown->low);
}

static bool is_set(const fit_run *run, const fit_unknown *unknown)
{
    for (int i = 0; i < run->setting_count; i++)
        if (run->setting[i].place == unknown->place && run->setting[i].index == unknown->index)
            return true;
    return false;
}

/* What one of several motions has for itself cannot be sought for all of them together. */
static carom_status check_settings(const fit_problem *problem, const fit_unknown *unknown, const char *name,
                                   carom_error *error)
{
    for (int i = 0; unknown->data < 0 && problem->run_count > 1 && i < problem->run_count; i++)
        if (is_set(&problem->run[i], unknown))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "'%s' has a value of its own in %s and is to be fitted for all motions together; seek it "
                "for each (--each), or leave the value out",
                name, problem->run[i].data->name);
    return CAROM_OK;
}

static carom_status add_unknown(fit_problem *problem, const carom_fit_parameter *asked, int data,
                                const double *q0, const double *v0, carom_error *error)
{
    fit_unknown *unknown = &problem->unknown[problem->unknown_count];
    carom_status status = find_name(problem->experiment, "parameters to fit", asked->name, &unknown->place,
                                    &unknown->index, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < problem->unknown_count; i++) {
        const fit_unknown *other = &problem->unknown[i];
        if (other->place == unknown->place && other->index == unknown->index &&
            (other->data == data || other->data < 0 || data < 0))
            return carom_fail(error, CAROM_BAD_INPUT, "'%s' is to be fitted twice", asked->name);
    }
    unknown->data = data;
    unknown->start = value_now(problem, unknown, q0, v0);
    status = check_fittable(problem, unknown, error);
    if (status == CAROM_OK)
        status = check_settings(problem, unknown, asked->name, error);
    if (status == CAROM_OK)
        status = choose_range(problem, asked, unknown, error);
    if (status != CAROM_OK)
        return status;
    unknown->scale = choose_scale(problem, asked, unknown);
    carom_text name = {0};
    carom_text_append(&name, "%s", asked->name);
    if (data >= 0)
        carom_text_append(&name, " (%s)", problem->run[data].data->name);
    unknown->name = name.bytes ? carom_arena_copy_text(problem->arena, name.bytes) : NULL;
    carom_text_free(&name);
    problem->unknown_count++;
    return unknown->name ? CAROM_OK : carom_fail_memory(error);
}

/* Initial values of the experiment, for starts. */
static carom_status initial_values(fit_problem *problem, double **q0, double **v0, carom_error *error)
{
    const carom_experiment *experiment = problem->experiment;
    const carom_model *model = experiment->model;
    const carom_run_request request = {
        .experiment = experiment, .scheme_ops = problem->scheme, .h = problem->h, .option = problem->option};
    carom_stepping *stepping = NULL;
    *q0 = carom_arena_take(problem->arena, (size_t)carom_model_positions(model) + 1, sizeof **q0);
    *v0 = carom_arena_take(problem->arena, (size_t)model->dof + 1, sizeof **v0);
    if (!*q0 || !*v0)
        return carom_fail_memory(error);
    const carom_status status = carom_stepping_create(&request, &stepping, error);
    if (status == CAROM_OK) {
        memcpy(*q0, stepping->q, (size_t)carom_model_positions(model) * sizeof **q0);
        memcpy(*v0, stepping->v, (size_t)model->dof * sizeof **v0);
        problem->scales = stepping->stepper->scales;
    }
    carom_stepping_free(stepping);
    return status;
}

static carom_status take_unknowns(fit_problem *problem, carom_error *error)
{
    const carom_fit_request *request = problem->request;
    if (request->parameter_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "no parameters to fit are named");
    long count = 0;
    for (int i = 0; i < request->parameter_count; i++)
        count += request->parameter[i].each ? request->data_count : 1;
    if (count > UNKNOWNS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%ld parameters to fit: at most %d", count, UNKNOWNS_MAX);
    problem->unknown = carom_arena_take(problem->arena, (size_t)count, sizeof *problem->unknown);
    double *q0 = NULL, *v0 = NULL;
    if (!problem->unknown)
        return carom_fail_memory(error);
    carom_status status = initial_values(problem, &q0, &v0, error);
    for (int i = 0; i < request->parameter_count; i++) {
        const bool each = request->parameter[i].each;
        for (int k = each ? 0 : -1; status == CAROM_OK && k < (each ? request->data_count : 0); k++)
            status = add_unknown(problem, &request->parameter[i], k, q0, v0, error);
    }
    return status;
}

/* ---- data ------------------------------------------------------------------------------------------------- */

static carom_status take_settings(fit_problem *problem, fit_run *run, carom_error *error)
{
    const carom_fit_data *data = run->data;
    run->setting = carom_arena_take(problem->arena, (size_t)data->set_count + 1, sizeof *run->setting);
    if (!run->setting)
        return carom_fail_memory(error);
    for (int i = 0; i < data->set_count; i++) {
        fit_setting *setting = &run->setting[i];
        const carom_status status = find_name(problem->experiment, data->name, data->set[i].name,
                                              &setting->place, &setting->index, error);
        if (status != CAROM_OK)
            return status;
        setting->value = data->set[i].value;
        if (!isfinite(setting->value))
            return carom_fail(error, CAROM_BAD_INPUT, "%s: '%s' = %g: must be finite", data->name,
                              data->set[i].name, setting->value);
        if (setting->place == FIT_PARAMETER) {
            const carom_parameter *parameter = &problem->experiment->model->parameter[setting->index];
            if (setting->value < parameter->min || setting->value > parameter->max)
                return carom_fail(error, CAROM_BAD_INPUT, "%s: '%s' = %g is out of range: from %g to %g",
                                  data->name, parameter->name, setting->value, parameter->min,
                                  parameter->max);
        }
        run->setting_count++;
    }
    return CAROM_OK;
}

static carom_status check_times(const fit_problem *problem, const carom_fit_data *data, double t0,
                                carom_error *error)
{
    if (!data->value || data->count < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the data have no values", data->name);
    if (problem->contact >= 0)
        return CAROM_OK;
    if (!data->t)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the data have no times", data->name);
    for (int i = 0; i < data->count; i++) {
        if (!isfinite(data->t[i]) || (i > 0 && !(data->t[i] > data->t[i - 1])))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s: time %.10g of row %d is not later than %.10g before it; times must grow",
                              data->name, data->t[i], i + 1, i > 0 ? data->t[i - 1] : -INFINITY);
        if (data->t[i] < t0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s: time %.10g of row %d is before the motion begins, t0 = %.10g", data->name,
                              data->t[i], i + 1, t0);
    }
    return CAROM_OK;
}

/* Times of impacts come in their order. */
static carom_status check_impacts(const fit_problem *problem, const carom_fit_data *data, double t0,
                                  carom_error *error)
{
    double before = t0;
    for (int i = 0; problem->contact >= 0 && i < data->count; i++) {
        const double t = data->value[i];
        if (isnan(t))
            continue;
        if (!(t > before))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "%s: impact %d at t = %.10g is not later than %.10g; times of impacts must grow", data->name,
                i + 1, t, before);
        before = t;
    }
    return CAROM_OK;
}

/* Which data there are. */
static carom_status take_rows(fit_problem *problem, int number, carom_error *error)
{
    fit_run *run = &problem->run[number];
    const carom_fit_data *data = run->data;
    const size_t outputs = (size_t)problem->outputs.count;
    const size_t cells = carom_product((size_t)data->count, outputs);
    if (cells > INT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: %d rows of %d columns are too many data", data->name,
                          data->count, problem->outputs.count);
    run->place = carom_arena_take(problem->arena, cells + 1, sizeof *run->place);
    if (!run->place)
        return carom_fail_memory(error);
    run->first = problem->residuals;
    for (size_t i = 0; i < cells; i++) {
        run->place[i] = isnan(data->value[i]) ? -1 : run->residuals++;
        if (run->place[i] >= 0)
            run->rows = (int)(i / outputs) + 1;
        if (run->place[i] >= 0 && !isfinite(data->value[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s: row %d holds %g", data->name,
                              (int)(i / outputs) + 1, data->value[i]);
    }
    if (run->residuals == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: there is not one datum in it", data->name);
    if (run->residuals > INT_MAX - problem->residuals)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: too many data", data->name);
    problem->residuals += run->residuals;
    return CAROM_OK;
}

static carom_status take_residuals(fit_problem *problem, carom_error *error)
{
    const size_t count = (size_t)problem->residuals;
    const int outputs = problem->outputs.count;
    problem->datum = carom_arena_take(problem->arena, count, sizeof *problem->datum);
    problem->sigma = carom_arena_take(problem->arena, count, sizeof *problem->sigma);
    problem->output_of = carom_arena_take(problem->arena, count, sizeof *problem->output_of);
    problem->given = carom_arena_take(problem->arena, count, sizeof *problem->given);
    if (!problem->given || !problem->datum || !problem->sigma || !problem->output_of)
        return carom_fail_memory(error);
    problem->known_sigma = true;
    for (int i = 0; i < problem->run_count; i++) {
        const fit_run *run = &problem->run[i];
        for (int k = 0; k < run->rows * outputs; k++) {
            if (run->place[k] < 0)
                continue;
            const int at = run->first + run->place[k];
            const double sigma = run->data->sigma ? run->data->sigma[k] : NAN;
            if (sigma <= 0.0 || isinf(sigma))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "%s: standard deviation %g of row %d: must be positive", run->data->name,
                                  sigma, k / outputs + 1);
            problem->datum[at] = run->data->value[k];
            problem->sigma[at] = isnan(sigma) ? 1.0 : sigma;
            problem->given[at] = !isnan(sigma);
            problem->output_of[at] = k % outputs;
            problem->known_sigma = problem->known_sigma && !isnan(sigma);
        }
    }
    return CAROM_OK;
}

static carom_status take_data(fit_problem *problem, carom_error *error)
{
    const carom_fit_request *request = problem->request;
    if (request->data_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "there are no data");
    problem->run_count = request->data_count;
    problem->run = carom_arena_take(problem->arena, (size_t)problem->run_count, sizeof *problem->run);
    if (!problem->run)
        return carom_fail_memory(error);
    const carom_run_request probe = {
        .experiment = problem->experiment, .scheme_ops = problem->scheme, .h = problem->h, .endless = true};
    double until = 0.0;
    carom_status status = carom_run_times(&probe, &problem->t0, &until, error);
    const double t0 = problem->t0;
    for (int i = 0; status == CAROM_OK && i < problem->run_count; i++) {
        const carom_fit_data *data = &request->data[i];
        problem->run[i].data = data;
        if (!data->name)
            return carom_fail(error, CAROM_BAD_INPUT, "data %d have no name", i + 1);
        status = take_settings(problem, &problem->run[i], error);
        if (status == CAROM_OK)
            status = check_times(problem, data, t0, error);
        if (status == CAROM_OK)
            status = check_impacts(problem, data, t0, error);
        if (status == CAROM_OK)
            status = take_rows(problem, i, error);
    }
    return status == CAROM_OK ? take_residuals(problem, error) : status;
}

/* Which unknowns each motion depends on. */
static carom_status take_columns(fit_problem *problem, carom_error *error)
{
    for (int i = 0; i < problem->run_count; i++) {
        fit_run *run = &problem->run[i];
        run->column = carom_arena_take(problem->arena, (size_t)problem->unknown_count, sizeof *run->column);
        if (!run->column)
            return carom_fail_memory(error);
        for (int k = 0; k < problem->unknown_count; k++)
            if (problem->unknown[k].data < 0 || problem->unknown[k].data == i)
                run->column[run->column_count++] = k;
    }
    if (problem->residuals <= problem->unknown_count)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%d data for %d parameters: a fit needs more data than parameters, for errors as well",
            problem->residuals, problem->unknown_count);
    return CAROM_OK;
}

/* ---- scheme, outputs, threads ----------------------------------------------------------------------------- */

/* What was measured goes on after impacts accumulate; so does the motion, unless someone has chosen. */
static carom_status take_options(fit_problem *problem, carom_error *error)
{
    const carom_option *list = problem->request->option;
    problem->option = list;
    if (carom_scheme_find_option(problem->scheme, "zeno") < 0 ||
        carom_experiment_chooses(problem->experiment, list, "zeno"))
        return CAROM_OK;
    size_t count = 0;
    while (list && list[count].name)
        count++;
    carom_option *longer = carom_arena_take(problem->arena, count + 2, sizeof *longer);
    if (!longer)
        return carom_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        longer[i] = list[i];
    longer[count] = (carom_option){.name = "zeno", .word = "continue"};
    problem->option = longer;
    return CAROM_OK;
}

static carom_status take_scheme(fit_problem *problem, carom_error *error)
{
    const char *name = problem->request->scheme ? problem->request->scheme : problem->experiment->scheme;
    if (!name)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no scheme: the model gives none; give one, such as event-driven");
    problem->scheme = carom_scheme_find(name, error);
    if (!problem->scheme)
        return CAROM_BAD_INPUT;
    problem->locates = problem->scheme->abilities & CAROM_SCHEME_EVENTS;
    problem->own_steps = problem->locates || problem->scheme->abilities & CAROM_SCHEME_OWN_STEPS;
    problem->h = problem->request->h;
    return take_options(problem, error);
}

static carom_status take_outputs(fit_problem *problem, carom_error *error)
{
    const carom_fit_request *request = problem->request;
    problem->contact = -1;
    if (!request->events && request->output_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "nothing says what was measured: give outputs, or a contact");
    if (!request->events)
        return fit_outputs_create(problem->experiment, request->output_count, request->output,
                                  &problem->outputs, error);
    const carom_model *model = problem->experiment->model;
    problem->outputs = (fit_outputs){.count = 1, .experiment = problem->experiment};
    problem->contact = carom_model_find_contact(model, request->events);
    if (problem->contact >= 0)
        return CAROM_OK;
    const char **names = carom_new_array((size_t)model->contacts + 1, sizeof *names);
    if (!names)
        return carom_fail_memory(error);
    for (int i = 0; i < model->contacts; i++)
        names[i] = model->contact[i].name;
    const carom_status status =
        carom_fail_unknown("contact", request->events, names, (size_t)model->contacts, error);
    free(names);
    return status;
}

carom_status fit_problem_create(const carom_fit_request *request, fit_problem *problem, carom_error *error)
{
    *problem = (fit_problem){.request = request, .experiment = request->experiment, .contact = -1};
    problem->arena = carom_arena_create();
    if (!problem->arena)
        return carom_fail_memory(error);
    if (!request->experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no model to fit");
    if (request->experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT, "%s is a study: nothing moves, there is no motion to fit",
                          request->experiment->name);
    carom_status status =
        carom_work_threads(request->threads, INT_MAX, request->workers, &problem->threads, error);
    if (status == CAROM_OK)
        status = take_scheme(problem, error);
    if (status == CAROM_OK)
        status = take_outputs(problem, error);
    if (status == CAROM_OK)
        status = take_data(problem, error);
    if (status == CAROM_OK)
        status = take_unknowns(problem, error);
    return status == CAROM_OK ? take_columns(problem, error) : status;
}

void fit_problem_free(fit_problem *problem)
{
    fit_outputs_free(&problem->outputs);
    carom_arena_free(problem->arena);
}
