/* carom show: parameters, schemes and measures of an experiment. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/show_entry.h"
#include "carom/model/bodies.h"
#include "show_contact_file.h"

enum {
    OPTION_JSON,
    OPTION_VARIANT,
    OPTION_COUNT
};

/* The setup of a scheme says what it refuses: restitution and friction of this model, with these parameters, may not
 * fit every one. Nothing moves. */
static bool scheme_fits(const carom_experiment *experiment, const carom_scheme_ops *scheme)
{
    if (carom_experiment_start_waits(experiment)) /* nothing is computed here */
        return !experiment->study && carom_scheme_accepts(scheme, experiment->model, NULL) == CAROM_OK;
    const carom_run_request request = {.experiment = experiment,
                                       .scheme = scheme->name,
                                       .h = NAN,
                                       .until = NAN,
                                       .only_start = true,
                                       .bare = true,
                                       .no_studies = true};
    carom_run_result result = {0};
    carom_error error = {0};
    const carom_status status = carom_run(&request, &result, &error);
    carom_run_result_free(&result);
    if (status == CAROM_NO_MEMORY) /* it is not known whether it fits */
        report_loss();
    return status == CAROM_OK; /* a scheme that fails before its first step does not fit */
}

static void text_or_empty(carom_json *json, const char *key, const char *text)
{
    carom_json_text(json, key, text ? text : "");
}

static void write_params(carom_json *json, const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    carom_json_array_begin(json, "params");
    for (int i = 0; i < model->parameters; i++) {
        const carom_parameter *parameter = &model->parameter[i];
        if (parameter->computed)
            continue;
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "name", parameter->name);
        carom_json_number(json, "default", experiment->parameter[i]);
        text_or_empty(json, "unit", parameter->unit);
        text_or_empty(json, "doc", parameter->doc);
        if (parameter->input)
            carom_json_bool(json, "input", true);
        if (isfinite(parameter->min))
            carom_json_number(json, "min", parameter->min);
        if (isfinite(parameter->max))
            carom_json_number(json, "max", parameter->max);
        carom_json_object_end(json);
    }
    for (int i = 0; i < experiment->setting_count; i++) {
        const carom_setting *setting = &experiment->setting[i];
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "name", setting->name);
        if (setting->is_text)
            carom_json_text(json, "default", setting->text);
        else
            carom_json_number(json, "default", setting->number);
        text_or_empty(json, "unit", setting->unit);
        text_or_empty(json, "doc", setting->doc);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void show_json(const carom_experiment *experiment)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "name", experiment->name);
    text_or_empty(&json, "title", experiment->title);
    text_or_empty(&json, "source", experiment->source);
    text_or_empty(&json, "doc", experiment->doc);
    write_params(&json, experiment);
    carom_json_array_begin(&json, "schemes");
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (scheme_fits(experiment, carom_scheme_at(i)))
            carom_json_text(&json, NULL, carom_scheme_at(i)->name);
    carom_json_array_end(&json);
    text_or_empty(&json, "default_scheme", experiment->scheme);
    carom_json_array_begin(&json, "measures");
    for (int i = 0; i < experiment->measure_count; i++)
        carom_json_text(&json, NULL, experiment->measure[i].name);
    carom_json_array_end(&json);
    carom_json_array_begin(&json, "variants");
    for (int i = 0; i < experiment->variant_count; i++)
        carom_json_text(&json, NULL, experiment->variants[i].name);
    carom_json_array_end(&json);
    carom_json_array_begin(&json, "plots");
    for (int i = 0; i < experiment->plot_count; i++)
        carom_json_text(&json, NULL, experiment->plot[i].name);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}

static void show_params(const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    if (model->parameters - experiment->study_number_count + experiment->setting_count > 0)
        printf("parameters (--set name=value)\n");
    for (int i = 0; i < model->parameters; i++) {
        const carom_parameter *parameter = &model->parameter[i];
        if (parameter->computed)
            continue;
        printf("  %-18s = %-12.8g %s%s%s%s\n", parameter->name, experiment->parameter[i],
               parameter->unit ? parameter->unit : "", parameter->unit && parameter->doc ? "  " : "",
               parameter->doc ? parameter->doc : "",
               parameter->input ? parameter->doc || parameter->unit ? " (input)" : "(input)" : "");
    }
    for (int i = 0; i < experiment->setting_count; i++) {
        const carom_setting *setting = &experiment->setting[i];
        if (setting->is_text)
            printf("  %-18s = %-12s %s\n", setting->name, setting->text, setting->doc ? setting->doc : "");
        else
            printf("  %-18s = %-12.8g %s\n", setting->name, setting->number,
                   setting->doc ? setting->doc : "");
    }
}

static void show_contact(const carom_contact_info *contact)
{
    if (contact->friction_force)
        printf("  %-18s friction force%s\n", contact->name,
               contact->friction.dynamic_cone.shape == &carom_friction_weakening
                   ? " that weakens with the slip"
                   : "");
    else if (contact->friction.dynamic_cone.shape == NULL)
        printf("  %-18s frictionless\n", contact->name);
    else
        printf("  %-18s %s friction%s\n", contact->name,
               carom_friction_name(contact->friction.dynamic_cone.shape),
               contact->friction.two_level ? " (static and dynamic)" : "");
}

static void print_range(const char *what, double least, double most)
{
    if (least < most)
        printf("%s %.6g to %.6g", what, least, most);
    else
        printf("%s %.6g", what, most);
}

/* What the pair of materials says, for the parameters as they are; of a body with all others what its pairs say, from the least
 * to the most. */
static void show_pair(const char *name, const carom_bodies *bodies, const int pair[2])
{
    const carom_pair_law *law = &bodies->law[bodies->body[pair[0]].material * bodies->materials];
    carom_pair_law least = {INFINITY, INFINITY, INFINITY, INFINITY}, most = {0};
    for (int i = 0; i < bodies->count; i++) {
        const carom_pair_law *with = &law[bodies->body[i].material];
        if (pair[1] >= 0 ? i != pair[1] : i == pair[0])
            continue;
        least.friction = fmin(least.friction, with->friction);
        most.friction = fmax(most.friction, with->friction);
        least.rolling = fmin(least.rolling, with->rolling);
        most.rolling = fmax(most.rolling, with->rolling);
        least.torsion = fmin(least.torsion, with->torsion);
        most.torsion = fmax(most.torsion, with->torsion);
    }
    printf("  %-18s ", name);
    if (most.friction > 0.0)
        print_range("isotropic friction", least.friction, most.friction);
    else
        printf("frictionless");
    if (most.rolling > 0.0)
        print_range(", rolling", least.rolling, most.rolling);
    if (most.torsion > 0.0 && bodies->dimension == 3)
        print_range(", torsion", least.torsion, most.torsion);
    printf("\n");
}

/* Of bodies only where they can be: parameters may be out of range. */
static carom_status show_contacts(const carom_experiment *experiment, carom_error *error)
{
    const carom_model *model = experiment->model;
    carom_model_work *work = NULL;
    if (model->contacts == 0)
        return CAROM_OK;
    if (model->has_bodies &&
        carom_model_work_create(model, experiment->parameter, &work, error) == CAROM_NO_MEMORY)
        return CAROM_NO_MEMORY;
    const carom_bodies *bodies = work ? carom_model_bodies(work) : NULL;
    printf("contacts\n");
    for (int i = 0; i < model->contacts; i++)
        if (bodies && i < bodies->watched && bodies->watched_pair[i][0] >= 0)
            show_pair(model->contact[i].name, bodies, bodies->watched_pair[i]);
        else
            show_contact(&model->contact[i]);
    carom_model_work_free(work);
    return CAROM_OK;
}

static void show_coordinates(const carom_model *model)
{
    printf("coordinates:");
    for (int i = 0; i < carom_model_positions(model); i++)
        printf(" %s", model->coordinate[i]);
    printf("\n");
}

static void show_schemes(const carom_experiment *experiment)
{
    printf("schemes (--scheme NAME):");
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        const bool is_default = experiment->scheme && strcmp(experiment->scheme, scheme->name) == 0;
        if (scheme_fits(experiment, scheme))
            printf(" %s%s", scheme->name, is_default ? " (default)" : "");
    }
    printf("\n");
}

static carom_status show_text(const carom_experiment *experiment, carom_error *error)
{
    printf("%s%s%s\n", experiment->name, experiment->title ? ": " : "",
           experiment->title ? experiment->title : "");
    if (experiment->source)
        printf("source: %s\n", experiment->source);
    if (experiment->doc)
        printf("\n%s\n\n", experiment->doc);
    printf("file: ");
    print_foreign(stdout, experiment->file);
    printf("\n");
    if (experiment->study)
        printf("a study: nothing moves, carom run computes it\n");
    else
        show_coordinates(experiment->model);
    show_params(experiment);
    if (show_contacts(experiment, error) != CAROM_OK)
        return CAROM_NO_MEMORY;
    if (!experiment->study)
        show_schemes(experiment);
    printf("measures:");
    for (int i = 0; i < experiment->measure_count; i++)
        printf(" %s", experiment->measure[i].name);
    printf("\nplots (--plot DIR):");
    for (int i = 0; i < experiment->plot_count; i++)
        printf(" %s", experiment->plot[i].name);
    printf("\n");
    for (int i = 0; i < experiment->variant_count; i++)
        printf("%s%s%s%s\n", i == 0 ? "variants (name-VARIANT):\n  " : "  ", experiment->variants[i].name,
               experiment->variants[i].doc ? "  " : "",
               experiment->variants[i].doc ? experiment->variants[i].doc : "");
    return CAROM_OK;
}

static int show_with(const arguments *given)
{
    carom_error error = {0};
    if (given->positional_count == 2 && is_entry_kind(given->positional[0]))
        return show_entry(given->positional[0], given->positional[1], has_option(given, OPTION_JSON),
                          &error) == CAROM_OK
                   ? EXIT_DONE
                   : report_error(&error);
    if (given->positional_count != 1)
        return report_usage(&command_show, "which experiment or model file?");
    const argument_option *variant = &given->option[OPTION_VARIANT];
    carom_experiment *experiment = NULL;
    run_again again;
    const char *name = given->positional[0];
    if (is_run_file(name) && carom_fclib_is_file(name))
        return show_contact_file(name, has_option(given, OPTION_JSON), &error) == CAROM_OK
                   ? EXIT_DONE
                   : report_error(&error);
    carom_status status =
        is_run_file(name)
            ? load_run_again(name, 0, NULL, given->arena, &again, &experiment, &error)
            : load_experiment(name, variant->count ? variant->value[0] : NULL, 0, NULL, &experiment, &error);
    if (status == CAROM_BAD_INPUT && is_run_file(name) && carom_fclib_is_file(name))
        carom_fail_memory(&error); /* an allocation failed when it was looked at first */
    if (status != CAROM_OK)
        return report_error(&error);
    if (given->option[OPTION_JSON].count > 0)
        show_json(experiment);
    else
        status = show_text(experiment, &error);
    carom_experiment_free(experiment);
    return status == CAROM_OK ? EXIT_DONE : report_error(&error);
}

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_VARIANT] = {"--variant", true, false, 0, NULL}};

static int run_show(int argc, char **argv)
{
    arguments given;
    int exit_status = EXIT_BAD_INPUT;
    if (parse_arguments(&command_show, argc, argv, &given))
        exit_status = show_with(&given);
    free_arguments(&given);
    return exit_status;
}

const command command_show = {
    .name = "show",
    .usage = "carom show EXPERIMENT|MODEL.lua|RUN.h5|FCLIB.hdf5 [--variant NAME] [--json]\n"
             "       carom show statement|measure|law|study NAME [--json]",
    .summary = "parameters, schemes, measures and plots of an experiment",
    .help = "examples\n"
            "  carom show moreau-1986/trial-10-plate-15\n"
            "  carom show ball.lua --json\n"
            "  carom show statement contact\n"
            "  carom show measure jumps\n"
            "  carom show study drill_run\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_show,
};
