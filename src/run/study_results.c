#include "study_results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void carom_study_results_free(carom_study_results *results)
{
    if (!results)
        return;
    carom_arena_free(results->arena);
    free(results);
}

carom_status experiment_values(const carom_experiment *experiment, const double *parameter, double *values,
                               carom_error *error)
{
    const carom_tape *tape = experiment->values;
    if (!tape)
        return CAROM_OK;
    double *work = carom_new_array(carom_tape_work_size(tape), sizeof *work);
    if (!work)
        return carom_fail_memory(error);
    carom_tape_bind(tape, parameter, work);
    carom_tape_evaluate(tape, work, &(carom_inputs){.t = 0.0}, values);
    free(work);
    return CAROM_OK;
}

const carom_data *carom_study_results_at(const carom_study_results *results, const carom_study_place *place,
                                         carom_data *element)
{
    if (!results || !place->output || place->study < 0 || place->study >= results->count)
        return NULL;
    const carom_data *data = carom_data_find(&results->output[place->study], place->output);
    if (!data || place->i < 0)
        return data;
    *element = (carom_data){.kind = CAROM_DATA_NUMBER};
    if (carom_data_element(data, place->i, place->j, &element->number))
        return element;
    return place->j < 0 ? carom_data_row(data, place->i, element) : NULL;
}

/* ---- inputs --------------------------------------------------------------------------------------------- */

typedef struct filling {
    const carom_experiment *experiment;
    const carom_study_use *use;
    const carom_study_results *earlier;
    carom_arena *arena;
    const double *values;
} filling;

/* What is linked to a place of the inputs goes into its copy; false when memory is short. */
static bool fill_links(const filling *with, const carom_data *from, carom_data *to)
{
    for (int i = 0; i < with->use->link_count; i++) {
        const carom_study_link *link = &with->use->link[i];
        if (link->place != from)
            continue;
        if (link->value >= 0 && to->list) {
            to->list[link->index] = with->values[link->value];
        } else if (link->value >= 0) {
            to->number = with->values[link->value];
        } else {
            carom_data element;
            const carom_study_place place = {link->study, link->output, link->i, link->j};
            const carom_data *given = carom_study_results_at(with->earlier, &place, &element);
            to->kind = CAROM_DATA_NONE;
            if (given && !carom_data_copy(with->arena, given, to))
                return false;
        }
    }
    return true;
}

static bool fill(const filling *with, const carom_data *from, carom_data *to)
{
    if (from->kind != CAROM_DATA_TABLE)
        return carom_data_copy(with->arena, from, to) && fill_links(with, from, to);
    to->kind = CAROM_DATA_TABLE;
    for (const carom_data *entry = from->first; entry; entry = entry->next) {
        carom_data *copy = carom_data_add(with->arena, to, entry->name, entry->kind);
        if (!copy || !fill(with, entry, copy))
            return false;
    }
    return true;
}

/* ---- one study after the other ---------------------------------------------------------------------------- */

/* Messages of a function know the line that ran; what is wrong with the values it returned has that of its study. */
static carom_status place_error(const carom_experiment *experiment, const carom_study_use *use,
                                carom_status status, carom_error *error)
{
    const size_t length = experiment->file ? strlen(experiment->file) : 0;
    if (status == CAROM_OK || !error || length == 0 || strncmp(error->text, experiment->file, length) != 0 ||
        strncmp(error->text + length, ": ", 2) != 0)
        return status;
    const carom_error inner = *error;
    return carom_fail(error, status, "%s:%d%s", experiment->file, use->line, inner.text + length);
}

static carom_status compute_one(const carom_experiment *experiment, int index, const double *parameter,
                                double *values, carom_progress progress, carom_study_results *results,
                                carom_text *messages, carom_error *error)
{
    const carom_study_use *use = &experiment->studies[index];
    const filling with = {experiment, use, results, results->arena, values};
    carom_data *output = &results->output[index], input = {.kind = CAROM_DATA_TABLE};
    carom_error inner = {0};
    if (!use->study)
        return place_error(experiment, use,
                           experiment->script_ops->call(experiment->script, use->function, parameter, results,
                                                        progress, results->arena, output, messages, error),
                           error);
    carom_status status = CAROM_OK;
    if (use->link_count > 0)
        status = experiment_values(experiment, parameter, values, error);
    if (status != CAROM_OK || !fill(&with, &use->input, &input))
        return carom_fail_memory(error);
    status = carom_study_compute(use->study, &input, results->arena, progress, output, &inner);
    if (status == CAROM_OK)
        return CAROM_OK;
    if (status == CAROM_FAILED) /* nothing is kept of it, and other inputs are needed */
        status = CAROM_BAD_INPUT;
    if (!experiment->file)
        return carom_fail(error, status, "%s", inner.text);
    return carom_fail(error, status, "%s:%d: %s", experiment->file, use->line, inner.text);
}

/* The numbers of study `index` that expressions use; NAN where the output has none. */
static void spread(const carom_experiment *experiment, int index, const carom_study_results *results,
                   double *parameter)
{
    for (int i = 0; i < experiment->study_number_count; i++) {
        const carom_study_number_use *number = &experiment->study_number[i];
        if (index >= 0 && number->study != index)
            continue;
        const carom_data *data = carom_data_find(&results->output[number->study], number->output);
        if (!data || !carom_data_element(data, number->i, number->j, &parameter[number->parameter]))
            parameter[number->parameter] = NAN;
    }
}

static carom_status compute_all(const carom_experiment *experiment, double *parameter,
                                carom_progress progress, carom_study_results *results, carom_error *error)
{
    const size_t count = experiment->values ? (size_t)carom_tape_outputs(experiment->values) : 0;
    double *values = carom_new_array(count, sizeof *values);
    carom_text messages = {0};
    carom_status status = values ? CAROM_OK : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < experiment->study_count; i++) {
        status = compute_one(experiment, i, parameter, values, progress, results, &messages, error);
        results->count = i + 1;
        if (status == CAROM_OK)
            spread(experiment, i, results, parameter);
    }
    if (status == CAROM_OK && messages.bytes)
        results->messages = carom_arena_copy_text(results->arena, messages.bytes);
    carom_text_free(&messages);
    free(values);
    return status;
}

static carom_study_results *take_results(const carom_experiment *experiment, const double *parameter)
{
    const size_t parameters = (size_t)experiment->model->parameters;
    carom_study_results *results = carom_new_array(1, sizeof *results);
    carom_arena *arena = results ? carom_arena_create() : NULL;
    if (!arena) {
        free(results);
        return NULL;
    }
    results->arena = arena;
    double *copy = carom_arena_take(arena, parameters, sizeof *copy);
    results->output = carom_arena_take(arena, (size_t)experiment->study_count, sizeof *results->output);
    results->parameter = copy;
    if (copy && parameters)
        memcpy(copy, parameter, parameters * sizeof *copy);
    if (copy && results->output)
        return results;
    carom_study_results_free(results);
    return NULL;
}

/* ---- those that are there already --------------------------------------------------------------------------- */

static bool same_parameters(const carom_experiment *experiment, const double *parameter)
{
    for (int i = 0; i < experiment->model->parameters; i++)
        if (!experiment->model->parameter[i].computed && parameter[i] != experiment->results->parameter[i])
            return false;
    return true;
}

static carom_status copy_results(const carom_experiment *experiment, carom_study_results *to,
                                 carom_error *error)
{
    const carom_study_results *from = experiment->results;
    for (int i = 0; i < from->count; i++)
        if (!carom_data_copy(to->arena, &from->output[i], &to->output[i]))
            return carom_fail_memory(error);
    to->count = from->count;
    if (from->messages && !(to->messages = carom_arena_copy_text(to->arena, from->messages)))
        return carom_fail_memory(error);
    return CAROM_OK;
}

carom_status study_results_compute(const carom_experiment *experiment, double *parameter,
                                   carom_progress progress, carom_study_results **results, carom_error *error)
{
    *results = take_results(experiment, parameter);
    if (!*results)
        return carom_fail_memory(error);
    carom_status status;
    if (experiment->results && same_parameters(experiment, parameter)) {
        status = copy_results(experiment, *results, error);
        if (status == CAROM_OK)
            spread(experiment, -1, *results, parameter);
    } else {
        status = compute_all(experiment, parameter, progress, *results, error);
    }
    if (status == CAROM_OK)
        return CAROM_OK;
    carom_study_results_free(*results);
    *results = NULL;
    return status;
}

carom_status carom_experiment_compute(carom_experiment *experiment, carom_progress progress,
                                      carom_error *error)
{
    if (experiment->study_count == 0 || experiment->results)
        return CAROM_OK;
    carom_study_results *results = NULL;
    const carom_status status =
        study_results_compute(experiment, experiment->parameter, progress, &results, error);
    experiment->results = results;
    return status;
}

bool carom_experiment_start_waits(const carom_experiment *experiment)
{
    if (experiment->study_count == 0 || experiment->results || !experiment->values)
        return false;
    const size_t count = (size_t)carom_tape_outputs(experiment->values);
    double *values = carom_new_array(count, sizeof *values);
    bool waits = !values || experiment_values(experiment, experiment->parameter, values, NULL) != CAROM_OK;
    const carom_value times[] = {experiment->t0, experiment->h, experiment->until};
    for (size_t i = 0; !waits && i < sizeof times / sizeof *times; i++)
        waits = times[i] != CAROM_NO_VALUE && isnan(values[times[i]]);
    for (int i = 0; !waits && !experiment->model->has_bodies && i < experiment->model->dof; i++)
        waits = isnan(values[experiment->q0[i]]) || isnan(values[experiment->v0[i]]);
    free(values);
    return waits;
}
