/* The picture of an impact: velocities against ball number.
 *
 *   few balls        bars side by side, a colour per law, the velocities before in grey
 *   many             stems, a panel per law below one another */
#include <math.h>
#include <stdio.h>

#include "app/impact_output.h"
#include "app/plot_parts.h"

enum {
    BARS_MOST = 24, /* balls: more are drawn as stems */
    WIDTH = 760,
    BARS_HEIGHT = 430,
    PANEL_HEIGHT = 190,
    NAMES_MOST = 16,
};

/* The block of an outcome in the data file; block 0 is the velocity before. */
static int block_of(const impact_output *output, int law)
{
    int block = 0;
    for (int k = 0; k <= law; k++)
        block += output->outcome[k].status == CAROM_OK;
    return block;
}

static int drawn_laws(const impact_output *output)
{
    return block_of(output, output->laws->count - 1);
}

static double bar_width(const impact_output *output)
{
    return 0.8 / (drawn_laws(output) + 1);
}

/* Bars of one ball stand around its number, the velocity before first. */
static void append_block(const impact_output *output, int block, const char *name, const double *velocity,
                         carom_text *data)
{
    const int n = output->system->impact.coordinates;
    const double shift = (block - 0.5 * drawn_laws(output)) * bar_width(output);
    carom_text_append(data, "# index %d: %s\n# number  velocity  place of the bar\n", block, name);
    for (int i = 0; i < n; i++)
        carom_text_append(data, "%d %.10g %.6g\n", i + 1, velocity[i], i + 1 + shift);
    carom_text_append(data, "\n\n");
}

static void append_data(const impact_output *output, const char *name, carom_text *data)
{
    carom_text_append(data, "# Data of %s.gp, made by carom: one block (gnuplot index) per law.\n\n", name);
    append_block(output, 0, "before the impact", output->system->impact.velocity, data);
    for (int k = 0; k < output->laws->count; k++)
        if (output->outcome[k].status == CAROM_OK)
            append_block(output, block_of(output, k), output->laws->law[k]->name,
                         output->outcome[k].result.velocity, data);
}

static carom_range velocity_range(const impact_output *output)
{
    const int n = output->system->impact.coordinates;
    carom_range range = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        range.low = fmin(range.low, output->system->impact.velocity[i]);
        range.high = fmax(range.high, output->system->impact.velocity[i]);
        for (int k = 0; k < output->laws->count; k++) {
            if (output->outcome[k].status != CAROM_OK)
                continue;
            range.low = fmin(range.low, output->outcome[k].result.velocity[i]);
            range.high = fmax(range.high, output->outcome[k].result.velocity[i]);
        }
    }
    const double margin = range.high > range.low ? 0.06 * (range.high - range.low) : 1.0;
    range.low -= range.low < 0.0 ? margin : 0.3 * margin;
    range.high += range.high > 0.0 ? margin : 0.3 * margin;
    return range;
}

static void append_title(const impact_output *output, carom_text *script, const char *setting)
{
    const carom_impact *impact = &output->system->impact;
    bool same = true;
    for (int j = 1; j < impact->contacts; j++)
        same = same && impact->restitution[j] == impact->restitution[0];
    carom_text title = {0};
    carom_text_append(&title, "%s", output->system->title);
    if (same)
        carom_text_append(&title, ", restitution %g", impact->restitution[0]);
    carom_text_append(script, "    %s ", setting);
    plot_append_text(script, &title);
    carom_text_append(script, " font ',12'\n");
    carom_text_free(&title);
}

static void append_axes(const impact_output *output, double height, carom_text *script)
{
    const impact_case *made = output->system;
    const int n = made->impact.coordinates;
    const carom_range x = {0.4, n + 0.6}, y = velocity_range(output);
    carom_text_append(script, "    set xrange [%.10g:%.10g]\n", x.low, x.high);
    plot_append_range(script, "y", y);
    plot_append_linear_tics(script, "y", y, height);
    carom_text_append(script,
                      "    set ylabel 'velocity'\n    set xzeroaxis linetype 1 linecolor rgb '#808080'\n");
    if (made->coordinate && n <= NAMES_MOST) {
        carom_text_append(script, "    set xtics (");
        for (int i = 0; i < n; i++) {
            carom_text_append(script, "%s", i ? ", " : "");
            plot_append_tic_label(script, made->coordinate[i]);
            carom_text_append(script, " %d", i + 1);
        }
        carom_text_append(script, ")\n");
    } else if (n <= BARS_MOST) {
        carom_text_append(script, "    set xtics 1,1,%d\n", n);
    }
    carom_text_append(script, "    set grid noxtics\n");
}

static void append_bars(const impact_output *output, const char *name, carom_text *script)
{
    const double width = bar_width(output);
    plot_append_terminals(script, name, WIDTH, BARS_HEIGHT);
    append_title(output, script, "set title");
    append_axes(output, BARS_HEIGHT - 110, script);
    carom_text_append(
        script,
        "    set xlabel '%s'\n"
        "    set boxwidth %.6g absolute   # a little space between the bars\n"
        "    set style fill solid 1.0 noborder\n"
        "    set bmargin 5.2\n"
        "    set key at screen 0.53,0.01 center bottom horizontal Left reverse samplen 1.2 width 1\n"
        "    plot data index 0 using 3:2 with boxes linecolor rgb '#C8C8C8' title 'before'",
        output->system->item, 0.9 * width);
    int colour = 1;
    for (int k = 0; k < output->laws->count; k++)
        if (output->outcome[k].status == CAROM_OK) {
            carom_text_append(script, ", \\\n         data index %d using 3:2 with boxes linestyle %d title ",
                              block_of(output, k), colour++);
            plot_append_quoted(script, output->laws->law[k]->name);
        }
    /* The axis is drawn last, over the ends of the bars. */
    carom_text_append(script, ", \\\n         0 with lines linecolor rgb '#808080' linewidth 0.8 notitle\n"
                              "    unset output\n}\n");
}

static void append_stems(const impact_output *output, const char *name, carom_text *script)
{
    const int laws = drawn_laws(output), n = output->system->impact.coordinates;
    const double size = n > 200 ? 0.25 : n > 60 ? 0.4 : 0.6;
    const double height = 90 + PANEL_HEIGHT * laws + (laws == 1 ? 120 : 0);
    plot_append_terminals(script, name, WIDTH, (int)height);
    carom_text_append(script, "    set multiplot layout %d,1 margins 0.09,0.97,%.4f,%.4f spacing 0,%.4f \\\n",
                      laws, 50.0 / height, 1.0 - 40.0 / height, 34.0 / height);
    append_title(output, script, "    title");
    append_axes(output, PANEL_HEIGHT - 45, script);
    carom_text_append(script, "    unset key\n    unset xlabel\n");
    int colour = 1;
    for (int k = 0; k < output->laws->count; k++) {
        if (output->outcome[k].status != CAROM_OK)
            continue;
        if (colour == laws)
            carom_text_append(script, "    set xlabel '%s'\n", output->system->item);
        carom_text_append(script, "    set label 1 ");
        plot_append_quoted(script, output->laws->law[k]->name);
        carom_text_append(
            script,
            " at graph 0.5,0.88 center font ',11' textcolor linestyle %d front\n"
            "    plot data index %d using 1:2 with impulses linestyle %d linewidth 1.2, \\\n"
            "         data index %d using 1:2 with points linestyle %d pointtype 7 pointsize %g\n",
            colour, block_of(output, k), colour, block_of(output, k), colour, size);
        colour++;
    }
    carom_text_append(script, "    unset multiplot\n    unset label\n    unset output\n}\n");
}

carom_status draw_impact(const impact_output *output, const picture_place *place, carom_error *error)
{
    if (drawn_laws(output) == 0)
        return carom_fail(error, CAROM_FAILED, "nothing to draw: no law has a result");
    carom_text data = {0}, script = {0};
    append_data(output, place->name, &data);
    plot_append_head(&script, place->name);
    carom_text_append(&script, "\n");
    if (output->system->impact.coordinates <= BARS_MOST)
        append_bars(output, place->name, &script);
    else
        append_stems(output, place->name, &script);
    const carom_status status = plot_write_and_draw(place->directory, place->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
