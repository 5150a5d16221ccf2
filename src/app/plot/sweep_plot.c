/* The picture of `carom sweep`, a panel per measure:
 *
 *   one axis          a line with points; the values of an array as points above their parameter
 *   two axes          a heat map; lines, one per value, when one axis has words or few values */
#include "app/sweep_plot.h"

#include <math.h>
#include <string.h>

enum {
    PANELS_ACROSS = 3,
    PANEL_WIDTH = 440,
    HEAT_PANEL_WIDTH = 490,
    PANEL_HEIGHT = 330,
    BOX_WIDTH = 320, /* about, for what fits beside each other */
    BOX_HEIGHT = 250,
    HEAT_BOX_WIDTH = 270,
    KEY_LINE = 20, /* pixels */
    TITLE_HEIGHT = 40,
    WORDS_HEIGHT = 70, /* of slanting words below an axis */
    POINT_KINDS = 5,
    CROWD = 400,
};

static const char picture_name[] = "sweep";

static const int point_kind[POINT_KINDS] = {7, 5, 9, 13, 11};

/* ---- data ------------------------------------------------------------------------------------------ */

static void append_number(carom_text *data, double value)
{
    if (isfinite(value))
        carom_text_append(data, " %.10g", value);
    else
        carom_text_append(data, " NaN");
}

/* A line of data per value; one without a value keeps its block from being empty. */
static void append_point(const sweep_picture *picture, int measure, int x, int point, carom_text *data)
{
    const carom_measured *measured = &picture->sweep->point[point].measure[measure];
    for (int k = 0; k == 0 || k < measured->count; k++) {
        carom_text_append(data, "%.10g", picture->axis[picture->x].value[x]);
        append_number(data, k < measured->count ? measured->value[k] : NAN);
        carom_text_append(data, "\n");
    }
}

static void append_cell(const sweep_picture *picture, int measure, int x, int y, carom_text *data)
{
    const drawn_axis *across = &picture->axis[0], *up = &picture->axis[1];
    carom_text_append(data, "%.10g %.10g %.10g %.10g %.10g %.10g", across->value[x], up->value[y],
                      across->low[x], across->high[x], up->low[y], up->high[y]);
    append_number(data, sweep_number(picture->sweep, sweep_picture_point(picture, x, y), measure));
    carom_text_append(data, "\n");
}

static void append_block(const sweep_picture *picture, int measure, int series, carom_text *data)
{
    for (int x = 0; x < picture->axis[picture->x].count; x++) {
        if (!picture->is_heat)
            append_point(picture, measure, x, sweep_picture_point(picture, x, series), data);
        for (int y = 0; picture->is_heat && y < picture->axis[1].count; y++)
            append_cell(picture, measure, x, y, data);
    }
    carom_text_append(data, "\n\n");
}

static void append_data(const sweep_picture *picture, carom_text *data)
{
    carom_text_append(data, "# Data of %s.gp, made by carom: one block (gnuplot index) per %s.\n# %s\n\n",
                      picture_name, picture->is_heat ? "measure" : "measure and line",
                      picture->is_heat ? "x  y  ends of the cell in x  and in y  value" : "x  value");
    int block = 0;
    for (int i = 0; i < picture->panel_count; i++)
        for (int k = 0; k < sweep_picture_lines(picture); k++) {
            const drawn_axis *series = picture->series < 0 ? NULL : &picture->axis[picture->series];
            carom_text_append(data, "# index %d: ", block++);
            plot_append_comment(data, picture->sweep->measure[picture->panel[i]]);
            if (series && !picture->is_heat) {
                carom_text_append(data, ", %s = ", series->name);
                plot_append_comment(data, series->word[k]);
            }
            carom_text_append(data, "\n");
            append_block(picture, picture->panel[i], k, data);
        }
}

/* ---- script ------------------------------------------------------------------------------------------ */

/* Words that do not fit beside each other slant. */
static bool words_slant(const drawn_axis *axis)
{
    const double character = 7.5;
    size_t longest = 0;
    for (int i = 0; i < axis->count; i++)
        longest = strlen(axis->word[i]) > longest ? strlen(axis->word[i]) : longest;
    return axis->has_words && character * (double)((longest + 1) * (size_t)axis->count) > BOX_WIDTH;
}

static void append_axis(const drawn_axis *axis, const char *letter, double pixels, carom_text *script)
{
    carom_text label = {0};
    carom_text_append(&label, "%s", axis->name);
    if (plot_text_given(axis->unit))
        carom_text_append(&label, " (%s)", axis->unit);
    carom_text_append(script, "    set %slabel ", letter);
    plot_append_text(script, &label);
    carom_text_free(&label);
    carom_text_append(script, "\n");
    plot_append_range(script, letter, axis->range);
    if (axis->is_log) {
        carom_text_append(script, "    set logscale %s\n", letter);
        plot_append_value_tics(script, letter, axis->count, axis->falling, axis->range, pixels);
    }
    if (!axis->is_log && !axis->has_words)
        plot_append_linear_tics(script, letter, axis->range, pixels);
    if (!axis->has_words)
        return;
    carom_text_append(script, "    set %stics %s(", letter, words_slant(axis) ? "rotate by -30 " : "");
    for (int i = 0; i < axis->count; i++) {
        carom_text_append(script, "%s", i ? ", " : "");
        plot_append_tic_label(script, axis->word[i]);
        carom_text_append(script, " %d", i);
    }
    carom_text_append(script, ")\n");
}

static void append_quoted_setting(carom_text *script, const char *setting, const char *text)
{
    carom_text_append(script, "    set %s ", setting);
    plot_append_quoted(script, text);
    carom_text_append(script, "\n");
}

static bool line_has_values(const sweep_picture *picture, int measure, int series)
{
    for (int x = 0; x < picture->axis[picture->x].count; x++) {
        const carom_measured *measured =
            &picture->sweep->point[sweep_picture_point(picture, x, series)].measure[measure];
        for (int k = 0; k < measured->count; k++)
            if (isfinite(measured->value[k]))
                return true;
    }
    return false;
}

static void append_line(const sweep_picture *picture, int panel, int series, long values, carom_text *script)
{
    const int measure = picture->panel[panel];
    const int block = panel * sweep_picture_lines(picture) + series;
    /* Between words there is nothing. */
    const bool has_line =
        !sweep_measure_is_array(picture->sweep, measure) && !picture->axis[picture->x].has_words;
    carom_text_append(script, "data index %d using 1:2 with %s linestyle %d pointtype %d pointsize %s ",
                      block, has_line ? "linespoints" : "points", series % CAROM_PALETTE_SIZE + 1,
                      point_kind[series % POINT_KINDS], values > CROWD ? "0.25" : "0.6");
    if (picture->series < 0) {
        carom_text_append(script, "notitle");
        return;
    }
    const drawn_axis *axis = &picture->axis[picture->series];
    carom_text title = {0};
    if (axis->has_words)
        carom_text_append(&title, "%s", axis->word[series]);
    else
        carom_text_append(&title, "%s = %.6g", axis->name, axis->value[series]);
    carom_text_append(script, "title ");
    plot_append_text(script, &title);
    carom_text_free(&title);
}

static void append_lines(const sweep_picture *picture, int panel, carom_text *script)
{
    const int measure = picture->panel[panel];
    long values;
    const carom_range range = sweep_values_range(picture->sweep, measure, &values);
    append_quoted_setting(script, "ylabel", picture->sweep->measure[measure]);
    plot_append_range(script, "y", sweep_range_with_margin(range.low, range.high, 0.06));
    int drawn = 0;
    for (int i = 0; i < sweep_picture_lines(picture); i++)
        if (line_has_values(picture, measure, i)) {
            carom_text_append(script, drawn++ == 0 ? "    plot " : ", \\\n         ");
            append_line(picture, panel, i, values, script);
        }
    carom_text_append(script, "\n");
}

static void append_heat_map(const sweep_picture *picture, int panel, carom_text *script)
{
    const int measure = picture->panel[panel];
    long values;
    carom_range range = sweep_values_range(picture->sweep, measure, &values);
    if (!(range.high - range.low > 1e-12 * fmax(fabs(range.low), fabs(range.high))))
        range = sweep_range_with_margin(range.low, range.high, 0.0);
    append_quoted_setting(script, "cblabel", picture->sweep->measure[measure]);
    plot_append_range(script, "cb", range);
    /* Cells are drawn with their border, so that no seams show between them. */
    carom_text_append(script,
                      "    plot data index %d using 1:2:3:4:5:6:7 with boxxyerror linecolor palette "
                      "linewidth 1 fillstyle solid border notitle\n",
                      panel);
}

static void append_settings(const sweep_picture *picture, int rows, int columns, carom_text *script)
{
    const drawn_axis *axis = picture->axis;
    carom_text title = {0};
    carom_text_append(&title, "%s over %s", picture->experiment, axis[0].name);
    if (picture->sweep->axis_count == 2)
        carom_text_append(&title, " and %s", axis[1].name);
    carom_text_append(script, "    set multiplot layout %d,%d title ", rows, columns);
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script, " font ',%d'\n", columns > 1 ? 13 : 11);
    append_axis(&axis[picture->x], "x", picture->is_heat ? HEAT_BOX_WIDTH : BOX_WIDTH, script);
    if (picture->is_heat) {
        append_axis(&axis[1], "y", BOX_HEIGHT, script);
        carom_text_append(script, "    unset key\n    unset grid\n    set lmargin 11\n    set rmargin 14\n"
                                  "    set tmargin 1.6\n    set cblabel offset 2,0\n");
        return;
    }
    const int lines = picture->series < 0 ? 0 : sweep_picture_lines(picture);
    if (lines == 0)
        carom_text_append(script, "    unset key\n");
    else
        carom_text_append(script,
                          "    set key at graph 0,%.3f left bottom vertical maxcols 1 Left reverse samplen "
                          "2.2 textcolor rgb '#303030'\n",
                          1.0 + 7.0 / BOX_HEIGHT);
    carom_text_append(script, "    set tmargin %.1f\n", 1.6 + 1.25 * lines);
    if (words_slant(&axis[picture->x]))
        carom_text_append(script, "    set bmargin 8\n    set rmargin 8\n");
}

/* Panels side by side; four make a square. */
static int panel_columns(int panels)
{
    if (panels == 4)
        return 2;
    return panels < PANELS_ACROSS ? panels : PANELS_ACROSS;
}

static void append_script(const sweep_picture *picture, carom_text *script)
{
    const int panels = picture->panel_count;
    const int columns = panel_columns(panels);
    const int rows = (panels + columns - 1) / columns;
    const int lines = picture->series < 0 || picture->is_heat ? 0 : sweep_picture_lines(picture);
    const int words = words_slant(&picture->axis[picture->x]) ? WORDS_HEIGHT : 0;
    plot_append_head(script, picture_name);
    if (picture->is_heat)
        plot_append_palette(script);
    carom_text_append(script, "\n");
    plot_append_terminals(script, picture_name, columns * (picture->is_heat ? HEAT_PANEL_WIDTH : PANEL_WIDTH),
                          rows * (PANEL_HEIGHT + KEY_LINE * lines + words) + TITLE_HEIGHT);
    append_settings(picture, rows, columns, script);
    for (int i = 0; i < panels; i++) {
        carom_text_append(script, "\n    # ");
        plot_append_comment(script, picture->sweep->measure[picture->panel[i]]);
        carom_text_append(script, "\n");
        if (picture->is_heat)
            append_heat_map(picture, i, script);
        else
            append_lines(picture, i, script);
    }
    carom_text_append(script, "\n    unset multiplot\n    unset output\n}\n");
}

static carom_status draw_picture(const sweep_picture *picture, const char *directory, carom_error *error)
{
    if (picture->panel_count == 0)
        return carom_fail(error, CAROM_FAILED, "nothing to draw: no point has a value of a measure%s",
                          picture->is_heat ? " that is a number (arrays are drawn over one axis)" : "");
    carom_text data = {0}, script = {0};
    append_data(picture, &data);
    append_script(picture, &script);
    carom_status status = plot_write_and_draw(directory, picture_name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}

carom_status draw_sweep(const sweep_output *output, const char *directory, carom_error *error)
{
    sweep_picture picture = {
        .arena = carom_arena_create(), .sweep = output->sweep, .experiment = output->experiment->name};
    carom_status status = picture.arena && sweep_picture_lay_out(&picture, output)
                              ? draw_picture(&picture, directory, error)
                              : carom_fail_memory(error);
    carom_arena_free(picture.arena);
    return status;
}
