/* Numbers on axes, as many as there is room for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/plot_parts.h"

static const double character = 7.0, line = 14.0; /* pixels */

/* Pixels of the longer one of the numbers at the ends. */
static double number_width(carom_range range, double step)
{
    const double end[2] = {step * ceil(range.low / step), step * floor(range.high / step)};
    double width = 0.0;
    for (int i = 0; i < 2; i++) {
        char number[32];
        width = fmax(width, character * snprintf(number, sizeof number, "%.6g", end[i]));
    }
    return width;
}

/* The smallest of the steps 1, 2, 5, 10, ... whose numbers leave room between them. */
void plot_append_linear_tics(carom_text *script, const char *axis, carom_range range, double pixels)
{
    const double size = range.high - range.low, space = 14.0;
    const double decade = pow(10.0, floor(log10(size)) - 1.0), factor[] = {1, 2, 5, 10, 20, 50};
    const bool is_upright = axis[0] == 'y';
    double step = decade;
    for (int i = 0; i < 6; i++) {
        step = decade * factor[i];
        const double needed = (is_upright ? line : number_width(range, step)) + space;
        if (step / size * pixels >= needed)
            break;
    }
    carom_text_append(script, "    set %stics %.10g\n", axis, step);
}

void plot_append_value_tics(carom_text *script, const char *axis, int count, const double *value,
                            carom_range range, double pixels)
{
    const double pixels_per_unit = pixels / log(range.high / range.low);
    const double space = 8.0;
    const bool is_upright = axis[0] == 'y';
    double free_from = INFINITY; /* pixel up to which, from the high end, there is room */
    carom_text_append(script, "    set %stics (", axis);
    for (int i = 0; i < count; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.3g", value[i]);
        const double centre = pixels_per_unit * log(value[i] / range.low);
        const double half = (is_upright ? line : character * (double)strlen(number)) / 2.0;
        const bool fits = centre + half <= free_from;
        if (fits)
            free_from = centre - half - space;
        carom_text_append(script, "%s'%s' %.17g%s", i ? ", " : "", fits ? number : "", value[i],
                          fits ? "" : " 1");
    }
    carom_text_append(script, ")\n");
}
