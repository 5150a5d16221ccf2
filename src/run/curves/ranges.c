/* What the axes of a panel show. */
#include <math.h>

#include "curve_parts.h"

/* Of a logarithmic axis only what is positive is seen. */
static bool is_seen(bool is_log, double value)
{
    return !is_log || value > 0.0;
}

static void widen(carom_range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void widen_to(carom_range *range, carom_range other)
{
    widen(range, other.low);
    widen(range, other.high);
}

static void data_range(const panel_curves *curves, carom_range *x, carom_range *y)
{
    const carom_panel *panel = curves->panel;
    *x = *y = (carom_range){INFINITY, -INFINITY};
    for (int i = 0; i < curves->count; i++) {
        const layer_curve *curve = &curves->curve[i];
        if (curve->has_extent) {
            widen_to(x, curve->extent_x);
            widen_to(y, curve->extent_y);
        }
        for (size_t k = 0; k < curve->count; k++) {
            const curve_row *row = &curve->row[k];
            if (isnan(row->x) || !is_seen(panel->xlog, row->x) || !is_seen(panel->ylog, row->y))
                continue;
            widen(x, row->x);
            widen(y, row->y);
            if (curve->layer->kind != CAROM_LAYER_SEGMENTS)
                continue;
            widen(x, row->x2);
            widen(y, row->y2);
        }
    }
}

/* From the first to the last profile. */
static carom_range time_range(const panel_curves *curves)
{
    carom_range time = {INFINITY, -INFINITY};
    for (int i = 0; i < curves->count; i++) {
        const layer_curve *curve = &curves->curve[i];
        if (curve->layer->kind == CAROM_LAYER_PROFILE && curve->has_points)
            widen_to(&time, (carom_range){curve->row[0].t, curve->row[curve->count - 1].t});
    }
    return time;
}

/* Some room around the data. A range of rounding errors around a constant is not worth a picture. */
static void pad(carom_range *range, double part)
{
    if (!(range->low <= range->high))
        *range = (carom_range){0.0, 1.0};
    double middle = 0.5 * (range->low + range->high), span = range->high - range->low;
    if (span <= 1e-11 * fabs(middle) || span == 0.0) {
        double half = middle == 0.0 ? 1.0 : 0.1 * fabs(middle);
        *range = (carom_range){middle - half, middle + half};
        return;
    }
    range->low -= part * span;
    range->high += part * span;
}

/* The same of a logarithmic axis; without anything positive it goes from 0.1 to 1. */
static void pad_log(carom_range *range, double part)
{
    if (!(range->low <= range->high))
        *range = (carom_range){0.1, 1.0};
    carom_range powers = {log10(range->low), log10(range->high)};
    pad(&powers, part);
    *range = (carom_range){pow(10.0, powers.low), pow(10.0, powers.high)};
}

static void use_given(carom_range *range, double low, double high)
{
    carom_range given = {isfinite(low) ? low : range->low, isfinite(high) ? high : range->high};
    if (given.low != given.high)
        *range = given;
}

/* x grows along every curve, as time does: the curves may touch the sides of the box. */
static bool x_is_ordered(const panel_curves *curves)
{
    for (int i = 0; i < curves->count; i++) {
        const layer_curve *curve = &curves->curve[i];
        if (curve->layer->kind == CAROM_LAYER_SEGMENTS)
            return false;
        const bool scene = (curve->layer->kind == CAROM_LAYER_OUTLINE && !curve->layer->coloured) ||
                           curve->layer->kind == CAROM_LAYER_SCENE;
        for (size_t k = 1; !scene && k < curve->count; k++)
            if (curve->row[k].x < curve->row[k - 1].x)
                return false;
    }
    return true;
}

static bool has_numbers(const carom_panel *panel)
{
    for (int i = 0; i < panel->layer_count; i++)
        if (panel->layer[i].numbered && panel->layer[i].kind != CAROM_LAYER_OUTLINE)
            return true;
    return false;
}

void set_panel_ranges(const carom_curve_source *source, const panel_curves *curves, carom_figure_panel *to)
{
    const carom_panel *panel = curves->panel;
    const bool numbered = has_numbers(panel);
    const double room = numbered ? 0.08 : 0.05;
    data_range(curves, &to->x, &to->y);
    (panel->xlog ? pad_log : pad)(&to->x, !panel->equal && !numbered && x_is_ordered(curves) ? 0.0 : room);
    (panel->ylog ? pad_log : pad)(&to->y, room);
    use_given(&to->x, resolved_value(source, panel->xmin, NAN), resolved_value(source, panel->xmax, NAN));
    use_given(&to->y, resolved_value(source, panel->ymin, NAN), resolved_value(source, panel->ymax, NAN));
    to->time = time_range(curves);
}
