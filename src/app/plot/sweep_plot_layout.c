/* What a picture of a sweep shows: axes with their cells, lines or heat maps, panels. */
#include "app/sweep_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAT_FROM = 4 /* values on each axis */
};

/* ---- axes ------------------------------------------------------------------------------------------ */

static const char *unit_of(const carom_experiment *experiment, const char *name)
{
    const int parameter = carom_model_find_parameter(experiment->model, name);
    if (parameter >= 0)
        return experiment->model->parameter[parameter].unit;
    for (int i = 0; i < experiment->setting_count; i++)
        if (strcmp(experiment->setting[i].name, name) == 0)
            return experiment->setting[i].unit;
    return NULL;
}

static int compare_falling(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first < second) - (first > second);
}

static double middle(const drawn_axis *axis, double a, double b)
{
    return axis->is_log ? sqrt(a) * sqrt(b) : 0.5 * (a + b);
}

/* `inner` mirrored at `value`. */
static double beyond(const drawn_axis *axis, double value, double inner)
{
    return axis->is_log ? value * (value / inner) : 2.0 * value - inner;
}

/* Cells meet half way between the values; those at the ends are symmetric. */
static void find_cells(drawn_axis *axis)
{
    const double *sorted = axis->falling;
    for (int i = 0; i < axis->count; i++) {
        int place = 0;
        while (sorted[place] != axis->value[i])
            place++;
        const bool has_above = place > 0, has_below = place + 1 < axis->count;
        const double value = axis->value[i];
        if (has_above)
            axis->high[i] = middle(axis, value, sorted[place - 1]);
        if (has_below)
            axis->low[i] = middle(axis, value, sorted[place + 1]);
        if (!has_above)
            axis->high[i] = has_below ? beyond(axis, value, axis->low[i]) : value;
        if (!has_below)
            axis->low[i] = has_above ? beyond(axis, value, axis->high[i]) : value;
    }
}

carom_range sweep_range_with_margin(double low, double high, double part)
{
    const double size = fmax(fabs(low), fabs(high));
    double margin = part * (high - low);
    if (!(high - low > 1e-12 * size))
        margin = size > 0.0 ? 0.1 * size : 1.0;
    return (carom_range){low - margin, high + margin};
}

static carom_range axis_range(const drawn_axis *axis, bool is_heat)
{
    const double low = axis->falling[axis->count - 1], high = axis->falling[0];
    if (is_heat) {
        carom_range range = {INFINITY, -INFINITY};
        for (int i = 0; i < axis->count; i++) {
            range.low = fmin(range.low, axis->low[i]);
            range.high = fmax(range.high, axis->high[i]);
        }
        return range;
    }
    if (axis->has_words)
        return (carom_range){-0.5, axis->count - 0.5};
    if (axis->is_log)
        return (carom_range){low / pow(high / low, 0.05), high * pow(high / low, 0.05)};
    return sweep_range_with_margin(low, high, 0.04);
}

static bool take_axis(sweep_picture *picture, const sweep_output *output, int index)
{
    const carom_sweep_axis *given = &picture->sweep->axis[index];
    drawn_axis *axis = &picture->axis[index];
    const size_t count = (size_t)given->count;
    *axis = (drawn_axis){.name = given->name,
                         .unit = unit_of(output->experiment, given->name),
                         .count = given->count,
                         .value = carom_arena_take(picture->arena, count, sizeof(double)),
                         .low = carom_arena_take(picture->arena, count, sizeof(double)),
                         .high = carom_arena_take(picture->arena, count, sizeof(double)),
                         .falling = carom_arena_take(picture->arena, count, sizeof(double)),
                         .word = given->value,
                         .is_log = output->is_log[index]};
    if (!axis->value || !axis->low || !axis->high || !axis->falling)
        return false;
    for (int i = 0; i < axis->count; i++)
        axis->has_words = axis->has_words || !carom_parse_number(given->value[i], &axis->value[i]);
    for (int i = 0; axis->has_words && i < axis->count; i++)
        axis->value[i] = i;
    memcpy(axis->falling, axis->value, count * sizeof(double));
    qsort(axis->falling, count, sizeof(double), compare_falling);
    return true;
}

/* ---- what is drawn ----------------------------------------------------------------------------------- */

static bool has_values(const sweep_picture *picture, int measure)
{
    const carom_sweep *sweep = picture->sweep;
    if (picture->is_heat && sweep_measure_is_array(sweep, measure))
        return false;
    for (int i = 0; i < sweep->point_count; i++) {
        const carom_measured *measured = &sweep->point[i].measure[measure];
        for (int k = 0; k < measured->count; k++)
            if (isfinite(measured->value[k]))
                return true;
    }
    return false;
}

/* Lines run along the axis of numbers with more values. */
static void choose_form(sweep_picture *picture)
{
    const drawn_axis *first = &picture->axis[0], *second = &picture->axis[1];
    picture->series = -1;
    if (picture->sweep->axis_count == 1)
        return;
    picture->is_heat =
        !first->has_words && !second->has_words && first->count >= HEAT_FROM && second->count >= HEAT_FROM;
    const bool along_second =
        first->has_words != second->has_words ? first->has_words : second->count > first->count;
    picture->x = !picture->is_heat && along_second;
    picture->series = 1 - picture->x;
}

static bool take_panels(sweep_picture *picture)
{
    const int count = picture->sweep->measure_count;
    int *panel = carom_arena_take(picture->arena, (size_t)count, sizeof *panel);
    if (!panel)
        return false;
    for (int m = 0; m < count; m++)
        if (has_values(picture, m))
            panel[picture->panel_count++] = m;
    picture->panel = panel;
    return true;
}

bool sweep_picture_lay_out(sweep_picture *picture, const sweep_output *output)
{
    const int axes = picture->sweep->axis_count;
    for (int i = 0; i < axes; i++)
        if (!take_axis(picture, output, i))
            return false;
    choose_form(picture);
    for (int i = 0; picture->is_heat && i < axes; i++)
        find_cells(&picture->axis[i]);
    for (int i = 0; i < axes; i++)
        picture->axis[i].range = axis_range(&picture->axis[i], picture->is_heat);
    return take_panels(picture);
}

int sweep_picture_lines(const sweep_picture *picture)
{
    return picture->series < 0 || picture->is_heat ? 1 : picture->axis[picture->series].count;
}

int sweep_picture_point(const sweep_picture *picture, int x, int other)
{
    if (picture->sweep->axis_count == 1)
        return x;
    const int last = picture->axis[1].count;
    return picture->x == 0 ? x * last + other : other * last + x;
}

carom_range sweep_values_range(const carom_sweep *sweep, int measure, long *count)
{
    carom_range range = {INFINITY, -INFINITY};
    *count = 0;
    for (int i = 0; i < sweep->point_count; i++) {
        const carom_measured *measured = &sweep->point[i].measure[measure];
        for (int k = 0; k < measured->count; k++)
            if (isfinite(measured->value[k])) {
                range.low = fmin(range.low, measured->value[k]);
                range.high = fmax(range.high, measured->value[k]);
                (*count)++;
            }
    }
    return range;
}
