/* Pages of periodic motions: one of them, a branch of them, all of a linear model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command_pages.h"
#include "carom/run/curves.h"

enum {
    CURVES_MOST = 8
};

/* ---- one motion ------------------------------------------------------------------------------------- */

/* The rows of a motion found, as those of a run: time, positions, velocities. */
static carom_status series_of(const carom_experiment *experiment, const carom_found_orbit *found,
                              carom_series *series, carom_error *error)
{
    const int n = experiment->model->dof;
    series->layout = carom_row_layout_of(experiment);
    double *row = carom_new_array((size_t)series->layout.width, sizeof *row);
    carom_recorder recorder = carom_series_recorder(series);
    carom_status status = row ? CAROM_OK : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < found->rows; i++) {
        const double *from = found->row + (size_t)i * (size_t)(1 + 2 * n);
        row[0] = from[0];
        for (int k = 0; k < n; k++) {
            row[series->layout.q + k] = from[1 + k];
            row[series->layout.v + k] = from[1 + n + k];
        }
        status = recorder.row(recorder.context, row, error);
    }
    free(row);
    return status;
}

static carom_status write_motion(carom_page *self, const carom_experiment *experiment,
                                 const carom_found_orbit *found, carom_error *error)
{
    carom_series series = {0};
    double *value = carom_experiment_values(experiment, NULL);
    carom_status status = value ? series_of(experiment, found, &series, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_page_motion(self, experiment, experiment->parameter, value, &series, NULL, error);
    carom_series_free(&series);
    free(value);
    return status;
}

/* One number of every row, and the first row again: the motion is closed. */
static void take(const carom_found_orbit *found, int n, int column, double *to)
{
    for (int i = 0; i < found->rows; i++)
        to[i] = found->row[(size_t)i * (size_t)(1 + 2 * n) + (size_t)column];
    to[found->rows] = column == 0 ? found->period : to[0];
}

static void write_orbit_curves(carom_page *self, const orbit_output *output, bool portrait, double *room)
{
    const carom_model *model = output->model->model;
    const carom_found_orbit *found = output->found;
    const size_t count = (size_t)found->rows + 1;
    double *t = room, *x = room + count, *y = room + 2 * count;
    take(found, model->dof, 0, t);
    carom_page_panel(self,
                     &(carom_page_panel_look){.title = portrait ? "phase portrait" : "over one period",
                                              .x = {portrait ? "position" : "time", false, NAN, NAN},
                                              .y = {portrait ? "velocity" : "position", false, NAN, NAN}});
    carom_page_curves(self);
    for (int k = 0; k < model->dof && k < CURVES_MOST; k++) {
        take(found, model->dof, portrait ? 1 + k : 0, x);
        take(found, model->dof, portrait ? 1 + model->dof + k : 1 + k, y);
        carom_page_curve(self, &(carom_page_curve_data){.label = model->coordinate[k],
                                                        .style = "line",
                                                        .colour = k,
                                                        .count = count,
                                                        .x = x,
                                                        .y = y,
                                                        .t = t});
    }
    carom_page_marks(self);
    carom_page_panel_end(self);
}

static void write_multipliers(carom_page *self, const carom_found_orbit *found)
{
    carom_page_panel(self, &(carom_page_panel_look){.title = found->stable ? "multipliers: stable"
                                                                           : "multipliers: unstable",
                                                    .x = {"real part", false, NAN, NAN},
                                                    .y = {"imaginary part", false, NAN, NAN},
                                                    .equal = true});
    carom_page_curves(self);
    carom_page_circle(self, "unit circle");
    carom_page_curve(self, &(carom_page_curve_data){.label = "multipliers",
                                                    .style = "points",
                                                    .colour = 1,
                                                    .count = (size_t)found->multipliers,
                                                    .x = found->real,
                                                    .y = found->imaginary});
    carom_page_marks(self);
    carom_page_panel_end(self);
}

static void write_impacts(carom_page *self, const orbit_output *output)
{
    static const char *const column[] = {"contact", "t", "approach", "impulse", "flight after"};
    const carom_found_orbit *found = output->found;
    carom_page_list_begin(self, "tables");
    carom_page_table(self, "Impacts", (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < found->impacts; i++) {
        carom_page_row(self);
        carom_page_cell_text(self, output->model->model->contact[found->contact[i]].name);
        carom_page_cell_number(self, found->time[i]);
        carom_page_cell_number(self, found->approach[i]);
        carom_page_cell_number(self, found->impulse[i]);
        carom_page_cell_number(self, found->flight[i]);
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
    carom_page_list_end(self);
}

static void write_orbit_facts(carom_page *self, const orbit_output *output)
{
    const carom_found_orbit *found = output->found;
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Periodic motion");
    carom_page_fact_text(self, "verdict", found->verdict, NULL);
    carom_page_fact_text(self, "found by", found->method, found->guess);
    carom_page_fact_number(self, "period", found->period, NULL);
    carom_page_fact_number(self, "energy", found->energy, NULL);
    carom_page_fact_number(self, "largest multiplier", found->largest, found->stable ? "stable" : "unstable");
    carom_page_fact_number(self, "smallest gap between impacts", found->margin, NULL);
    if (output->verified)
        carom_page_fact_text(self, "followed by event-driven",
                             output->verified->leaves ? "it leaves" : "it stays", NULL);
    carom_page_facts_end(self);
    carom_page_list_end(self);
}

static carom_status write_orbit(carom_page *self, const carom_experiment *experiment,
                                const orbit_output *output, carom_error *error)
{
    const carom_found_orbit *found = output->found;
    double *room = carom_new_array(3 * ((size_t)found->rows + 1), sizeof *room);
    if (!room)
        return carom_fail_memory(error);
    carom_json_text(&self->json, "status", found->is_motion && !orbit_leaves(output) ? "ok" : "failed");
    carom_json_text(&self->json, "message", found->verdict);
    write_orbit_facts(self, output);
    carom_status status = CAROM_OK;
    if (found->rows > 0) {
        write_impacts(self, output);
        carom_page_list_begin(self, "figures");
        carom_page_figure(self, "orbit", NULL, 2);
        write_orbit_curves(self, output, false, room);
        write_orbit_curves(self, output, true, room);
        if (found->multipliers > 0)
            write_multipliers(self, found);
        carom_page_figure_end(self);
        carom_page_list_end(self);
        status = write_motion(self, experiment, found, error);
    }
    free(room);
    return status;
}

carom_status page_of_orbit(const carom_experiment *experiment, const orbit_output *output, int argc,
                           char **argv, const char *path, carom_error *error)
{
    carom_page self = {0};
    carom_status status = page_begin(&self, experiment, &command_orbit, argc, argv, error);
    if (status == CAROM_OK)
        status = write_orbit(&self, experiment, output, error);
    return carom_page_end(&self, status, path, error);
}

/* ---- branches --------------------------------------------------------------------------------------- */

typedef double branch_number(const carom_branch_point *point);

static double parameter_of(const carom_branch_point *point)
{
    return point->parameter;
}

static double energy_of(const carom_branch_point *point)
{
    return point->energy;
}

static double period_of(const carom_branch_point *point)
{
    return point->period;
}

static double multiplier_of(const carom_branch_point *point)
{
    return point->multiplier;
}

static double frequency_of(const carom_branch_point *point)
{
    return 2.0 * CAROM_PI / point->period;
}

/* The parts of one kind, with breaks between them: the part from i to i + 1 is of the kind of the end that is no border.
 * `room` holds three numbers per point and axis. */
static size_t list_parts(int count, const carom_branch_point *point, bool stable, branch_number *across,
                         branch_number *up, double *x, double *y)
{
    size_t listed = 0;
    for (int i = 0; i + 1 < count; i++) {
        if ((point[i].crossing ? point[i + 1].stable : point[i].stable) != stable)
            continue;
        const bool follows =
            listed > 0 && x[listed - 1] == across(&point[i]) && y[listed - 1] == up(&point[i]);
        if (!follows && listed > 0) {
            x[listed] = y[listed] = NAN;
            listed++;
        }
        for (int end = follows; end < 2; end++, listed++) {
            x[listed] = across(&point[i + end]);
            y[listed] = up(&point[i + end]);
        }
    }
    return listed;
}

static void write_parts(carom_page *self, int count, const carom_branch_point *point, const char *label,
                        int colour, branch_number *across, branch_number *up, double *x, double *y)
{
    for (int stable = 1; stable >= 0; stable--) {
        char title[80];
        const size_t listed = list_parts(count, point, stable, across, up, x, y);
        snprintf(title, sizeof title, "%s%s", label, stable ? "stable" : "unstable");
        if (listed > 0)
            carom_page_curve(self, &(carom_page_curve_data){.label = title,
                                                            .style = stable ? "line" : "dashed",
                                                            .colour = stable ? colour : (colour + 1) % 8,
                                                            .count = listed,
                                                            .x = x,
                                                            .y = y});
    }
}

static bool is_special(const carom_branch_point *point)
{
    return point->crossing || point->fold || !point->admissible || point->special != CAROM_SPECIAL_NONE;
}

static const char *special_name(const carom_branch_point *point)
{
    if (point->special != CAROM_SPECIAL_NONE && point->special != CAROM_SPECIAL_STABILITY)
        return carom_special_word(point->special);
    return !point->admissible ? "not a motion" : point->crossing ? "stability changes" : "fold";
}

static void write_special(carom_page *self, const carom_branch *branch, branch_number *up, double *x,
                          double *y, const char **name)
{
    size_t count = 0;
    for (int i = 0; i < branch->count; i++)
        if (is_special(&branch->point[i])) {
            x[count] = branch->point[i].parameter;
            y[count] = up(&branch->point[i]);
            name[count++] = special_name(&branch->point[i]);
        }
    if (count > 0)
        carom_page_mark(
            self,
            &(carom_page_mark_data){
                .kind = "special", .label = "special points", .count = count, .x = x, .y = y, .name = name});
    const carom_branch_point *last = &branch->point[branch->count - 1];
    const double end_x = last->parameter, end_y = up(last);
    const char *end = carom_branch_end_word(branch->end);
    carom_page_mark(self,
                    &(carom_page_mark_data){
                        .kind = "end", .label = end, .count = 1, .x = &end_x, .y = &end_y, .name = &end});
}

/* "2 times the period, from the flip at w = 2.66" */
static void name_branch(const branch_output *output, const further_branch *further, char *text, size_t size)
{
    const carom_branch_point *at = &branch_before(output, further)->point[further->point];
    if (further->locus)
        carom_format(text, size, "%s over two parameters", carom_special_word(at->special));
    else
        carom_format(text, size, "%d times the period, from the %s at %s = %.6g", further->times,
                     carom_special_word(at->special), output->parameter, at->parameter);
}

static void write_points(carom_page *self, const branch_output *output, const char *title,
                         const carom_branch *branch)
{
    const char *const column[] = {output->parameter, "period",  "energy", "multiplier",
                                  "margin",          "impacts", "stable", "remark"};
    carom_page_table(self, title, (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < branch->count; i++) {
        const carom_branch_point *point = &branch->point[i];
        carom_page_row(self);
        carom_page_cell_number(self, point->parameter);
        carom_page_cell_number(self, point->period);
        carom_page_cell_number(self, point->energy);
        carom_page_cell_number(self, point->multiplier);
        carom_page_cell_number(self, point->gap);
        carom_page_cell_number(self, point->impacts);
        carom_page_cell_text(self, point->stable ? "yes" : "no");
        carom_page_cell_text(self, is_special(point) ? special_name(point) : "");
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
}

static void write_locus_table(carom_page *self, const branch_output *output, const char *title,
                              const carom_branch *branch)
{
    const char *const column[] = {output->parameter, output->second, "period", "energy"};
    carom_page_table(self, title, (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < branch->count; i++) {
        carom_page_row(self);
        carom_page_cell_number(self, branch->point[i].other);
        carom_page_cell_number(self, branch->point[i].parameter);
        carom_page_cell_number(self, branch->point[i].period);
        carom_page_cell_number(self, branch->point[i].energy);
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
}

static void write_branch_tables(carom_page *self, const branch_output *output)
{
    carom_page_list_begin(self, "tables");
    write_points(self, output, "Branch", output->branch);
    for (int i = 0; i < output->further; i++) {
        const further_branch *more = &output->more[i];
        char title[160];
        name_branch(output, more, title, sizeof title);
        if (more->locus)
            write_locus_table(self, output, title, &more->branch);
        else
            write_points(self, output, title, &more->branch);
    }
    carom_page_list_end(self);
}

static void write_branch_facts(carom_page *self, const branch_output *output)
{
    const carom_branch *branch = output->branch;
    carom_json_text(&self->json, "status", branch->end == CAROM_END_LOST ? "lost" : "done");
    carom_json_text(&self->json, "message", branch->text);
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Branch");
    carom_page_fact_text(self, "start", output->start->verdict, output->start->method);
    carom_page_fact_text(self, "end", carom_branch_end_word(branch->end), branch->text);
    carom_page_fact_number(self, "points", branch->count, NULL);
    carom_page_facts_end(self);
    for (int i = 0; i < output->further; i++) {
        const carom_branch *more = &output->more[i].branch;
        char title[160];
        name_branch(output, &output->more[i], title, sizeof title);
        carom_page_facts(self, title);
        carom_page_fact_text(self, "end", carom_branch_end_word(more->end), more->text);
        carom_page_fact_number(self, "points", more->count, NULL);
        carom_page_facts_end(self);
    }
    carom_page_list_end(self);
}

/* Memory for one curve of any of the branches. */
typedef struct curve_room {
    size_t count; /* points of the longest */
    double *x, *y;
    const char **name;
} curve_room;

static bool take_room(const branch_output *output, curve_room *room)
{
    room->count = (size_t)output->branch->count;
    for (int i = 0; i < output->further; i++)
        if ((size_t)output->more[i].branch.count > room->count)
            room->count = (size_t)output->more[i].branch.count;
    room->x = carom_new_array(6 * room->count, sizeof *room->x);
    room->y = room->x ? room->x + 3 * room->count : NULL;
    room->name = carom_new_array(room->count, sizeof *room->name);
    return room->x && room->name;
}

static bool is_shown(const further_branch *further)
{
    return !further->locus && further->branch.count > 0;
}

/* The branch and what branches off, one number of them against the parameter. */
static void write_branch_panel(carom_page *self, const branch_output *output, const char *label,
                               branch_number *up, const curve_room *room)
{
    const carom_branch *branch = output->branch;
    carom_page_panel(self, &(carom_page_panel_look){.x = {output->parameter, false, NAN, NAN},
                                                    .y = {label, false, NAN, NAN}});
    carom_page_curves(self);
    write_parts(self, branch->count, branch->point, "", 0, parameter_of, up, room->x, room->y);
    for (int i = 0; i < output->further; i++) {
        const further_branch *more = &output->more[i];
        char title[60];
        carom_format(title, sizeof title, "%d times the period, ", more->times);
        if (is_shown(more))
            write_parts(self, more->branch.count, more->branch.point, title, (2 * (i + 1)) % 8, parameter_of,
                        up, room->x, room->y);
    }
    carom_page_marks(self);
    write_special(self, branch, up, room->x, room->y, room->name);
    for (int i = 0; i < output->further; i++)
        if (is_shown(&output->more[i]))
            write_special(self, &output->more[i].branch, up, room->x, room->y, room->name);
    carom_page_panel_end(self);
}

/* Loci: one parameter against the other. */
static void write_loci_panel(carom_page *self, const branch_output *output, const curve_room *room)
{
    bool any = false;
    for (int i = 0; i < output->further; i++)
        any = any || (output->more[i].locus && output->more[i].branch.count > 0);
    if (!any)
        return;
    carom_page_panel(self, &(carom_page_panel_look){.x = {output->parameter, false, NAN, NAN},
                                                    .y = {output->second, false, NAN, NAN}});
    carom_page_curves(self);
    for (int i = 0; i < output->further; i++) {
        const carom_branch *branch = &output->more[i].branch;
        char title[160];
        if (!output->more[i].locus || branch->count == 0)
            continue;
        name_branch(output, &output->more[i], title, sizeof title);
        for (int k = 0; k < branch->count; k++) {
            room->x[k] = branch->point[k].other;
            room->y[k] = branch->point[k].parameter;
        }
        carom_page_curve(self, &(carom_page_curve_data){.label = title,
                                                        .style = "line",
                                                        .colour = i % 8,
                                                        .count = (size_t)branch->count,
                                                        .x = room->x,
                                                        .y = room->y});
    }
    carom_page_marks(self);
    carom_page_panel_end(self);
}

static carom_status write_branch(carom_page *self, const branch_output *output, carom_error *error)
{
    static branch_number *const up[] = {energy_of, period_of, multiplier_of};
    static const char *const label[] = {"energy", "period", "largest multiplier"};
    curve_room room = {0};
    const bool taken = take_room(output, &room);
    if (taken) {
        write_branch_facts(self, output);
        carom_page_list_begin(self, "figures");
        carom_page_figure(self, "branch", NULL, 2);
        for (int k = 0; k < 3; k++)
            if (up[k] != period_of || strcmp(output->parameter, "period") != 0)
                write_branch_panel(self, output, label[k], up[k], &room);
        write_loci_panel(self, output, &room);
        carom_page_figure_end(self);
        carom_page_list_end(self);
        write_branch_tables(self, output);
    }
    free(room.x);
    free((void *)room.name);
    return taken ? CAROM_OK : carom_fail_memory(error);
}

carom_status page_of_branch(const carom_experiment *experiment, const branch_output *output, int argc,
                            char **argv, const char *path, carom_error *error)
{
    carom_page self = {0};
    carom_status status = page_begin(&self, experiment, &command_continue, argc, argv, error);
    if (status == CAROM_OK && output->branch->count > 0)
        status = write_branch(&self, output, error);
    return carom_page_end(&self, status, path, error);
}

/* ---- modes ------------------------------------------------------------------------------------------- */

static carom_status write_modes(carom_page *self, const carom_mode_survey *survey, carom_error *error)
{
    size_t most = 1;
    double least = INFINITY; /* energies grow without bound at some ends: four decades tell enough */
    for (int i = 0; i < survey->branches; i++) {
        most = (size_t)survey->branch[i].count > most ? (size_t)survey->branch[i].count : most;
        for (int k = 0; k < survey->branch[i].count; k++)
            least = fmin(least, survey->branch[i].point[k].energy);
    }
    double *x = carom_new_array(6 * most, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    carom_page_list_begin(self, "figures");
    carom_page_figure(self, "modes", NULL, 1);
    carom_page_panel(self, &(carom_page_panel_look){.x = {"energy", true, 0.7 * least, 1e4 * least},
                                                    .y = {"frequency 2 pi / T", false, NAN, NAN}});
    carom_page_curves(self);
    for (int i = 0; i < survey->branches; i++) {
        const carom_mode_branch *branch = &survey->branch[i];
        char label[40];
        snprintf(label, sizeof label, "%d impact%s, ", branch->impacts, plural(branch->impacts));
        write_parts(self, branch->count, branch->point, label, 2 * (branch->impacts - 1) % 8, energy_of,
                    frequency_of, x, x + 3 * most);
    }
    carom_page_marks(self);
    carom_page_panel_end(self);
    carom_page_figure_end(self);
    carom_page_list_end(self);
    free(x);
    return CAROM_OK;
}

static void write_modes_table(carom_page *self, const carom_mode_survey *survey)
{
    static const char *const column[] = {"impacts", "points", "period from", "to", "one end", "other end"};
    carom_page_list_begin(self, "tables");
    carom_page_table(self, "Branches", (int)(sizeof column / sizeof *column), column, false);
    for (int i = 0; i < survey->branches; i++) {
        const carom_mode_branch *branch = &survey->branch[i];
        if (branch->count == 0)
            continue;
        carom_page_row(self);
        carom_page_cell_number(self, branch->impacts);
        carom_page_cell_number(self, branch->count);
        carom_page_cell_number(self, branch->point[0].period);
        carom_page_cell_number(self, branch->point[branch->count - 1].period);
        carom_page_cell_text(self, carom_branch_end_word(branch->end[0]));
        carom_page_cell_text(self, carom_branch_end_word(branch->end[1]));
        carom_page_row_end(self);
    }
    carom_page_table_end(self);
    carom_page_list_end(self);
}

carom_status page_of_modes(const carom_experiment *experiment, const carom_mode_survey *survey, int argc,
                           char **argv, const char *path, carom_error *error)
{
    carom_page self = {0};
    carom_status status = page_begin(&self, experiment, &command_modes, argc, argv, error);
    if (status == CAROM_OK) {
        carom_json_text(&self.json, "status", "ok");
        write_modes_table(&self, survey);
        status = write_modes(&self, survey, error);
    }
    return carom_page_end(&self, status, path, error);
}
