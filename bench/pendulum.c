/* The double pendulum against a wall: a full mass matrix that depends on the position.
 *
 *   pendulum [SCHEME]     sweeping, sweeping-implicit, paoli-schatzman or moreau-jean alone; default: all
 *
 * Steps per second of the time-stepping schemes, beside a semi-implicit Euler step of the same model that
 * knows no contacts: what the contacts of a scheme cost is the ratio. bench/run compares the rows and angles
 * of moreau-jean over 20 s with Siconos. */
#include <string.h>

#include "measure.h"

enum {
    DOF = 2,
    EULER_STEPS = 1000000
};
static const double step_size = 1e-3, long_run = 1000.0, short_run = 20.0; /* s */
static const double check_times[] = {0.5, 2.0};

/* The data of siconos_pendulum.py and siconos_plugin/pendulum.c: whoever changes a number here changes it
 * there. All masses and lengths are 1. The wall is off the vertical, so that the pendulum always comes back
 * to it; angles are from the downward vertical. */
static const char pendulum_model[] = "local a, b = coordinates('angle1', 'angle2')\n"
                                     "local gravity, wall = 9.81, -0.3\n"
                                     "local x1, y1 = sin(a), -cos(a)\n"
                                     "local x2, y2 = x1 + sin(b), y1 - cos(b)\n"
                                     "kinetic   ((dot(x1)^2 + dot(y1)^2) / 2 + (dot(x2)^2 + dot(y2)^2) / 2)\n"
                                     "potential (gravity * y1 + gravity * y2)\n"
                                     "contact   { 'wall', gap = wall - x2, restitution = 0.5 }\n"
                                     "initial   { angle1 = -0.9, angle2 = -0.6 }\n"
                                     "integrate { scheme = 'sweeping', h = 1e-3, until_t = 1000 }\n";

typedef struct scheme_case {
    const char *label, *scheme;
    bool implicit;
} scheme_case;

static const scheme_case scheme_cases[] = {{"sweeping", "sweeping", false},
                                           {"sweeping-implicit", "sweeping", true},
                                           {"paoli-schatzman", "paoli-schatzman", false},
                                           {"moreau-jean", "moreau-jean", false}};

/* ---- without contacts ----------------------------------------------------------------------------- */

/* u' = u + h M(q)^-1 f(q, u),   q' = q + h u' */
static void euler_step(carom_model_work *work, double t, double *q, double *u)
{
    const carom_model_ops *ops = work->model->ops;
    double mass[DOF * DOF], acceleration[DOF];
    ops->mass(work, t, q, mass);
    ops->force(work, t, q, u, acceleration);
    if (carom_cholesky_factor(DOF, mass) != 0) {
        carom_error error;
        carom_fail(&error, CAROM_FAILED, "the mass matrix is not positive definite at t=%g", t);
        stop("Euler", &error);
    }
    carom_cholesky_solve(DOF, mass, acceleration);
    carom_axpy(DOF, step_size, acceleration, u);
    carom_axpy(DOF, step_size, u, q);
}

static double time_euler_once(carom_model_work *work, const carom_run_result *start)
{
    double q[DOF], u[DOF];
    for (int i = 0; i < DOF; i++) {
        q[i] = start->initial[start->layout.q + i];
        u[i] = start->initial[start->layout.v + i];
    }
    double started = processor_seconds();
    for (long step = 0; step < EULER_STEPS; step++)
        euler_step(work, (double)step * step_size, q, u);
    double seconds = processor_seconds() - started;
    if (!carom_all_finite(DOF, q)) {
        carom_error error;
        carom_fail(&error, CAROM_FAILED, "the motion is not finite after %d steps", EULER_STEPS);
        stop("Euler", &error);
    }
    return seconds;
}

static timing time_euler(const carom_experiment *pendulum)
{
    const carom_model *model = pendulum->model;
    carom_model_work *work = model->ops->work_create(model);
    if (!work) {
        carom_error error;
        carom_fail_memory(&error);
        stop("Euler", &error);
    }
    model->ops->bind(work, pendulum->parameter);
    carom_run_result start = run(
        &(carom_run_request){.experiment = pendulum, .h = NAN, .until = NAN, .max_steps = 1, .bare = true});
    timing best = {.steps = EULER_STEPS, .seconds = INFINITY};
    for (int i = 0; i < RUNS_LEAST; i++)
        best.seconds = fmin(best.seconds, time_euler_once(work, &start));
    carom_run_result_free(&start);
    model->ops->work_free(work);
    return best;
}

/* ---- with contacts -------------------------------------------------------------------------------- */

static timing time_scheme(const carom_experiment *pendulum, const scheme_case *which, double until)
{
    const carom_option implicit[] = {{"implicit", .word = "on"}, {0}};
    return time_steps((carom_run_request){.experiment = pendulum,
                                          .scheme = which->scheme,
                                          .h = step_size,
                                          .until = until,
                                          .option = which->implicit ? implicit : NULL});
}

static void print_contacts(const carom_experiment *pendulum)
{
    carom_run_result result = run(&(carom_run_request){
        .experiment = pendulum, .scheme = "sweeping", .h = step_size, .until = long_run});
    printf("pendulum, sweeping: %ld impacts in %g s\n", result.impacts, long_run);
    carom_run_result_free(&result);
}

/* Where moreau-jean takes the pendulum, for comparison with another program. */
static void print_angles(const carom_experiment *pendulum)
{
    for (size_t i = 0; i < sizeof check_times / sizeof *check_times; i++) {
        carom_run_result result = run(&(carom_run_request){.experiment = pendulum,
                                                           .scheme = "moreau-jean",
                                                           .h = step_size,
                                                           .until = check_times[i],
                                                           .bare = true});
        const double *q = &result.final[result.layout.q];
        printf("angles carom t = %g %.12f %.12f\n", check_times[i], q[0], q[1]);
        carom_run_result_free(&result);
    }
}

static void measure_all(const carom_experiment *pendulum)
{
    const timing euler = time_euler(pendulum);
    print_row("free", "euler", euler);
    printf("  1.00 Euler steps\n");
    for (size_t i = 0; i < sizeof scheme_cases / sizeof *scheme_cases; i++) {
        timing measured = time_scheme(pendulum, &scheme_cases[i], long_run);
        print_row("wall", scheme_cases[i].label, measured);
        printf(" %5.2f Euler steps\n", nanoseconds_per_step(measured) / nanoseconds_per_step(euler));
    }
    for (size_t i = 0; i < sizeof scheme_cases / sizeof *scheme_cases; i++) {
        print_row("wall-20s", scheme_cases[i].label, time_scheme(pendulum, &scheme_cases[i], short_run));
        printf("\n");
    }
    print_contacts(pendulum);
    print_angles(pendulum);
}

/* For profiles. False when there is no scheme of that label. */
static bool measure_one(const carom_experiment *pendulum, const char *label)
{
    for (size_t i = 0; i < sizeof scheme_cases / sizeof *scheme_cases; i++)
        if (strcmp(scheme_cases[i].label, label) == 0) {
            print_row("wall-20s", label, time_scheme(pendulum, &scheme_cases[i], short_run));
            printf("\n");
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    carom_experiment *pendulum =
        load(&(carom_load_request){.name = "pendulum", .file = "pendulum.lua", .text = pendulum_model});
    bool found = argc == 1;
    if (argc == 1)
        measure_all(pendulum);
    if (argc == 2)
        found = measure_one(pendulum, argv[1]);
    carom_experiment_free(pendulum);
    if (found)
        return EXIT_SUCCESS;
    fprintf(stderr, "usage: pendulum [sweeping|sweeping-implicit|paoli-schatzman|moreau-jean]\n");
    return 2;
}
