/* The page of a fit: estimates with their intervals, correlations, data beside the fitted motion, residuals. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command_pages.h"

static void write_facts(carom_page *self, const fit_output *output)
{
    const carom_fit *fit = output->fit;
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Fit");
    carom_page_fact_text(self, "status", fit->word, NULL);
    carom_page_fact_number(self, "data", (double)fit->residuals, NULL);
    carom_page_fact_number(self, "rms of data minus fit", fit->rms,
                           fit->column_count > 1 ? "of the weighted residuals" : NULL);
    carom_page_fact_number(self, "misfit", fit->misfit, NULL);
    carom_page_fact_text(self, "scheme", fit->scheme->name, NULL);
    carom_page_fact_text(self, "derivatives", fit->exact ? "exact" : "differences", NULL);
    carom_page_fact_number(self, "iterations", fit->iterations, NULL);
    carom_page_fact_number(self, "motions computed", (double)fit->runs, NULL);
    if (fit->starts > 1) {
        carom_page_fact_number(self, "starts", fit->starts, NULL);
        carom_page_fact_number(self, "of them to this minimum", fit->same_end, NULL);
    }
    carom_page_facts_end(self);
    if (fit->warnings > 0 || fit->direction_count > 0) {
        carom_page_facts(self, "Doubts");
        for (int i = 0; i < fit->direction_count; i++)
            carom_page_fact_text(self, "not determined", fit->direction[i].text, NULL);
        for (int i = 0; i < fit->warnings; i++)
            carom_page_fact_text(self, "warning", fit->warning[i], NULL);
        carom_page_facts_end(self);
    }
    carom_page_list_end(self);
}

/* ---- tables ----------------------------------------------------------------------------------------------- */

static void write_estimates(carom_page *self, const carom_fit *fit)
{
    static const char *const column[] = {"parameter", "estimate", "standard error", "95 % from",
                                         "to",        "start",    "bound"};
    static const char *const bound[] = {
        [CAROM_FIT_FREE] = "", [CAROM_FIT_AT_LOW] = "at its lower", [CAROM_FIT_AT_HIGH] = "at its upper"};
    carom_page_table(self, "Estimates", (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < fit->count; i++) {
        const carom_fit_estimate *found = &fit->parameter[i];
        carom_page_row(self);
        carom_page_cell_text(self, found->name);
        carom_page_cell_number(self, found->value);
        carom_page_cell_number(self, found->error);
        carom_page_cell_number(self, found->low);
        carom_page_cell_number(self, found->high);
        carom_page_cell_number(self, found->start);
        carom_page_cell_text(self, found->determined ? bound[found->bound] : "not determined");
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
}

static carom_status write_correlations(carom_page *self, const carom_fit *fit, carom_error *error)
{
    const char **name = carom_new_array((size_t)fit->count + 1, sizeof *name);
    if (!name)
        return carom_fail_memory(error);
    name[0] = "";
    for (int i = 0; i < fit->count; i++)
        name[i + 1] = fit->parameter[i].name;
    carom_page_table(self, "Correlations", fit->count + 1, name, false);
    for (int i = 0; i < fit->count; i++) {
        carom_page_row(self);
        carom_page_cell_text(self, fit->parameter[i].name);
        for (int k = 0; k < fit->count; k++)
            carom_page_cell_number(self, fit->correlation[i * fit->count + k]);
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
    free(name);
    return CAROM_OK;
}

static void write_columns(carom_page *self, const fit_output *output)
{
    static const char *const column[] = {"column", "data", "rms", "standard deviation",
                                         "correlation of neighbours"};
    const carom_fit *fit = output->fit;
    carom_page_table(self, "Columns", (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < fit->column_count; i++) {
        carom_page_row(self);
        carom_page_cell_text(self, output->column[i]);
        carom_page_cell_number(self, fit->column[i].count);
        carom_page_cell_number(self, fit->column[i].rms);
        carom_page_cell_number(self, fit->column[i].sigma);
        carom_page_cell_number(self, fit->column[i].correlation);
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
}

static carom_status write_tables(carom_page *self, const fit_output *output, carom_error *error)
{
    carom_page_list_begin(self, "tables");
    write_estimates(self, output->fit);
    const carom_status status =
        output->fit->count > 1 ? write_correlations(self, output->fit, error) : CAROM_OK;
    write_columns(self, output);
    carom_page_list_end(self);
    return status;
}

/* ---- figures ---------------------------------------------------------------------------------------------- */

/* A column of one file: x the times, y what is drawn; room for all rows. */
static void write_points(carom_page *self, const fit_output *output, int data, int column, bool residual,
                         double *x)
{
    const carom_fit *fit = output->fit;
    const carom_fit_data *of = &output->request->data[data];
    double *y = x + of->count;
    size_t count = 0;
    for (int i = 0; i < of->count; i++) {
        const int at = i * fit->column_count + column;
        if (isnan(of->value[at]))
            continue;
        x[count] = fit_row_time(output, data, i);
        y[count++] = of->value[at] - (residual ? fit->fitted[data][at] : 0.0);
    }
    carom_page_curve(
        self, &(carom_page_curve_data){
                  .label = of->name, .style = "points", .colour = data % 8, .count = count, .x = x, .y = y});
}

/* The motion between its data; of data by events, which have none between, at them. */
static carom_status write_motion(carom_page *self, const fit_output *output, int data, int column,
                                 carom_error *error)
{
    const carom_fit *fit = output->fit;
    const carom_fit_data *of = &output->request->data[data];
    const carom_fit_curve *curve = &fit->curve[data];
    const size_t most = (size_t)(curve->count > of->count ? curve->count : of->count);
    double *y = carom_new_array(2 * most + 1, sizeof *y), *x = y + most;
    size_t count = 0;
    char label[240];
    if (!y)
        return carom_fail_memory(error);
    for (int i = 0; i < curve->count; i++) {
        x[count] = curve->t[i];
        y[count++] = curve->value[i * fit->column_count + column];
    }
    for (int i = 0; curve->count == 0 && i < of->count; i++)
        if (!isnan(of->value[i * fit->column_count + column])) {
            x[count] = fit_row_time(output, data, i);
            y[count++] = fit->fitted[data][i * fit->column_count + column];
        }
    carom_format(label, sizeof label, "%s, fit", of->name);
    carom_page_curve(
        self, &(carom_page_curve_data){
                  .label = label, .style = "line", .colour = data % 8, .count = count, .x = x, .y = y});
    free(y);
    return CAROM_OK;
}

static carom_status write_panel(carom_page *self, const fit_output *output, int column, bool residual,
                                double *room, carom_error *error)
{
    carom_status status = CAROM_OK;
    char label[240];
    carom_format(label, sizeof label, residual ? "%s, data minus fit" : "%s", output->column[column]);
    carom_page_panel(
        self, &(carom_page_panel_look){.x = {output->request->events ? "impact" : "time", false, NAN, NAN},
                                       .y = {label, false, NAN, NAN}});
    carom_page_curves(self);
    for (int i = 0; status == CAROM_OK && i < output->fit->data_count; i++) {
        write_points(self, output, i, column, residual, room);
        if (!residual)
            status = write_motion(self, output, i, column, error);
    }
    carom_page_marks(self);
    carom_page_panel_end(self);
    return status;
}

static carom_status write_figures(carom_page *self, const fit_output *output, carom_error *error)
{
    int most = 0;
    for (int i = 0; i < output->fit->data_count; i++)
        most = output->request->data[i].count > most ? output->request->data[i].count : most;
    double *room = carom_new_array(2 * (size_t)most + 1, sizeof *room);
    carom_status status = room ? CAROM_OK : carom_fail_memory(error);
    carom_page_list_begin(self, "figures");
    carom_page_figure(self, "fit", NULL, 2);
    for (int c = 0; status == CAROM_OK && c < output->fit->column_count; c++)
        for (int residual = 0; status == CAROM_OK && residual < 2; residual++)
            status = write_panel(self, output, c, residual, room, error);
    carom_page_figure_end(self);
    carom_page_list_end(self);
    free(room);
    return status;
}

carom_status page_of_fit(const fit_output *output, int argc, char **argv, const char *path,
                         carom_error *error)
{
    carom_page self = {0};
    carom_status status = page_begin(&self, output->experiment, &command_fit, argc, argv, error);
    if (status == CAROM_OK) {
        write_facts(&self, output);
        status = write_tables(&self, output, error);
    }
    if (status == CAROM_OK)
        status = write_figures(&self, output, error);
    return carom_page_end(&self, status, path, error);
}
