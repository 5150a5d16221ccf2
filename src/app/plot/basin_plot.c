/* The picture of `carom basin`: a map of the grid, a colour per attractor, and beside it what the colours mean with their shares. */
#include <math.h>
#include <stdlib.h>

#include "app/diagram_output.h"
#include "app/plot_parts.h"

enum {
    BOX = 560,
    STRIPE = 90, /* height of a basin of one axis */
    KEY_WIDTH = 330,
    LEFT = 80,
    BELOW = 60,
    ABOVE = 50,
    KEY_LINE = 22,
    PIXELS = 4000, /* cells up to which they are drawn one by one, and stay sharp at any size */
    NAMED = 16     /* attractors with a colour of their own */
};

static const char picture_name[] = "basin";

/* Told apart by all kinds of colour vision as far as so many can be; neighbours in the list differ in lightness. */
static const char *const colour[NAMED] = {"0072B2", "E69F00", "009E73", "CC79A7", "56B4E9", "D55E00",
                                          "F0E442", "44347C", "882255", "7FB85D", "AA6F39", "2F4F4F",
                                          "FF9DA7", "1B7837", "B2ABD2", "8C8C00"};

/* Classes of the map: attractors, then what is none. */
enum {
    CLASS_OTHER = NAMED, /* attractors beyond those with a colour */
    CLASS_NOT_PERIODIC,
    CLASS_UNSETTLED,
    CLASS_ESCAPED,
    CLASS_FAILED,
    CLASS_OUTSIDE,
    CLASS_MISSING,
    CLASSES
};
static const char *const class_colour[CLASSES - NAMED] = {"808080", "1A1A1A", "FFFFFF", "F2D5D5",
                                                          "FF0000", "D8D8D8", "FFFFFF"};
static const char *const class_name[CLASSES - NAMED] = {
    "other attractors",         "not periodic", "not settled yet", "escaped", "failed",
    "start inside an obstacle", "not computed"};

static int class_of(const carom_basin *basin, int index)
{
    const carom_basin_cell *cell = &basin->cell[index];
    if (!basin->done[index / basin->block])
        return CLASS_MISSING;
    switch ((carom_basin_end)cell->end) {
    case CAROM_BASIN_PERIODIC: {
        int place = cell->attractor; /* without those that are not periodic */
        for (int i = 0; i < cell->attractor; i++)
            place -= basin->attractor[i].end == CAROM_BASIN_NOT_PERIODIC;
        return place < NAMED ? place : CLASS_OTHER;
    }
    case CAROM_BASIN_NOT_PERIODIC:
        return CLASS_NOT_PERIODIC;
    case CAROM_BASIN_UNSETTLED:
        return CLASS_UNSETTLED;
    case CAROM_BASIN_ESCAPED:
        return CLASS_ESCAPED;
    case CAROM_BASIN_OUTSIDE:
        return CLASS_OUTSIDE;
    default:
        return CLASS_FAILED;
    }
}

static const char *colour_of(int class)
{
    return class < NAMED ? colour[class] : class_colour[class - NAMED];
}

/* The first axis goes across, the second one up. Gnuplot reads the letters as bytes, and computes nothing. */
static void append_data(const carom_basin *basin, int *cells, size_t *place, carom_text *data)
{
    const int across = basin->axis[0].count, up = basin->axis_count == 2 ? basin->axis[1].count : 1;
    carom_text_append(data,
                      "# Data of %s.gp, made by carom: classes of the cells as letters, A for the first, the "
                      "first axis fastest.\n",
                      picture_name);
    *place = data->length;
    for (int y = 0; y < up; y++)
        for (int x = 0; x < across; x++) {
            /* from the smaller end of each axis on */
            const int column = basin->axis[0].from < basin->axis[0].to ? x : across - 1 - x;
            const int row =
                basin->axis_count == 1 || basin->axis[1].from < basin->axis[1].to ? y : up - 1 - y;
            const int class = class_of(basin, column * up + row);
            const char letter = (char)('A' + class);
            cells[class]++;
            carom_text_append_bytes(data, &letter, 1);
        }
}

static void append_palette(carom_text *script)
{
    carom_text_append(script, "set palette maxcolors %d defined (", CLASSES);
    for (int i = 0; i < CLASSES; i++)
        carom_text_append(script, "%s%d '#%s'", i ? ", " : "", i, colour_of(i));
    carom_text_append(script, ")\n");
}

/* What a class is called in the key. */
static void class_title(const carom_basin *basin, int class, char *text, size_t size)
{
    int place = 0;
    snprintf(text, size, "%s", class >= NAMED ? class_name[class - NAMED] : "");
    for (int i = 0; i < basin->attractor_count; i++) {
        const bool periodic = basin->attractor[i].end == CAROM_BASIN_PERIODIC;
        if ((periodic && place == class) || (!periodic && class == CLASS_NOT_PERIODIC)) {
            if (periodic)
                attractor_name(basin, &basin->attractor[i], text, size);
            else
                snprintf(text, size, "not periodic up to %d", basin->longest);
            return;
        }
        place += periodic;
    }
}

static void append_key(const carom_basin *basin, const int *cells, int height, carom_text *script)
{
    int line = 0;
    for (int class = 0; class < CLASSES; class ++) {
        if (cells[class] == 0)
            continue;
        char title[160], label[200];
        class_title(basin, class, title, sizeof title);
        snprintf(label, sizeof label, "%s: %.3g %%", title, 100.0 * cells[class] / basin->cells);
        const double y = (ABOVE + 10.0 + KEY_LINE * line) / height,
                     x = (LEFT + BOX + 20.0) / (LEFT + BOX + KEY_WIDTH);
        carom_text_append(
            script,
            "    set object %d rectangle from screen %.5f,%.5f to screen %.5f,%.5f front fillstyle solid 1.0 "
            "border rgb '#707070' fillcolor rgb '#%s'\n    set label %d ",
            line + 1, x, 1.0 - y - 7.0 / height, x + 14.0 / (LEFT + BOX + KEY_WIDTH), 1.0 - y + 7.0 / height,
            colour_of(class), line + 1);
        plot_append_quoted(script, label);
        carom_text_append(script, " at screen %.5f,%.5f left textcolor rgb '#303030'\n",
                          x + 22.0 / (LEFT + BOX + KEY_WIDTH), 1.0 - y);
        line++;
    }
}

static void append_axis(const char *letter, const char *name, const carom_basin_axis *axis, double pixels,
                        carom_text *script)
{
    const double half = 0.5 * fabs(axis->to - axis->from) / (axis->count - 1);
    const carom_range range = {fmin(axis->from, axis->to) - half, fmax(axis->from, axis->to) + half};
    carom_text_append(script, "    set %slabel ", letter);
    plot_append_quoted(script, name);
    carom_text_append(script, "\n");
    plot_append_range(script, letter, range);
    plot_append_linear_tics(script, letter, range, pixels);
}

static double step_of(const carom_basin_axis *axis)
{
    return fabs(axis->to - axis->from) / (axis->count - 1);
}

static const char *axis_label(const char *name)
{
    return name[0] == 'q' && name[1] == ':' ? name + 2 : name;
}

static void append_script(const basin_output *output, const int *cells, size_t place, carom_text *script)
{
    const carom_basin *basin = output->basin;
    const carom_basin_axis *axis = basin->axis;
    const bool flat = basin->axis_count == 1;
    int lines = 0;
    for (int i = 0; i < CLASSES; i++)
        lines += cells[i] > 0;
    const int box = flat ? STRIPE : BOX, key = 30 + KEY_LINE * lines;
    const int height = ABOVE + BELOW + (box > key ? box : key), width = LEFT + BOX + KEY_WIDTH;
    plot_append_head(script, picture_name);
    append_palette(script);
    carom_text_append(script, "\n");
    plot_append_terminals(script, picture_name, width, height);
    carom_text title = {0};
    carom_text_append(&title, "%s after %d periods", output->experiment->name, basin->periods);
    carom_text_append(script, "    set title ");
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(
        script,
        " font ',11'\n    unset key\n    unset grid\n    unset colorbox\n    set cbrange [64.5:%.1f]\n"
        "    set lmargin at screen %.5f\n    set rmargin at screen %.5f\n"
        "    set bmargin at screen %.5f\n    set tmargin at screen %.5f\n    set tics out front\n",
        'A' + CLASSES - 0.5, (double)LEFT / width, (double)(LEFT + BOX) / width,
        1.0 - (double)(ABOVE + box) / height, 1.0 - (double)ABOVE / height);
    append_axis("x", axis_label(output->axis[0]), &axis[0], BOX, script);
    if (!flat)
        append_axis("y", axis_label(output->axis[1]), &axis[1], BOX, script);
    else
        carom_text_append(script, "    set yrange [-0.5:0.5]\n    unset ytics\n");
    append_key(basin, cells, height, script);
    carom_text_append(script,
                      "    plot data binary skip=%zu array=(%d,%d) format='%%uchar' origin=(%.10g,%.10g) "
                      "dx=%.10g dy=%.10g \\\n"
                      "         using 1 with image%s\n    unset output\n}\n",
                      place, axis[0].count, flat ? 1 : axis[1].count, fmin(axis[0].from, axis[0].to),
                      flat ? 0.0 : fmin(axis[1].from, axis[1].to), step_of(&axis[0]),
                      flat ? 1.0 : step_of(&axis[1]), basin->cells <= PIXELS ? " pixels" : "");
}

carom_status draw_basin(const basin_output *output, const char *directory, carom_error *error)
{
    int cells[CLASSES] = {0};
    carom_text data = {0}, script = {0};
    size_t place = 0;
    append_data(output->basin, cells, &place, &data);
    append_script(output, cells, place, &script);
    const carom_status status = plot_write_and_draw(directory, picture_name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
