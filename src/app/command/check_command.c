/* carom check: reads a model, tests its derivatives, its mass matrix and its start, and reports. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "carom/model/bodies.h"

enum {
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_COUNT,
    POINTS = 8
};

/* Exact derivatives agree with finite differences to rounding; this leaves room for badly scaled models. */
static const double TOLERANCE = 1e-6;

static void keep_worst(carom_derivative_report *worst, const carom_derivative_report *report)
{
    worst->momentum = fmax(worst->momentum, report->momentum);
    worst->mass = fmax(worst->mass, report->mass);
    worst->inertia = fmax(worst->inertia, report->inertia);
    worst->potential = fmax(worst->potential, report->potential);
    worst->gap = fmax(worst->gap, report->gap);
    worst->slip = fmax(worst->slip, report->slip);
    worst->force = fmax(worst->force, report->force);
}

/* The start and points around it, each disturbed by up to a tenth of its size (or of one unit at zero). */
static carom_status check_points(const carom_experiment *experiment, const double *start, double *point,
                                 carom_derivative_report *worst, carom_error *error)
{
    const int n = experiment->model->dof;
    carom_random random = {1};
    for (int p = 0; p < POINTS; p++) {
        for (int i = 0; i < 1 + 2 * n; i++) {
            const double size = fmax(fabs(start[i]), 1.0);
            point[i] = start[i] + (p == 0 ? 0.0 : 0.1 * size * carom_random_uniform(&random, -1.0, 1.0));
        }
        carom_derivative_report report;
        carom_status status = carom_traced_check(&experiment->spec, experiment->parameter, point[0],
                                                 point + 1, point + 1 + n, &report, error);
        if (status != CAROM_OK)
            return status;
        if (p == 0 && !isfinite(carom_derivative_report_worst(&report)))
            continue; /* a start on a kink (|x| at 0) has no derivative; the other points tell */
        keep_worst(worst, &report);
    }
    return CAROM_OK;
}

static void print_derivatives(const carom_derivative_report *worst)
{
    const struct {
        const char *what;
        double value;
    } rows[] = {
        {"momentum dT/du", worst->momentum}, {"mass d2T/du2", worst->mass},
        {"inertia terms", worst->inertia},   {"potential dV/dq", worst->potential},
        {"force by q and u", worst->force},  {"gaps by q and t", worst->gap},
        {"slips by u", worst->slip},
    };
    printf("derivatives against finite differences at %d points (worst relative difference)\n", POINTS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("  %-20s %.2e\n", rows[i].what, rows[i].value);
}

/* A structure has no expressions to differentiate; its frequencies tell whether it is the one that was meant.
 */
static carom_status print_frequencies(const carom_experiment *experiment, carom_error *error)
{
    enum {
        MODES = 5
    };
    const carom_model *model = experiment->model;
    carom_model_work *work = model->ops->work_create(model);
    if (!work)
        return carom_fail_memory(error);
    model->ops->bind(work, experiment->parameter);
    const carom_structure *structure = model->ops->structure(work);
    printf("structure: band width %d, %d constrained displacements\n", structure->mass.width,
           structure->rows);
    printf("mode  omega [rad/s]     frequency [Hz]\n");
    carom_status status = CAROM_OK;
    for (int i = 1; status == CAROM_OK && i <= MODES + 1; i++) {
        const int index = i <= MODES ? i : model->dof; /* and the highest one */
        double omega = 0.0;
        if (i <= MODES && (i > model->dof))
            continue;
        status = carom_structure_frequency(structure, index, &omega, error);
        if (status == CAROM_OK)
            printf("%4d  %-16.10g  %.10g\n", index, omega, omega / (2.0 * CAROM_PI));
    }
    model->ops->work_free(work);
    return status;
}

/* Bodies have masses and shapes; their total tells whether units and densities are those that were meant. */
static carom_status print_bodies(const carom_experiment *experiment, carom_error *error)
{
    const carom_model *model = experiment->model;
    carom_model_work *work = model->ops->work_create(model);
    if (!work)
        return carom_fail_memory(error);
    model->ops->bind(work, experiment->parameter);
    const carom_bodies *bodies = carom_model_bodies(work);
    int count[3] = {0};
    double mass = 0.0;
    for (int i = 0; i < bodies->count; i++) {
        count[bodies->body[i].kind]++;
        mass += bodies->body[i].mass;
    }
    printf("bodies: %d free with the mass %.10g, %d fixed, %d driven\n", count[CAROM_BODY_FREE], mass,
           count[CAROM_BODY_FIXED], count[CAROM_BODY_DRIVEN]);
    if (bodies->linked.coordinates > 0)
        printf("coordinates beside them: %d; with the bodies that forces link to them %d velocities, solved "
               "together\n",
               bodies->linked.coordinates, bodies->linked.count);
    model->ops->work_free(work);
    return CAROM_OK;
}

/* The start of a run finds what a model gets wrong there: mass, gaps, NaN, what the scheme refuses. */
static carom_status check_start(const carom_experiment *experiment, carom_run_result *result,
                                carom_error *error)
{
    const carom_run_request request = {
        .experiment = experiment, .h = NAN, .until = NAN, .only_start = true, .no_studies = true};
    return carom_run(&request, result, error);
}

static int check_experiment(const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    const int n = model->dof, parameters = model->parameters - experiment->study_number_count;
    carom_error error = {0};
    carom_run_result result = {0};
    if (experiment->study) {
        printf("%s: a study with %d measure%s; its file was read, and there is no run to check\n",
               experiment->name, experiment->measure_count, plural(experiment->measure_count));
        return EXIT_DONE;
    }
    printf("%s: %d coordinate%s, %d contact%s, %d parameter%s, %d operations\n", experiment->name, n,
           plural(n), model->contacts, plural(model->contacts), parameters, plural(parameters),
           carom_graph_size(experiment->graph));
    if (carom_experiment_start_waits(experiment)) {
        printf(
            "start: it comes from a study, which carom run computes; the file was read, and nothing else was "
            "checked\n");
        return EXIT_DONE;
    }
    carom_status status = check_start(experiment, &result, &error);
    if (status != CAROM_OK) {
        carom_run_result_free(&result);
        return report_error(&error);
    }
    printf("start: mass matrix positive definite, gaps not negative, forces finite, scheme %s takes it\n",
           result.scheme->name);
    if (model->ops->structure || model->has_bodies) {
        carom_run_result_free(&result);
        status =
            model->ops->structure ? print_frequencies(experiment, &error) : print_bodies(experiment, &error);
        return status == CAROM_OK ? EXIT_DONE : report_error(&error);
    }
    double *start = carom_new_array(1 + 2 * (size_t)n, sizeof *start);
    double *point = carom_new_array(1 + 2 * (size_t)n, sizeof *point);
    carom_derivative_report worst = {0};
    if (start && point) {
        memcpy(start, result.initial, (1 + 2 * (size_t)n) * sizeof *start); /* t, q, v stand first in a row */
        status = check_points(experiment, start, point, &worst, &error);
    } else {
        status = carom_fail_memory(&error);
    }
    free(start);
    free(point);
    carom_run_result_free(&result);
    if (status != CAROM_OK)
        return report_error(&error);
    print_derivatives(&worst);
    const double largest = carom_derivative_report_worst(&worst);
    const bool good = largest <= TOLERANCE;
    printf("worst relative difference %.2e: %s\n", largest,
           good ? "the derivatives are right"
                : "too large; a kink (abs, min, max, select, a point of a table) or a singularity lies near "
                  "the start");
    return good ? EXIT_DONE : EXIT_COMPUTATION_FAILED;
}

static int check_with(arguments *given)
{
    if (given->positional_count != 1)
        return report_usage(&command_check, "which model file?");
    const argument_option *set = &given->option[OPTION_SET], *variant = &given->option[OPTION_VARIANT];
    carom_override *override = carom_arena_take(given->arena, (size_t)set->count, sizeof *override);
    for (int i = 0; i < set->count; i++)
        if (!override || !split_assignment(&command_check, given, set->name, set->value[i], &override[i]))
            return EXIT_BAD_INPUT;
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (load_experiment(given->positional[0], variant->count ? variant->value[0] : NULL, set->count, override,
                        &experiment, &error) != CAROM_OK)
        return report_error(&error);
    const int exit_status = check_experiment(experiment);
    carom_experiment_free(experiment);
    return exit_status;
}

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_SET] = {"--set", true, true, 0, NULL}, [OPTION_VARIANT] = {"--variant", true, false, 0, NULL}};

static int run_check(int argc, char **argv)
{
    arguments given;
    int exit_status = EXIT_BAD_INPUT;
    if (parse_arguments(&command_check, argc, argv, &given))
        exit_status = check_with(&given);
    free_arguments(&given);
    return exit_status;
}

const command command_check = {
    .name = "check",
    .usage = "carom check MODEL.lua [--set name=value]... [--variant NAME]",
    .summary = "read a model, test its derivatives and its start",
    .help = "Exact derivatives (forces, inertia terms, mass matrix, contact rows) are compared with finite "
            "differences\n"
            "at the start and at points around it. Of a structure (beam) the natural frequencies are shown "
            "instead.\n"
            "Exit status 0: all agree; 1: they do not; 2: the model is "
            "wrong.\n"
            "\n"
            "example\n"
            "  carom check ball.lua --set e=0.9\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_check,
};
