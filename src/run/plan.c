#include "plan.h"
#include "study_results.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double steps_limit = 1e12;

/* What stands for the scheme of a study. */
static const carom_scheme_ops no_scheme = {.name = "none", .summary = "of a study"};

double run_plan_value(const run_plan *plan, carom_value value, double absent)
{
    return value == CAROM_NO_VALUE ? absent : plan->values[value];
}

/* ---- the request --------------------------------------------------------------------------------- */

/* The experiment, or one that says nothing but which model it is. */
static carom_status take_experiment(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    if (!request->experiment == !request->model)
        return carom_fail(error, CAROM_BAD_INPUT,
                          request->model ? "both an experiment and a model are given; a run takes one of them"
                                         : "nothing to run: give an experiment or a model");
    plan->experiment = request->experiment;
    if (request->experiment)
        return CAROM_OK;
    plan->experiment = &plan->alone;
    plan->alone = (carom_experiment){.model = (carom_model *)request->model, /* which nobody changes */
                                     .gap_tolerance = CAROM_NO_VALUE,
                                     .t0 = CAROM_NO_VALUE,
                                     .h = CAROM_NO_VALUE,
                                     .until = CAROM_NO_VALUE,
                                     .h_parameter = -1,
                                     .until_parameter = -1};
    return CAROM_OK;
}

/* ---- parameters and values ---------------------------------------------------------------------- */

static carom_status take_parameters(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    const carom_experiment *experiment = plan->experiment;
    const carom_model *model = experiment->model;
    const double *values = request->parameter ? request->parameter : experiment->parameter;
    plan->parameter = carom_new_array((size_t)model->parameters, sizeof *plan->parameter);
    if (!plan->parameter)
        return carom_fail_memory(error);
    for (int i = 0; i < model->parameters; i++) {
        plan->parameter[i] = values ? values[i] : model->parameter[i].value;
        if (!isfinite(plan->parameter[i]) && !model->parameter[i].computed)
            return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = %g: must be finite",
                              model->parameter[i].name, plan->parameter[i]);
    }
    /* Expressions that use the step size or the end as parameters must agree with the run. */
    const double h = carom_given_time(request->h), until = carom_given_time(request->until);
    const double unit = carom_units_are_given(&experiment->units) ? experiment->units.time : 1.0;
    if (!isnan(h) && experiment->h_parameter >= 0)
        plan->parameter[experiment->h_parameter] = h / unit;
    if (!isnan(until) && experiment->until_parameter >= 0)
        plan->parameter[experiment->until_parameter] = until / unit;
    return CAROM_OK;
}

/* The studies first: values may be made of their outputs. */
static carom_status resolve_values(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    const carom_experiment *experiment = plan->experiment;
    if (experiment->study_count > 0 && !request->no_studies) {
        const carom_status status =
            study_results_compute(experiment, plan->parameter, request->progress, &plan->results, error);
        if (status != CAROM_OK)
            return status;
    }
    const size_t count = experiment->values ? (size_t)carom_tape_outputs(experiment->values) : 0;
    plan->values = carom_new_array(count, sizeof *plan->values);
    return plan->values ? experiment_values(experiment, plan->parameter, plan->values, error)
                        : carom_fail_memory(error);
}

/* ---- times ---------------------------------------------------------------------------------------- */

/* Where a time of the run comes from, for messages. */
static void describe_origin(const run_plan *plan, double requested, int parameter, char *text, size_t size)
{
    if (!isnan(requested))
        snprintf(text, size, "given for this run");
    else if (parameter >= 0)
        snprintf(text, size, "parameter '%s'", plan->experiment->model->parameter[parameter].name);
    else
        snprintf(text, size, "from the experiment");
}

static const char *says_nothing(const run_plan *plan)
{
    return plan->experiment == &plan->alone ? "a model alone says nothing of it"
                                            : "the experiment gives none";
}

static carom_status resolve_times(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    const carom_experiment *experiment = plan->experiment;
    const double t0 = carom_given_time(request->t0), h = carom_given_time(request->h),
                 until = carom_given_time(request->until);
    char origin[256];

    plan->t0 = isnan(t0) ? run_plan_value(plan, experiment->t0, 0.0) : t0;
    if (!isfinite(plan->t0))
        return carom_fail(error, CAROM_BAD_INPUT, "start time t0 = %g: must be finite", plan->t0);

    if (isnan(h) && experiment->h == CAROM_NO_VALUE)
        return carom_fail(error, CAROM_BAD_INPUT, "no step size: %s; give h > 0", says_nothing(plan));
    plan->h = isnan(h) ? run_plan_value(plan, experiment->h, NAN) : h;
    describe_origin(plan, h, experiment->h_parameter, origin, sizeof origin);
    if (!(isfinite(plan->h) && plan->h > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "step size h = %.10g (%s): must be finite and > 0", plan->h,
                          origin);

    if (request->endless) {
        plan->until = INFINITY;
        plan->steps = LONG_MAX;
        return CAROM_OK;
    }
    if (isnan(until) && experiment->until == CAROM_NO_VALUE)
        return carom_fail(error, CAROM_BAD_INPUT, "no end time: %s; give an end (until) > t0 = %.10g",
                          says_nothing(plan), plan->t0);
    plan->until = isnan(until) ? run_plan_value(plan, experiment->until, NAN) : until;
    describe_origin(plan, until, experiment->until_parameter, origin, sizeof origin);
    if (!(isfinite(plan->until) && plan->until > plan->t0))
        return carom_fail(error, CAROM_BAD_INPUT, "end time = %.10g (%s): must be finite and > t0 = %.10g",
                          plan->until, origin, plan->t0);

    /* A quotient that is a whole number up to rounding is that whole number. */
    double steps = ceil((plan->until - plan->t0) / plan->h - 1e-6);
    if (steps > steps_limit)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%.10g steps of h = %.10g from t0 = %.10g to %.10g: at most %g are possible; "
                          "give a larger h or an earlier end",
                          steps, plan->h, plan->t0, plan->until, steps_limit);
    plan->steps = steps < 1.0 ? 1 : (long)steps;
    if (request->max_steps > 0 && plan->steps > request->max_steps)
        plan->steps = request->max_steps;
    return CAROM_OK;
}

/* ---- scheme and options ---------------------------------------------------------------------------- */

static carom_status find_scheme(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    const char *name = request->scheme ? request->scheme : plan->experiment->scheme;
    plan->scheme = request->scheme_ops;
    if (!plan->scheme && !name)
        return carom_fail(error, CAROM_BAD_INPUT, "no scheme: %s; give one, such as moreau-jean",
                          says_nothing(plan));
    if (!plan->scheme)
        plan->scheme = carom_scheme_find(name, error);
    if (!plan->scheme)
        return CAROM_BAD_INPUT;
    return carom_scheme_accepts(plan->scheme, plan->experiment->model, error);
}

static bool any_scheme_knows(const char *option)
{
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (carom_scheme_takes_option(carom_scheme_at(i), option))
            return true;
    return false;
}

static carom_status check_option(const carom_scheme_ops *scheme, int index, double value, carom_error *error)
{
    const carom_option_info *option = &scheme->options[index];
    const int words = carom_option_word_count(option);
    const double min = words ? 0.0 : option->min, max = words ? words - 1.0 : option->max;
    if (!(value >= min && value <= max))
        return carom_fail(error, CAROM_BAD_INPUT, "option %s of scheme %s = %.10g: from %.10g to %.10g",
                          option->name, scheme->name, value, min, max);
    if (words && value != floor(value))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "option %s of scheme %s = %.10g: must be the index of one of its words, a whole "
                          "number",
                          option->name, scheme->name, value);
    return CAROM_OK;
}

/* Most options of another scheme mean nothing here; a law of impact is physics and must not be lost. */
static carom_status refuse_lost_law(const run_plan *plan, const carom_scheme_choice *choice,
                                    carom_error *error)
{
    if (strcmp(choice->name, "impact_law") != 0 || !choice->word || strcmp(choice->word, "own") == 0)
        return CAROM_OK;
    carom_text schemes = {0};
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (carom_scheme_find_option(carom_scheme_at(i), choice->name) >= 0)
            carom_text_append(&schemes, "%s%s", schemes.length ? ", " : "", carom_scheme_at(i)->name);
    const carom_status status =
        carom_fail(error, CAROM_BAD_INPUT,
                   "the model asks for impact_law = \"%s\", and scheme %s has a law of its own; take %s",
                   choice->word, plan->scheme->name, schemes.bytes ? schemes.bytes : "another scheme");
    carom_text_free(&schemes);
    return status;
}

/* The model's solver is one of its own scheme's, and this run has another scheme with other solvers. */
static bool is_of_other_scheme(const run_plan *plan, const carom_scheme_choice *choice, int index)
{
    double value = 0.0;
    return plan->scheme->options[index].registry && plan->experiment->scheme &&
           carom_scheme_find(plan->experiment->scheme, NULL) != plan->scheme &&
           carom_scheme_parse_option(plan->scheme, index, choice->word, &value, NULL) != CAROM_OK;
}

static carom_status take_choice(run_plan *plan, const carom_scheme_choice *choice, carom_error *error)
{
    int index = carom_scheme_find_option(plan->scheme, choice->name);
    if (index < 0 && refuse_lost_law(plan, choice, error) != CAROM_OK)
        return CAROM_BAD_INPUT;
    if (index < 0) /* an option of another scheme is not for this one */
        return any_scheme_knows(choice->name) ? CAROM_OK
                                              : carom_scheme_fail_option(plan->scheme, choice->name, error);
    if (choice->word && is_of_other_scheme(plan, choice, index))
        return CAROM_OK;
    if (choice->word)
        return carom_scheme_parse_option(plan->scheme, index, choice->word, &plan->option[index], error);
    plan->option[index] = run_plan_value(plan, choice->value, plan->scheme->options[index].value);
    return check_option(plan->scheme, index, plan->option[index], error);
}

static bool is_for_solver(const run_plan *plan, const char *name)
{
    return carom_scheme_find_option(plan->scheme, name) < 0 && carom_scheme_takes_option(plan->scheme, name);
}

static carom_status add_solver_option(run_plan *plan, carom_option option, carom_error *error)
{
    char *name = strdup(option.name), *word = option.word ? strdup(option.word) : NULL;
    if (!name || (option.word && !word)) {
        free(name);
        free(word);
        return carom_fail_memory(error);
    }
    plan->solver_option[plan->solver_option_count++] = (carom_option){name, option.value, word};
    return CAROM_OK;
}

/* Options of the contact solver: those of the model that the solver of this run has, and all of the
 * request, so that a wrong one is told. */
static carom_status take_solver_options(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    const carom_experiment *experiment = plan->experiment;
    size_t given = 0;
    while (request->option && request->option[given].name)
        given++;
    plan->solver_option =
        carom_new_array((size_t)experiment->choice_count + given + 1, sizeof *plan->solver_option);
    carom_status status = plan->solver_option ? CAROM_OK : carom_fail_memory(error);
    for (int i = 0; i < experiment->choice_count && status == CAROM_OK; i++) {
        const carom_scheme_choice *choice = &experiment->choice[i];
        if (is_for_solver(plan, choice->name) &&
            carom_scheme_choice_has(plan->scheme, plan->option, choice->name))
            status = add_solver_option(
                plan, (carom_option){choice->name, run_plan_value(plan, choice->value, 0.0), choice->word},
                error);
    }
    for (size_t i = 0; i < given && status == CAROM_OK; i++)
        if (is_for_solver(plan, request->option[i].name))
            status = add_solver_option(plan, request->option[i], error);
    return status;
}

static carom_status take_options(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    const carom_scheme_ops *scheme = plan->scheme;
    plan->option = carom_new_array((size_t)scheme->option_count, sizeof *plan->option);
    if (!plan->option)
        return carom_fail_memory(error);
    for (int i = 0; i < scheme->option_count; i++)
        plan->option[i] = scheme->options[i].value;
    for (int i = 0; i < plan->experiment->choice_count; i++) {
        carom_status status = take_choice(plan, &plan->experiment->choice[i], error);
        if (status != CAROM_OK)
            return status;
    }
    for (const carom_option *option = request->option; option && option->name; option++) {
        int index = carom_scheme_find_option(scheme, option->name);
        if (index < 0 && is_for_solver(plan, option->name))
            continue;
        if (index < 0)
            return carom_scheme_fail_option(scheme, option->name, error);
        carom_status status =
            option->word ? carom_scheme_parse_option(scheme, index, option->word, &plan->option[index], error)
                         : check_option(scheme, index, plan->option[index] = option->value, error);
        if (status != CAROM_OK)
            return status;
    }
    return take_solver_options(request, plan, error);
}

/* A study has one output, at t = 0, which nothing can change any more. */
static carom_status plan_study(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    if (request->scheme_ops || request->scheme || !isnan(carom_given_time(request->h)) ||
        !isnan(carom_given_time(request->until)) || (request->option && request->option->name))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s is a study: nothing moves; it takes no scheme, step, end or options, only its "
                          "parameters",
                          plan->experiment->name);
    plan->scheme = &no_scheme;
    plan->h = 0.0;
    plan->option = carom_new_array(0, sizeof *plan->option);
    return plan->option ? CAROM_OK : carom_fail_memory(error);
}

/* A scheme that advances by h has the motion at the ends of its steps only; others end where they are told to. */
static void resolve_end(const carom_run_request *request, run_plan *plan)
{
    const bool has_steps =
        !(plan->scheme->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS));
    const bool is_cut = request->max_steps > 0 && plan->steps == request->max_steps;
    plan->end = has_steps || is_cut ? INFINITY : plan->until;
}

carom_status run_plan_create(const carom_run_request *request, run_plan *plan, carom_error *error)
{
    *plan = (run_plan){.q0 = request->q0, .v0 = request->v0, .end = INFINITY};
    carom_status status = take_experiment(request, plan, error);
    if (status == CAROM_OK)
        status = take_parameters(request, plan, error);
    if (status == CAROM_OK)
        status = resolve_values(request, plan, error);
    if (status == CAROM_OK && plan->experiment->study)
        return plan_study(request, plan, error);
    if (status == CAROM_OK)
        status = resolve_times(request, plan, error);
    if (status == CAROM_OK)
        status = find_scheme(request, plan, error);
    if (status == CAROM_OK)
        resolve_end(request, plan);
    if (status == CAROM_OK)
        status = take_options(request, plan, error);
    return status;
}

void run_options_free(int count, carom_option *list)
{
    for (int i = 0; i < count; i++) {
        free((char *)list[i].name); /* of strdup */
        free((char *)list[i].word);
    }
    free(list);
}

void run_plan_free(run_plan *plan)
{
    free(plan->parameter);
    free(plan->values);
    free(plan->option);
    carom_study_results_free(plan->results);
    run_options_free(plan->solver_option_count, plan->solver_option);
    *plan = (run_plan){0};
}

carom_status carom_run_times(const carom_run_request *request, double *t0, double *until, carom_error *error)
{
    run_plan plan;
    const carom_status status = run_plan_create(request, &plan, error);
    *t0 = plan.t0;
    *until = plan.until;
    run_plan_free(&plan);
    return status;
}
