/* The tables and the JSON object of `carom sweep`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/sweep_output.h"

enum {
    PAGE_WIDTH = 100,
    NUMBER_WIDTH = 12,
    STEPS_WIDTH = 8,
    SHOWN_SIZE = 64
};

/* ---- a sweep looked at --------------------------------------------------------------------------- */

const char *sweep_value(const carom_sweep *sweep, int axis, int point)
{
    const int last = sweep->axis[sweep->axis_count - 1].count;
    return sweep->axis[axis].value[axis == sweep->axis_count - 1 ? point % last : point / last];
}

bool sweep_measure_is_array(const carom_sweep *sweep, int measure)
{
    for (int i = 0; i < sweep->point_count; i++)
        if (sweep->point[i].measure[measure].is_array)
            return true;
    return false;
}

double sweep_number(const carom_sweep *sweep, int point, int measure)
{
    const carom_measured *measured = &sweep->point[point].measure[measure];
    return measured->count > 0 && !measured->is_array ? measured->value[0] : NAN;
}

void describe_sweep_point(const carom_sweep *sweep, int point, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < sweep->axis_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s = %s", i ? ", " : "", sweep->axis[i].name,
                                 sweep_value(sweep, i, point));
}

int count_failed_points(const carom_sweep *sweep, int *first)
{
    int failed = 0;
    for (int i = sweep->point_count - 1; i >= 0; i--)
        if (sweep->point[i].done && sweep->point[i].status != CAROM_OK) {
            *first = i;
            failed++;
        }
    return failed;
}

/* ---- text ------------------------------------------------------------------------------------------ */

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Numbers with six digits, words as they are. */
static void shown_value(const char *value, char *text, size_t size)
{
    double number;
    if (carom_parse_number(value, &number))
        snprintf(text, size, "%.6g", number);
    else
        snprintf(text, size, "%s", value);
}

static int axis_width(const carom_sweep_axis *axis)
{
    int width = larger(10, (int)strlen(axis->name));
    for (int i = 0; i < axis->count; i++) {
        char text[SHOWN_SIZE];
        shown_value(axis->value[i], text, sizeof text);
        width = larger(width, (int)strlen(text));
    }
    return width;
}

static void print_cell(int width, const carom_sweep *sweep, int point, int measure)
{
    const double value = sweep_number(sweep, point, measure);
    char text[40] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, "%.6g", value);
    printf(" %*s", width, text);
}

static void print_axis_value(int width, const char *value)
{
    char text[SHOWN_SIZE];
    shown_value(value, text, sizeof text);
    printf(" %*s", width, text);
}

static void print_list_row(const carom_sweep *sweep, int index, const int *axis, const int *measure)
{
    const carom_sweep_point *point = &sweep->point[index];
    printf(" ");
    for (int i = 0; i < sweep->axis_count; i++)
        print_axis_value(axis[i], sweep_value(sweep, i, index));
    printf(" %*ld", STEPS_WIDTH, point->steps);
    for (int m = 0; m < sweep->measure_count; m++)
        if (measure[m] > 0)
            print_cell(measure[m], sweep, index, m);
    const bool ok = point->status == CAROM_OK, plain = ok && !point->message;
    printf("%s%s%s%s\n", plain ? "" : "  ", plain ? "" : point->word, ok && !point->trusted ? "  " : "",
           ok && !point->trusted ? "doubtful" : "");
}

/* A line per point. */
static void print_list(const carom_sweep *sweep)
{
    int axis[CAROM_SWEEP_AXES_MAX]; /* widths; 0 for what is not shown */
    int *measure = carom_new_array((size_t)sweep->measure_count, sizeof *measure);
    if (!measure)
        return;
    printf("\n ");
    for (int i = 0; i < sweep->axis_count; i++) {
        axis[i] = axis_width(&sweep->axis[i]);
        printf(" %*s", axis[i], sweep->axis[i].name);
    }
    printf(" %*s", STEPS_WIDTH, "steps");
    for (int m = 0; m < sweep->measure_count; m++) {
        if (sweep_measure_is_array(sweep, m))
            continue;
        measure[m] = larger(NUMBER_WIDTH, (int)strlen(sweep->measure[m]));
        printf(" %*s", measure[m], sweep->measure[m]);
    }
    printf("\n");
    for (int i = 0; i < sweep->point_count; i++)
        print_list_row(sweep, i, axis, measure);
    free(measure);
}

/* The first axis downwards, the second one across. */
static void print_matrix(const carom_sweep *sweep, int measure)
{
    const carom_sweep_axis *down = &sweep->axis[0], *across = &sweep->axis[1];
    const int first = axis_width(down), width = larger(NUMBER_WIDTH, axis_width(across));
    printf("\n%s: %s downwards, %s across\n  %*s", sweep->measure[measure], down->name, across->name, first,
           "");
    for (int k = 0; k < across->count; k++)
        print_axis_value(width, across->value[k]);
    printf("\n");
    for (int i = 0; i < down->count; i++) {
        printf(" ");
        print_axis_value(first, down->value[i]);
        for (int k = 0; k < across->count; k++)
            print_cell(width, sweep, i * across->count + k, measure);
        printf("\n");
    }
}

static bool matrices_fit(const carom_sweep *sweep)
{
    if (sweep->axis_count != 2)
        return false;
    const int column = larger(NUMBER_WIDTH, axis_width(&sweep->axis[1])) + 1;
    const int used = 2 + axis_width(&sweep->axis[0]);
    return sweep->axis[1].count <= (PAGE_WIDTH - used) / column;
}

static void print_axis(const char *title, const carom_sweep_axis *axis)
{
    char first[SHOWN_SIZE], last[SHOWN_SIZE];
    shown_value(axis->value[0], first, sizeof first);
    shown_value(axis->value[axis->count - 1], last, sizeof last);
    printf("  %-11s%s = %s", title, axis->name, first);
    if (axis->count > 1)
        printf(" %s %s", axis->count > 2 ? "..." : "and", last);
    printf(", %d value%s\n", axis->count, plural(axis->count));
}

static void print_arrays(const carom_sweep *sweep)
{
    int arrays = 0;
    for (int m = 0; m < sweep->measure_count; m++)
        if (sweep_measure_is_array(sweep, m))
            printf(arrays++ ? ", %s" : "  arrays     %s", sweep->measure[m]);
    if (arrays)
        printf(" (in --json, --csv, --out and --plot)\n");
}

void print_sweep_text(const sweep_output *output)
{
    const carom_experiment *experiment = output->experiment;
    const carom_sweep *sweep = output->sweep;
    printf("%s%s%s\n", experiment->name, experiment->title ? ": " : "",
           experiment->title ? experiment->title : "");
    for (int i = 0; i < sweep->axis_count; i++)
        print_axis(i == 0 ? "over" : "and", &sweep->axis[i]);
    print_arrays(sweep);
    const bool fit = matrices_fit(sweep);
    int matrices = 0;
    for (int m = 0; fit && m < sweep->measure_count; m++)
        if (!sweep_measure_is_array(sweep, m)) {
            print_matrix(sweep, m);
            matrices++;
        }
    if (matrices == 0)
        print_list(sweep);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void write_value(carom_json *json, const char *key, const char *value)
{
    double number;
    if (carom_parse_number(value, &number))
        carom_json_number(json, key, number);
    else
        carom_json_text(json, key, value);
}

static void write_axes(carom_json *json, const carom_sweep *sweep)
{
    carom_json_array_begin(json, "axes");
    for (int i = 0; i < sweep->axis_count; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "name", sweep->axis[i].name);
        carom_json_array_begin(json, "values");
        for (int k = 0; k < sweep->axis[i].count; k++)
            write_value(json, NULL, sweep->axis[i].value[k]);
        carom_json_array_end(json);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_point(carom_json *json, const carom_sweep *sweep, int index)
{
    const carom_sweep_point *point = &sweep->point[index];
    carom_json_object_begin(json, NULL);
    carom_json_object_begin(json, "at");
    for (int i = 0; i < sweep->axis_count; i++)
        write_value(json, sweep->axis[i].name, sweep_value(sweep, i, index));
    carom_json_object_end(json);
    carom_json_text(json, "status", point->word);
    if (point->message)
        carom_json_text(json, "message", point->message);
    carom_json_number(json, "steps", (double)point->steps);
    if (point->done)
        carom_json_bool(json, "trusted", point->trusted);
    carom_json_object_begin(json, "measures");
    for (int m = 0; m < sweep->measure_count; m++)
        carom_json_measured(json, sweep->measure[m], &point->measure[m]);
    carom_json_object_end(json);
    carom_json_object_end(json);
}

static const char *status_of(const carom_sweep *sweep)
{
    int first;
    for (int i = 0; i < sweep->point_count; i++)
        if (!sweep->point[i].done)
            return carom_status_word(CAROM_INTERRUPTED);
    return carom_status_word(count_failed_points(sweep, &first) ? CAROM_FAILED : CAROM_OK);
}

void print_sweep_json(const sweep_output *output)
{
    const carom_sweep *sweep = output->sweep;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "experiment", output->experiment->name);
    write_axes(&json, sweep);
    carom_json_array_begin(&json, "measures");
    for (int i = 0; i < sweep->measure_count; i++)
        carom_json_text(&json, NULL, sweep->measure[i]);
    carom_json_array_end(&json);
    carom_json_array_begin(&json, "points");
    for (int i = 0; i < sweep->point_count; i++)
        write_point(&json, sweep, i);
    carom_json_array_end(&json);
    carom_json_number(&json, "threads", sweep->threads);
    carom_json_number(&json, "wall_s", sweep->wall_seconds);
    carom_json_text(&json, "status", status_of(sweep));
    carom_json_object_end(&json);
    print_whole(&text);
}
