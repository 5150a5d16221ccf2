/* Which rows of a series a layer shows. */
#include <math.h>
#include <stdlib.h>

#include "curve_parts.h"

/* Where the rows of a layer come from. */
typedef struct row_source {
    const carom_series *series;
    const carom_layer *layer;
    size_t count;          /* of rows */
    const curve_row *list; /* in place of those of the series: averaged, or with jumps; NULL: as they are */
} row_source;

/* Indices of rows, and which of them to keep. */
typedef struct row_choice {
    size_t count;
    size_t *index;
    unsigned char *keep;
} row_choice;

static double row_time(const carom_series *series, size_t index)
{
    return carom_series_row(series, index)[0];
}

static curve_row row_at(const row_source *source, size_t index)
{
    if (source->list)
        return source->list[index];
    const carom_series *series = source->series;
    const carom_layer *layer = source->layer;
    const double *row = carom_series_row(series, index);
    const double *column = row + series->layout.column;
    curve_row point = {.t = row[0], .x = column[layer->x], .y = column[layer->y]};
    bool finite = isfinite(point.x) && isfinite(point.y);
    if (layer->kind == CAROM_LAYER_SEGMENTS) {
        point.x2 = column[layer->x2];
        point.y2 = column[layer->y2];
        finite = finite && isfinite(point.x2) && isfinite(point.y2);
    }
    if (!finite)
        point.x = NAN;
    return point;
}

static void choose_window(const row_source *rows, double from, double to, row_choice *choice)
{
    /* Times are sums of steps: a row that misses the window by rounding belongs to it. */
    const carom_series *series = rows->series;
    double last = row_time(series, series->count - 1);
    double slack = 1e-9 * fmax(fabs(last), fabs(row_time(series, 0)));
    choice->count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        double t = rows->list ? rows->list[i].t : row_time(series, i);
        if (isfinite(t) && t >= from - slack && t <= to + slack)
            choice->index[choice->count++] = i;
    }
}

static void keep_marked(row_choice *choice)
{
    size_t kept = 0;
    for (size_t i = 0; i < choice->count; i++)
        if (choice->keep[i])
            choice->index[kept++] = choice->index[i];
    choice->count = kept;
}

/* True when the run ended before the multiple `wanted`, and not just by a part of a step. */
static bool not_reached(const carom_series *series, double wanted)
{
    size_t count = series->count;
    double last = row_time(series, count - 1);
    double spacing = count > 1 ? last - row_time(series, count - 2) : 0.0;
    return wanted > last + 0.5 * spacing;
}

/* Keeps, for every multiple of `period` after the first row, the row nearest to it. */
static void keep_multiples(const carom_series *series, double period, row_choice *choice)
{
    double start = row_time(series, 0), best_multiple = 0.0, best_distance = 0.0;
    size_t best = 0;
    for (size_t i = 0; i < choice->count; i++) {
        double t = row_time(series, choice->index[i]);
        double multiple = round((t - start) / period);
        double distance = fabs(t - start - multiple * period);
        choice->keep[i] = 0;
        if (i > 0 && multiple == best_multiple && distance >= best_distance)
            continue;
        bool same = i > 0 && multiple == best_multiple;
        if (same)
            choice->keep[best] = 0;
        choice->keep[i] = multiple == 0.0 || !not_reached(series, start + multiple * period);
        best = i;
        best_multiple = multiple;
        best_distance = distance;
    }
    keep_marked(choice);
}

/* A bucket of consecutive rows keeps its ends, its extremes in x and y, and one interruption: what a line
 * through all of them would show at the bucket's size. */
static void mark_bucket(const row_source *source, row_choice *choice, size_t begin, size_t end)
{
    size_t lowest_x = begin, highest_x = begin, lowest_y = begin, highest_y = begin;
    curve_row low_x = {0}, high_x = {0}, low_y = {0}, high_y = {0};
    bool found = false, interrupted = false;
    for (size_t i = begin; i < end; i++) {
        curve_row point = row_at(source, choice->index[i]);
        choice->keep[i] = i == begin || i + 1 == end || (isnan(point.x) && !interrupted);
        interrupted = interrupted || isnan(point.x);
        if (isnan(point.x))
            continue;
        if (!found || point.x < low_x.x)
            low_x = point, lowest_x = i;
        if (!found || point.x > high_x.x)
            high_x = point, highest_x = i;
        if (!found || point.y < low_y.y)
            low_y = point, lowest_y = i;
        if (!found || point.y > high_y.y)
            high_y = point, highest_y = i;
        found = true;
    }
    if (found)
        choice->keep[lowest_x] = choice->keep[highest_x] = choice->keep[lowest_y] = choice->keep[highest_y] =
            1;
}

static bool x_grows(const row_source *source, const row_choice *choice)
{
    double largest = -INFINITY;
    for (size_t i = 0; i < choice->count; i++) {
        double x = row_at(source, choice->index[i]).x;
        if (x < largest)
            return false;
        largest = fmax(largest, x);
    }
    return true;
}

static void thin_line(const row_source *source, size_t limit, row_choice *choice)
{
    enum {
        KEPT_PER_BUCKET = 7,
        PICTURE_PIXELS = 1000
    };
    size_t buckets = limit / KEPT_PER_BUCKET, count = choice->count;
    /* Along a growing x one bucket per pixel shows all; a path that returns needs what it can get. */
    if (buckets > PICTURE_PIXELS && x_grows(source, choice))
        buckets = PICTURE_PIXELS;
    for (size_t b = 0; b < buckets; b++)
        mark_bucket(source, choice, count / buckets * b + count % buckets * b / buckets,
                    count / buckets * (b + 1) + count % buckets * (b + 1) / buckets);
    keep_marked(choice);
}

static carom_status copy_rows(const row_source *source, const row_choice *choice, carom_arena *arena,
                              layer_curve *curve, carom_error *error)
{
    curve->row = carom_arena_take(arena, choice->count, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    for (size_t i = 0; i < choice->count; i++)
        curve->row[i] = row_at(source, choice->index[i]);
    curve->count = choice->count;
    return CAROM_OK;
}

/* Points that a study computed: a matrix of two columns, or a list of places and one of heights; of a layer of
 * values a list of heights over their numbers. */
static carom_status take_computed(const carom_curve_source *source, carom_arena *arena, layer_curve *curve,
                                  carom_error *error)
{
    const carom_layer *layer = curve->layer;
    carom_data element[3];
    const carom_data *list = carom_study_results_at(source->results, &layer->list, &element[0]);
    const carom_data *x = carom_study_results_at(source->results, &layer->list_x, &element[1]);
    const carom_data *y = carom_study_results_at(source->results, &layer->list_y, &element[2]);
    const bool values = layer->kind == CAROM_LAYER_VALUES;
    const carom_data *shown = list ? list : y;
    curve->count = shown && shown->list ? (size_t)shown->rows : 0;
    if (x && (size_t)x->rows < curve->count)
        curve->count = (size_t)x->rows;
    curve->row = carom_arena_take(arena, curve->count, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    for (int i = 0; i < (int)curve->count; i++) {
        curve_row *row = &curve->row[i];
        row->x = list || !x || !x->list ? i + 1.0 : x->list[i];
        if (list && !values && !carom_data_element(list, i, 0, &row->x))
            row->x = NAN;
        row->y = NAN;
        carom_data_element(shown, i, list && !values ? 1 : -1, &row->y);
        if (!isfinite(row->x) || !isfinite(row->y))
            row->x = NAN;
    }
    return CAROM_OK;
}

static bool is_computed(const carom_layer *layer)
{
    return layer->list.output || layer->list_x.output;
}

static carom_status take_outline(const carom_curve_source *source, carom_arena *arena, layer_curve *curve,
                                 carom_error *error)
{
    const carom_layer *layer = curve->layer;
    curve->count = (size_t)layer->point_count;
    curve->row = carom_arena_take(arena, curve->count, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    for (int i = 0; i < layer->point_count; i++) {
        curve_row point = {.x = resolved_value(source, layer->point[2 * i], NAN),
                           .y = resolved_value(source, layer->point[2 * i + 1], NAN)};
        if (!isfinite(point.x) || !isfinite(point.y))
            point.x = NAN;
        curve->row[i] = point;
    }
    return CAROM_OK;
}

/* The list at the last output shown. */
static carom_status take_values(const carom_series *series, const row_choice *choice, carom_arena *arena,
                                layer_curve *curve, carom_error *error)
{
    const carom_layer *layer = curve->layer;
    if (choice->count == 0)
        return CAROM_OK;
    const double *row = carom_series_row(series, choice->index[choice->count - 1]);
    curve->row = carom_arena_take(arena, (size_t)layer->column_count, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    curve->count = (size_t)layer->column_count;
    for (int i = 0; i < layer->column_count; i++) {
        const double y = row[series->layout.column + layer->column[i]];
        curve->row[i] = (curve_row){.t = row[0], .x = isfinite(y) ? i + 1.0 : NAN, .y = y};
    }
    return CAROM_OK;
}

/* Columns that a layer reads: the smallest and the largest. */
static void column_range(const carom_layer *layer, int *smallest, int *largest)
{
    const int ends[4] = {layer->x, layer->y, layer->x2, layer->y2};
    const bool listed = layer->kind == CAROM_LAYER_VALUES;
    const int count = listed ? layer->column_count : layer->kind == CAROM_LAYER_SEGMENTS ? 4 : 2;
    *smallest = *largest = listed ? layer->column[0] : ends[0];
    for (int i = 1; i < count; i++) {
        const int column = listed ? layer->column[i] : ends[i];
        *smallest = column < *smallest ? column : *smallest;
        *largest = column > *largest ? column : *largest;
    }
}

static carom_status check_columns(const carom_series *series, const carom_layer *layer, carom_error *error)
{
    const int columns = series->layout.columns;
    int smallest, largest;
    column_range(layer, &smallest, &largest);
    if (smallest >= 0 && largest < columns)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "a plot needs column %d of the record, but the run has %d columns: it was made by another "
        "version of the model",
        largest + 1, columns);
}

static bool shows_structure(const carom_layer *layer)
{
    return layer->kind == CAROM_LAYER_PROFILE || layer->kind == CAROM_LAYER_CONTACTS;
}

static bool has_columns(const carom_layer *layer)
{
    return !shows_structure(layer) && layer->kind != CAROM_LAYER_SCENE;
}

/* The output nearest to a time; without a time the last one. */
static void keep_nearest(const carom_series *series, double time, row_choice *choice)
{
    size_t best = 0;
    for (size_t i = 1; i < choice->count; i++)
        if (isnan(time) || fabs(row_time(series, choice->index[i]) - time) <
                               fabs(row_time(series, choice->index[best]) - time))
            best = i;
    if (choice->count > 0) {
        choice->index[0] = choice->index[best];
        choice->count = 1;
    }
}

/* Means of the outputs from half the time before to half the time after; at the ends of what there is. An
 * output that is not finite takes no part. */
static void smooth_rows(const row_source *source, double time, curve_row *smoothed)
{
    const carom_series *series = source->series;
    double x = 0.0, y = 0.0, inside = 0.0;
    size_t begin = 0, end = 0;
    for (size_t i = 0; i < series->count; i++) {
        const double t = row_time(series, i), slack = 1e-9 * time;
        for (; end < series->count && row_time(series, end) <= t + 0.5 * time + slack; end++) {
            const curve_row row = row_at(source, end);
            if (!isnan(row.x))
                x += row.x, y += row.y, inside += 1.0;
        }
        for (; begin < end && row_time(series, begin) < t - 0.5 * time - slack; begin++) {
            const curve_row row = row_at(source, begin);
            if (!isnan(row.x))
                x -= row.x, y -= row.y, inside -= 1.0;
        }
        smoothed[i] = (curve_row){.t = t, .x = inside > 0.0 ? x / inside : NAN, .y = y / inside};
    }
}

static carom_status take_chosen(const carom_curve_source *source, const row_source *rows, size_t limit,
                                row_choice *choice, carom_arena *arena, layer_curve *curve,
                                carom_error *error)
{
    const carom_layer *layer = curve->layer;
    curve->thinned = layer->kind == CAROM_LAYER_LINE && choice->count > limit;
    if (curve->thinned)
        thin_line(rows, limit, choice);
    if (shows_structure(layer))
        return take_structure_rows(source, rows->series, choice->count, choice->index, arena, curve, error);
    if (layer->kind == CAROM_LAYER_VALUES)
        return take_values(rows->series, choice, arena, curve, error);
    if (layer->kind == CAROM_LAYER_SCENE)
        return take_scene_rows(source, rows->series, choice->count, choice->index, arena, curve, error);
    return copy_rows(rows, choice, arena, curve, error);
}

/* The rows that are not those of the series: *list, which the caller frees. */
static carom_status make_list(const carom_curve_source *source, double smooth, const layer_curve *curve,
                              row_source *rows, curve_row **list, carom_error *error)
{
    const carom_layer *layer = curve->layer;
    carom_status status = CAROM_OK;
    if (smooth > 0.0) {
        *list = carom_new_array(rows->count, sizeof **list);
        if (!*list)
            return carom_fail_memory(error);
        smooth_rows(rows, smooth, *list);
    } else if (layer->kind == CAROM_LAYER_LINE && layer->every == CAROM_NO_VALUE) {
        status = take_jumps(event_points_of(source, curve->member), rows->series, layer, list, &rows->count,
                            error);
    }
    rows->list = *list;
    return status;
}

static carom_status read_time(const carom_curve_source *source, carom_value value, const char *key,
                              double *time, carom_error *error)
{
    *time = resolved_value(source, value, NAN);
    if (value == CAROM_NO_VALUE || *time > 0.0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "`%s` of a plot is %g; it must be a positive time", key, *time);
}

carom_status take_layer_rows(const carom_curve_source *source, const carom_series *series, size_t limit,
                             carom_arena *arena, layer_curve *curve, carom_error *error)
{
    const carom_layer *layer = curve->layer;
    if (is_computed(layer))
        return take_computed(source, arena, curve, error);
    if (layer->kind == CAROM_LAYER_OUTLINE)
        return take_outline(source, arena, curve, error);
    curve->count = 0;
    if (curve->mark >= 0)
        return take_marks(source, series, arena, curve, error);
    if (!series || series->count == 0)
        return CAROM_OK;
    carom_status status = has_columns(layer) ? check_columns(series, layer, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    double period, smooth;
    status = read_time(source, layer->every, "every", &period, error);
    if (status == CAROM_OK)
        status = read_time(source, layer->smooth, "smooth", &smooth, error);
    if (status != CAROM_OK)
        return status;
    curve_row *list = NULL;
    row_source rows = {.series = series, .layer = layer, .count = series->count};
    status = make_list(source, smooth, curve, &rows, &list, error);
    row_choice choice = {0, carom_new_array(rows.count, sizeof *choice.index),
                         carom_new_array(rows.count, 1)};
    if (status == CAROM_OK && (!choice.index || !choice.keep))
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        choose_window(&rows, resolved_value(source, layer->from, -INFINITY),
                      resolved_value(source, layer->to, INFINITY), &choice);
        if (layer->every != CAROM_NO_VALUE)
            keep_multiples(series, period, &choice);
        else if (layer->kind == CAROM_LAYER_SCENE)
            keep_nearest(series, resolved_value(source, layer->at, NAN), &choice);
        status = take_chosen(source, &rows, limit, &choice, arena, curve, error);
    }
    free(list);
    free(choice.index);
    free(choice.keep);
    return status;
}
