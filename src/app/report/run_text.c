/* What `carom run` tells a person. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"

enum {
    SHOWN_VALUES = 10,
    SHOWN_COORDINATES = 12
};

static void print_named(const char *title, int count, char *const *name, const double *value)
{
    printf("  %-11s", title);
    for (int i = 0; i < count && i < SHOWN_COORDINATES; i++)
        printf("%s%s = %.8g", i ? ", " : "", name[i], value[i]);
    if (count > SHOWN_COORDINATES)
        printf(", ... (%d in all; --json or --csv give them)", count);
    printf("\n");
}

static void print_measured(const carom_measured *measured)
{
    if (measured->count == 0) {
        printf("none");
        return;
    }
    for (int i = 0; i < measured->count && i < SHOWN_VALUES; i++)
        if (isnan(measured->value[i]))
            printf("%snone", i ? " " : "");
        else
            printf("%s%.8g", i ? " " : "", measured->value[i]);
    if (measured->count > SHOWN_VALUES)
        printf(" ... (%d values)", measured->count);
}

static bool gives_array(const carom_measure *measure)
{
    return measure->ops && measure->ops->is_array;
}

/* "  +- 3e-05 (order 1.0)" */
static void print_certified(const carom_certified_measure *measure)
{
    if (measure->is_array || measure->count == 0)
        return;
    if (isnan(measure->entry[0].error))
        printf("  +- unknown");
    else
        printf("  +- %.2g", measure->entry[0].error);
    if (isfinite(measure->entry[0].order))
        printf(" (order %.2g)", measure->entry[0].order);
}

static void print_measures(const carom_experiment *experiment, const finished_run *run)
{
    const carom_run_result *result = &run->result;
    const carom_certification *certification = &run->certification;
    const carom_accuracy *accuracy = &run->accuracy;
    int width = 0;
    for (int i = 0; i < result->measure_count; i++)
        if ((int)strlen(experiment->measure[i].name) > width)
            width = (int)strlen(experiment->measure[i].name);
    for (int i = 0; i < result->measure_count; i++) {
        printf("    %-*s  ", width, experiment->measure[i].name);
        print_measured(&result->measure[i]);
        if (i < certification->count)
            print_certified(&certification->measure[i]);
        if (i < accuracy->measure_count)
            print_accuracy_of(&accuracy->measure[i]);
        printf("\n");
    }
}

static void print_status(const carom_run_result *result)
{
    if (result->message[0])
        printf("  %-11s%s: %s\n", "status", result->word, result->message);
}

/* One line per member with the measures that are numbers; --json has the arrays. */
static void print_family(const carom_experiment *experiment, int member_count, const finished_run *member)
{
    int width = (int)strlen("family");
    for (int i = 0; i < member_count; i++)
        if ((int)strlen(member[i].label) > width)
            width = (int)strlen(member[i].label);
    printf("  %-*s", width, "family");
    for (int k = 0; k < experiment->measure_count; k++)
        if (!gives_array(&experiment->measure[k]))
            printf("  %16.16s", experiment->measure[k].name);
    printf("\n");
    for (int i = 0; i < member_count; i++) {
        const carom_run_result *result = &member[i].result;
        printf("  %-*s", width, member[i].label);
        for (int k = 0; k < result->measure_count; k++) {
            if (gives_array(&experiment->measure[k]))
                continue;
            if (result->measure[k].count > 0)
                printf("  %16.8g", result->measure[k].value[0]);
            else
                printf("  %16s", "none");
        }
        printf("%s%s\n", result->message[0] ? "  " : "", result->message[0] ? result->word : "");
    }
}

/* The outputs of --at, one line each. */
static void print_samples(const carom_model *model, const carom_run_result *result)
{
    for (int i = 0; i < result->sample_count; i++) {
        const double *row = result->sample + (size_t)i * (size_t)result->layout.width;
        printf("  at t = %.8g\n", row[0]);
        print_named("  position", carom_model_positions(model), model->coordinate, row + result->layout.q);
        print_named("  velocity", model->dof, model->velocity ? model->velocity : model->coordinate,
                    row + result->layout.v);
    }
}

static void print_motion(const carom_model *model, const carom_run_result *result)
{
    printf("  %-11s%s, h = %.6g, t = %.6g .. %.6g, %ld steps in %.3g s\n", "scheme", result->scheme->name,
           result->h, result->t0, result->t_end, result->steps, result->wall_seconds);
    print_status(result);
    print_named("position", carom_model_positions(model), model->coordinate,
                result->final + result->layout.q);
    print_named("velocity", model->dof, model->velocity ? model->velocity : model->coordinate,
                result->final + result->layout.v);
    printf("  %-11s%.8g at the start, %.8g at the end, largest gain in a step %.3g\n", "energy",
           result->energy_initial, result->energy_final, result->max_step_gain);
    if (model->contacts > 0)
        printf("  %-11s%ld impact%s, deepest penetration %.4g\n", "contacts", result->impacts,
               plural(result->impacts), result->max_penetration);
}

/* "certificate  trusted: works of contacts -1.2, of the scheme 3e-5; ..." or what is doubtful. */
static void print_certificate(const carom_certificate *certificate)
{
    printf("  %-11sworks: forces %.4g, contacts %.4g, joints %.4g, the scheme itself %.3g\n",
           certificate->trusted ? "trusted" : "doubtful", certificate->forces, certificate->contacts,
           certificate->joints, certificate->scheme);
    for (int i = 0; i < certificate->doubts && i < CAROM_DOUBTS_KEPT; i++)
        printf("  %-11s%s\n", "doubt", certificate->doubt[i]);
    if (certificate->fixed_rows_steps > 0)
        printf("  %-11s%ld step%s with the contact rows of the predicted position: those of the end did not "
               "settle\n",
               "rows", certificate->fixed_rows_steps, plural(certificate->fixed_rows_steps));
}

void print_run_text(const carom_experiment *experiment, const finished_run *main, int member_count,
                    const finished_run *member)
{
    const carom_run_result *result = &main->result;
    printf("%s%s%s\n", experiment->name, experiment->title ? ": " : "",
           experiment->title ? experiment->title : "");
    if (experiment->study)
        printf("  %-11scomputed in %.3g s\n", "study", result->wall_seconds);
    else
        print_motion(experiment->model, result);
    if (!experiment->study) {
        print_certificate(&result->certificate);
        print_samples(experiment->model, result);
    }
    if (result->counts.adhesive_impulses > 0)
        printf("  %-11s%ld impulse%s pulled instead of pushed (option guard=on clamps them)\n", "note",
               result->counts.adhesive_impulses, plural(result->counts.adhesive_impulses));
    for (int i = 0; i < result->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        printf("  %-11s%s\n", "warning", result->warnings.text[i]);
    if (result->warnings.count > CAROM_WARNINGS_KEPT)
        printf("  %-11sand %d more\n", "", result->warnings.count - CAROM_WARNINGS_KEPT);
    if (result->measure_count > 0) {
        printf("  measures\n");
        print_measures(experiment, main);
    }
    if (main->accuracy.measure_count > 0)
        print_accuracy(&main->accuracy);
    print_sensitivity(experiment, result);
    if (member_count > 0)
        print_family(experiment, member_count, member);
}
