/* The page of an order study: errors against the step, slopes to compare with, a table of all runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command_pages.h"

static const char *curve_name(const converge_output *output, int curve)
{
    static const char *const name[] = {[CAROM_CURVE_Q] = "positions", [CAROM_CURVE_V] = "velocities"};
    return curve < CAROM_CURVE_QUANTITY ? name[curve] : output->quantity[curve - CAROM_CURVE_QUANTITY];
}

static bool is_drawn(double error)
{
    return isfinite(error) && error > 0.0;
}

/* Errors of one scheme; those at rounding level are another curve, of circles. */
static void write_errors(carom_page *self, const carom_convergence *study, int curve, int scheme, double *x)
{
    const carom_error_curve *errors = &study->scheme[scheme].curve[curve];
    const char *name = study->scheme[scheme].scheme->name;
    double *y = x + study->h_count;
    for (int rounding = 0; rounding < 2; rounding++) {
        size_t count = 0;
        for (int k = 0; k < study->h_count; k++)
            if (is_drawn(errors->error[k]) && errors->at_rounding[k] == (bool)rounding) {
                x[count] = study->h[k];
                y[count++] = errors->error[k];
            }
        if (count == 0)
            continue;
        char label[160];
        if (rounding)
            snprintf(label, sizeof label, "%s, at rounding level", name);
        else if (errors->fitted > 1)
            snprintf(label, sizeof label, "%s, order %.2f", name, errors->order);
        else
            snprintf(label, sizeof label, "%s, no order", name);
        carom_page_curve(self, &(carom_page_curve_data){.label = label,
                                                        .style = rounding ? "circle" : "linepoints",
                                                        .colour = scheme % 8,
                                                        .count = count,
                                                        .x = x,
                                                        .y = y});
    }
}

/* Lines of slope 1 and 2 below all errors. */
static void write_guides(carom_page *self, const carom_convergence *study, int curve)
{
    const double low = study->h[study->h_count - 1], high = study->h[0];
    double start = INFINITY;
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->h_count; k++) {
            const carom_error_curve *errors = &study->scheme[i].curve[curve];
            if (is_drawn(errors->error[k]) && !errors->at_rounding[k])
                start = fmin(start, 0.5 * errors->error[k] * pow(low / study->h[k], 2.0));
        }
    for (int slope = 1; isfinite(start) && slope <= 2; slope++) {
        const double x[2] = {low, high}, y[2] = {start, start * pow(high / low, slope)};
        carom_page_curve(self, &(carom_page_curve_data){.label = slope == 1 ? "slope 1" : "slope 2",
                                                        .style = slope == 1 ? "dotted" : "dashed",
                                                        .colour = 7,
                                                        .count = 2,
                                                        .x = x,
                                                        .y = y});
    }
}

static bool has_errors(const carom_convergence *study, int curve)
{
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->h_count; k++)
            if (is_drawn(study->scheme[i].curve[curve].error[k]))
                return true;
    return false;
}

static carom_status write_figures(carom_page *self, const converge_output *output, carom_error *error)
{
    const carom_convergence *study = output->study;
    double *x = carom_new_array(2 * (size_t)study->h_count, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    carom_page_list_begin(self, "figures");
    carom_page_figure(self, "convergence", NULL, 2);
    for (int c = 0; c < study->curve_count; c++) {
        if (!has_errors(study, c))
            continue;
        char label[160];
        snprintf(label, sizeof label, "error of %s", curve_name(output, c));
        carom_page_panel(self, &(carom_page_panel_look){.x = {"time step h", true, NAN, NAN},
                                                        .y = {label, true, NAN, NAN}});
        carom_page_curves(self);
        for (int i = 0; i < study->scheme_count; i++)
            write_errors(self, study, c, i, x);
        write_guides(self, study, c);
        carom_page_marks(self);
        carom_page_panel_end(self);
    }
    carom_page_figure_end(self);
    carom_page_list_end(self);
    free(x);
    return CAROM_OK;
}

static void write_table(carom_page *self, const converge_output *output)
{
    const carom_convergence *study = output->study;
    static const char *const column[] = {"scheme",      "quantity", "h",     "error",
                                         "local order", "status",   "steps", "seconds"};
    carom_page_list_begin(self, "tables");
    carom_page_table(self, "Errors", (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < study->scheme_count; i++)
        for (int c = 0; c < study->curve_count; c++)
            for (int k = 0; k < study->h_count; k++) {
                const carom_convergence_scheme *scheme = &study->scheme[i];
                if (isnan(scheme->curve[c].error[k]) && scheme->run[k].status == CAROM_OK)
                    continue;
                carom_page_row(self);
                carom_page_cell_text(self, scheme->scheme->name);
                carom_page_cell_text(self, curve_name(output, c));
                carom_page_cell_number(self, study->h[k]);
                carom_page_cell_number(self, scheme->curve[c].error[k]);
                carom_page_cell_number(self, scheme->curve[c].local[k]);
                carom_page_cell_text(self, scheme->run[k].word);
                carom_page_cell_number(self, (double)scheme->run[k].steps);
                carom_page_cell_number(self, scheme->run[k].wall_seconds);
                carom_page_row_end(self);
            }
    carom_page_table_end(self);
    carom_page_list_end(self);
}

static void write_facts(carom_page *self, const converge_output *output)
{
    const carom_convergence *study = output->study;
    char reference[160];
    describe_reference(study, reference, sizeof reference);
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Study");
    carom_page_fact_text(self, "compared with", reference, NULL);
    carom_page_fact_number(self, "from t", study->t0, NULL);
    carom_page_fact_number(self, "to t", study->until, NULL);
    for (int i = 0; i < study->scheme_count; i++)
        for (int c = 0; c < study->curve_count; c++) {
            char name[200];
            if (study->scheme[i].curve[c].fitted < 2)
                continue;
            snprintf(name, sizeof name, "order of %s, %s", study->scheme[i].scheme->name,
                     curve_name(output, c));
            carom_page_fact_number(self, name, study->scheme[i].curve[c].order, NULL);
        }
    carom_page_facts_end(self);
    carom_page_list_end(self);
}

carom_status page_of_convergence(const converge_output *output, int argc, char **argv, const char *path,
                                 carom_error *error)
{
    const carom_experiment *experiment = output->experiment;
    carom_page self = {0};
    carom_status status = page_begin(&self, experiment, &command_converge, argc, argv, error);
    if (status == CAROM_OK) {
        write_facts(&self, output);
        write_table(&self, output);
        status = write_figures(&self, output, error);
    }
    return carom_page_end(&self, status, path, error);
}
