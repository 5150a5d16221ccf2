/* The picture of `carom converge`: errors against the step, on logarithmic axes.
 *
 *   error |          o      a panel per error, a curve per scheme
 *         |      o
 *         |  o        /     guides of slope 1 and 2 below the curves
 *         |        //
 *         +------------- h */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/converge_output.h"
#include "app/plot_parts.h"

enum {
    PANELS_ACROSS = 3,
    PANEL_WIDTH = 470,
    PANEL_HEIGHT = 380,
    KEY_LINE = 20, /* pixels */
    TITLE_HEIGHT = 40,
    BOX_WIDTH = 370,
    BOX_HEIGHT = 300,
    POINT_KINDS = 5,
};

static const char picture_name[] = "convergence";

/* Gnuplot's filled and open forms of circle, square, triangle, diamond, triangle downwards. */
static const int filled_point[POINT_KINDS] = {7, 5, 9, 13, 11}, open_point[POINT_KINDS] = {6, 4, 8, 12, 10};

/* Ends of the axes and of the guides, in the units of the axes. */
typedef struct error_box {
    carom_range x, y;
    double guide_low, guide_high; /* h at the ends of the guides */
    double guide_start;           /* their common error at guide_low; infinite: no guides */
} error_box;

static bool is_drawn(double error)
{
    return isfinite(error) && error > 0.0;
}

static bool has_points(const carom_convergence *study, int curve)
{
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->h_count; k++)
            if (is_drawn(study->scheme[i].curve[curve].error[k]))
                return true;
    return false;
}

static const char *curve_name(const converge_output *output, int curve)
{
    static const char *const name[] = {[CAROM_CURVE_Q] = "positions", [CAROM_CURVE_V] = "velocities"};
    return curve < CAROM_CURVE_QUANTITY ? name[curve] : output->quantity[curve - CAROM_CURVE_QUANTITY];
}

/* ---- axes ------------------------------------------------------------------------------------------ */

/* Decades at both ends when fewer than two powers of ten, and so fewer than two numbers, would be inside. */
static carom_range with_two_powers(carom_range range)
{
    const double low = log10(range.low), high = log10(range.high);
    if (floor(high) - ceil(low) >= 1.0)
        return range;
    return (carom_range){pow(10.0, floor(low)), pow(10.0, ceil(high))};
}

static void include_error(error_box *box, double h, double error, bool at_rounding)
{
    const double clearance = 2.0;
    if (!is_drawn(error))
        return;
    box->y.low = fmin(box->y.low, error);
    box->y.high = fmax(box->y.high, error);
    if (!at_rounding && h >= box->guide_low)
        box->guide_start = fmin(box->guide_start, error * pow(box->guide_low / h, 2.0) / clearance);
}

/* The guides fan out from a point on the left and end at the largest h, the steeper one below all errors. */
static error_box lay_out(const carom_convergence *study, int curve)
{
    const double margin = 2.2;
    const double h_low = study->h[study->h_count - 1], h_high = study->h[0];
    error_box box = {.x = {h_low / pow(h_high / h_low, 0.08), h_high * pow(h_high / h_low, 0.24)},
                     .y = {INFINITY, 0.0},
                     .guide_low = sqrt(h_low * h_high),
                     .guide_high = h_high,
                     .guide_start = INFINITY};
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->h_count; k++)
            include_error(&box, study->h[k], study->scheme[i].curve[curve].error[k],
                          study->scheme[i].curve[curve].at_rounding[k]);
    box.y.low = fmin(box.y.low, box.guide_start) / margin;
    box.y.high *= margin;
    box.y = with_two_powers(box.y);
    return box;
}

/* ---- curves ---------------------------------------------------------------------------------------- */

static void append_data(const converge_output *output, carom_text *data)
{
    const carom_convergence *study = output->study;
    carom_text_append(data,
                      "# Data of %s.gp, made by carom: one block (gnuplot index) per error and scheme.\n"
                      "# h  error  local order  1 where the error is at rounding level\n\n",
                      picture_name);
    int block = 0;
    for (int c = 0; c < study->curve_count; c++)
        for (int i = 0; i < study->scheme_count; i++) {
            const carom_error_curve *curve = &study->scheme[i].curve[c];
            carom_text_append(data, "# index %d: ", block++);
            plot_append_comment(data, curve_name(output, c));
            carom_text_append(data, ", %s, order %.4g\n", study->scheme[i].scheme->name, curve->order);
            for (int k = 0; k < study->h_count; k++)
                if (is_drawn(curve->error[k]))
                    carom_text_append(data, "%.10g %.10g %.6g %d\n", study->h[k], curve->error[k],
                                      curve->local[k], curve->at_rounding[k]);
                else
                    carom_text_append(data, "%.10g NaN NaN 0\n", study->h[k]);
            carom_text_append(data, "\n\n");
        }
}

static void append_guide(const error_box *box, int slope, carom_text *script)
{
    carom_text_append(script, "    unset arrow %d\n    unset label %d\n", slope, slope);
    if (!isfinite(box->guide_start)) /* all errors are rounding */
        return;
    const double end = box->guide_start * pow(box->guide_high / box->guide_low, slope);
    carom_text_append(script,
                      "    set arrow %d from %.10g,%.10g to %.10g,%.10g nohead back linecolor rgb '#777777' "
                      "linewidth 1.2 dashtype (20,10)\n"
                      "    set label %d 'slope %d' at %.10g,%.10g left offset 0.6,0 textcolor rgb '#666666' "
                      "font ',9'\n",
                      slope, box->guide_low, box->guide_start, box->guide_high, end, slope, slope,
                      box->guide_high, end);
}

static void append_curve(const carom_convergence *study, int curve, int scheme, carom_text *script)
{
    const carom_error_curve *errors = &study->scheme[scheme].curve[curve];
    const int block = curve * study->scheme_count + scheme, kind = scheme % POINT_KINDS;
    const int style = scheme % CAROM_PALETTE_SIZE + 1;
    char title[160];
    if (errors->fitted > 1)
        snprintf(title, sizeof title, "%s, order %.2f", study->scheme[scheme].scheme->name, errors->order);
    else
        snprintf(title, sizeof title, "%s, no order", study->scheme[scheme].scheme->name);
    carom_text_append(script,
                      "data index %d using 1:($4 == 0 ? $2 : NaN) with linespoints linestyle %d pointtype %d "
                      "pointsize 0.9 title ",
                      block, style, filled_point[kind]);
    plot_append_quoted(script, title);
    bool has_rounding = false;
    for (int k = 0; k < study->h_count; k++)
        has_rounding = has_rounding || (errors->at_rounding[k] && is_drawn(errors->error[k]));
    if (has_rounding)
        carom_text_append(
            script,
            ", \\\n         data index %d using 1:($4 == 1 ? $2 : NaN) with points linestyle %d "
            "pointtype %d pointsize 0.9 notitle",
            block, style, open_point[kind]);
}

static void append_panel(const converge_output *output, int curve, carom_text *script)
{
    const carom_convergence *study = output->study;
    const error_box box = lay_out(study, curve);
    carom_text_append(script, "\n    # ");
    plot_append_comment(script, curve_name(output, curve));
    carom_text_append(script, "\n    set ylabel ");
    carom_text label = {0};
    carom_text_append(&label, "error of %s%s", curve < CAROM_CURVE_QUANTITY ? "the " : "",
                      curve_name(output, curve));
    plot_append_text(script, &label);
    carom_text_free(&label);
    carom_text_append(script, "\n    set xrange [%.10g:%.10g]\n    set yrange [%.10g:%.10g]\n", box.x.low,
                      box.x.high, box.y.low, box.y.high);
    plot_append_value_tics(script, "x", study->h_count, study->h, box.x, BOX_WIDTH);
    for (int slope = 1; slope <= 2; slope++)
        append_guide(&box, slope, script);
    for (int i = 0; i < study->scheme_count; i++) {
        carom_text_append(script, i == 0 ? "    plot " : ", \\\n         ");
        append_curve(study, curve, i, script);
    }
    carom_text_append(script, "\n");
}

/* ---- the picture ----------------------------------------------------------------------------------- */

static void append_settings(const converge_output *output, int rows, int columns, carom_text *script)
{
    const carom_convergence *study = output->study;
    char reference[160];
    describe_reference(study, reference, sizeof reference);
    carom_text title = {0};
    carom_text_append(&title, "%s: errors against %s", output->experiment->name, reference);
    carom_text_append(script, "    set multiplot layout %d,%d title ", rows, columns);
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script,
                      " font ',%d'\n"
                      "    set logscale xy\n"
                      "    set format y '10^{%%T}'\n"
                      "    set mytics 10\n"
                      "    set xlabel 'time step h'\n"
                      "    set lmargin 10\n"
                      "    set key at graph 0,%.3f left bottom vertical maxcols 1 Left reverse samplen 2.2 "
                      "textcolor rgb '#303030'\n"
                      "    set tmargin %.1f\n",
                      columns > 1 ? 13 : 11, 1.0 + 7.0 / BOX_HEIGHT, 1.6 + 1.25 * study->scheme_count);
}

static int count_panels(const carom_convergence *study)
{
    int panels = 0;
    for (int c = 0; c < study->curve_count; c++)
        panels += has_points(study, c);
    return panels;
}

static void append_script(const converge_output *output, int panels, carom_text *script)
{
    const carom_convergence *study = output->study;
    const int columns = panels < PANELS_ACROSS ? panels : PANELS_ACROSS;
    const int rows = (panels + columns - 1) / columns;
    plot_append_head(script, picture_name);
    carom_text_append(script, "\n");
    plot_append_terminals(script, picture_name, columns * PANEL_WIDTH,
                          rows * (PANEL_HEIGHT + KEY_LINE * study->scheme_count) + TITLE_HEIGHT);
    append_settings(output, rows, columns, script);
    for (int c = 0; c < study->curve_count; c++)
        if (has_points(study, c))
            append_panel(output, c, script);
    carom_text_append(script, "\n    unset multiplot\n    unset output\n}\n");
}

carom_status draw_convergence(const converge_output *output, const char *directory, carom_error *error)
{
    const int panels = count_panels(output->study);
    if (panels == 0)
        return carom_fail(error, CAROM_FAILED, "nothing to draw: no run has an error above zero");
    carom_text data = {0}, script = {0};
    append_data(output, &data);
    append_script(output, panels, &script);
    carom_status status = plot_write_and_draw(directory, picture_name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}
