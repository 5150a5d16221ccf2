/* The layout of a plot: the size of the picture, of its boxes, and the key. */
#include <math.h>

#include "app/plot_parts.h"

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
    for (int i = 0; i < box->shown->curve_count; i++) {
        if (!box->shown->curve[i].label)
            continue;
        size_t length = character_count(box->shown->curve[i].label);
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
    const carom_range x = box->shown->x, y = box->shown->y;
    if (!box->shown->panel->equal)
        return;
    double aspect = fabs((x.high - x.low) / (y.high - y.low));
    double scale = fmin(width, height * aspect);
    const double smallest = 150.0;
    box->width = fmax(scale, smallest);
    box->height = fmax(scale / aspect, smallest);
}

static void size_picture(plot_drawing *drawing)
{
    const carom_plot *plot = drawing->figure->plot;
    bool single = plot->panel_count == 1, stacked = drawing->figure->columns == 1;
    double box_width = stacked ? 790.0 : 470.0;
    double box_height = single ? 520.0 : stacked ? 230.0 : 320.0;
    double cell_width = 0.0, cell_height = 0.0;
    bool any_equal = false;
    for (int i = 0; i < plot->panel_count; i++) {
        plot_box *box = &drawing->box[i];
        const carom_panel *panel = box->shown->panel;
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
        if (plot_has_colour_box(box))
            width += COLOUR_BOX;
        cell_width = fmax(cell_width, width);
        cell_height = fmax(cell_height, height);
    }
    if (single && !any_equal) {
        cell_width = 900.0;
        cell_height = 600.0;
    }
    double title = !single && plot_text_given(plot->title) ? TITLE_HEIGHT + 14.0 : 0.0;
    drawing->width = (int)lround(cell_width * drawing->figure->columns);
    drawing->height = (int)lround(cell_height * drawing->figure->rows + title);
}

carom_status plot_lay_out(const carom_curve_source *source, plot_drawing *drawing, carom_error *error)
{
    const carom_status status = carom_figure_create(source, drawing->plot, &drawing->figure, error);
    if (status != CAROM_OK)
        return status;
    const carom_figure *figure = drawing->figure;
    drawing->member_count = source->family.count;
    drawing->box = carom_arena_take(drawing->arena, (size_t)figure->panel_count, sizeof *drawing->box);
    if (!drawing->box)
        return carom_fail_memory(error);
    int blocks = 0;
    for (int i = 0; i < figure->panel_count; i++) {
        drawing->box[i].shown = &figure->panel[i];
        drawing->box[i].first_block = blocks;
        blocks += figure->panel[i].curve_count;
    }
    size_picture(drawing);
    return CAROM_OK;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

/* Across the motion at a point, in pixels: to the outer side of the path's turn, or to the left. The ends take
 * the turn of their neighbours. */
static void across_path(const carom_curve *curve, size_t index, const double scale[2], double across[2])
{
    const double *x = curve->x, *y = curve->y;
    const size_t last = curve->count - 1;
    const size_t before = index > 0 ? index - 1 : 0, after = index < last ? index + 1 : last;
    across[0] = -(y[after] - y[before]) * scale[1];
    across[1] = (x[after] - x[before]) * scale[0];
    if (curve->count < 3)
        return;
    const size_t middle = index == 0 ? 1 : index == last ? last - 1 : index;
    double outward[2] = {(x[middle] - 0.5 * (x[middle - 1] + x[middle + 1])) * scale[0],
                         (y[middle] - 0.5 * (y[middle - 1] + y[middle + 1])) * scale[1]};
    if (across[0] * outward[0] + across[1] * outward[1] < 0.0) {
        across[0] = -across[0];
        across[1] = -across[1];
    }
}

void plot_number_place(const plot_box *box, const carom_curve *curve, size_t index, double place[2])
{
    const double distance = 12.0; /* pixels */
    const carom_range x = box->shown->x, y = box->shown->y;
    const double scale[2] = {box->width / (x.high - x.low), box->height / (y.high - y.low)};
    const bool segment = curve->x2 != NULL;
    double across[2] = {0.0, 0.0};
    if (segment) {
        across[0] = (curve->x2[index] - curve->x[index]) * scale[0];
        across[1] = (curve->y2[index] - curve->y[index]) * scale[1];
    } else {
        across_path(curve, index, scale, across);
    }
    double length = hypot(across[0], across[1]);
    if (!(length > 0.0) || !isfinite(length)) {
        across[0] = across[1] = 1.0;
        length = sqrt(2.0);
    }
    place[0] = (segment ? curve->x2 : curve->x)[index] + distance * across[0] / length / scale[0];
    place[1] = (segment ? curve->y2 : curve->y)[index] + distance * across[1] / length / scale[1];
}
