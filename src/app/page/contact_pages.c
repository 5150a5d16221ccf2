/* Pages of contact problems from files: solved, and solvers compared. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/command_pages.h"

/* ---- bench ------------------------------------------------------------------------------------------- */

/* The stairs of a profile: two points for every jump. */
static size_t list_stairs(const carom_profile *profile, int solver, double *x, double *y)
{
    const double *share = profile->share + (ptrdiff_t)solver * profile->tau_count;
    size_t count = 0;
    double height = 0.0;
    for (int k = 0; k < profile->tau_count; k++) {
        if (share[k] == height && k > 0)
            continue;
        x[count] = profile->tau[k];
        y[count++] = k > 0 ? height : share[k];
        x[count] = profile->tau[k];
        y[count++] = height = share[k];
    }
    const double last = profile->tau_count > 0 ? profile->tau[profile->tau_count - 1] : 1.0;
    x[count] = fmax(10.0, 1.25 * last);
    y[count++] = height;
    return count;
}

static carom_status write_profile(carom_page *self, const bench_output *output, carom_error *error)
{
    const size_t most = 2 * (size_t)output->profile->tau_count + 1;
    double *x = carom_new_array(2 * most, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    carom_page_list_begin(self, "figures");
    carom_page_figure(self, "profile",
                      "Share of the problems solved within tau times the time of the fastest", 1);
    carom_page_panel(
        self, &(carom_page_panel_look){.x = {"tau: seconds over those of the fastest solver", true, NAN, NAN},
                                       .y = {"share of the problems", false, 0.0, 1.02}});
    carom_page_curves(self);
    for (int s = 0; s < output->solver_count; s++) {
        const size_t count = list_stairs(output->profile, s, x, x + most);
        carom_page_curve(self, &(carom_page_curve_data){.label = output->solver[s].label,
                                                        .style = s < 8 ? "line" : "dashed",
                                                        .colour = s % 8,
                                                        .count = count,
                                                        .x = x,
                                                        .y = x + most});
    }
    carom_page_marks(self);
    carom_page_panel_end(self);
    carom_page_figure_end(self);
    carom_page_list_end(self);
    free(x);
    return CAROM_OK;
}

static void write_bench_table(carom_page *self, const bench_output *output)
{
    static const char *const column[] = {"problem",    "contacts", "solver", "result",
                                         "iterations", "error",    "seconds"};
    carom_page_list_begin(self, "tables");
    carom_page_table(self, "Solves", (int)(sizeof column / sizeof *column), column, false);
    for (int p = 0; p < output->problem_count; p++)
        for (int s = 0; s < output->solver_count; s++) {
            const bench_cell *cell = &output->problem[p].cell[s];
            carom_page_row(self);
            carom_page_cell_text(self, output->problem[p].stem);
            carom_page_cell_number(self, output->problem[p].contacts);
            carom_page_cell_text(self, output->solver[s].label);
            carom_page_cell_text(self, carom_solve_word_text(cell->report.word));
            carom_page_cell_number(self, cell->report.iterations);
            carom_page_cell_number(self, cell->report.error);
            carom_page_cell_number(self, cell->seconds);
            carom_page_row_end(self);
        }
    carom_page_table_end(self);
    carom_page_list_end(self);
}

carom_status page_of_bench(const bench_output *output, int argc, char **argv, const char *path,
                           carom_error *error)
{
    carom_page self = {0};
    carom_status status = page_open_for(&self, "Solvers of frictional contact problems compared",
                                        &command_bench, argc, argv, error);
    if (status == CAROM_OK) {
        carom_json_text(&self.json, "status", "ok");
        carom_page_list_begin(&self, "facts");
        carom_page_facts(&self, "Comparison");
        carom_page_fact_number(&self, "problems", output->problem_count, NULL);
        carom_page_fact_number(&self, "solvers", output->solver_count, NULL);
        carom_page_fact_number(&self, "tolerance", output->limits->tolerance,
                               "of the natural map, relative to |q|");
        carom_page_fact_number(&self, "seconds at most", output->limits->max_seconds, NULL);
        carom_page_facts_end(&self);
        carom_page_list_end(&self);
        write_bench_table(&self, output);
        status = write_profile(&self, output, error);
    }
    return carom_page_end(&self, status, path, error);
}

/* ---- solve ------------------------------------------------------------------------------------------- */

/* The error of one file against the iteration; the tolerance beside it. */
static carom_status write_history(carom_page *self, const solve_picture *picture, carom_error *error)
{
    const solve_history *history = picture->history;
    double *x = carom_new_array(2 * history->count + 2, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    double *y = x + history->count + 1;
    size_t count = 0;
    for (size_t i = 0; i < history->count; i++)
        if (isfinite(history->point[i].error) && history->point[i].error > 0.0) {
            x[count] = history->point[i].iteration;
            y[count++] = history->point[i].error;
        }
    const double last = count > 0 ? x[count - 1] : 1.0;
    carom_page_panel(self, &(carom_page_panel_look){.title = picture->name,
                                                    .x = {"iteration", false, NAN, NAN},
                                                    .y = {"error relative to |q|", true, NAN, NAN}});
    carom_page_curves(self);
    carom_page_curve(self,
                     &(carom_page_curve_data){.label = "tolerance",
                                              .style = "dashed",
                                              .colour = 7,
                                              .count = 2,
                                              .x = (const double[]){0.0, fmax(last, 1.0)},
                                              .y = (const double[]){picture->tolerance, picture->tolerance}});
    if (count > 0)
        carom_page_curve(self, &(carom_page_curve_data){.label = picture->solver->ops->name,
                                                        .style = "linepoints",
                                                        .colour = 0,
                                                        .count = count,
                                                        .x = x,
                                                        .y = y});
    carom_page_marks(self);
    carom_page_panel_end(self);
    free(x);
    return CAROM_OK;
}

/* r_T / (mu r_N) of every contact that carries something. */
static carom_status write_cone(carom_page *self, const solve_picture *picture, carom_error *error)
{
    static const carom_contact_regime regime[] = {CAROM_CONTACT_STICK, CAROM_CONTACT_SLIP};
    static const char *const label[] = {"sticking", "sliding"};
    const carom_coulomb *problem = &picture->file->problem;
    const size_t most = (size_t)problem->contacts;
    double *x = carom_new_array(2 * most, sizeof *x), largest = 0.0;
    if (!x)
        return carom_fail_memory(error);
    double *y = x + most;
    for (int i = 0; i < problem->contacts; i++)
        largest = fmax(largest, picture->r[3 * (ptrdiff_t)i]);
    carom_page_panel(self, &(carom_page_panel_look){.title = "reactions in the cone of friction",
                                                    .x = {"r_T1 / (mu r_N)", false, NAN, NAN},
                                                    .y = {"r_T2 / (mu r_N)", false, NAN, NAN},
                                                    .equal = true});
    carom_page_curves(self);
    carom_page_circle(self, "boundary");
    for (int k = 0; k < 2; k++) {
        size_t count = 0;
        for (int i = 0; i < problem->contacts; i++) {
            const double *r = picture->r + 3 * (ptrdiff_t)i, radius = problem->mu[i] * r[0];
            if (picture->regime[i] != regime[k] || !(r[0] > 1e-6 * largest && radius > 0.0))
                continue;
            x[count] = r[1] / radius;
            y[count++] = r[2] / radius;
        }
        if (count > 0)
            carom_page_curve(
                self, &(carom_page_curve_data){
                          .label = label[k], .style = "points", .colour = k, .count = count, .x = x, .y = y});
    }
    carom_page_marks(self);
    carom_page_panel_end(self);
    free(x);
    return CAROM_OK;
}

carom_status page_add_solved(carom_page *self, const solve_picture *picture, carom_error *error)
{
    carom_status status = CAROM_OK;
    carom_page_figure(self, picture->name, NULL, 2);
    status = write_history(self, picture, error);
    if (status == CAROM_OK)
        status = write_cone(self, picture, error);
    carom_page_figure_end(self);
    return status;
}

carom_status page_begin_solve(carom_page *self, int argc, char **argv, carom_error *error)
{
    const carom_status status =
        page_open_for(self, "Frictional contact problems", &command_solve, argc, argv, error);
    if (status == CAROM_OK)
        carom_page_list_begin(self, "figures");
    return status;
}

static const char *result_word(const solved_file *file)
{
    return file->message ? "not read" : carom_solve_word_text(file->report.word);
}

carom_status page_end_solve(carom_page *self, const solve_output *output, const char *path,
                            carom_error *error)
{
    static const char *const column[] = {"file",  "contacts", "result", "iterations", "error",
                                         "stick", "slip",     "open",   "seconds"};
    bool solved = true;
    carom_page_list_end(self);
    carom_page_list_begin(self, "tables");
    carom_page_table(self, "Files", (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < output->count; i++) {
        const solved_file *file = &output->file[i];
        solved = solved && !file->message && file->report.word == CAROM_SOLVE_OK;
        carom_page_row(self);
        carom_page_cell_text(self, file->shown);
        carom_page_cell_number(self, file->contacts);
        carom_page_cell_text(self, result_word(file));
        carom_page_cell_number(self, file->report.iterations);
        carom_page_cell_number(self, file->report.error);
        carom_page_cell_number(self, file->summary.sticking);
        carom_page_cell_number(self, file->summary.sliding);
        carom_page_cell_number(self, file->summary.open);
        carom_page_cell_number(self, file->wall_seconds);
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
    carom_page_list_end(self);
    carom_json_text(&self->json, "status", solved ? "ok" : "failed");
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Solver");
    carom_page_fact_text(self, "solver", output->solver->ops->name, output->solver->ops->summary);
    carom_page_fact_number(self, "tolerance", output->limits->tolerance,
                           "of the natural map, relative to |q|");
    carom_page_facts_end(self);
    carom_page_list_end(self);
    return carom_page_end(self, CAROM_OK, path, error);
}
