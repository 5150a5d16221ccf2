/* What was found of an accuracy that was asked for, in the JSON of a run and in its summary. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"

/* A number of a measure that has one, an array, or nothing. */
static carom_measured numbers_of(const carom_accuracy_measure *measure, double *value)
{
    return (carom_measured){.count = measure->count, .is_array = measure->is_array, .value = value};
}

static void write_measure(carom_json *json, const carom_accuracy_measure *measure)
{
    const carom_measured value = numbers_of(measure, measure->value),
                         error = numbers_of(measure, measure->error);
    carom_json_object_begin(json, measure->name);
    carom_json_measured(json, "value", &value);
    carom_json_measured(json, "error", &error);
    carom_json_number(json, "asked", measure->asked);
    carom_json_bool(json, "met", measure->met);
    carom_json_text(json, "why", measure->why[0] ? measure->why : NULL);
    carom_json_object_end(json);
}

void write_accuracy(carom_json *json, const char *key, const carom_accuracy *accuracy)
{
    carom_json_object_begin(json, key);
    carom_json_number(json, "asked", accuracy->asked);
    carom_json_bool(json, "met", accuracy->met);
    carom_json_object_begin(json, "measures");
    for (int i = 0; i < accuracy->measure_count; i++)
        write_measure(json, &accuracy->measure[i]);
    carom_json_object_end(json);
    carom_json_array_begin(json, "tried");
    for (int i = 0; i < accuracy->tried_count; i++) {
        const carom_accuracy_try *tried = &accuracy->tried[i];
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "scheme", tried->scheme->name);
        carom_json_number(json, "h", tried->h);
        carom_json_number(json, "rtol", tried->rtol);
        carom_json_text(json, "status", carom_status_word(tried->status));
        carom_json_number(json, "steps", (double)tried->steps);
        carom_json_number(json, "wall_s", tried->wall_seconds);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
    carom_json_text(json, "why", accuracy->why[0] ? accuracy->why : NULL);
    carom_json_object_end(json);
}

/* Largest bound of the entries; NAN where one is not known. */
static double worst_error(const carom_accuracy_measure *measure)
{
    double worst = 0.0;
    for (int i = 0; i < measure->count; i++)
        if (!(measure->error[i] <= worst))
            worst = fmax(worst, measure->error[i]) + 0.0 * measure->error[i];
    return worst;
}

void print_accuracy_of(const carom_accuracy_measure *measure)
{
    const double worst = worst_error(measure);
    if (measure->count == 0)
        return;
    if (isnan(worst))
        printf("  +- unknown");
    else if (measure->is_count)
        printf("  exact");
    else
        printf("  +- %.2g", worst);
}

void print_accuracy(const carom_accuracy *accuracy)
{
    double seconds = 0.0;
    for (int i = 0; i < accuracy->tried_count; i++)
        seconds += accuracy->tried[i].wall_seconds;
    printf("  %-11s%s, %d run%s in %.3g s\n", "accuracy", accuracy->met ? "met" : "not met",
           accuracy->tried_count, plural(accuracy->tried_count), seconds);
    for (int i = 0; i < accuracy->measure_count; i++)
        if (accuracy->measure[i].why[0])
            printf("  %-11s'%s' %s\n", "", accuracy->measure[i].name, accuracy->measure[i].why);
    for (int i = 0; i < accuracy->tried_count; i++) {
        const carom_accuracy_try *tried = &accuracy->tried[i];
        printf("  %-11s%s, h = %.4g", i == 0 ? "tried" : "", tried->scheme->name, tried->h);
        if (isfinite(tried->rtol))
            printf(", rtol = %.3g", tried->rtol);
        printf(", %ld step%s in %.3g s", tried->steps, plural(tried->steps), tried->wall_seconds);
        printf("%s\n", tried->status == CAROM_OK ? "" : ", failed");
    }
    if (accuracy->of_state) {
        printf("  %-11sthe model has no measures: the state at the end\n", "known");
        for (int i = 0; i < accuracy->measure_count; i++) {
            printf("    %s  %.8g", accuracy->measure[i].name, accuracy->measure[i].value[0]);
            print_accuracy_of(&accuracy->measure[i]);
            printf("\n");
        }
    }
}
