/* The tables and the JSON object of `carom converge`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/converge_output.h"
#include "carom/io.h"

const char *const reference_word[] = {
    [CAROM_REFERENCE_FINE] = "fine",
    [CAROM_REFERENCE_EVENT_DRIVEN] = "event-driven",
    [CAROM_REFERENCE_EXACT] = "exact",
    NULL,
};

void describe_reference(const carom_convergence *study, char *text, size_t size)
{
    if (study->reference == CAROM_REFERENCE_EXACT)
        snprintf(text, size, "the exact motion");
    else if (study->reference == CAROM_REFERENCE_EVENT_DRIVEN)
        snprintf(text, size, "%s at the same times", study->reference_scheme->name);
    else
        snprintf(text, size, "%s with h = %.6g", study->reference_scheme->name, study->reference_h);
}

/* ---- text ------------------------------------------------------------------------------------------ */

/* Width of an error with its mark and its order. */
enum {
    ERROR_WIDTH = 11,
    ORDER_WIDTH = 7,
    TITLE_SIZE = 80
};

static bool is_shown(const carom_convergence_scheme *scheme, int curve, int h_count)
{
    if (curve == CAROM_CURVE_Q)
        return true;
    for (int i = 0; i < h_count; i++)
        if (!isnan(scheme->curve[curve].error[i]))
            return true;
    return false;
}

static void print_number(const char *format, int width, double value)
{
    char text[40] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    printf(" %*s", width, text);
}

/* The header of an error column; names of records may need a wider one. */
static void curve_title(const converge_output *output, int curve, char *title, size_t size)
{
    static const char *const word[] = {[CAROM_CURVE_Q] = "q", [CAROM_CURVE_V] = "v"};
    const char *name =
        curve < CAROM_CURVE_QUANTITY ? word[curve] : output->quantity[curve - CAROM_CURVE_QUANTITY];
    snprintf(title, size, "error %s ", name);
}

static int error_width(const converge_output *output, int curve)
{
    char title[TITLE_SIZE];
    curve_title(output, curve, title, sizeof title);
    return (int)strlen(title) > ERROR_WIDTH ? (int)strlen(title) : ERROR_WIDTH;
}

static void print_curve_title(const converge_output *output, int curve)
{
    char title[TITLE_SIZE];
    curve_title(output, curve, title, sizeof title);
    printf(" %*s %*s", error_width(output, curve), title, ORDER_WIDTH, "order");
}

static void print_row(const converge_output *output, const carom_convergence_scheme *scheme, int index)
{
    const carom_convergence *study = output->study;
    const carom_converged_run *run = &scheme->run[index];
    printf("  %11.6g %9ld", study->h[index], run->steps);
    for (int i = 0; i < study->curve_count; i++) {
        const carom_error_curve *curve = &scheme->curve[i];
        if (!is_shown(scheme, i, study->h_count))
            continue;
        print_number(curve->at_rounding[index] ? "%.3e~" : "%.3e ", error_width(output, i),
                     curve->error[index]);
        if (index > 0)
            print_number("%.2f", ORDER_WIDTH, curve->local[index]);
        else
            printf(" %*s", ORDER_WIDTH, "");
    }
    printf(" %9.3g", run->wall_seconds);
    printf("%s%s\n", run->status == CAROM_OK ? "" : "  ", run->status == CAROM_OK ? "" : run->word);
}

static void print_scheme(const converge_output *output, const carom_convergence_scheme *scheme)
{
    const carom_convergence *study = output->study;
    printf("\n%s\n  %11s %9s", scheme->scheme->name, "h", "steps");
    for (int i = 0; i < study->curve_count; i++)
        if (is_shown(scheme, i, study->h_count))
            print_curve_title(output, i);
    printf(" %9s\n", "seconds");
    for (int i = 0; i < study->h_count; i++)
        print_row(output, scheme, i);
    printf("  %-21s", "fitted order");
    for (int i = 0; i < study->curve_count; i++)
        if (is_shown(scheme, i, study->h_count)) {
            printf(" %*s", error_width(output, i), "");
            print_number("%.2f", ORDER_WIDTH, scheme->curve[i].order);
        }
    printf("\n");
}

static bool any_at_rounding(const carom_convergence *study)
{
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->curve_count; k++)
            for (int m = 0; m < study->h_count; m++)
                if (study->scheme[i].curve[k].at_rounding[m])
                    return true;
    return false;
}

static void print_notes(const carom_convergence *study)
{
    if (study->interpolated)
        printf("  %-11soutputs that lie between two of the reference are compared by linear interpolation\n",
               "note");
    if (any_at_rounding(study))
        printf("  %-11s~ marks errors at rounding level, left out of the orders\n", "note");
}

void print_convergence_text(const converge_output *output)
{
    const carom_experiment *experiment = output->experiment;
    const carom_convergence *study = output->study;
    char reference[160];
    describe_reference(study, reference, sizeof reference);
    printf("%s%s%s\n", experiment->name, experiment->title ? ": " : "",
           experiment->title ? experiment->title : "");
    printf("  %-11s%s, t = %.6g .. %.6g\n", "reference", reference, study->t0, study->until);
    printf("  %-11slargest |q - reference| of all outputs and coordinates\n", "error q");
    if (is_shown(&study->scheme[0], CAROM_CURVE_V, study->h_count))
        printf("  %-11smean over the outputs of the sum of |v - reference| over the coordinates\n",
               "error v");
    print_notes(study);
    for (int i = 0; i < study->scheme_count; i++)
        print_scheme(output, &study->scheme[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void write_numbers(carom_json *json, const char *key, int count, const double *value)
{
    carom_json_array_begin(json, key);
    for (int i = 0; i < count; i++)
        carom_json_number(json, NULL, value[i]);
    carom_json_array_end(json);
}

static void write_quantities(carom_json *json, const converge_output *output,
                             const carom_convergence_scheme *scheme)
{
    const carom_convergence *study = output->study;
    const int count = study->curve_count - CAROM_CURVE_QUANTITY;
    const carom_error_curve *curve = scheme->curve + CAROM_CURVE_QUANTITY;
    carom_json_object_begin(json, "quantities");
    for (int i = 0; i < count; i++)
        write_numbers(json, output->quantity[i], study->h_count, curve[i].error);
    carom_json_object_end(json);
    carom_json_number(json, "order_q", scheme->curve[CAROM_CURVE_Q].order);
    carom_json_number(json, "order_v", scheme->curve[CAROM_CURVE_V].order);
    carom_json_object_begin(json, "orders");
    for (int i = 0; i < count; i++)
        carom_json_number(json, output->quantity[i], curve[i].order);
    carom_json_object_end(json);
}

static void write_runs(carom_json *json, const carom_convergence *study,
                       const carom_convergence_scheme *scheme)
{
    carom_json_array_begin(json, "steps");
    for (int i = 0; i < study->h_count; i++)
        carom_json_number(json, NULL, (double)scheme->run[i].steps);
    carom_json_array_end(json);
    carom_json_array_begin(json, "wall_s");
    for (int i = 0; i < study->h_count; i++)
        carom_json_number(json, NULL, scheme->run[i].wall_seconds);
    carom_json_array_end(json);
    carom_json_array_begin(json, "status");
    for (int i = 0; i < study->h_count; i++)
        carom_json_text(json, NULL, scheme->run[i].word);
    carom_json_array_end(json);
}

static void write_scheme(carom_json *json, const converge_output *output,
                         const carom_convergence_scheme *scheme)
{
    const carom_convergence *study = output->study;
    const carom_error_curve *q = &scheme->curve[CAROM_CURVE_Q], *v = &scheme->curve[CAROM_CURVE_V];
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "scheme", scheme->scheme->name);
    write_numbers(json, "h", study->h_count, study->h);
    write_numbers(json, "error_q", study->h_count, q->error);
    write_numbers(json, "error_v", study->h_count, v->error);
    write_numbers(json, "local_q", study->h_count, q->local);
    write_numbers(json, "local_v", study->h_count, v->local);
    write_quantities(json, output, scheme);
    write_runs(json, study, scheme);
    carom_json_object_end(json);
}

static void write_reference(carom_json *json, const carom_convergence *study)
{
    carom_json_object_begin(json, "reference");
    carom_json_text(json, "kind", reference_word[study->reference]);
    carom_json_text(json, "scheme", study->reference_scheme ? study->reference_scheme->name : "");
    carom_json_number(json, "h", study->reference_h);
    carom_json_bool(json, "interpolated", study->interpolated);
    carom_json_object_end(json);
}

void print_convergence_json(const converge_output *output)
{
    const carom_convergence *study = output->study;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "model", output->experiment->name);
    carom_json_number(&json, "t0", study->t0);
    carom_json_number(&json, "until", study->until);
    write_reference(&json, study);
    carom_json_array_begin(&json, "schemes");
    for (int i = 0; i < study->scheme_count; i++)
        write_scheme(&json, output, &study->scheme[i]);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}
