/* The picture of `carom lyapunov` of several motions: exponents against a parameter, or against the number of the start. */
#include <math.h>

#include "app/lyapunov_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 860,
    HEIGHT = 520
};

static int motion_count(const carom_exponents *all)
{
    return all->points * all->starts;
}

/* A block per start: value or number of the start, exponents. */
static void append_data(const exponents_output *output, int count, carom_text *data)
{
    const carom_exponents *all = output->all;
    carom_text_append(data, "# %s, exponents\n", output->parameter ? "value" : "start");
    for (int start = 0; start < all->starts; start++) {
        for (int i = 0; i < all->points; i++) {
            const carom_exponents_point *point = carom_exponents_at(all, i, start);
            if (output->parameter)
                carom_text_append(data, "%.10g", point->value);
            else
                carom_text_append(data, "%d", start + 1);
            const bool shown = point->done && point->status == CAROM_OK;
            for (int c = 0; c < count; c++) {
                if (shown && c < point->found.count && isfinite(point->found.exponent[c]))
                    carom_text_append(data, " %.10g", point->found.exponent[c]);
                else
                    carom_text_append(data, " NaN");
            }
            carom_text_append(data, "\n");
        }
        if (output->parameter && start + 1 < all->starts)
            carom_text_append(data, "\n"); /* a line is not drawn from one start to the next */
    }
}

static carom_range range_of(const carom_exponents *all, int count)
{
    carom_range range = {0.0, 0.0};
    for (int i = 0; i < motion_count(all); i++) {
        const carom_exponents_point *point = &all->point[i];
        for (int c = 0; point->done && point->status == CAROM_OK && c < count; c++)
            if (isfinite(point->found.exponent[c])) {
                range.low = fmin(range.low, point->found.exponent[c]);
                range.high = fmax(range.high, point->found.exponent[c]);
            }
    }
    const double margin = 0.06 * (range.high - range.low) + 1e-6;
    return (carom_range){range.low - margin, range.high + margin};
}

static void append_axes(const exponents_output *output, carom_range range, carom_text *script)
{
    const carom_exponents *all = output->all;
    const double first = output->parameter ? all->point->value : 0.5;
    const double last = output->parameter ? all->point[motion_count(all) - 1].value : all->starts + 0.5;
    carom_text_append(script, "    set title ");
    plot_append_quoted(script, output->experiment->name);
    carom_text_append(script, " font ',12'\n    set xlabel ");
    plot_append_quoted(script, output->parameter ? output->parameter : "start");
    carom_text_append(script,
                      "\n    set ylabel 'Lyapunov exponents'\n    set xrange [%.10g:%.10g]\n"
                      "    set yrange [%.10g:%.10g]\n"
                      "    set xzeroaxis linetype 1 linecolor rgb '#888888'\n"
                      "    set key outside right top vertical Left reverse samplen 2\n",
                      fmin(first, last), fmax(first, last), range.low, range.high);
}

carom_status draw_exponents(const exponents_output *output, const picture_place *picture, carom_error *error)
{
    const carom_exponents *all = output->all;
    int count = 0;
    for (int i = 0; i < motion_count(all); i++)
        if (all->point[i].done && all->point[i].status == CAROM_OK)
            count = all->point[i].found.count;
    if (count == 0)
        return carom_fail(error, CAROM_FAILED, "no motion has exponents to be drawn");
    const bool lines = output->parameter && all->starts == 1;
    carom_text data = {0}, script = {0};
    append_data(output, count, &data);
    plot_append_head(&script, picture->name);
    plot_append_terminals(&script, picture->name, WIDTH, HEIGHT);
    append_axes(output, range_of(all, count), &script);
    for (int c = 0; c < count; c++)
        carom_text_append(&script, "%sdata using 1:%d with %s linestyle %d %s title 'exponent %d'",
                          c ? ", \\\n         " : "    plot ", c + 2, lines ? "linespoints" : "points",
                          c % CAROM_PALETTE_SIZE + 1, lines ? "linewidth 1 pt 7 ps 0.3" : "pt 7 ps 0.5",
                          c + 1);
    carom_text_append(&script, "\n    unset output\n}\n");
    const carom_status status = plot_write_and_draw(picture->directory, picture->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
