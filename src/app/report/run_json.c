/* The JSON object of `carom run --json`. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"

static void names_and_numbers(carom_json *json, const char *key, int count, char *const *name,
                              const double *value)
{
    carom_json_object_begin(json, key);
    for (int i = 0; i < count; i++)
        carom_json_number(json, name[i], value[i]);
    carom_json_object_end(json);
}

static void write_state(carom_json *json, const carom_experiment *experiment, const carom_row_layout *layout,
                        const double *row)
{
    const carom_model *model = experiment->model;
    carom_json_number(json, "t", row[0]);
    names_and_numbers(json, "q", carom_model_positions(model), model->coordinate, row + layout->q);
    names_and_numbers(json, "v", model->dof, model->velocity ? model->velocity : model->coordinate,
                      row + layout->v);
}

/* What was asked for; forces of joints also from elsewhere. */
static void write_forces(carom_json *json, const carom_model *model, const carom_row_layout *layout,
                         const double *row, const double *reaction)
{
    if (layout->accelerations > 0)
        names_and_numbers(json, "accelerations", model->dof,
                          model->velocity ? model->velocity : model->coordinate, row + layout->acceleration);
    if (layout->reactions > 0)
        reaction = row + layout->reaction;
    if (reaction)
        names_and_numbers(json, "reactions", model->joints, model->joint, reaction);
}

static void write_sample(carom_json *json, const carom_experiment *experiment, const carom_run_result *result,
                         int sample)
{
    const carom_model *model = experiment->model;
    const carom_row_layout *layout = &result->layout;
    const double *row = result->sample + (size_t)sample * (size_t)layout->width;
    carom_json_object_begin(json, NULL);
    write_state(json, experiment, layout, row);
    carom_json_number(json, "energy", row[layout->energy]);
    carom_json_object_begin(json, "contacts");
    for (int k = 0; k < model->contacts; k++) {
        carom_json_object_begin(json, model->contact[k].name);
        carom_json_number(json, "gap", row[layout->gap + k]);
        carom_json_number(json, "impulse", row[layout->impulse + CAROM_CONTACT_COMPONENTS * k]);
        carom_json_object_end(json);
    }
    carom_json_object_end(json);
    write_forces(json, model, layout, row, NULL);
    names_and_numbers(json, "records", experiment->named_columns, experiment->column, row + layout->column);
    write_sample_sensitivity(json, experiment, result, sample);
    carom_json_object_end(json);
}

static void write_measures(carom_json *json, const carom_experiment *experiment,
                           const carom_run_result *result)
{
    carom_json_object_begin(json, "measures");
    for (int i = 0; i < result->measure_count; i++)
        carom_json_measured(json, experiment->measure[i].name, &result->measure[i]);
    carom_json_object_end(json);
}

static void write_certified(carom_json *json, const char *key, const carom_certified_measure *measure,
                            size_t offset)
{
    if (measure->is_array)
        carom_json_array_begin(json, key);
    for (int i = 0; i < measure->count; i++) {
        double number;
        memcpy(&number, (const char *)&measure->entry[i] + offset, sizeof number);
        carom_json_number(json, measure->is_array ? NULL : key, number);
    }
    if (measure->is_array)
        carom_json_array_end(json);
    else if (measure->count == 0)
        carom_json_number(json, key, NAN);
}

static void write_certification(carom_json *json, const carom_experiment *experiment,
                                const carom_certification *certification)
{
    carom_json_object_begin(json, "certify");
    for (int i = 0; i < certification->count; i++) {
        const carom_certified_measure *measure = &certification->measure[i];
        carom_json_object_begin(json, experiment->measure[i].name);
        write_certified(json, "value", measure, offsetof(carom_certified, value));
        write_certified(json, "error", measure, offsetof(carom_certified, error));
        write_certified(json, "order", measure, offsetof(carom_certified, order));
        carom_json_object_end(json);
    }
    carom_json_object_end(json);
}

static void write_events(carom_json *json, const carom_model *model, const carom_run_result *result)
{
    carom_json_array_begin(json, "events");
    for (size_t i = 0; i < result->event_count; i++) {
        const carom_event *event = &result->event[i];
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "t", event->t);
        carom_json_text(json, "kind", carom_event_word(event->kind));
        char name[160];
        carom_json_text(json, "contact", carom_event_contact(model, event, name, sizeof name));
        carom_json_number(json, "rate_before", event->rate_before);
        carom_json_number(json, "rate_after", event->rate_after);
        carom_json_number(json, "impulse", event->impulse);
        carom_json_number(json, "energy_before", event->energy_before);
        carom_json_number(json, "energy_after", event->energy_after);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_params(carom_json *json, const carom_experiment *experiment, const double *parameter)
{
    carom_json_object_begin(json, "params");
    for (int i = 0; i < experiment->model->parameters; i++)
        if (!experiment->model->parameter[i].computed)
            carom_json_number(json, experiment->model->parameter[i].name, parameter[i]);
    for (int i = 0; i < experiment->setting_count; i++) {
        const carom_setting *setting = &experiment->setting[i];
        if (setting->is_text)
            carom_json_text(json, setting->name, setting->text);
        else
            carom_json_number(json, setting->name, setting->number);
    }
    carom_json_object_end(json);
}

static void write_run(carom_json *json, const carom_experiment *experiment, const finished_run *run)
{
    const carom_run_result *result = &run->result;
    carom_json_text(json, "status", result->word);
    if (result->message[0])
        carom_json_text(json, "message", result->message);
    carom_json_text(json, "experiment", experiment->name);
    carom_json_text(json, "scheme", result->scheme->name);
    carom_json_number(json, "h", result->h);
    carom_json_number(json, "t_end", result->t_end);
    carom_json_number(json, "steps", (double)result->steps);
    carom_json_number(json, "wall_s", result->wall_seconds);
    carom_json_object_begin(json, "final");
    write_state(json, experiment, &result->layout, result->final);
    write_forces(json, experiment->model, &result->layout, result->final, result->reaction);
    carom_json_object_end(json);
    carom_json_object_begin(json, "energy");
    carom_json_number(json, "initial", result->energy_initial);
    carom_json_number(json, "final", result->energy_final);
    carom_json_number(json, "max_step_gain", result->max_step_gain);
    carom_json_object_end(json);
    carom_json_object_begin(json, "contacts");
    carom_json_number(json, "max_penetration", result->max_penetration);
    carom_json_number(json, "impacts", (double)result->impacts);
    carom_json_object_end(json);
    if (!experiment->study)
        carom_json_certificate(json, "certificate", &result->certificate);
    write_measures(json, experiment, result);
    write_sensitivity(json, experiment, result);
    if (run->events_in_json)
        write_events(json, experiment->model, result);
    if (run->certification.count > 0)
        write_certification(json, experiment, &run->certification);
    if (run->accuracy.measure_count > 0)
        write_accuracy(json, "accuracy", &run->accuracy);
    write_params(json, experiment, run->parameter);
    carom_json_object_begin(json, "options");
    for (int i = 0; i < result->option_count; i++) {
        const carom_option_info *option = &result->scheme->options[i];
        if (carom_option_word_count(option) > 0)
            carom_json_text(json, option->name, carom_option_word(option, (int)result->option[i]));
        else
            carom_json_number(json, option->name, result->option[i]);
    }
    for (int i = 0; i < result->solver_option_count; i++) {
        const carom_option *option = &result->solver_option[i];
        double number = option->value;
        if (option->word && !carom_parse_number(option->word, &number))
            carom_json_text(json, option->name, option->word);
        else
            carom_json_number(json, option->name, number);
    }
    carom_json_object_end(json);
    carom_json_array_begin(json, "warnings");
    for (int i = 0; i < result->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        carom_json_text(json, NULL, result->warnings.text[i]);
    carom_json_array_end(json);
    carom_json_object_begin(json, "counts");
    carom_json_number(json, "adhesive_impulses", (double)result->counts.adhesive_impulses);
    carom_json_number(json, "solver_iterations", (double)result->counts.solver_iterations);
    carom_json_number(json, "worst_solver_error", result->counts.worst_solver_error);
    if (result->counts.accumulation_time != 0.0)
        carom_json_number(json, "accumulation_time", result->counts.accumulation_time);
    carom_json_object_end(json);
}

void print_run_json(const carom_experiment *experiment, const finished_run *main, int member_count,
                    const finished_run *member)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    const carom_run_result *result = &main->result;
    carom_json_object_begin(&json, NULL);
    write_run(&json, experiment, main);
    carom_json_array_begin(&json, "samples");
    for (int i = 0; i < result->sample_count; i++)
        write_sample(&json, experiment, result, i);
    carom_json_array_end(&json);
    if (member_count > 0) {
        carom_json_array_begin(&json, "family");
        for (int i = 0; i < member_count; i++) {
            carom_json_object_begin(&json, NULL);
            carom_json_text(&json, "label", member[i].label);
            write_run(&json, experiment, &member[i]);
            carom_json_object_end(&json);
        }
        carom_json_array_end(&json);
    }
    carom_json_object_end(&json);
    print_whole(&text);
}
