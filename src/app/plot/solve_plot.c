/* The pictures of `carom solve`: how the error falls, and where the reactions lie in the friction cone. */
#include <math.h>
#include <string.h>

#include "app/plot_parts.h"
#include "app/solve_output.h"

enum {
    POINTS_MAX = 4000, /* of a curve: more than a picture can show */
    ERROR_WIDTH = 640,
    ERROR_HEIGHT = 440,
    CONE_WIDTH = 520,
    CONE_HEIGHT = 560,
    CIRCLE_POINTS = 181,
};

static void append_title(const solve_picture *picture, carom_text *script)
{
    carom_text title = {0};
    carom_text_append(&title, "%s, %d contact%s", picture->name, picture->result->contacts,
                      plural(picture->result->contacts));
    carom_text_append(script, "    set title ");
    plot_append_text(script, &title);
    carom_text_append(script, " font ',12'\n");
    carom_text_free(&title);
}

static carom_status draw_one(const solve_picture *picture, const char *kind, const char *directory,
                             void (*append)(const solve_picture *picture, const char *name, carom_text *data,
                                            carom_text *script),
                             carom_error *error)
{
    carom_text name = {0}, data = {0}, script = {0};
    carom_text_append(&name, "%s-%s", picture->name, kind);
    carom_status status = CAROM_OK;
    if (name.failed) {
        status = carom_fail_memory(error);
    } else {
        append(picture, name.bytes, &data, &script);
        status = plot_write_and_draw(directory, name.bytes, &data, &script, error);
    }
    carom_text_free(&name);
    carom_text_free(&data);
    carom_text_free(&script);
    return status;
}

/* ---- error against iteration ------------------------------------------------------------------------ */

static bool is_drawn(const solve_point *point)
{
    return isfinite(point->error) && point->error > 0.0;
}

static void append_history(const solve_picture *picture, carom_text *data, carom_range *y)
{
    const solve_history *history = picture->history;
    const size_t stride = history->count / POINTS_MAX + 1;
    carom_text_append(data, "# iteration  error  seconds\n");
    for (size_t i = 0; i < history->count; i++) {
        const solve_point *point = &history->point[i];
        if ((i % stride != 0 && i + 1 < history->count) || !is_drawn(point))
            continue;
        y->low = fmin(y->low, point->error);
        y->high = fmax(y->high, point->error);
        carom_text_append(data, "%d %.10g %.6g\n", point->iteration, point->error, point->seconds);
    }
    if (history->count == 0)
        carom_text_append(data, "0 NaN 0\n");
}

static void append_error(const solve_picture *picture, const char *name, carom_text *data, carom_text *script)
{
    carom_range y = {picture->tolerance, picture->tolerance};
    carom_text_append(data, "# Data of %s.gp, made by carom.\n", name);
    append_history(picture, data, &y);
    const solve_history *history = picture->history;
    const int last = history->count > 0 ? history->point[history->count - 1].iteration : 0;
    plot_append_head(script, name);
    plot_append_terminals(script, name, ERROR_WIDTH, ERROR_HEIGHT);
    append_title(picture, script);
    carom_text_append(
        script,
        "    set logscale y\n"
        "    set format y '10^{%%T}'\n"
        "    set mytics 10\n"
        "    set xlabel 'iteration'\n"
        "    set ylabel 'error relative to |q|'\n"
        "    set xrange [0:%d]\n"
        "    set yrange [%.10g:%.10g]\n"
        "    set key right top\n"
        "    plot %.10g with lines linecolor rgb '#777777' linewidth 1.2 dashtype (20,10) title "
        "'tolerance', \\\n         data using 1:2 with %s linestyle 1 pointtype 7 pointsize "
        "0.5 title ",
        last > 0 ? last : 1, pow(10.0, floor(log10(y.low / 2.0))), pow(10.0, ceil(log10(y.high * 2.0))),
        picture->tolerance, history->count <= 60 ? "linespoints" : "lines");
    plot_append_quoted(script, picture->solver->ops->name);
    carom_text_append(script, "\n    unset output\n}\n");
}

/* ---- reactions in the cone --------------------------------------------------------------------------- */

/* Contacts with a reaction and friction, of one regime. Returns how many. */
static int append_reactions(const solve_picture *picture, carom_contact_regime regime, double smallest,
                            carom_text *data)
{
    const carom_coulomb *problem = &picture->file->problem;
    int count = 0;
    for (int i = 0; i < problem->contacts; i++) {
        const double *r = picture->r + 3 * (ptrdiff_t)i;
        const double radius = problem->mu[i] * r[0];
        if (picture->regime[i] != regime || !(r[0] > smallest && radius > 0.0))
            continue;
        carom_text_append(data, "%.10g %.10g %.10g %d\n", r[1] / radius, r[2] / radius, r[0], i);
        count++;
    }
    if (count == 0)
        carom_text_append(data, "NaN NaN NaN NaN\n");
    carom_text_append(data, "\n\n");
    return count;
}

static double largest_normal(const solve_picture *picture)
{
    double largest = 0.0;
    for (int i = 0; i < picture->result->contacts; i++)
        largest = fmax(largest, picture->r[3 * (ptrdiff_t)i]);
    return largest;
}

static void append_circle(carom_text *data)
{
    const double turn = 2.0 * acos(-1.0);
    carom_text_append(data, "# index 0: the boundary of the cone\n");
    for (int i = 0; i < CIRCLE_POINTS; i++) {
        const double angle = turn * i / (CIRCLE_POINTS - 1);
        carom_text_append(data, "%.10g %.10g\n", cos(angle), sin(angle));
    }
    carom_text_append(data, "\n\n");
}

static void append_cone(const solve_picture *picture, const char *name, carom_text *data, carom_text *script)
{
    const double smallest = 1e-6 * largest_normal(picture);
    carom_text_append(data, "# Data of %s.gp, made by carom.\n", name);
    append_circle(data);
    carom_text_append(data, "# index 1: sticking; r_T1/(mu r_N)  r_T2/(mu r_N)  r_N  contact\n");
    const int sticking = append_reactions(picture, CAROM_CONTACT_STICK, smallest, data);
    carom_text_append(data, "# index 2: sliding\n");
    const int sliding = append_reactions(picture, CAROM_CONTACT_SLIP, smallest, data);
    plot_append_head(script, name);
    plot_append_terminals(script, name, CONE_WIDTH, CONE_HEIGHT);
    append_title(picture, script);
    carom_text_append(
        script,
        "    set size ratio -1\n"
        "    set xrange [-1.15:1.15]\n"
        "    set yrange [-1.15:1.15]\n"
        "    set xtics 0.5\n"
        "    set ytics 0.5\n"
        "    set xlabel 'r_{T1} / ({/Symbol m} r_N)'\n"
        "    set ylabel 'r_{T2} / ({/Symbol m} r_N)'\n"
        "    set key outside center bottom horizontal\n"
        "    plot data index 0 using 1:2 with lines linecolor rgb '#777777' linewidth 1.4 notitle, \\\n"
        "         data index 1 using 1:2 with points linestyle 1 pointtype 7 pointsize 0.7 title "
        "'sticking (%d)', \\\n"
        "         data index 2 using 1:2 with points linestyle 2 pointtype 13 pointsize 1.0 title "
        "'sliding (%d)'\n"
        "    unset output\n}\n",
        sticking, sliding);
}

carom_status draw_solve(const solve_picture *picture, const char *directory, carom_error *error)
{
    const carom_status status = draw_one(picture, "error", directory, append_error, error);
    return status == CAROM_OK ? draw_one(picture, "cone", directory, append_cone, error) : status;
}
