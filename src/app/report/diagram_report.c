/* The text and the JSON object of `carom bifurcation`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/diagram_output.h"

enum {
    STRETCHES_MAX = 40 /* that are printed for a course */
};

const char *state_name(const carom_model *model, int place, char *text, size_t size)
{
    const int positions = carom_model_positions(model);
    if (place < positions)
        snprintf(text, size, "%s", model->coordinate[place]);
    else
        snprintf(text, size, "v:%s", carom_model_velocity_name(model, place - positions));
    return text;
}

int count_failed_values(const carom_diagram *diagram, const carom_diagram_point **first)
{
    int failed = 0;
    *first = NULL;
    for (int i = diagram->courses * diagram->points - 1; i >= 0; i--)
        if (diagram->point[i].done && diagram->point[i].end != CAROM_RETURNED) {
            *first = &diagram->point[i];
            failed++;
        }
    return failed;
}

/* ---- text ------------------------------------------------------------------------------------------------- */

static bool is_alike(const carom_diagram_point *a, const carom_diagram_point *b)
{
    return a->done == b->done && a->end == b->end && a->period == b->period &&
           (a->period == 0 || a->period_impacts == b->period_impacts);
}

static void print_kind(const diagram_output *output, const carom_diagram_point *point)
{
    const char *unit = output->section ? "return" : "period";
    if (!point->done)
        printf("not reached");
    else if (point->end != CAROM_RETURNED)
        printf("%s", carom_return_word(point->end));
    else if (point->period == 0)
        printf("not periodic up to %d %ss", output->diagram->longest, unit);
    else if (output->section)
        printf("returns after %d impact%s", point->period, plural(point->period));
    else
        printf("period %d, %d impact%s", point->period, point->period_impacts, plural(point->period_impacts));
}

/* Values in a row with the same kind of motion are one line. */
static void print_course(const diagram_output *output, int course)
{
    const carom_diagram *diagram = output->diagram;
    int lines = 0;
    if (diagram->courses > 1)
        printf("\n%s from start %d\n", carom_diagram_is_down(diagram, course) ? "down" : "up",
               course / diagram->directions + 1);
    for (int first = 0; first < diagram->points;) {
        const carom_diagram_point *point = carom_diagram_at(diagram, course, first);
        int end = first + 1;
        while (end < diagram->points && is_alike(point, carom_diagram_at(diagram, course, end)))
            end++;
        if (lines++ == STRETCHES_MAX) {
            printf("  ... (all in --json, --csv and --out)\n");
            return;
        }
        printf("  %s = %-10.6g .. %-10.6g ", output->parameter, point->value,
               carom_diagram_at(diagram, course, end - 1)->value);
        print_kind(output, point);
        printf("\n");
        first = end;
    }
}

void print_diagram_text(const diagram_output *output)
{
    const carom_experiment *experiment = output->experiment;
    const carom_diagram *diagram = output->diagram;
    printf("%s%s%s\n", experiment->name, experiment->title ? ": " : "",
           experiment->title ? experiment->title : "");
    printf("  over       %s, %d value%s", output->parameter, diagram->points, plural(diagram->points));
    if (diagram->starts > 1)
        printf(", %d starts", diagram->starts);
    printf("%s\n", diagram->directions == 2 ? ", up and down" : diagram->first_is_down ? ", down" : ", up");
    if (output->section)
        printf("  seen       at impacts of %s\n", output->section);
    else if (carom_diagram_at(diagram, 0, 0)->forcing > 0.0)
        printf("  seen       once per period, %.9g at the first value\n",
               carom_diagram_at(diagram, 0, 0)->forcing);
    printf("  scheme     %s\n", diagram->scheme->name);
    for (int course = 0; course < diagram->courses; course++)
        print_course(output, course);
}

/* ---- JSON -------------------------------------------------------------------------------------------------- */

static void write_list(carom_json *json, const char *key, const carom_diagram *diagram,
                       const carom_diagram_point *point, int entry)
{
    const int width = diagram->positions + diagram->dof;
    carom_json_array_begin(json, key);
    for (int k = 0; k < point->count; k++)
        carom_json_number(json, NULL, point->state[(ptrdiff_t)k * width + entry]);
    carom_json_array_end(json);
}

static void write_states(carom_json *json, const carom_diagram *diagram, const carom_diagram_point *point)
{
    carom_json_object_begin(json, "x");
    for (int i = 0; i < diagram->positions; i++)
        write_list(json, diagram->model->coordinate[i], diagram, point, i);
    carom_json_object_end(json);
    carom_json_object_begin(json, "v");
    for (int i = 0; i < diagram->dof; i++)
        write_list(json, carom_model_velocity_name(diagram->model, i), diagram, point,
                   diagram->positions + i);
    carom_json_object_end(json);
}

static void write_point(carom_json *json, const diagram_output *output, int course,
                        const carom_diagram_point *point)
{
    const carom_diagram *diagram = output->diagram;
    const int start = course / diagram->directions + 1;
    carom_json_object_begin(json, NULL);
    carom_json_number(json, "value", point->value);
    carom_json_text(json, "direction", carom_diagram_is_down(diagram, course) ? "down" : "up");
    carom_json_number(json, "start", start);
    carom_json_text(json, "status", point->done ? carom_return_word(point->end) : "interrupted");
    if (point->message[0])
        carom_json_text(json, "message", point->message);
    if (point->restarted)
        carom_json_bool(json, "restarted", true);
    carom_json_number(json, "period", point->period > 0 ? (double)point->period : NAN);
    carom_json_number(json, "impacts", point->period > 0 ? (double)point->period_impacts : NAN);
    carom_json_number(json, "impacts_per_return",
                      point->count == 0 ? NAN
                                        : (double)point->period_impacts /
                                              (point->period > 0 ? point->period : point->count));
    if (point->forcing > 0.0)
        carom_json_number(json, "forcing_period", point->forcing);
    if (output->section) {
        carom_json_array_begin(json, "t");
        for (int k = 0; k < point->count; k++)
            carom_json_number(json, NULL, point->t[k]);
        carom_json_array_end(json);
    }
    write_states(json, diagram, point);
    carom_json_object_end(json);
}

void print_diagram_json(const diagram_output *output, const char *status)
{
    const carom_diagram *diagram = output->diagram;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", status);
    carom_json_text(&json, "experiment", output->experiment->name);
    carom_json_text(&json, "param", output->parameter);
    carom_json_text(&json, "section", output->section ? output->section : "period");
    carom_json_text(&json, "scheme", diagram->scheme->name);
    carom_json_number(&json, "longest", diagram->longest);
    carom_json_number(&json, "tolerance", diagram->tolerance);
    carom_json_array_begin(&json, "points");
    for (int course = 0; course < diagram->courses; course++)
        for (int place = 0; place < diagram->points; place++)
            write_point(&json, output, course, carom_diagram_at(diagram, course, place));
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}
