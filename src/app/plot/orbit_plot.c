/* The picture of `carom orbit`: the motion over a period, the phase portrait of its coordinates, and the
 * multipliers in the complex plane with the unit circle. */
#include <math.h>

#include "app/orbit_output.h"
#include "app/plot_parts.h"

enum {
    PANEL = 400,
    HEIGHT = 440,
    TITLE = 30
};

static int shown_coordinates(const orbit_output *output)
{
    const int dof = output->model->model->dof;
    return dof < CAROM_PALETTE_SIZE ? dof : CAROM_PALETTE_SIZE;
}

/* ---- data ------------------------------------------------------------------------------------------- */

static void append_data(const orbit_output *output, const char *name, carom_text *data)
{
    const carom_found_orbit *found = output->found;
    const int n = output->model->model->dof, width = 1 + 2 * n;
    carom_text_append(data,
                      "# Data of %s.gp, made by carom.\n"
                      "# index 0: t, position and velocity of each coordinate, from flight to flight, and "
                      "the first row again\n",
                      name);
    /* Lines go on across impacts, where velocities jump, and come back to where they began. */
    for (int i = 0; i <= found->rows; i++) {
        const double *row = found->row + (size_t)(i % (found->rows > 0 ? found->rows : 1)) * (size_t)width;
        if (found->rows == 0)
            break;
        carom_text_append(data, "%.10g", i < found->rows ? row[0] : found->period);
        for (int k = 0; k < n; k++)
            carom_text_append(data, " %.10g %.10g", row[1 + k], row[1 + n + k]);
        carom_text_append(data, "\n");
    }
    carom_text_append(data, "\n\n# index 1: times of the impacts\n");
    for (int i = 0; i < found->impacts; i++)
        carom_text_append(data, "%.10g\n", found->time[i]);
    carom_text_append(data, "%.10g\n", found->period);
    carom_text_append(data, "\n\n# index 2: multipliers, real and imaginary part\n");
    for (int i = 0; i < found->multipliers; i++)
        carom_text_append(data, "%.10g %.10g\n", found->real[i], found->imaginary[i]);
    if (found->multipliers == 0)
        carom_text_append(data, "NaN NaN\n");
}

/* ---- script ----------------------------------------------------------------------------------------- */

/* Positions of the coordinates that are drawn: from where to where. */
static carom_range position_range(const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    const int width = 1 + 2 * output->model->model->dof;
    carom_range range = {INFINITY, -INFINITY};
    for (int i = 0; i < found->rows; i++)
        for (int k = 0; k < shown_coordinates(output); k++) {
            const double value = found->row[(size_t)i * (size_t)width + 1 + (size_t)k];
            range.low = fmin(range.low, value);
            range.high = fmax(range.high, value);
        }
    const double room = 0.05 * (range.high - range.low);
    return room > 0.0 ? (carom_range){range.low - room, range.high + room} : (carom_range){-1.0, 1.0};
}

static void append_curves(const orbit_output *output, bool portrait, carom_text *script)
{
    const int shown = shown_coordinates(output);
    for (int i = 0; i < shown; i++) {
        carom_text_append(script, "%sdata index 0 using %d:%d with lines linestyle %d linewidth 1.5 title ",
                          i ? ", \\\n         " : "    plot ", portrait ? 2 + 2 * i : 1,
                          portrait ? 3 + 2 * i : 2 + 2 * i, i % CAROM_PALETTE_SIZE + 1);
        plot_append_quoted(script, output->model->model->coordinate[i]);
    }
    carom_text_append(script, "\n");
}

/* A square around the unit circle and all multipliers. */
static double plane_size(const carom_found_orbit *found)
{
    double size = 1.0;
    for (int i = 0; i < found->multipliers; i++)
        size = fmax(size, fmax(fabs(found->real[i]), fabs(found->imaginary[i])));
    return 1.15 * size;
}

static void append_time_panel(const orbit_output *output, carom_text *script)
{
    const carom_found_orbit *found = output->found;
    carom_text_append(script,
                      "    set title 'over one period'\n    set xlabel 'time'\n    set ylabel 'position'\n"
                      "    set xrange [0:%.10g]\n",
                      found->period);
    plot_append_linear_tics(script, "x", (carom_range){0.0, found->period}, PANEL - 130);
    for (int i = 0; i < found->impacts; i++)
        carom_text_append(
            script,
            "    set arrow %d from first %.10g, graph 0 to first %.10g, graph 1 nohead linetype 1 "
            "linecolor rgb '#B0B0B0' dashtype (3,3)\n",
            i + 1, found->time[i], found->time[i]);
    append_curves(output, false, script);
    carom_text_append(script, "    unset arrow\n    set xrange [*:*]\n    set xtics autofreq\n");
}

static void append_plane_panel(const carom_found_orbit *found, carom_text *script)
{
    const double size = plane_size(found);
    carom_text_append(
        script,
        "    set title 'multipliers: %s'\n    set xlabel 'real part (largest modulus %.6g)'\n"
        "    set ylabel 'imaginary part'\n    set size ratio 1\n    unset key\n"
        "    set xrange [%.6g:%.6g]\n    set yrange [%.6g:%.6g]\n"
        "    set object 1 circle at 0,0 size first 1 fillstyle empty border linecolor rgb '#808080'\n"
        "    plot data index 2 using 1:2 with points linestyle 1 pointtype 7 pointsize 0.9 notitle\n"
        "    unset object 1\n    set size noratio\n    set xrange [*:*]\n    set yrange [*:*]\n",
        found->stable ? "stable" : "unstable", found->largest, -size, size, -size, size);
}

static void append_script(const orbit_output *output, const char *name, carom_text *script)
{
    const carom_found_orbit *found = output->found;
    const int panels = found->multipliers > 0 ? 3 : 2;
    carom_text title = {0};
    plot_append_head(script, name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, name, panels * PANEL, HEIGHT + TITLE);
    carom_text_append(&title, "%s: period %.9g, energy %.9g%s", output->model->name, found->period,
                      found->energy, found->is_motion ? "" : " - NOT a motion");
    carom_text_append(script, "    set multiplot layout 1,%d title ", panels);
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script, " font ',12'\n    set key at graph 0.5,-0.2 center top horizontal samplen 1.5\n"
                              "    set bmargin 7\n    set lmargin 9\n    set rmargin 2\n");
    append_time_panel(output, script);
    carom_text_append(
        script, "    set title 'phase portrait'\n    set xlabel 'position'\n    set ylabel 'velocity'\n");
    plot_append_range(script, "x", position_range(output));
    plot_append_linear_tics(script, "x", position_range(output), PANEL - 130);
    append_curves(output, true, script);
    carom_text_append(script, "    set xrange [*:*]\n    set xtics autofreq\n");
    if (panels == 3)
        append_plane_panel(found, script);
    carom_text_append(script, "    unset multiplot\n    unset output\n}\n");
}

carom_status draw_orbit(const orbit_output *output, const picture_place *picture, carom_error *error)
{
    carom_text data = {0}, script = {0};
    append_data(output, picture->name, &data);
    append_script(output, picture->name, &script);
    const carom_status status = plot_write_and_draw(picture->directory, picture->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
