/* The picture of `carom continue`: energy and largest multiplier over what was continued in; stable parts
 * solid, unstable ones dashed. */
#include <math.h>
#include <string.h>

#include "app/orbit_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 640,
    HEIGHT = 680
};

static void append_row(const carom_branch_point *point, carom_text *data)
{
    carom_text_append(data, "%.10g %.10g %.10g\n", point->parameter, point->energy, point->multiplier);
}

/* One block for the stable and one for the unstable parts; an empty line interrupts the curve. */
static void append_parts(const carom_branch *branch, bool stable, carom_text *data)
{
    int drawn = 0;
    for (int i = 0; i + 1 < branch->count; i++) {
        /* the part from i to i + 1 is of the kind of the end that is no border */
        const carom_branch_point *point = &branch->point[i], *next = &branch->point[i + 1];
        const bool kind = point->crossing ? next->stable : point->stable;
        if (kind != stable)
            continue;
        append_row(point, data);
        append_row(next, data);
        carom_text_append(data, "\n");
        drawn++;
    }
    if (drawn == 0)
        carom_text_append(data, "NaN NaN NaN\n");
}

static void append_marks(const carom_branch *branch, bool crossings, carom_text *data)
{
    int drawn = 0;
    for (int i = 0; i < branch->count; i++)
        if (crossings ? branch->point[i].crossing : i + 1 == branch->count) {
            append_row(&branch->point[i], data);
            drawn++;
        }
    if (drawn == 0)
        carom_text_append(data, "NaN NaN NaN\n");
}

static void append_data(const carom_branch *branch, const char *name, carom_text *data)
{
    carom_text_append(data,
                      "# Data of %s.gp, made by carom: parameter, energy, largest multiplier.\n"
                      "# index 0: stable parts\n",
                      name);
    append_parts(branch, true, data);
    carom_text_append(data, "\n\n# index 1: unstable parts\n");
    append_parts(branch, false, data);
    carom_text_append(data, "\n\n# index 2: where stability changes\n");
    append_marks(branch, true, data);
    carom_text_append(data, "\n\n# index 3: the end\n");
    append_marks(branch, false, data);
}

static void append_panel(const branch_output *output, int column, carom_text *script)
{
    carom_text end = {0};
    carom_text_append(&end, "end: %s", carom_branch_end_word(output->branch->end));
    carom_text_append(
        script,
        "    plot data index 0 using 1:%d with lines linestyle 1 linewidth 2 title 'stable', \\\n"
        "         data index 1 using 1:%d with lines linestyle 2 linewidth 2 dashtype (6,4) title "
        "'unstable', \\\n"
        "         data index 2 using 1:%d with points pointtype 9 pointsize 1.2 linecolor rgb "
        "'#222222' title 'stability changes', \\\n"
        "         data index 3 using 1:%d with points pointtype 6 pointsize 1.2 linecolor rgb "
        "'#222222' title ",
        column, column, column, column);
    plot_append_quoted(script, end.bytes ? end.bytes : "end");
    carom_text_append(script, "\n");
    carom_text_free(&end);
}

/* Is the largest of the positive numbers so much above the smallest that a logarithmic axis is better? */
static bool spans_decades(const carom_branch *branch, bool multipliers)
{
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < branch->count; i++) {
        const double value = multipliers ? branch->point[i].multiplier : branch->point[i].energy;
        low = isfinite(value) ? fmin(low, value) : low;
        high = isfinite(value) ? fmax(high, value) : high;
    }
    return low > 0.0 && high > 20.0 * low;
}

static void append_script(const branch_output *output, const char *name, carom_text *script)
{
    plot_append_head(script, name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, name, WIDTH, HEIGHT);
    carom_text title = {0};
    carom_text_append(&title, "%s over %s", output->model->name, output->parameter);
    carom_text_append(script, "    set multiplot layout 2,1 title ");
    plot_append_quoted(script, title.bytes ? title.bytes : output->parameter);
    carom_text_free(&title);
    carom_text_append(script, " font ',12'\n    set lmargin 11\n    set rmargin 3\n    set xlabel ");
    plot_append_quoted(script, output->parameter);
    carom_text_append(
        script,
        "\n    set tmargin 5\n    set key at graph 0.5,1.03 center bottom horizontal samplen 2\n"
        "    set ylabel 'energy'\n%s",
        spans_decades(output->branch, false) ? "    set logscale y\n" : "");
    append_panel(output, 2, script);
    /* multipliers grow without bound where an impact loses its speed */
    carom_text_append(
        script,
        "    unset key\n    set tmargin 1\n    unset logscale y\n    set ylabel 'largest multiplier'\n%s",
        spans_decades(output->branch, true)
            ? "    set logscale y\n    set yrange [*:1000]\n"
            : "    set yrange [*:*]\n    set offsets 0, 0, graph 0.05, graph 0.05\n");
    append_panel(output, 3, script);
    carom_text_append(
        script, "    unset logscale y\n    set yrange [*:*]\n    unset multiplot\n    unset output\n}\n");
}

carom_status draw_branch(const branch_output *output, const picture_place *picture, carom_error *error)
{
    if (output->branch->count < 2)
        return carom_fail(error, CAROM_FAILED, "nothing to draw: the branch has %d point",
                          output->branch->count);
    carom_text data = {0}, script = {0};
    append_data(output->branch, picture->name, &data);
    append_script(output, picture->name, &script);
    const carom_status status = plot_write_and_draw(picture->directory, picture->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
