/* The picture of `carom modes`: frequency over energy (logarithmic), a colour per number of impacts, stable
 * parts solid, unstable ones dashed, the ends marked. */
#include <math.h>

#include "app/orbit_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 860,
    HEIGHT = 640,
    IMPACTS_MAX = 3,
    MARKS = 4
};

static const struct {
    carom_branch_end end;
    int point;
    const char *title;
} marks[MARKS] = {
    {CAROM_END_LINEAR_MODE, 7, "linear mode"},
    {CAROM_END_JUNCTION, 5, "junction"},
    {CAROM_END_GRAZE, 9, "graze"},
    {CAROM_END_STICKING, 13, "sticking"},
};

static void append_point(double period, double energy, carom_text *data)
{
    carom_text_append(data, "%.10g %.10g\n", energy, 2.0 * acos(-1.0) / period);
}

/* Parts of all branches with so many impacts; at a change of stability the point is in both. */
static int append_parts(const carom_mode_survey *survey, int impacts, bool stable, carom_text *data)
{
    int drawn = 0;
    for (int b = 0; b < survey->branches; b++) {
        const carom_mode_branch *branch = &survey->branch[b];
        bool open = false;
        for (int i = 0; branch->impacts == impacts && i + 1 < branch->count; i++) {
            const carom_branch_point *point = &branch->point[i], *next = &branch->point[i + 1];
            const bool is_part = (point->crossing ? next->stable : point->stable) == stable;
            if (is_part && !open)
                append_point(point->period, point->energy, data);
            if (is_part)
                append_point(next->period, next->energy, data);
            if (open && !is_part)
                carom_text_append(data, "\n");
            open = is_part;
            drawn += is_part;
        }
        if (open)
            carom_text_append(data, "\n");
    }
    if (drawn == 0)
        carom_text_append(data, "NaN NaN\n");
    return drawn;
}

static int append_ends(const carom_mode_survey *survey, carom_branch_end end, carom_text *data)
{
    int drawn = 0;
    for (int i = 0; i < survey->windows; i++)
        for (int k = 0; k < 2; k++)
            if (survey->window[i].end[k] == end) {
                append_point(survey->window[i].period[k], survey->window[i].energy[k], data);
                drawn++;
            }
    for (int i = 0; i < survey->branches; i++)
        for (int k = 0; k < 2; k++) {
            const carom_mode_branch *branch = &survey->branch[i];
            if (branch->impacts == 1 || branch->end[k] != end || branch->count == 0)
                continue;
            const carom_branch_point *point = &branch->point[k ? branch->count - 1 : 0];
            append_point(point->period, point->energy, data);
            drawn++;
        }
    if (drawn == 0)
        carom_text_append(data, "NaN NaN\n");
    return drawn;
}

/* Data and the lines of the plot command beside each other: both count the blocks. */
static void append_curves(const carom_mode_survey *survey, carom_text *data, carom_text *script)
{
    int block = 0, drawn = 0;
    for (int impacts = 1; impacts <= IMPACTS_MAX; impacts++)
        for (int stable = 1; stable >= 0; stable--, block++) {
            carom_text_append(data, "# index %d: %d impact%s, %s\n", block, impacts, plural(impacts),
                              stable ? "stable" : "unstable");
            const int count = append_parts(survey, impacts, stable, data);
            carom_text_append(data, "\n\n");
            if (count > 0)
                carom_text_append(script,
                                  "%sdata index %d using 1:2 with lines linestyle %d linewidth 2%s title '%d "
                                  "impact%s, %s'",
                                  drawn++ ? ", \\\n         " : "    plot ", block, impacts,
                                  stable ? "" : " dashtype (6,4)", impacts, plural(impacts),
                                  stable ? "stable" : "unstable");
        }
    for (int i = 0; i < MARKS; i++, block++) {
        carom_text_append(data, "# index %d: ends: %s\n", block, marks[i].title);
        const int count = append_ends(survey, marks[i].end, data);
        carom_text_append(data, "\n\n");
        if (count > 0)
            carom_text_append(script,
                              "%sdata index %d using 1:2 with points pointtype %d pointsize 1 linecolor rgb "
                              "'#222222' title '%s'",
                              drawn++ ? ", \\\n         " : "    plot ", block, marks[i].point,
                              marks[i].title);
    }
    carom_text_append(script, "\n");
}

static bool has_points(const carom_mode_survey *survey)
{
    for (int i = 0; i < survey->branches; i++)
        if (survey->branch[i].count > 1)
            return true;
    return false;
}

carom_status draw_modes(const carom_periodic_model *model, const carom_mode_survey *survey,
                        const picture_place *picture, carom_error *error)
{
    if (!has_points(survey))
        return carom_fail(error, CAROM_FAILED, "nothing to draw: no motion with impacts was found");
    carom_text data = {0}, script = {0};
    carom_text_append(&data, "# Data of %s.gp, made by carom: energy, circular frequency 2 pi / T.\n",
                      picture->name);
    plot_append_head(&script, picture->name);
    carom_text_append(&script, "\n");
    plot_append_terminals(&script, picture->name, WIDTH, HEIGHT);
    carom_text_append(&script, "    set title ");
    plot_append_quoted(&script, model->name);
    /* energies grow without bound at some ends: three decades above the smallest tell enough */
    double least = INFINITY;
    for (int i = 0; i < survey->branches; i++)
        for (int k = 0; k < survey->branch[i].count; k++)
            least = fmin(least, survey->branch[i].point[k].energy);
    carom_text_append(
        &script,
        " font ',12'\n    set logscale x\n    set format x '10^{%%T}'\n    set xlabel 'energy'\n"
        "    set ylabel 'frequency 2π/T'\n    set xrange [%.6g:%.6g]\n"
        "    set key outside right top vertical Left reverse samplen 2\n",
        0.7 * least, 1e4 * least);
    append_curves(survey, &data, &script);
    carom_text_append(&script, "    unset output\n}\n");
    const carom_status status = plot_write_and_draw(picture->directory, picture->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
