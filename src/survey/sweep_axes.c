#include "sweep_axes.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_setting(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->setting_count; i++)
        if (strcmp(experiment->setting[i].name, name) == 0)
            return true;
    return false;
}

static sweep_axis_kind kind_of(const carom_experiment *experiment, const char *name)
{
    if (strcmp(name, "scheme") == 0)
        return SWEEP_SCHEME;
    return is_setting(experiment, name) ? SWEEP_SETTING : SWEEP_PARAMETER;
}

/* ---- values ---------------------------------------------------------------------------------------- */

/* On a copy of the parameters, so that the experiment stays as it is. */
static carom_status check_parameter(const carom_experiment *experiment, const carom_sweep_axis *axis,
                                    carom_error *error)
{
    carom_experiment scratch = *experiment;
    scratch.parameter = carom_new_array((size_t)experiment->model->parameters, sizeof *scratch.parameter);
    if (!scratch.parameter)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < axis->count; i++)
        status = carom_experiment_set(&scratch, axis->name, axis->value[i], error);
    free(scratch.parameter);
    if (status == CAROM_BAD_INPUT && carom_model_find_parameter(experiment->model, axis->name) < 0)
        return carom_fail(error, status, "cannot sweep: %s; 'scheme' sweeps over schemes", error->text);
    return status;
}

static carom_status check_setting(const carom_sweep_request *request, const carom_sweep_axis *axis,
                                  carom_error *error)
{
    if (!request->load)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "setting '%s' shapes the model: it can be swept only where the request says how to "
                          "load the model anew",
                          axis->name);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < axis->count; i++) {
        const carom_override value = {(char *)axis->name, (char *)axis->value[i]};
        carom_experiment *made = NULL;
        status = request->load(request->load_context, 1, &value, &made, error);
        if (status == CAROM_OK)
            carom_experiment_free(made);
    }
    return status;
}

static carom_status check_schemes(const carom_sweep_axis *axis, carom_error *error)
{
    for (int i = 0; i < axis->count; i++)
        if (!carom_scheme_find(axis->value[i], error))
            return CAROM_BAD_INPUT;
    return CAROM_OK;
}

/* Numbers by value, before words. */
static int compare_values(const void *a, const void *b)
{
    const char *first = *(const char *const *)a, *second = *(const char *const *)b;
    double x, y;
    const bool is_number = carom_parse_number(first, &x), other_is = carom_parse_number(second, &y);
    if (is_number && other_is)
        return (x > y) - (x < y);
    return is_number != other_is ? other_is - is_number : strcmp(first, second);
}

static carom_status check_differ(const carom_sweep_axis *axis, carom_error *error)
{
    const char **value = carom_new_array((size_t)axis->count, sizeof *value);
    if (!value)
        return carom_fail_memory(error);
    memcpy(value, axis->value, (size_t)axis->count * sizeof *value);
    qsort(value, (size_t)axis->count, sizeof *value, compare_values);
    carom_status status = CAROM_OK;
    for (int i = 1; status == CAROM_OK && i < axis->count; i++)
        if (compare_values(&value[i - 1], &value[i]) == 0)
            status = carom_fail(error, CAROM_BAD_INPUT, "the values of '%s' must differ: %s is there twice",
                                axis->name, value[i]);
    free(value);
    return status;
}

static carom_status check_values(const carom_sweep_request *request, const carom_sweep_axis *axis,
                                 sweep_axis_kind kind, carom_error *error)
{
    carom_status status;
    if (kind == SWEEP_SCHEME)
        status = check_schemes(axis, error);
    else if (kind == SWEEP_SETTING)
        status = check_setting(request, axis, error);
    else
        status = check_parameter(request->experiment, axis, error);
    return status == CAROM_OK ? check_differ(axis, error) : status;
}

/* ---- axes against the rest of the request ------------------------------------------------------------ */

/* What is given for all runs cannot vary from point to point. */
static carom_status check_given_twice(const carom_sweep_request *request, const carom_sweep_axis *axis,
                                      sweep_axis_kind kind, carom_error *error)
{
    const carom_experiment *experiment = request->experiment;
    const int parameter =
        kind == SWEEP_PARAMETER ? carom_model_find_parameter(experiment->model, axis->name) : -1;
    const char *given = NULL;
    if (kind == SWEEP_SCHEME && request->scheme)
        given = "a scheme";
    if (parameter >= 0 && parameter == experiment->h_parameter && !isnan(carom_given_time(request->h)))
        given = "a step size";
    if (parameter >= 0 && parameter == experiment->until_parameter &&
        !isnan(carom_given_time(request->until)))
        given = "an end time";
    if (!given)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "'%s' is swept and %s is given for all points: leave one out",
                      axis->name, given);
}

/* An option that no scheme of the axis knows is a mistake; the runs find those of a single scheme. */
static carom_status check_options(const carom_sweep_request *request, const carom_sweep_axis *axis,
                                  carom_error *error)
{
    for (const carom_option *option = request->option; option && option->name; option++) {
        bool known = false;
        for (int k = 0; !known && k < axis->count; k++)
            known = carom_scheme_takes_option(carom_scheme_find(axis->value[k], NULL), option->name);
        if (!known)
            return carom_fail(error, CAROM_BAD_INPUT, "unknown option '%s': no scheme of this sweep has it",
                              option->name);
    }
    return CAROM_OK;
}

static carom_status check_axis(const carom_sweep_request *request, int which, sweep_axes *axes,
                               carom_error *error)
{
    const carom_sweep_axis *axis = &request->axis[which];
    const sweep_axis_kind kind = kind_of(request->experiment, axis->name);
    if (axis->count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "no values for '%s': give at least one", axis->name);
    if (axis->count > INT_MAX / axes->points)
        return carom_fail(error, CAROM_BAD_INPUT, "%d values of '%s' make too many points: at most %d",
                          axis->count, axis->name, INT_MAX);
    axes->points *= axis->count;
    axes->kind[which] = kind;
    axes->reload = axes->reload || kind == SWEEP_SETTING;
    carom_status status = check_values(request, axis, kind, error);
    if (status == CAROM_OK)
        status = check_given_twice(request, axis, kind, error);
    if (status == CAROM_OK && kind == SWEEP_SCHEME) {
        axes->scheme = which;
        status = check_options(request, axis, error);
    }
    return status;
}

carom_status sweep_axes_check(const carom_sweep_request *request, sweep_axes *axes, carom_error *error)
{
    *axes = (sweep_axes){.scheme = -1, .points = 1};
    if (!request->experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing to sweep: give an experiment");
    if (request->axis_count < 1 || request->axis_count > CAROM_SWEEP_AXES_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d axes: a sweep has one or two", request->axis_count);
    for (int i = 0; i < request->axis_count; i++)
        if (!request->axis[i].name)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "axis %d has no name; name a parameter, a setting or "
                              "\"scheme\"",
                              i + 1);
    if (request->axis_count == 2 && strcmp(request->axis[0].name, request->axis[1].name) == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "both axes are '%s': sweep over two different names",
                          request->axis[0].name);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < request->axis_count; i++)
        status = check_axis(request, i, axes, error);
    return status;
}
