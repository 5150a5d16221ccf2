/* The picture of `carom lyapunov`: means of the exponents until a time, against that time. */
#include "app/lyapunov_output.h"

#include <math.h>

#include "app/plot_parts.h"

enum {
    WIDTH = 860,
    HEIGHT = 520
};

static void append_data(const carom_lyapunov *found, carom_text *data)
{
    carom_text_append(data, "# time, exponents\n");
    for (int k = 0; k < found->point_count; k++) {
        carom_text_append(data, "%.10g", found->point_time[k]);
        for (int c = 0; c < found->count; c++) {
            const double value = found->point[(ptrdiff_t)k * found->count + c];
            if (isfinite(value))
                carom_text_append(data, " %.10g", value);
            else
                carom_text_append(data, " NaN");
        }
        carom_text_append(data, "\n");
    }
}

/* The second half of the time shows where the means go; the first quarter may be far away. */
static carom_range range_of(const carom_lyapunov *found)
{
    carom_range range = {0.0, 0.0};
    for (int k = found->point_count / 8; k < found->point_count; k++)
        for (int c = 0; c < found->count; c++) {
            const double value = found->point[(ptrdiff_t)k * found->count + c];
            if (!isfinite(value))
                continue;
            range.low = fmin(range.low, value);
            range.high = fmax(range.high, value);
        }
    const double margin = 0.08 * (range.high - range.low) + 1e-6;
    return (carom_range){range.low - margin, range.high + margin};
}

carom_status draw_lyapunov(const lyapunov_output *output, const picture_place *picture, carom_error *error)
{
    const carom_lyapunov *found = output->found;
    const carom_range range = range_of(found);
    carom_text data = {0}, script = {0};
    append_data(found, &data);
    plot_append_head(&script, picture->name);
    plot_append_terminals(&script, picture->name, WIDTH, HEIGHT);
    carom_text_append(&script, "    set title ");
    plot_append_quoted(&script, output->experiment->name);
    carom_text_append(
        &script,
        " font ',12'\n    set xlabel 'time'\n    set ylabel 'mean until then'\n    set xrange [0:%.10g]\n"
        "    set yrange [%.10g:%.10g]\n    set xzeroaxis linetype 1 linecolor rgb '#888888'\n"
        "    set key outside right top vertical Left reverse samplen 2\n",
        found->time, range.low, range.high);
    for (int c = 0; c < found->count; c++) {
        carom_text_append(&script, "%sdata using 1:%d with lines linestyle %d linewidth 2 title '",
                          c ? ", \\\n         " : "    plot ", c + 2, c % CAROM_PALETTE_SIZE + 1);
        if (isfinite(found->exponent[c]))
            carom_text_append(&script, "%.4f'", found->exponent[c]);
        else
            carom_text_append(&script, "-infinite'");
    }
    carom_text_append(&script, "\n    unset output\n}\n");
    const carom_status status = plot_write_and_draw(picture->directory, picture->name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
