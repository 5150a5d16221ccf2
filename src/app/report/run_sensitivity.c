/* Derivatives of a run in its JSON and in its summary. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"

enum {
    SHOWN_ROWS = 12,
    SHOWN_BREAKS = 4
};

/* {coordinate: {name: number}} from row c of each name, `offset` numbers behind its begin. */
static void write_part(carom_json *json, const char *key, const carom_sensitivity *s, int count,
                       char *const *name, const double *rows, int offset)
{
    carom_json_object_begin(json, key);
    for (int i = 0; i < count; i++) {
        carom_json_object_begin(json, name[i]);
        for (int c = 0; c < s->count; c++)
            carom_json_number(json, s->name[c], rows[(size_t)c * (size_t)s->width + (size_t)(offset + i)]);
        carom_json_object_end(json);
    }
    carom_json_object_end(json);
}

static void write_rows(carom_json *json, const carom_experiment *experiment, const carom_row_layout *layout,
                       const carom_sensitivity *s, const double *rows)
{
    const carom_model *model = experiment->model;
    write_part(json, "q", s, carom_model_positions(model), model->coordinate, rows, layout->q);
    write_part(json, "v", s, model->dof, model->velocity ? model->velocity : model->coordinate, rows,
               layout->v);
    if (experiment->named_columns > 0)
        write_part(json, "records", s, experiment->named_columns, experiment->column, rows, layout->column);
}

void write_sample_sensitivity(carom_json *json, const carom_experiment *experiment,
                              const carom_run_result *result, int sample)
{
    const carom_sensitivity *s = result->sensitivity;
    if (!s)
        return;
    carom_json_object_begin(json, "sensitivity");
    write_rows(json, experiment, &result->layout, s, carom_sensitivity_sample(s, sample, 0));
    carom_json_object_end(json);
}

static void write_measures(carom_json *json, const carom_experiment *experiment, const carom_sensitivity *s)
{
    carom_json_object_begin(json, "measures");
    for (int i = 0; i < s->measure_count; i++) {
        carom_json_object_begin(json, experiment->measure[i].name);
        for (int c = 0; c < s->count; c++)
            carom_json_measured(json, s->name[c], &s->measure[(size_t)i * (size_t)s->count + (size_t)c]);
        carom_json_object_end(json);
    }
    carom_json_object_end(json);
}

static const char *const side_words[] = {"below", "above"};

static void write_sides(carom_json *json, const carom_experiment *experiment, const carom_run_result *result)
{
    const carom_sensitivity *s = result->sensitivity;
    for (int k = 0; k < 2 && s->side[k]; k++) {
        carom_json_object_begin(json, side_words[k]);
        write_rows(json, experiment, &result->layout, s->side[k], s->side[k]->final);
        write_measures(json, experiment, s->side[k]);
        carom_json_object_begin(json, "jumps");
        for (int c = 0; c < s->count; c++)
            carom_json_bool(json, s->name[c], s->side[k]->jumps[c]);
        carom_json_object_end(json);
        carom_json_object_end(json);
    }
}

void write_sensitivity(carom_json *json, const carom_experiment *experiment, const carom_run_result *result)
{
    const carom_sensitivity *s = result->sensitivity;
    if (!s)
        return;
    carom_json_object_begin(json, "sensitivity");
    carom_json_text(json, "method", carom_sensitivity_method(s));
    if (!s->exact) {
        carom_json_text(json, "why", s->why);
        carom_json_number(json, "error", s->error);
    }
    write_rows(json, experiment, &result->layout, s, s->final);
    write_measures(json, experiment, s);
    if (s->event_time) {
        carom_json_array_begin(json, "events");
        for (size_t i = 0; i < s->event_count; i++) {
            carom_json_object_begin(json, NULL);
            carom_json_number(json, "t", result->event[i].t);
            for (int c = 0; c < s->count; c++)
                carom_json_number(json, s->name[c], s->event_time[i * (size_t)s->count + (size_t)c]);
            carom_json_object_end(json);
        }
        carom_json_array_end(json);
    }
    carom_json_array_begin(json, "breaks");
    for (int i = 0; i < s->breaks_kept; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "t", s->breaks[i].t);
        carom_json_text(json, "why", s->breaks[i].why);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
    write_sides(json, experiment, result);
    carom_json_object_end(json);
}

/* ---- for people ------------------------------------------------------------------------------------------- */

static void print_number(double value)
{
    if (isnan(value))
        printf("  %15s", "none");
    else
        printf("  %15.8g", value);
}

static void print_line(const carom_sensitivity *s, const char *before, const char *name, const char *after,
                       const double *rows, int place)
{
    char text[64];
    snprintf(text, sizeof text, "d %s%s%s", before, name, after);
    printf("    %-20s", text);
    for (int c = 0; c < s->count; c++)
        print_number(rows[(size_t)c * (size_t)s->width + (size_t)place]);
    printf("\n");
}

static void print_measures(const carom_experiment *experiment, const carom_sensitivity *s)
{
    for (int i = 0; i < s->measure_count && i < SHOWN_ROWS; i++) {
        const carom_measured *measure = &s->measure[(size_t)i * (size_t)s->count];
        if (measure->is_array)
            continue; /* --json has them */
        printf("    d %-18.60s", experiment->measure[i].name);
        for (int c = 0; c < s->count; c++)
            print_number(measure[c].count > 0 ? measure[c].value[0] : NAN);
        printf("\n");
    }
}

/* Positions, velocities and measures at the end. */
static void print_rows(const carom_experiment *experiment, const carom_row_layout *layout,
                       const carom_sensitivity *s)
{
    const carom_model *model = experiment->model;
    for (int i = 0; i < carom_model_positions(model) && i < SHOWN_ROWS; i++)
        print_line(s, "", model->coordinate[i], "", s->final, layout->q + i);
    for (int i = 0; i < model->dof && i < SHOWN_ROWS; i++)
        print_line(s, "dot(", carom_model_velocity_name(model, i), ")", s->final, layout->v + i);
    if (model->dof > SHOWN_ROWS)
        printf("    ... (%d coordinates; --json gives them)\n", model->dof);
    print_measures(experiment, s);
}

void print_sensitivity(const carom_experiment *experiment, const carom_run_result *result)
{
    const carom_sensitivity *s = result->sensitivity;
    const carom_model *model = experiment->model;
    if (!s)
        return;
    if (s->exact)
        printf("  %-22s", "derivatives by");
    else
        printf("  derivatives from differences of whole runs, to %.1g: %s\n  %-22s", s->error, s->why, "by");
    for (int c = 0; c < s->count; c++)
        printf("  %15s", s->name[c]);
    printf("\n");
    print_rows(experiment, &result->layout, s);
    if (s->exact && result->impacts > 0 &&
        !(result->scheme->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS)))
        printf("  %-11sthey are those of the steps%s\n", "note",
               model->ops->structure || model->has_bodies
                   ? ""
                   : "; of the motion itself they are with --scheme event-driven");
    for (int i = 0; i < s->breaks_kept && i < SHOWN_BREAKS; i++)
        printf("  %-11snot differentiable at t = %.8g: %s\n", i ? "" : "break", s->breaks[i].t,
               s->breaks[i].why);
    if (s->break_count > SHOWN_BREAKS)
        printf("  %-11sand %d more\n", "", s->break_count - SHOWN_BREAKS);
    for (int k = 0; k < 2 && s->side[k]; k++) {
        printf("  one-sided, from %s\n", side_words[k]);
        for (int c = 0; c < s->count; c++)
            if (s->side[k]->jumps[c])
                printf("  %-11sthe motion itself jumps when %s comes from there\n", "note", s->name[c]);
        print_rows(experiment, &result->layout, s->side[k]);
    }
}
