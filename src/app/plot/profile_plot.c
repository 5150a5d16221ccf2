/* The picture of `carom bench`: performance profiles.
 *
 *   1 |        ____---   share of the problems that a solver solves within tau times the time of the
 *     |   __--           fastest: a step function per solver, tau on a logarithmic axis
 *   0 +------------- tau */
#include <math.h>

#include "app/bench_output.h"
#include "app/plot_parts.h"

enum {
    WIDTH = 720,
    HEIGHT = 460,
    KEY_LINE = 18,  /* pixels */
    DASH_KINDS = 4, /* with as many colours as there are: enough for every solver */
};

static const char *const dash[DASH_KINDS] = {"1", "(14,6)", "(4,4)", "(14,4,3,4)"};

/* Beyond the last jump, so that the ends of the curves are seen. */
static double last_tau(const carom_profile *profile)
{
    const double last = profile->tau_count > 0 ? profile->tau[profile->tau_count - 1] : 1.0;
    return fmax(10.0, last * 1.25);
}

/* The jumps of one curve. */
static void append_jumps(const carom_profile *profile, const double *share, carom_text *data)
{
    if (profile->tau_count == 0)
        carom_text_append(data, "1 0\n");
    for (int k = 0; k < profile->tau_count; k++)
        if (k == 0 || share[k] > share[k - 1])
            carom_text_append(data, "%.10g %.10g\n", profile->tau[k], share[k]);
}

static void append_data(const bench_output *output, const char *name, carom_text *data)
{
    const carom_profile *profile = output->profile;
    carom_text_append(data,
                      "# Data of %s.gp, made by carom: one block (gnuplot index) per solver.\n"
                      "# tau  share of the problems from there on\n\n",
                      name);
    for (int s = 0; s < output->solver_count; s++) {
        carom_text_append(data, "# index %d: %s\n", s, output->solver[s].label);
        append_jumps(profile, profile->share + (ptrdiff_t)s * profile->tau_count, data);
        carom_text_append(data, "%.10g %.10g\n\n\n", last_tau(profile),
                          carom_profile_share(profile, s, INFINITY));
    }
}

static void append_script(const bench_output *output, const char *name, carom_text *script)
{
    const int most_lines = HEIGHT / KEY_LINE;
    const int columns = (output->solver_count + most_lines - 1) / most_lines;
    carom_text title = {0};
    carom_text_append(&title, "%d problem%s to an error of %g, at most %g s", output->problem_count,
                      plural(output->problem_count), output->limits->tolerance, output->limits->max_seconds);
    plot_append_head(script, name);
    plot_append_terminals(script, name, WIDTH + 200 * columns, HEIGHT);
    carom_text_append(script, "    set title ");
    plot_append_text(script, &title);
    carom_text_free(&title);
    carom_text_append(script,
                      " font ',12'\n"
                      "    set logscale x\n"
                      "    set xrange [1:%.10g]\n"
                      "    set yrange [0:1.02]\n"
                      "    set format x '10^{%%T}'\n"
                      "    set mxtics 10\n"
                      "    set ytics 0.2\n"
                      "    set xlabel '{/Symbol t}: seconds over those of the fastest solver'\n"
                      "    set ylabel 'share of the problems'\n"
                      "    set key outside right top vertical Left reverse samplen 2.5\n",
                      last_tau(output->profile));
    for (int s = 0; s < output->solver_count; s++) {
        carom_text_append(script,
                          "%sdata index %d using 1:2 with steps linestyle %d linewidth 2 dashtype %s title ",
                          s == 0 ? "    plot " : ", \\\n         ", s, s % CAROM_PALETTE_SIZE + 1,
                          dash[s / CAROM_PALETTE_SIZE % DASH_KINDS]);
        plot_append_quoted(script, output->solver[s].label);
    }
    carom_text_append(script, "\n    unset output\n}\n");
}

static void append_csv(const bench_output *output, carom_text *csv)
{
    const carom_profile *profile = output->profile;
    carom_text_append(csv, "tau,solver,rho\n");
    for (int s = 0; s < output->solver_count; s++)
        for (int k = 0; k < profile->tau_count; k++)
            carom_text_append(csv, "%.17g,%s,%.17g\n", profile->tau[k], output->solver[s].label,
                              profile->share[(ptrdiff_t)s * profile->tau_count + k]);
}

carom_status draw_profile(const bench_output *output, const char *directory, const char *name,
                          carom_error *error)
{
    carom_text data = {0}, script = {0}, csv = {0};
    append_data(output, name, &data);
    append_script(output, name, &script);
    append_csv(output, &csv);
    carom_status status = plot_make_directory(directory, error);
    if (status == CAROM_OK)
        status = plot_write_text(directory, name, "tau.csv", &csv, error);
    if (status == CAROM_OK)
        status = plot_write_and_draw(directory, name, &data, &script, error);
    carom_text_free(&data);
    carom_text_free(&script);
    carom_text_free(&csv);
    return status;
}
