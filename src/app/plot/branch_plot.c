/* The picture of `carom continue`: energy (of driven models the largest position) and largest multiplier over what was
 * continued in, of all branches, stable parts solid, unstable ones dashed, special points marked; and the locus of one over
 * two parameters. */
#include <math.h>
#include <string.h>

#include "app/orbit_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 640,
    HEIGHT = 680,
    PANEL = 330 /* of a locus */
};

/* What the upper panel shows. */
static bool shows_reach(const branch_output *output)
{
    return output->model->timed && output->branch->point[0].reach > 0.0;
}

static void append_row(const branch_output *output, const carom_branch_point *point, carom_text *data)
{
    carom_text_append(data, "%.10g %.10g %.10g\n", point->parameter,
                      shows_reach(output) ? point->reach : point->energy, point->multiplier);
}

/* The branches that are drawn over the parameter: the first one, then those that begin at its special points. */
static const carom_branch *drawn_branch(const branch_output *output, int i)
{
    if (i == 0)
        return output->branch;
    return output->more[i - 1].locus ? NULL : &output->more[i - 1].branch;
}

/* Stable or unstable parts of all branches; an empty line interrupts the curve. */
static void append_parts(const branch_output *output, bool stable, carom_text *data)
{
    int drawn = 0;
    for (int b = 0; b <= output->further; b++) {
        const carom_branch *branch = drawn_branch(output, b);
        for (int i = 0; branch && i + 1 < branch->count; i++) {
            /* the part from i to i + 1 is of the kind of the end that is no border */
            const carom_branch_point *point = &branch->point[i], *next = &branch->point[i + 1];
            const bool border = point->crossing || (b > 0 && i == 0);
            if ((border ? next->stable : point->stable) != stable)
                continue;
            append_row(output, point, data);
            append_row(output, next, data);
            carom_text_append(data, "\n");
            drawn++;
        }
    }
    if (drawn == 0)
        carom_text_append(data, "NaN NaN NaN\n");
}

static bool is_of_kind(const carom_branch_point *point, carom_special kind)
{
    return point->special == kind ||
           (kind == CAROM_SPECIAL_FOLD && point->fold && point->special == CAROM_SPECIAL_NONE);
}

/* Special points of one kind; how many there are. data NULL: only counts. */
static int append_special(const branch_output *output, carom_special kind, carom_text *data)
{
    int drawn = 0;
    for (int b = 0; b <= output->further; b++) {
        const carom_branch *branch = drawn_branch(output, b);
        for (int i = 0; branch && i < branch->count; i++)
            if (is_of_kind(&branch->point[i], kind)) {
                if (data)
                    append_row(output, &branch->point[i], data);
                drawn++;
            }
    }
    return drawn;
}

static void append_locus(const branch_output *output, carom_text *data)
{
    for (int b = 0; b < output->further; b++)
        for (int i = 0; output->more[b].locus && i < output->more[b].branch.count; i++)
            carom_text_append(data, "%.10g %.10g\n", output->more[b].branch.point[i].other,
                              output->more[b].branch.point[i].parameter);
}

static const further_branch *locus_of(const branch_output *output)
{
    for (int b = 0; b < output->further; b++)
        if (output->more[b].locus && output->more[b].branch.count > 1)
            return &output->more[b];
    return NULL;
}

static void append_data(const branch_output *output, const char *name, carom_text *data)
{
    const carom_branch *branch = output->branch;
    carom_text_append(data,
                      "# Data of %s.gp, made by carom: parameter, %s, largest multiplier.\n"
                      "# index 0: stable parts\n",
                      name, shows_reach(output) ? "largest position" : "energy");
    append_parts(output, true, data);
    carom_text_append(data, "\n\n# index 1: unstable parts\n");
    append_parts(output, false, data);
    carom_text_append(data, "\n\n# index 2: the end\n");
    append_row(output, &branch->point[branch->count - 1], data);
    for (int kind = CAROM_SPECIAL_FOLD; kind <= CAROM_SPECIAL_STABILITY; kind++)
        if (append_special(output, (carom_special)kind, NULL) > 0) {
            carom_text_append(data, "\n\n# %s\n", carom_special_word((carom_special)kind));
            append_special(output, (carom_special)kind, data);
        }
    if (locus_of(output)) {
        carom_text_append(data, "\n\n# locus: %s, %s\n", output->parameter, output->second);
        append_locus(output, data);
    }
}

/* Marks of the kinds, each at its index from 3 on; returns the next index. */
static int append_marks(const branch_output *output, int column, carom_text *script)
{
    static const int mark[] = {
        [CAROM_SPECIAL_FOLD] = 5,     [CAROM_SPECIAL_FLIP] = 9,    [CAROM_SPECIAL_BRANCH] = 13,
        [CAROM_SPECIAL_TORUS] = 4,    [CAROM_SPECIAL_GRAZING] = 7, [CAROM_SPECIAL_CORNER] = 2,
        [CAROM_SPECIAL_STICKING] = 3, [CAROM_SPECIAL_ENERGY] = 12, [CAROM_SPECIAL_STABILITY] = 11};
    int index = 3;
    for (int kind = CAROM_SPECIAL_FOLD; kind <= CAROM_SPECIAL_STABILITY; kind++)
        if (append_special(output, (carom_special)kind, NULL) > 0)
            carom_text_append(
                script,
                ", \\\n         data index %d using 1:%d with points pointtype %d pointsize 1.2 linecolor "
                "rgb '#222222' title '%s'",
                index++, column, mark[kind],
                kind == CAROM_SPECIAL_STABILITY ? "stability changes"
                                                : carom_special_word((carom_special)kind));
    return index;
}

static int append_panel(const branch_output *output, int column, carom_text *script)
{
    carom_text end = {0};
    carom_text_append(&end, "end: %s", carom_branch_end_word(output->branch->end));
    carom_text_append(
        script,
        "    plot data index 0 using 1:%d with lines linestyle 1 linewidth 2 title 'stable', \\\n"
        "         data index 1 using 1:%d with lines linestyle 2 linewidth 2 dashtype (6,4) title "
        "'unstable', \\\n"
        "         data index 2 using 1:%d with points pointtype 6 pointsize 1.2 linecolor rgb "
        "'#222222' title ",
        column, column, column);
    plot_append_text(script, &end);
    const int next = append_marks(output, column, script);
    carom_text_append(script, "\n");
    carom_text_free(&end);
    return next;
}

/* Is the largest of the positive numbers so much above the smallest that a logarithmic axis is better? */
static bool spans_decades(const branch_output *output, bool multipliers)
{
    double low = INFINITY, high = 0.0;
    for (int b = 0; b <= output->further; b++) {
        const carom_branch *branch = drawn_branch(output, b);
        for (int i = 0; branch && i < branch->count; i++) {
            const carom_branch_point *point = &branch->point[i];
            const double value = multipliers           ? point->multiplier
                                 : shows_reach(output) ? point->reach
                                                       : point->energy;
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    }
    return low > 0.0 && high > 20.0 * low;
}

static void append_locus_panel(const branch_output *output, int index, carom_text *script)
{
    const further_branch *locus = locus_of(output);
    const char *word = carom_special_word(branch_before(output, locus)->point[locus->point].special);
    carom_text_append(script,
                      "    unset logscale y\n    set yrange [*:*]\n    set xrange [*:*]\n    set ylabel ");
    plot_append_quoted(script, output->second);
    carom_text_append(script,
                      "\n    set key at graph 0.98,0.95 right top\n"
                      "    plot data index %d using 1:2 with lines linestyle 3 linewidth 2 title '%s'\n",
                      index, word);
}

static void append_script(const branch_output *output, const char *name, carom_text *script)
{
    const bool locus = locus_of(output) != NULL;
    plot_append_head(script, name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, name, WIDTH, HEIGHT + (locus ? PANEL : 0));
    carom_text title = {0};
    carom_text_append(&title, "%s over %s", output->model->name, output->parameter);
    carom_text_append(script, "    set multiplot layout %d,1 title ", locus ? 3 : 2);
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script, " font ',12'\n    set lmargin 11\n    set rmargin 3\n    set xlabel ");
    plot_append_quoted(script, output->parameter);
    carom_text_append(
        script,
        "\n    set tmargin 5\n    set key at graph 0.5,1.03 center bottom horizontal samplen 2\n"
        "    set ylabel '%s'\n%s",
        shows_reach(output) ? "largest position" : "energy",
        spans_decades(output, false) ? "    set logscale y\n" : "");
    append_panel(output, 2, script);
    /* multipliers grow without bound where an impact loses its speed */
    carom_text_append(
        script,
        "    unset key\n    set tmargin 1\n    unset logscale y\n    set ylabel 'largest multiplier'\n%s",
        spans_decades(output, true) ? "    set logscale y\n    set yrange [*:1000]\n"
                                    : "    set yrange [*:*]\n    set offsets 0, 0, graph 0.05, graph 0.05\n");
    const int next = append_panel(output, 3, script);
    if (locus)
        append_locus_panel(output, next, script);
    carom_text_append(
        script, "    unset logscale y\n    set yrange [*:*]\n    unset multiplot\n    unset output\n}\n");
}

carom_status draw_branch(const branch_output *output, const picture_place *picture, carom_error *error)
{
    if (output->branch->count < 2)
        return carom_fail(error, CAROM_FAILED, "nothing to draw: the branch has %d point",
                          output->branch->count);
    carom_text data = {0}, script = {0};
    append_data(output, picture->name, &data);
    append_script(output, picture->name, &script);
    const carom_status status = plot_write_and_draw(picture->directory, picture->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
