/* What `carom fit` prints: text and JSON; and its table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/fit_output.h"

enum {
    NUMBER_WIDTH = 13
};

/* ---- text ------------------------------------------------------------------------------------------------- */

static int name_width(const carom_fit *fit)
{
    int width = 9;
    for (int i = 0; i < fit->count; i++)
        width = (int)strlen(fit->parameter[i].name) > width ? (int)strlen(fit->parameter[i].name) : width;
    return width;
}

/* Digits up to the second one of the error. */
static int decimals_for(double value, double error)
{
    const double size = isfinite(error) && error > 0.0 ? error : fabs(value) * 1e-6;
    if (!(size > 0.0))
        return 6;
    const int place = 1 - (int)floor(log10(size));
    return place < 0 ? 0 : place > 15 ? 15 : place;
}

static void put_number(char text[40], double value, int decimals)
{
    const double size = fabs(value);
    if (!isfinite(value))
        snprintf(text, 40, "-");
    else if (size >= 1e7 || (size > 0.0 && size < 1e-5))
        snprintf(text, 40, "%.6g", value);
    else
        snprintf(text, 40, "%.*f", decimals, value);
}

static void print_estimate(const carom_fit_estimate *of, int width)
{
    const int decimals = decimals_for(of->value, of->error);
    char value[40], error[40], low[40], high[40], interval[90];
    put_number(value, of->value, decimals);
    put_number(error, of->error, decimals);
    put_number(low, of->low, decimals);
    put_number(high, of->high, decimals);
    snprintf(interval, sizeof interval, "%s to %s", low, high);
    printf("  %-*s %*s %*s   %-26s %.6g%s\n", width, of->name, NUMBER_WIDTH, value, NUMBER_WIDTH, error,
           isfinite(of->error) ? interval : "-", of->start,
           of->bound != CAROM_FIT_FREE ? "   at its bound"
           : !of->determined           ? "   not determined"
                                       : "");
}

static void print_correlations(const carom_fit *fit, int width)
{
    if (fit->count < 2)
        return;
    const int across = name_width(fit) > NUMBER_WIDTH ? name_width(fit) : NUMBER_WIDTH;
    printf("\n  %-*s", width, "correlation");
    for (int k = 0; k < fit->count; k++)
        printf(" %*s", across, fit->parameter[k].name);
    printf("\n");
    for (int i = 0; i < fit->count; i++) {
        printf("  %-*s", width, fit->parameter[i].name);
        for (int k = 0; k <= i; k++) {
            const double c = fit->correlation[i * fit->count + k];
            if (isfinite(c))
                printf(" %*.3f", across, c);
            else
                printf(" %*s", across, "-");
        }
        printf("\n");
    }
}

static void print_columns(const fit_output *output)
{
    const carom_fit *fit = output->fit;
    for (int i = 0; i < fit->column_count; i++) {
        const carom_fit_column *column = &fit->column[i];
        if (output->request->events)
            printf("  impacts of %s: %d times, rms of the residuals %.4g\n", output->column[i], column->count,
                   column->rms);
        else
            printf("  %s = %s: %d data, rms of the residuals %.4g\n", output->column[i],
                   output->request->output[i], column->count, column->rms);
    }
}

void print_fit_text(const fit_output *output)
{
    const carom_fit *fit = output->fit;
    const int width = name_width(fit) < 11 && fit->count > 1 ? 11 : name_width(fit);
    printf("%s fitted to ", output->experiment->name);
    for (int i = 0; i < fit->data_count; i++)
        printf("%s%s", i ? ", " : "", output->request->data[i].name);
    printf(": %s\n\n  %-*s %*s %*s   %-26s %s\n", fit->word, width, "parameter", NUMBER_WIDTH, "value",
           NUMBER_WIDTH, "error", "95 % interval", "start");
    for (int i = 0; i < fit->count; i++)
        print_estimate(&fit->parameter[i], width);
    print_correlations(fit, width);
    printf("\n");
    print_columns(output);
    if (isfinite(fit->loss_scale))
        printf("  loss %s, bends at %.4g\n", carom_fit_loss_word((int)output->request->loss),
               fit->loss_scale);
    printf("  %ld run%s of %s", fit->runs, plural(fit->runs), fit->scheme->name);
    if (fit->failed_runs > 0)
        printf(" (%ld failed)", fit->failed_runs);
    printf(", %d step%s, %s derivatives", fit->iterations, plural(fit->iterations),
           fit->exact ? "exact" : "differences as");
    if (fit->starts > 1)
        printf("; %d of %d starts ended here", fit->same_end, fit->starts);
    printf("\n");
    for (int i = 0; i < fit->direction_count; i++)
        printf("\nnote: %s\n", fit->direction[i].text);
    for (int i = 0; i < fit->warnings; i++)
        printf("\nnote: %s\n", fit->warning[i]);
}

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static void write_parameters(carom_json *json, const carom_fit *fit)
{
    static const char *const bound[] = {[CAROM_FIT_AT_LOW] = "low", [CAROM_FIT_AT_HIGH] = "high"};
    carom_json_object_begin(json, "params");
    for (int i = 0; i < fit->count; i++) {
        const carom_fit_estimate *of = &fit->parameter[i];
        carom_json_object_begin(json, of->name);
        carom_json_number(json, "value", of->value);
        carom_json_number(json, "error", of->error);
        carom_json_number(json, "low", of->low);
        carom_json_number(json, "high", of->high);
        carom_json_number(json, "start", of->start);
        carom_json_bool(json, "determined", of->determined);
        if (of->bound != CAROM_FIT_FREE)
            carom_json_text(json, "bound", bound[of->bound]);
        carom_json_object_end(json);
    }
    carom_json_object_end(json);
    carom_json_array_begin(json, "correlation");
    for (int i = 0; i < fit->count; i++) {
        carom_json_array_begin(json, NULL);
        for (int k = 0; k < fit->count; k++)
            carom_json_number(json, NULL, fit->correlation[i * fit->count + k]);
        carom_json_array_end(json);
    }
    carom_json_array_end(json);
}

static void write_columns(carom_json *json, const fit_output *output)
{
    const carom_fit *fit = output->fit;
    carom_json_array_begin(json, "columns");
    for (int i = 0; i < fit->column_count; i++) {
        const carom_fit_column *column = &fit->column[i];
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "column", output->column[i]);
        if (!output->request->events)
            carom_json_text(json, "expression", output->request->output[i]);
        carom_json_number(json, "data", column->count);
        carom_json_number(json, "rms", column->rms);
        carom_json_number(json, "sigma", column->sigma);
        carom_json_number(json, "neighbour_correlation", column->correlation);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_directions(carom_json *json, const carom_fit *fit)
{
    carom_json_array_begin(json, "undetermined");
    for (int i = 0; i < fit->direction_count; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "text", fit->direction[i].text);
        carom_json_number(json, "strength", fit->direction[i].strength);
        carom_json_object_begin(json, "direction");
        for (int k = 0; k < fit->count; k++)
            carom_json_number(json, fit->parameter[k].name, fit->direction[i].part[k]);
        carom_json_object_end(json);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
    carom_json_array_begin(json, "warnings");
    for (int i = 0; i < fit->warnings; i++)
        carom_json_text(json, NULL, fit->warning[i]);
    carom_json_array_end(json);
}

typedef enum residual_part {
    PART_TIME,
    PART_DATA,
    PART_FIT,
    PART_RESIDUAL,
    PARTS
} residual_part;

static void write_series(carom_json *json, const fit_output *output, int data, int column, residual_part part)
{
    static const char *const key[PARTS] = {"t", "data", "fit", "residual"};
    const int columns = output->fit->column_count;
    const carom_fit_data *of = &output->request->data[data];
    carom_json_array_begin(json, key[part]);
    for (int i = 0; i < of->count; i++) {
        const double value = of->value[i * columns + column],
                     fitted = output->fit->fitted[data][i * columns + column];
        if (isnan(value))
            continue;
        carom_json_number(json, NULL,
                          part == PART_TIME   ? fit_row_time(output, data, i)
                          : part == PART_DATA ? value
                          : part == PART_FIT  ? fitted
                                              : value - fitted);
    }
    carom_json_array_end(json);
}

static void write_residuals(carom_json *json, const fit_output *output)
{
    carom_json_array_begin(json, "residuals");
    for (int data = 0; data < output->fit->data_count; data++)
        for (int column = 0; column < output->fit->column_count; column++) {
            carom_json_object_begin(json, NULL);
            carom_json_text(json, "file", output->request->data[data].name);
            carom_json_text(json, "column", output->column[column]);
            for (int part = 0; part < PARTS; part++)
                write_series(json, output, data, column, (residual_part)part);
            carom_json_object_end(json);
        }
    carom_json_array_end(json);
}

void print_fit_json(const fit_output *output)
{
    const carom_fit *fit = output->fit;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", fit->word);
    carom_json_text(&json, "experiment", output->experiment->name);
    carom_json_text(&json, "scheme", fit->scheme->name);
    write_parameters(&json, fit);
    carom_json_number(&json, "rms", fit->rms);
    carom_json_number(&json, "misfit", fit->misfit);
    carom_json_number(&json, "variance", fit->variance);
    carom_json_number(&json, "data", (double)fit->residuals);
    carom_json_number(&json, "freedom", (double)(fit->residuals - fit->count));
    carom_json_text(&json, "loss", carom_fit_loss_word((int)output->request->loss));
    carom_json_number(&json, "loss_scale", fit->loss_scale);
    carom_json_text(&json, "jacobian", fit->exact ? "exact" : "differences");
    carom_json_number(&json, "runs", (double)fit->runs);
    carom_json_number(&json, "failed_runs", (double)fit->failed_runs);
    carom_json_number(&json, "iterations", fit->iterations);
    carom_json_number(&json, "starts", fit->starts);
    carom_json_number(&json, "starts_here", fit->same_end);
    carom_json_number(&json, "wall_s", fit->wall_seconds);
    write_columns(&json, output);
    write_directions(&json, fit);
    write_residuals(&json, output);
    carom_json_object_end(&json);
    print_whole(&text);
}

/* ---- table ------------------------------------------------------------------------------------------------ */

carom_status write_fit_table(const fit_output *output, const char *path, carom_error *error)
{
    carom_output *file = NULL;
    carom_status status = carom_output_open(path, false, &file, error);
    if (status != CAROM_OK)
        return status;
    status =
        carom_fit_write_csv(carom_output_stream(file), output->request, output->fit, output->column, error);
    if (status == CAROM_OK)
        return carom_output_commit(file, error);
    carom_output_discard(file);
    return status;
}
