/* Events in pictures: jumps of lines at impacts that are located, and marks on lines and points. */
#include <math.h>
#include <stdlib.h>

#include "curve_parts.h"

const carom_event_points *event_points_of(const carom_curve_source *source, int member)
{
    if (member < 0)
        return source->points;
    return source->family.points ? &source->family.points[member] : NULL;
}

static const double *event_row(const carom_event_points *points, size_t index)
{
    return points->row + index * carom_event_points_width(points);
}

/* The point of a layer before (0) or after (1) an event; x is NaN when there is none. */
static curve_row point_at(const carom_event_points *points, size_t index, int side, const carom_layer *layer)
{
    const double *row = event_row(points, index);
    const double *column = row + 3 + (size_t)side * (size_t)points->columns;
    curve_row point = {.t = row[0], .x = NAN, .y = NAN};
    if (layer->x < points->columns && layer->y < points->columns) {
        point.x = column[layer->x];
        point.y = column[layer->y];
    }
    if (!isfinite(point.x) || !isfinite(point.y))
        point.x = NAN;
    return point;
}

static curve_row output_at(const carom_series *series, size_t index, const carom_layer *layer)
{
    const double *row = carom_series_row(series, index), *column = row + series->layout.column;
    curve_row point = {.t = row[0], .x = column[layer->x], .y = column[layer->y]};
    if (!isfinite(point.x) || !isfinite(point.y))
        point.x = NAN;
    return point;
}

/* ---- jumps ----------------------------------------------------------------------------------------- */

carom_status take_jumps(const carom_event_points *points, const carom_series *series,
                        const carom_layer *layer, curve_row **rows, size_t *count, carom_error *error)
{
    if (!points || points->columns == 0 || points->count == 0)
        return CAROM_OK;
    curve_row *list = carom_new_array(series->count + 2 * points->count, sizeof *list);
    if (!list)
        return carom_fail_memory(error);
    size_t filled = 0, event = 0;
    for (size_t i = 0; i < series->count; i++) {
        const curve_row output = output_at(series, i, layer);
        /* An output at the time of an impact is the one after it; the first is the start. */
        for (; i > 0 && event < points->count && event_row(points, event)[0] <= output.t; event++)
            for (int side = 0; side < 2; side++) {
                const curve_row point = point_at(points, event, side, layer);
                if (event_row(points, event)[1] == (double)CAROM_EVENT_IMPACT && !isnan(point.x))
                    list[filled++] = point;
            }
        list[filled++] = output;
    }
    *rows = list;
    *count = filled;
    return CAROM_OK;
}

/* ---- marks ----------------------------------------------------------------------------------------- */

static bool is_marked(const carom_layer *layer, int kind, int contact)
{
    for (int i = 0; i < layer->mark_count; i++) {
        const carom_layer_mark *mark = &layer->mark[i];
        const bool same =
            (int)mark->kind == kind || (mark->kind == CAROM_EVENT_STICK && kind == (int)CAROM_EVENT_SLIP);
        if (same && (mark->contact < 0 || mark->contact == contact))
            return true;
    }
    return false;
}

/* The output nearest to a time. */
static size_t nearest_output(const carom_series *series, double t)
{
    size_t low = 0, high = series->count - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (carom_series_row(series, middle)[0] <= t)
            low = middle;
        else
            high = middle;
    }
    return t - carom_series_row(series, low)[0] < carom_series_row(series, high)[0] - t ? low : high;
}

/* Of many marks in one place one is enough, in parts of what all of them span. */
static void thin_marks(layer_curve *curve)
{
    carom_range x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    for (size_t i = 0; i < curve->count; i++) {
        x = (carom_range){fmin(x.low, curve->row[i].x), fmax(x.high, curve->row[i].x)};
        y = (carom_range){fmin(y.low, curve->row[i].y), fmax(y.high, curve->row[i].y)};
    }
    const double part = 1e-3, dx = part * (x.high - x.low), dy = part * (y.high - y.low);
    size_t kept = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const curve_row *row = &curve->row[i], *last = kept > 0 ? &curve->row[kept - 1] : NULL;
        if (!last || fabs(row->x - last->x) > dx || fabs(row->y - last->y) > dy)
            curve->row[kept++] = *row;
    }
    curve->count = kept;
}

/* Both sides of a jump; one point where nothing jumps. */
static void add_mark(const carom_event_points *points, size_t index, const carom_series *series,
                     layer_curve *curve)
{
    const carom_layer *layer = curve->layer;
    for (int side = 0; side < 2; side++) {
        curve_row point = points->columns > 0 ? point_at(points, index, side, layer) : (curve_row){.x = NAN};
        if (isnan(point.x))
            point = output_at(series, nearest_output(series, event_row(points, index)[0]), layer);
        const curve_row *last = side == 1 && curve->count > 0 ? &curve->row[curve->count - 1] : NULL;
        if (!isnan(point.x) && (!last || last->x != point.x || last->y != point.y))
            curve->row[curve->count++] = point;
    }
}

carom_status take_marks(const carom_curve_source *source, const carom_series *series, carom_arena *arena,
                        layer_curve *curve, carom_error *error)
{
    const carom_layer *layer = curve->layer;
    const carom_event_points *points = event_points_of(source, curve->member);
    const double from = resolved_value(source, layer->from, -INFINITY),
                 to = resolved_value(source, layer->to, INFINITY);
    if (!points || !series || series->count == 0)
        return CAROM_OK;
    size_t most = 0;
    for (size_t i = 0; i < points->count; i++)
        most += event_row(points, i)[1] == (double)curve->mark;
    curve->row = carom_arena_take(arena, 2 * most, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    for (size_t i = 0; i < points->count; i++) {
        const double *row = event_row(points, i);
        if (row[1] == (double)curve->mark && row[0] >= from && row[0] <= to &&
            is_marked(layer, (int)row[1], (int)row[2]))
            add_mark(points, i, series, curve);
    }
    thin_marks(curve);
    return CAROM_OK;
}
