/* carom check: reads a model, tests its derivatives, its mass matrix and its start, and reports. */
#include <stdio.h>

#include "app/command.h"

enum {
    OPTION_SET,
    OPTION_VARIANT,
    OPTION_COUNT
};

static void print_derivatives(const carom_model_check *found)
{
    const carom_derivative_report *worst = &found->derivatives;
    const struct {
        const char *what;
        double value;
    } rows[] = {
        {"momentum dT/du", worst->momentum}, {"mass d2T/du2", worst->mass},
        {"inertia terms", worst->inertia},   {"potential dV/dq", worst->potential},
        {"force by q and u", worst->force},  {"gaps by q and t", worst->gap},
        {"slips by u", worst->slip},
    };
    printf("derivatives against finite differences at %d points (worst relative difference)\n",
           CAROM_CHECK_POINTS);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("  %-20s %.2e\n", rows[i].what, rows[i].value);
    printf("worst relative difference %.2e: %s\n", found->worst,
           found->good
               ? "the derivatives are right"
               : "too large; a kink (abs, min, max, select, a point of a table) or a singularity lies near "
                 "the start");
}

static void print_frequencies(const carom_model_check *found)
{
    printf("structure: band width %d, %d constrained displacements\n", found->band_width, found->constrained);
    printf("mode  omega [rad/s]     frequency [Hz]\n");
    for (int i = 0; i < found->modes; i++)
        printf("%4d  %-16.10g  %.10g\n", found->mode[i], found->frequency[i],
               found->frequency[i] / (2.0 * CAROM_PI));
}

static void print_bodies(const carom_model_check *found)
{
    printf("bodies: %d free with the mass %.10g, %d fixed, %d driven\n", found->free_bodies, found->mass,
           found->fixed_bodies, found->driven_bodies);
    if (found->coordinates_beside > 0)
        printf("coordinates beside them: %d; with the bodies that forces link to them %d velocities, solved "
               "together\n",
               found->coordinates_beside, found->linked);
}

static void print_found(const carom_model_check *found)
{
    if (found->scheme)
        printf("start: mass matrix positive definite, gaps not negative, forces finite, scheme %s takes it\n",
               found->scheme->name);
    switch (found->kind) {
    case CAROM_CHECK_DERIVATIVES:
        print_derivatives(found);
        break;
    case CAROM_CHECK_STRUCTURE:
        print_frequencies(found);
        break;
    case CAROM_CHECK_BODIES:
        print_bodies(found);
        break;
    case CAROM_CHECK_WAITS:
        printf(
            "start: it comes from a study, which carom run computes; the file was read, and nothing else was "
            "checked\n");
        break;
    case CAROM_CHECK_STUDY:
        break;
    }
    for (int i = 0; i < found->notes; i++)
        printf("note: %s\n", found->note[i]);
}

static int check_experiment(const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    const int parameters = model->parameters - experiment->study_number_count;
    if (experiment->study) {
        printf("%s: a study with %d measure%s; its file was read, and there is no run to check\n",
               experiment->name, experiment->measure_count, plural(experiment->measure_count));
        return EXIT_DONE;
    }
    printf("%s: %d coordinate%s, %d contact%s, %d parameter%s, %d operations\n", experiment->name, model->dof,
           plural(model->dof), model->contacts, plural(model->contacts), parameters, plural(parameters),
           carom_graph_size(experiment->graph));
    carom_error error = {0};
    carom_model_check found;
    if (carom_check_model(experiment, &found, &error) != CAROM_OK)
        return report_error(&error);
    print_found(&found);
    return found.good ? EXIT_DONE : EXIT_COMPUTATION_FAILED;
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
            "Notes name contacts with friction whose gap or slip may not be a true length or velocity.\n"
            "Exit status 0: all agree; 1: they do not; 2: the model is "
            "wrong.\n"
            "\n"
            "example\n"
            "  carom check ball.lua --set e=0.9\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_check,
};
