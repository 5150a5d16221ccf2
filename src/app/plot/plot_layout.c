/* The layout of a plot: its curves, the ranges of the axes, the size of the picture, and the key. */
#include <math.h>
#include <string.h>

#include "app/plot_parts.h"

enum {
    LINE_POINTS_MAX = 20000, /* per layer: keeps the SVG small */
    MEMBER_POINTS_MIN = 2000,
    KEY_MEMBERS_MAX = 12, /* larger families show some members in the key */
    KEY_MEMBERS_SHOWN = 5,
    EVENT_KINDS = CAROM_EVENT_STOP + 1
};

/* ---- curves ---------------------------------------------------------------------------------------- */

static bool is_family(const plot_source *source, const carom_layer *layer)
{
    return layer->family && layer->kind != CAROM_LAYER_OUTLINE && source->member_count > 0;
}

static bool has_family(const plot_source *source, const carom_panel *panel)
{
    for (int i = 0; i < panel->layer_count; i++)
        if (is_family(source, &panel->layer[i]))
            return true;
    return false;
}

/* A large family names its first and last member and a few between. */
static bool member_is_named(int member, int count)
{
    if (count <= KEY_MEMBERS_MAX)
        return true;
    for (int k = 0; k < KEY_MEMBERS_SHOWN; k++)
        if (member == k * (count - 1) / (KEY_MEMBERS_SHOWN - 1))
            return true;
    return false;
}

/* "label, member"; the label alone for the main run; the member alone for the first unlabelled layer. */
static carom_status make_title(const plot_source *source, plot_curve *curve, bool first_family_layer,
                               carom_arena *arena, carom_error *error)
{
    const char *label = plot_text_given(curve->layer->label) ? curve->layer->label : NULL;
    const char *member = curve->member >= 0 ? source->member_labels[curve->member] : NULL;
    carom_text title = {0};
    if (member && (!member_is_named(curve->member, source->member_count) || (!label && !first_family_layer)))
        return CAROM_OK;
    if (!label && !plot_text_given(member))
        return CAROM_OK;
    carom_text_append(&title, "%s%s%s", label ? label : "", label && plot_text_given(member) ? ", " : "",
                      member ? member : "");
    curve->title = title.failed ? NULL : carom_arena_copy_text(arena, title.bytes);
    carom_text_free(&title);
    return curve->title ? CAROM_OK : carom_fail_memory(error);
}

static int style_of(const plot_source *source, const carom_layer *layer, int member, int colours_used,
                    bool beside_family)
{
    if (layer->kind == CAROM_LAYER_OUTLINE && !layer->coloured)
        return PLOT_STYLE_OUTLINE;
    if (member >= 0)
        return (source->member_count <= PLOT_COLOURS ? 1 : PLOT_STYLE_MEMBER) + member;
    return beside_family ? PLOT_STYLE_MAIN : 1 + colours_used % PLOT_COLOURS;
}

static bool has_points(const plot_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++)
        if (!isnan(curve->row[i].x))
            return true;
    return false;
}

static carom_status make_curve(const plot_source *source, plot_drawing *drawing, plot_box *box,
                               const carom_layer *layer, int member, int mark, int *blocks,
                               carom_error *error)
{
    plot_curve *curve = &box->curve[box->curve_count++];
    curve->layer = layer;
    curve->member = member;
    curve->mark = mark;
    const carom_series *series = member < 0 ? source->main_series : &source->member_series[member];
    size_t limit = LINE_POINTS_MAX;
    if (member >= 0)
        limit /= (size_t)source->member_count;
    if (limit < MEMBER_POINTS_MIN)
        limit = MEMBER_POINTS_MIN;
    carom_status status = plot_take_rows(source, series, limit, drawing->arena, curve, error);
    curve->block = status == CAROM_OK && has_points(curve) ? (*blocks)++ : -1;
    return status;
}

/* In the key the kind of event stands once in a panel. */
static char *mark_title(const plot_box *box, const plot_curve *curve, carom_arena *arena)
{
    for (const plot_curve *other = box->curve; other < curve; other++)
        if (other->mark == curve->mark && other->block >= 0)
            return NULL;
    return carom_arena_copy_text(arena, carom_event_word((carom_event_kind)curve->mark));
}

/* A curve of points for every kind of event that is marked on the curve made last. */
static carom_status make_marks(const plot_source *source, plot_drawing *drawing, plot_box *box, int *blocks,
                               carom_error *error)
{
    const plot_curve *marked = &box->curve[box->curve_count - 1];
    for (int kind = 0; marked->layer->mark_count > 0 && kind < EVENT_KINDS; kind++) {
        const carom_status status =
            make_curve(source, drawing, box, marked->layer, marked->member, kind, blocks, error);
        if (status != CAROM_OK)
            return status;
        plot_curve *curve = &box->curve[box->curve_count - 1];
        curve->style = marked->style;
        if (curve->block >= 0)
            curve->title = mark_title(box, curve, drawing->arena);
    }
    return CAROM_OK;
}

static carom_status make_curves(const plot_source *source, plot_drawing *drawing, plot_box *box, int *blocks,
                                carom_error *error)
{
    const carom_panel *panel = box->panel;
    size_t most = (size_t)panel->layer_count * (size_t)(source->member_count > 0 ? source->member_count : 1) *
                  (1 + EVENT_KINDS);
    box->curve = carom_arena_take(drawing->arena, most, sizeof *box->curve);
    if (!box->curve)
        return carom_fail_memory(error);
    bool beside_family = has_family(source, panel), first_family_layer = true;
    int colours_used = 0;
    for (int i = 0; i < panel->layer_count; i++) {
        const carom_layer *layer = &panel->layer[i];
        bool family = is_family(source, layer);
        for (int k = 0; k < (family ? source->member_count : 1); k++) {
            int member = family ? k : -1;
            carom_status status = make_curve(source, drawing, box, layer, member, -1, blocks, error);
            plot_curve *curve = &box->curve[box->curve_count - 1];
            curve->style = style_of(source, layer, member, colours_used, beside_family);
            if (status == CAROM_OK && curve->block >= 0)
                status = make_title(source, curve, first_family_layer, drawing->arena, error);
            if (status == CAROM_OK)
                status = make_marks(source, drawing, box, blocks, error);
            if (status != CAROM_OK)
                return status;
        }
        first_family_layer = first_family_layer && !family;
        colours_used += !family && (layer->kind != CAROM_LAYER_OUTLINE || layer->coloured);
    }
    return CAROM_OK;
}

/* ---- ranges ---------------------------------------------------------------------------------------- */

/* Of a logarithmic axis only what is positive is seen. */
static bool is_seen(bool is_log, double value)
{
    return !is_log || value > 0.0;
}

static void widen(plot_range *range, double value)
{
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void widen_to(plot_range *range, plot_range other)
{
    widen(range, other.low);
    widen(range, other.high);
}

static void data_range(plot_box *box)
{
    box->x = box->y = (plot_range){INFINITY, -INFINITY};
    for (int i = 0; i < box->curve_count; i++) {
        const plot_curve *curve = &box->curve[i];
        if (curve->has_extent) {
            widen_to(&box->x, curve->extent_x);
            widen_to(&box->y, curve->extent_y);
        }
        for (size_t k = 0; k < curve->count; k++) {
            const plot_row *row = &curve->row[k];
            if (isnan(row->x) || !is_seen(box->panel->xlog, row->x) || !is_seen(box->panel->ylog, row->y))
                continue;
            widen(&box->x, row->x);
            widen(&box->y, row->y);
            if (curve->layer->kind != CAROM_LAYER_SEGMENTS)
                continue;
            widen(&box->x, row->x2);
            widen(&box->y, row->y2);
        }
    }
}

/* Profiles of more than one time have their colours from it. */
static void set_times(plot_box *box)
{
    box->time = (plot_range){INFINITY, -INFINITY};
    for (int i = 0; i < box->curve_count; i++) {
        const plot_curve *curve = &box->curve[i];
        if (curve->layer->kind == CAROM_LAYER_PROFILE && curve->block >= 0)
            widen_to(&box->time, (plot_range){curve->row[0].t, curve->row[curve->count - 1].t});
    }
    box->has_colour_box = box->time.low < box->time.high;
}

/* Some room around the data. A range of rounding errors around a constant is not worth a picture. */
static void pad(plot_range *range, double part)
{
    if (!(range->low <= range->high))
        *range = (plot_range){0.0, 1.0};
    double middle = 0.5 * (range->low + range->high), span = range->high - range->low;
    if (span <= 1e-11 * fabs(middle) || span == 0.0) {
        double half = middle == 0.0 ? 1.0 : 0.1 * fabs(middle);
        *range = (plot_range){middle - half, middle + half};
        return;
    }
    range->low -= part * span;
    range->high += part * span;
}

/* The same of a logarithmic axis; without anything positive it goes from 0.1 to 1. */
static void pad_log(plot_range *range, double part)
{
    if (!(range->low <= range->high))
        *range = (plot_range){0.1, 1.0};
    plot_range powers = {log10(range->low), log10(range->high)};
    pad(&powers, part);
    *range = (plot_range){pow(10.0, powers.low), pow(10.0, powers.high)};
}

static void use_given(plot_range *range, double low, double high)
{
    plot_range given = {isfinite(low) ? low : range->low, isfinite(high) ? high : range->high};
    if (given.low != given.high)
        *range = given;
}

/* x grows along every curve, as time does: the curves may touch the sides of the box. */
static bool x_is_ordered(const plot_box *box)
{
    for (int i = 0; i < box->curve_count; i++) {
        const plot_curve *curve = &box->curve[i];
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

static void set_ranges(const plot_source *source, plot_box *box)
{
    const carom_panel *panel = box->panel;
    bool numbered = has_numbers(panel);
    double room = numbered ? 0.08 : 0.05;
    data_range(box);
    (panel->xlog ? pad_log : pad)(&box->x, !panel->equal && !numbered && x_is_ordered(box) ? 0.0 : room);
    (panel->ylog ? pad_log : pad)(&box->y, room);
    use_given(&box->x, plot_value(source, panel->xmin, NAN), plot_value(source, panel->xmax, NAN));
    use_given(&box->y, plot_value(source, panel->ymin, NAN), plot_value(source, panel->ymax, NAN));
}

/* ---- sizes ----------------------------------------------------------------------------------------- */

enum {
    MARGIN_LEFT = 85,
    MARGIN_RIGHT = 25,
    MARGIN_BOTTOM = 60,
    MARGIN_TOP = 20,
    TITLE_HEIGHT = 28,
    KEY_HEIGHT = 26,
    KEY_SAMPLE = 60,   /* pixels of a key entry without its text */
    KEY_CHARACTER = 9, /* pixels */
    COLOUR_BOX = 95
};

static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80; /* bytes that continue a UTF-8 character */
    return count;
}

static void measure_key(plot_box *box)
{
    size_t characters = 0;
    for (int i = 0; i < box->curve_count; i++) {
        if (!box->curve[i].title)
            continue;
        size_t length = character_count(box->curve[i].title);
        box->key_entries++;
        characters += length;
        if (length > box->key_longest)
            box->key_longest = length;
    }
    /* Above the box when one line holds it. */
    double width = KEY_SAMPLE * (double)box->key_entries + KEY_CHARACTER * (double)characters;
    box->key_at_right = width > box->width;
}

/* The box of a panel: of given size, or (equal units) of the data's proportions within that size. */
static void size_box(plot_box *box, double width, double height)
{
    box->width = width;
    box->height = height;
    if (!box->panel->equal)
        return;
    double aspect = fabs((box->x.high - box->x.low) / (box->y.high - box->y.low));
    double scale = fmin(width, height * aspect);
    const double smallest = 150.0;
    box->width = fmax(scale, smallest);
    box->height = fmax(scale / aspect, smallest);
}

static void size_picture(plot_drawing *drawing)
{
    const carom_plot *plot = drawing->plot;
    bool single = plot->panel_count == 1, stacked = drawing->columns == 1;
    double box_width = stacked ? 790.0 : 470.0;
    double box_height = single ? 520.0 : stacked ? 230.0 : 320.0;
    double cell_width = 0.0, cell_height = 0.0;
    bool any_equal = false;
    for (int i = 0; i < plot->panel_count; i++) {
        plot_box *box = &drawing->box[i];
        const carom_panel *panel = box->panel;
        any_equal = any_equal || panel->equal;
        /* Equal units need height: a square of the box's width, or what one panel has. */
        size_box(box, box_width, panel->equal && !single ? 420.0 : box_height);
        measure_key(box);
        double width = box->width + MARGIN_LEFT + MARGIN_RIGHT;
        double height = box->height + MARGIN_TOP + MARGIN_BOTTOM;
        if (plot_text_given(panel->title) || (single && plot_text_given(plot->title)))
            height += TITLE_HEIGHT;
        if (box->key_entries > 0 && box->key_at_right)
            width += KEY_SAMPLE + KEY_CHARACTER * (double)box->key_longest;
        else if (box->key_entries > 0)
            height += KEY_HEIGHT;
        if (box->has_colour_box)
            width += COLOUR_BOX;
        cell_width = fmax(cell_width, width);
        cell_height = fmax(cell_height, height);
    }
    if (single && !any_equal) {
        cell_width = 900.0;
        cell_height = 600.0;
    }
    double title = !single && plot_text_given(plot->title) ? TITLE_HEIGHT + 14.0 : 0.0;
    drawing->width = (int)lround(cell_width * drawing->columns);
    drawing->height = (int)lround(cell_height * drawing->rows + title);
}

carom_status plot_lay_out(const plot_source *source, plot_drawing *drawing, carom_error *error)
{
    const carom_plot *plot = drawing->plot;
    drawing->member_count = source->member_count;
    drawing->columns = plot->columns < 1 ? 1 : plot->columns;
    if (drawing->columns > plot->panel_count)
        drawing->columns = plot->panel_count;
    drawing->rows = (plot->panel_count + drawing->columns - 1) / drawing->columns;
    drawing->box = carom_arena_take(drawing->arena, (size_t)plot->panel_count, sizeof *drawing->box);
    if (!drawing->box)
        return carom_fail_memory(error);
    int blocks = 0;
    for (int i = 0; i < plot->panel_count; i++) {
        plot_box *box = &drawing->box[i];
        box->panel = &plot->panel[i];
        carom_status status = make_curves(source, drawing, box, &blocks, error);
        if (status != CAROM_OK)
            return carom_fail(error, status, "plot %s, panel %d: %s", plot->name, i + 1,
                              error ? error->text : "");
        set_ranges(source, box);
        set_times(box);
    }
    size_picture(drawing);
    return CAROM_OK;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* Across the motion at a row, in pixels: to the outer side of the path's turn, or to the left. The ends take
 * the turn of their neighbours. */
static void across_path(const plot_curve *curve, size_t index, const double scale[2], double across[2])
{
    const plot_row *row = curve->row, *last = curve->row + curve->count - 1;
    const plot_row *before = index > 0 ? row + index - 1 : row;
    const plot_row *after = row + index < last ? row + index + 1 : last;
    across[0] = -(after->y - before->y) * scale[1];
    across[1] = (after->x - before->x) * scale[0];
    if (curve->count < 3)
        return;
    const plot_row *middle = index == 0 ? row + 1 : row + index == last ? last - 1 : row + index;
    double outward[2] = {(middle->x - 0.5 * (middle[-1].x + middle[1].x)) * scale[0],
                         (middle->y - 0.5 * (middle[-1].y + middle[1].y)) * scale[1]};
    if (across[0] * outward[0] + across[1] * outward[1] < 0.0) {
        across[0] = -across[0];
        across[1] = -across[1];
    }
}

void plot_number_place(const plot_box *box, const plot_curve *curve, size_t index, double place[2])
{
    const double distance = 12.0; /* pixels */
    const double scale[2] = {box->width / (box->x.high - box->x.low),
                             box->height / (box->y.high - box->y.low)};
    const plot_row *row = &curve->row[index];
    bool segment = curve->layer->kind == CAROM_LAYER_SEGMENTS;
    double across[2] = {(row->x2 - row->x) * scale[0], (row->y2 - row->y) * scale[1]};
    if (!segment)
        across_path(curve, index, scale, across);
    double length = hypot(across[0], across[1]);
    if (!(length > 0.0) || !isfinite(length)) {
        across[0] = across[1] = 1.0;
        length = sqrt(2.0);
    }
    place[0] = (segment ? row->x2 : row->x) + distance * across[0] / length / scale[0];
    place[1] = (segment ? row->y2 : row->y) + distance * across[1] / length / scale[1];
}
