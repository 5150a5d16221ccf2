/* The beam between obstacles of Dumont and Paoli (2008): a quadratic program per step.
 *
 *   beam [PART]     cases, sizes or energy; default: all
 *
 * Run from the root of the source tree. bench/run compares the rows and displacements of `cases` with the
 * same scheme in Scilab (scilab_beam.sce). */
#include <string.h>

#include "measure.h"

static const char scheme[] = "newmark-contact";
static const double check_times[] = {0.2, 0.3, 0.4, 0.6, 1.0};
enum {
    CHECKS = sizeof check_times / sizeof *check_times
};

static carom_experiment *load_beam(const char *name, const char *basis, int elements)
{
    char file[100], size[16], word[16], J[] = "J", basis_name[] = "basis";
    snprintf(file, sizeof file, "experiments/dumont-paoli-2008/%s.lua", name);
    snprintf(size, sizeof size, "%d", elements);
    snprintf(word, sizeof word, "%s", basis);
    const carom_override override[] = {{.name = J, .value = size}, {.name = basis_name, .value = word}};
    return load(&(carom_load_request){.name = name, .file = file, .override_count = 2, .override = override});
}

static int column_of(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->named_columns; i++)
        if (strcmp(experiment->column[i], name) == 0)
            return i;
    carom_error error;
    carom_fail(&error, CAROM_FAILED, "there is no record %s", name);
    stop(experiment->name, &error);
    return -1;
}

/* ---- against Scilab ------------------------------------------------------------------------------- */

/* Where the beam is, for comparison with another program. */
static void print_displacements(const carom_experiment *beam, const char *system)
{
    carom_run_result result = run(&(carom_run_request){
        .experiment = beam, .h = NAN, .until = NAN, .sample_count = CHECKS, .sample_time = check_times});
    const int tip = result.layout.column + column_of(beam, "tip");
    const int mid = result.layout.column + column_of(beam, "mid");
    for (int i = 0; i < CHECKS; i++) {
        const double *row = result.sample + (size_t)i * (size_t)result.layout.width;
        printf("displacement carom %s t = %g %.9f %.9f\n", system, check_times[i], row[tip], row[mid]);
    }
    carom_run_result_free(&result);
}

static void measure_cases(void)
{
    static const int sizes[] = {40, 160};
    static const char *const names[] = {"convex", "flat"}, *const bases[] = {"p3", "bspline"};
    for (int i = 0; i < 8; i++) {
        const char *name = names[i / 2 % 2], *basis = bases[i % 2];
        char system[64];
        snprintf(system, sizeof system, "%s-%s-%d", name, basis, sizes[i / 4]);
        carom_experiment *beam = load_beam(name, basis, sizes[i / 4]);
        print_row(system, scheme,
                  time_steps((carom_run_request){.experiment = beam, .h = NAN, .until = NAN}));
        printf("\n");
        print_displacements(beam, system);
        carom_experiment_free(beam);
    }
}

/* ---- cost against size ---------------------------------------------------------------------------- */

/* How many contacts carry an impulse. */
typedef struct touch_count {
    carom_row_layout layout;
    long rows, most;
    double sum;
} touch_count;

static carom_status count_touches(void *context, const double *row, carom_error *error)
{
    (void)error;
    touch_count *count = context;
    long touching = 0;
    for (int i = 0; i < count->layout.contacts; i++)
        touching += row[count->layout.regime + i] != 0.0;
    count->rows++;
    count->sum += (double)touching;
    if (touching > count->most)
        count->most = touching;
    return CAROM_OK;
}

static void measure_size(const char *name, const char *basis, int elements)
{
    const double until = 0.4; /* contacts begin at 0.15 and 0.19 */
    const double started = carom_seconds();
    carom_experiment *beam = load_beam(name, basis, elements);
    beam->measure_count = 0; /* they cost more than the steps */
    const double load_seconds = carom_seconds() - started;
    touch_count touches = {.layout = carom_row_layout_of(beam)};
    const carom_recorder recorder = {.context = &touches, .row = count_touches};
    carom_run_request request = {
        .experiment = beam, .h = NAN, .until = until, .recorder_count = 1, .recorder = &recorder};
    carom_run_result result = run(&request);
    carom_run_result_free(&result);
    request.recorder_count = 0;
    const timing measured = time_steps(request);
    printf("%-8s %-8s %6d %8d %6ld %14.0f %10.1f %8.1f %8ld %8.3f\n", name, basis, elements, beam->model->dof,
           measured.steps, nanoseconds_per_step(measured), nanoseconds_per_step(measured) / elements,
           touches.sum / (double)touches.rows, touches.most, load_seconds);
    fflush(stdout);
    carom_experiment_free(beam);
}

static void measure_sizes(void)
{
    static const int sizes[] = {40, 160, 640, 2500, 10000};
    printf("J elements, to t = 0.4; nodes that touch: mean over the steps, and most\n");
    printf("%-8s %-8s %6s %8s %6s %14s %10s %8s %8s %8s\n", "system", "basis", "J", "unknowns", "steps",
           "ns/step", "ns/J", "touching", "most", "load s");
    for (int i = 0; i < 10; i++)
        measure_size("convex", i < 5 ? "p3" : "bspline", sizes[i % 5]);
    for (int i = 0; i < 6; i++) /* hundreds of nodes touch at once: larger ones take minutes */
        measure_size("flat", i < 3 ? "p3" : "bspline", sizes[i % 3]);
}

/* ---- a long run ----------------------------------------------------------------------------------- */

static void set(carom_experiment *experiment, const char *name, const char *value)
{
    carom_error error;
    if (carom_experiment_set(experiment, name, value, &error) != CAROM_OK)
        stop(experiment->name, &error);
}

static void measure_energy(void)
{
    carom_experiment *beam = load_beam("energy", "p3", 40);
    set(beam, "dt", "1e-5");
    set(beam, "beta", "0.25");
    for (int bare = 1; bare >= 0; bare--) {
        carom_run_result result =
            run(&(carom_run_request){.experiment = beam, .h = NAN, .until = NAN, .bare = bare != 0});
        printf("energy, dt = 1e-5, beta = 1/4, to t = %g: %ld steps in %.2f s%s; wanted: 10 s\n",
               result.t_end, result.steps, result.wall_seconds, bare ? "" : " with all measures");
        carom_run_result_free(&result);
    }
    carom_experiment_free(beam);
}

/* ---- parts ---------------------------------------------------------------------------------------- */

static const part parts[] = {{"cases", measure_cases}, {"sizes", measure_sizes}, {"energy", measure_energy}};

int main(int argc, char **argv)
{
    return run_parts(argc, argv, sizeof parts / sizeof *parts, parts);
}
