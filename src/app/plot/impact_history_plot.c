/* The course of an impact: energies of the first contacts and velocities over time. */
#include <math.h>

#include "app/impact_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 760,
    HEIGHT = 640,
    ROWS_MOST = 1500, /* of a curve: more than a picture can show */
};

/* Columns of the data: t, the energies, the velocities of as many coordinates. */
static int shown_velocities(const impact_history *history)
{
    const int most = history->contacts + 1;
    return history->coordinates < most ? history->coordinates : most;
}

/* Up to when something happens at the contacts that are shown. */
static double last_time(const impact_history *history)
{
    double largest = 0.0, last = 0.0;
    for (size_t i = 0; i < history->count; i++)
        for (int j = 0; j < history->contacts; j++)
            largest = fmax(largest, history->rows[i * history->width + 1 + (size_t)j]);
    for (size_t i = 0; i < history->count; i++)
        for (int j = 0; j < history->contacts; j++)
            if (history->rows[i * history->width + 1 + (size_t)j] > 1e-3 * largest)
                last = history->rows[i * history->width];
    const double end = history->last[0];
    return last > 0.0 ? fmin(1.05 * last, end) : end;
}

static void append_data(const impact_history *history, const char *name, double until, carom_text *data)
{
    size_t inside = 0;
    while (inside < history->count && history->rows[inside * history->width] <= until)
        inside++;
    const size_t stride = inside / ROWS_MOST + 1;
    carom_text_append(data,
                      "# Data of %s.gp, made by carom.\n# index 0: t, energy of contacts 1 to %d, velocity "
                      "of coordinates 1 to %d\n",
                      name, history->contacts, shown_velocities(history));
    for (size_t i = 0; i < inside; i++) {
        if (i % stride != 0 && i + 1 != inside)
            continue;
        const double *row = history->rows + i * history->width;
        carom_text_append(data, "%.10g", row[0]);
        for (int j = 0; j < history->contacts; j++)
            carom_text_append(data, " %.7g", row[1 + j]);
        for (int j = 0; j < shown_velocities(history); j++)
            carom_text_append(data, " %.7g", row[1 + 2 * history->contacts + j]);
        carom_text_append(data, "\n");
    }
}

/* Lines of one kind. Few have a key; many have their colours from the sequential map, the first dark. */
static void append_lines(carom_text *script, const char *what, int first_column, int count)
{
    if (count <= CAROM_PALETTE_SIZE)
        carom_text_append(
            script, "    unset colorbox\n    set key outside right top vertical Left reverse samplen 2\n");
    else
        carom_text_append(script,
                          "    unset key\n    set colorbox\n    set cblabel '%s' offset 0.5,0\n"
                          "    set cbrange [1:%d]\n    set cbtics 1,%d,%d\n",
                          what, count, count > 10 ? 5 : 1, count);
    for (int j = 0; j < count; j++) {
        carom_text_append(script, "%sdata using 1:%d with lines ", j ? ", \\\n         " : "    plot ",
                          first_column + j);
        if (count <= CAROM_PALETTE_SIZE)
            carom_text_append(script, "linestyle %d linewidth 1.5 title '%s %d'", j + 1, what, j + 1);
        else
            carom_text_append(script, "linewidth 1.5 linecolor palette cb %d notitle", j + 1);
    }
    carom_text_append(script, "\n");
}

static void append_script(const impact_case *made, const impact_history *history, const char *name,
                          double until, carom_text *script)
{
    plot_append_head(script, name);
    plot_append_palette(script);
    carom_text_append(script, "\n");
    plot_append_terminals(script, name, WIDTH, HEIGHT);
    carom_text_append(script, "    set multiplot layout 2,1 margins 0.1,0.84,%.4f,%.4f spacing 0,%.4f title ",
                      50.0 / HEIGHT, 1.0 - 40.0 / HEIGHT, 36.0 / HEIGHT);
    plot_append_quoted(script, made->title);
    carom_text_append(script,
                      " font ',12'\n"
                      "    set xrange [0:%.10g]\n    unset xlabel\n    unset xzeroaxis\n"
                      "    set ylabel 'energy of the contact'\n    set yrange [0:*]\n",
                      until);
    append_lines(script, "contact", 2, history->contacts);
    carom_text_append(script, "    set xlabel 'time'\n    set ylabel 'velocity'\n"
                              "    set yrange [*:*]\n    set xzeroaxis linetype 1 linecolor rgb '#808080'\n");
    append_lines(script, made->item, 2 + history->contacts, shown_velocities(history));
    carom_text_append(script, "    unset multiplot\n    unset output\n}\n");
}

carom_status draw_impact_history(const impact_case *made, const impact_history *history,
                                 const picture_place *place, carom_error *error)
{
    if (history->count < 2)
        return carom_fail(error, CAROM_FAILED, "nothing to draw: the impact has no course");
    const double until = last_time(history);
    carom_text data = {0}, script = {0};
    append_data(history, place->name, until, &data);
    append_script(made, history, place->name, until, &script);
    const carom_status status = plot_write_and_draw(place->directory, place->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
