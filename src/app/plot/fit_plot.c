/* The picture of `carom fit`: a pair of panels per column, data with the fitted motion above, residuals below.
 *
 *   height | o            o data, - the motion between them; a colour per file
 *          |  o-o
 *          |     o-o
 *   resid. |..o.o..o.o... */
#include <math.h>
#include <stdio.h>

#include "app/fit_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 860,
    DATA_HEIGHT = 330,
    RESIDUAL_HEIGHT = 200,
    TITLE_HEIGHT = 40,
    COLUMNS_MAX = 4,
    BOX_WIDTH = 740,
    LABELLED_MAX = 6 /* files that are named */
};

static const char picture_name[] = "fit";

static int shown_columns(const carom_fit *fit)
{
    return fit->column_count < COLUMNS_MAX ? fit->column_count : COLUMNS_MAX;
}

/* ---- data ------------------------------------------------------------------------------------------------- */

/* Block 2 k: data of column and file; 2 k + 1: the motion. k = column * files + file. */
static void append_measured(const fit_output *output, int data, int column, carom_text *text)
{
    const carom_fit *fit = output->fit;
    const carom_fit_data *of = &output->request->data[data];
    for (int i = 0; i < of->count; i++) {
        const int at = i * fit->column_count + column;
        if (!isnan(of->value[at]))
            carom_text_append(text, "%.10g %.10g %.10g %.10g\n", fit_row_time(output, data, i), of->value[at],
                              fit->fitted[data][at], of->value[at] - fit->fitted[data][at]);
    }
    carom_text_append(text, "\n\n");
}

static void append_motion(const fit_output *output, int data, int column, carom_text *text)
{
    const carom_fit *fit = output->fit;
    const carom_fit_curve *curve = &fit->curve[data];
    for (int i = 0; i < curve->count; i++)
        carom_text_append(text, "%.10g %.10g\n", curve->t[i], curve->value[i * fit->column_count + column]);
    const carom_fit_data *of = &output->request->data[data];
    for (int i = 0; curve->count == 0 && i < of->count; i++)
        if (!isnan(of->value[i * fit->column_count + column]))
            carom_text_append(text, "%.10g %.10g\n", fit_row_time(output, data, i),
                              fit->fitted[data][i * fit->column_count + column]);
    carom_text_append(text, "\n\n");
}

static void append_data(const fit_output *output, carom_text *text)
{
    const carom_fit *fit = output->fit;
    carom_text_append(text,
                      "# Data of %s.gp, made by carom. Two blocks (gnuplot index) per column and file:\n"
                      "# t, data, fit, residual; then t and the fitted motion.\n\n",
                      picture_name);
    for (int c = 0; c < shown_columns(fit); c++)
        for (int d = 0; d < fit->data_count; d++) {
            carom_text_append(text, "# ");
            plot_append_comment(text, output->column[c]);
            carom_text_append(text, ", ");
            plot_append_comment(text, output->request->data[d].name);
            carom_text_append(text, "\n");
            append_measured(output, d, c, text);
            append_motion(output, d, c, text);
        }
}

/* ---- panels ----------------------------------------------------------------------------------------------- */

static carom_range time_range(const fit_output *output)
{
    carom_range range = {INFINITY, -INFINITY};
    for (int d = 0; d < output->fit->data_count; d++)
        for (int i = 0; i < output->request->data[d].count; i++) {
            range.low = fmin(range.low, fit_row_time(output, d, i));
            range.high = fmax(range.high, fit_row_time(output, d, i));
        }
    for (int d = 0; d < output->fit->data_count; d++)
        if (output->fit->curve[d].count > 0)
            range.low = fmin(range.low, output->fit->curve[d].t[0]);
    const double margin = 0.02 * (range.high - range.low);
    return (carom_range){range.low - margin, range.high + margin};
}

static void append_label(const char *axis, const char *text, const char *more, carom_text *script)
{
    carom_text label = {0};
    carom_text_append(&label, "%s%s", more, text);
    carom_text_append(script, "    set %slabel ", axis);
    plot_append_text(script, &label);
    carom_text_append(script, "\n");
    carom_text_free(&label);
}

static void append_upper(const fit_output *output, int column, carom_text *script)
{
    const carom_fit *fit = output->fit;
    const bool events = output->request->events != NULL;
    append_label("y", output->column[column], events ? "time of impact of " : "", script);
    carom_text_append(script,
                      "    set autoscale yfix\n    set offsets 0, 0, graph 0.05, graph 0.05\n    plot ");
    for (int d = 0; d < fit->data_count; d++) {
        const int block = 2 * (column * fit->data_count + d), style = d % CAROM_PALETTE_SIZE + 1;
        carom_text_append(
            script, "%sdata index %d using 1:2 with lines linestyle %d linewidth 1.3 %s, \\\n         ",
            d ? ", \\\n         " : "", block + 1, style, fit->data_count == 1 ? "title 'fit'" : "notitle");
        carom_text_append(script,
                          "data index %d using 1:2 with points linestyle %d pointtype 6 pointsize 0.55 ",
                          block, fit->data_count == 1 ? 2 : style);
        if (fit->data_count == 1)
            carom_text_append(script, "title 'data'");
        else if (d < LABELLED_MAX) {
            carom_text_append(script, "title ");
            plot_append_quoted(script, output->request->data[d].name);
        } else
            carom_text_append(script, "notitle");
    }
    carom_text_append(script, "\n");
}

static void append_lower(const fit_output *output, int column, carom_text *script)
{
    const carom_fit *fit = output->fit;
    append_label("y", "data - fit", "", script);
    carom_text_append(script, "    set key off\n    plot 0 with lines linecolor rgb '#777777' linewidth 1");
    for (int d = 0; d < fit->data_count; d++)
        carom_text_append(script,
                          ", \\\n         data index %d using 1:4 with points linestyle %d pointtype 6 "
                          "pointsize 0.55 notitle",
                          2 * (column * fit->data_count + d),
                          fit->data_count == 1 ? 2 : d % CAROM_PALETTE_SIZE + 1);
    carom_text_append(script, "\n    set key on\n");
}

/* Panels are placed by hand: the upper ones are higher. */
static void append_place(int column, int columns, bool lower, carom_text *script)
{
    const double pair = DATA_HEIGHT + RESIDUAL_HEIGHT, all = columns * pair + TITLE_HEIGHT;
    const double height = lower ? RESIDUAL_HEIGHT : DATA_HEIGHT;
    const double top = TITLE_HEIGHT + column * pair + (lower ? DATA_HEIGHT : 0.0);
    carom_text_append(script, "    set size 1,%.6f\n    set origin 0,%.6f\n", height / all,
                      1.0 - (top + height) / all);
}

static void append_script(const fit_output *output, carom_text *script)
{
    const carom_fit *fit = output->fit;
    const int columns = shown_columns(fit);
    const carom_range range = time_range(output);
    plot_append_head(script, picture_name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, picture_name, WIDTH,
                          columns * (DATA_HEIGHT + RESIDUAL_HEIGHT) + TITLE_HEIGHT);
    carom_text title = {0};
    carom_text_append(&title, "%s:", output->experiment->name);
    for (int i = 0; i < fit->count && i < 4; i++)
        carom_text_append(&title, "%s %s = %.5g%s", i ? "," : "", fit->parameter[i].name,
                          fit->parameter[i].value, i == 3 && fit->count > 4 ? ", ..." : "");
    carom_text_append(script, "    set multiplot title ");
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script, " font ',12'\n    set lmargin 11\n    set rmargin 3\n"
                              "    set key top right samplen 2 opaque box lc rgb '#dddddd'\n");
    plot_append_range(script, "x", range);
    plot_append_linear_tics(script, "x", range, BOX_WIDTH);
    for (int c = 0; c < columns; c++) {
        append_place(c, columns, false, script);
        carom_text_append(script,
                          "    set xlabel ''\n    set format x ''\n    set bmargin 0.6\n    set tmargin 1\n");
        append_upper(output, c, script);
        append_place(c, columns, true, script);
        carom_text_append(script,
                          "    set format x\n    set bmargin 3.2\n    set tmargin 0.6\n    set xlabel '%s'\n",
                          output->request->events ? "number of the impact" : "time");
        append_lower(output, c, script);
    }
    carom_text_append(script, "\n    unset multiplot\n    unset output\n}\n");
}

carom_status draw_fit(const fit_output *output, const char *directory, carom_error *error)
{
    carom_text data = {0}, script = {0};
    append_data(output, &data);
    append_script(output, &script);
    const carom_status status = plot_write_and_draw(directory, picture_name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
