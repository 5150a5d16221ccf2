#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/run.h"

void carom_experiment_free(carom_experiment *experiment)
{
    if (!experiment)
        return;
    carom_study_results_free(experiment->results);
    if (experiment->script)
        experiment->script_ops->free(experiment->script);
    carom_tape_free(experiment->values);
    carom_tape_free(experiment->observe);
    carom_tape_free(experiment->stops);
    carom_tape_free(experiment->look);
    carom_model_free(experiment->model);
    carom_graph_free(experiment->graph);
    carom_arena_free(experiment->arena);
    free(experiment);
}

bool carom_experiment_chooses(const carom_experiment *experiment, const carom_option *given, const char *name)
{
    for (const carom_option *option = given; option && option->name; option++)
        if (strcmp(option->name, name) == 0)
            return true;
    for (int i = 0; i < experiment->choice_count; i++)
        if (strcmp(experiment->choice[i].name, name) == 0)
            return true;
    return false;
}

static const carom_setting *find_setting(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->setting_count; i++)
        if (strcmp(experiment->setting[i].name, name) == 0)
            return &experiment->setting[i];
    return NULL;
}

/* Says which names there are, and which of them was probably meant. */
static carom_status fail_unknown_name(const carom_experiment *experiment, const char *name,
                                      carom_error *error)
{
    const carom_model *model = experiment->model;
    size_t count = (size_t)model->parameters + (size_t)experiment->setting_count;
    const char **known = carom_new_array(count, sizeof *known);
    if (!known)
        return carom_fail_memory(error);
    count = 0;
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].computed)
            known[count++] = model->parameter[i].name;
    for (int i = 0; i < experiment->setting_count; i++)
        known[count++] = experiment->setting[i].name;

    carom_text list = {0};
    for (size_t i = 0; i < count; i++)
        carom_text_append(&list, "%s%s", i ? ", " : "", known[i]);
    const char *nearest = carom_nearest_name(name, known, count);
    carom_status status;
    if (list.failed)
        status = carom_fail_memory(error);
    else if (count == 0)
        status =
            carom_fail(error, CAROM_BAD_INPUT, "unknown parameter '%s': this model has no parameters", name);
    else if (nearest)
        status = carom_fail(error, CAROM_BAD_INPUT, "unknown parameter '%s': did you mean '%s'? known: %s",
                            name, nearest, list.bytes);
    else
        status = carom_fail(error, CAROM_BAD_INPUT, "unknown parameter '%s'; known: %s", name, list.bytes);
    carom_text_free(&list);
    free(known);
    return status;
}

static carom_status fail_range(const carom_parameter *parameter, const char *value, carom_error *error)
{
    const char *name = parameter->name;
    if (!isfinite(parameter->max))
        return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = %s is out of range: at least %.10g", name,
                          value, parameter->min);
    if (!isfinite(parameter->min))
        return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = %s is out of range: at most %.10g", name,
                          value, parameter->max);
    return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = %s is out of range: from %.10g to %.10g",
                      name, value, parameter->min, parameter->max);
}

carom_status carom_experiment_set(carom_experiment *experiment, const char *name, const char *value,
                                  carom_error *error)
{
    int index = carom_model_find_parameter(experiment->model, name);
    if (index >= 0 && experiment->model->parameter[index].computed)
        index = -1;
    if (index < 0 && find_setting(experiment, name))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "setting '%s' shapes the model: give it when the model is loaded", name);
    if (index < 0)
        return fail_unknown_name(experiment, name, error);

    const carom_parameter *parameter = &experiment->model->parameter[index];
    double number;
    if (!carom_parse_number(value, &number))
        return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = '%s' is not a number", name, value);
    if (!isfinite(number))
        return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = %s: must be finite", name, value);
    if (number < parameter->min || number > parameter->max)
        return fail_range(parameter, value, error);
    if (parameter->integer && number != floor(number))
        return carom_fail(error, CAROM_BAD_INPUT, "parameter '%s' = %s: must be a whole number", name, value);
    experiment->parameter[index] = number;
    return CAROM_OK;
}
