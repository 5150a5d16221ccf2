/* The page of a sweep: the picture's panels, a table of all points, and how each is run alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/command_pages.h"
#include "app/sweep_plot.h"

/* ---- runs: what belongs to a point ------------------------------------------------------------------ */

/* Values of the axes as numbers; words are numbered, and their list stands beside. */
static void write_axis_words(carom_page *self, const sweep_picture *picture)
{
    carom_json_array_begin(&self->json, "words");
    for (int a = 0; a < picture->sweep->axis_count; a++) {
        const drawn_axis *axis = &picture->axis[a];
        carom_json_array_begin(&self->json, NULL);
        for (int i = 0; axis->has_words && i < axis->count; i++)
            carom_json_text(&self->json, NULL, axis->word[i]);
        carom_json_array_end(&self->json);
    }
    carom_json_array_end(&self->json);
}

static int place_on_axis(const carom_sweep *sweep, int axis, int point)
{
    const int last = sweep->axis_count - 1;
    if (sweep->axis_count == 1)
        return point;
    return axis == last ? point % sweep->axis[last].count : point / sweep->axis[last].count;
}

static void write_statuses(carom_page *self, const carom_sweep *sweep, uint8_t *number)
{
    const char *known[32];
    int count = 0;
    for (int i = 0; i < sweep->point_count; i++) {
        const char *word = sweep->point[i].done ? sweep->point[i].word : "not run";
        int k = 0;
        while (k < count && strcmp(known[k], word) != 0)
            k++;
        if (k == count && count < (int)(sizeof known / sizeof *known))
            known[count++] = word;
        number[i] = (uint8_t)(k < count ? k : count - 1);
    }
    carom_payload_refer(&self->json, "status",
                        carom_payload_bytes(self->payload, (size_t)sweep->point_count, number));
    carom_json_array_begin(&self->json, "statuses");
    for (int k = 0; k < count; k++)
        carom_json_text(&self->json, NULL, known[k]);
    carom_json_array_end(&self->json);
    for (int i = 0; i < sweep->point_count; i++)
        number[i] = sweep->point[i].trusted;
    carom_payload_refer(&self->json, "trusted",
                        carom_payload_bytes(self->payload, (size_t)sweep->point_count, number));
}

/* "carom run MODEL" with what was given for all points. */
static void write_run_command(carom_page *self, const sweep_output *output, int argc, char **argv)
{
    static const char *const kept[] = {"--set", "--scheme", "--h", "--until", "--option", "--variant"};
    carom_json_array_begin(&self->json, "command");
    carom_json_text(&self->json, NULL, "carom");
    carom_json_text(&self->json, NULL, "run");
    carom_json_text(&self->json, NULL, output->experiment->name);
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
            const size_t length = strlen(kept[k]);
            if (strncmp(argv[i], kept[k], length) != 0 || (argv[i][length] && argv[i][length] != '='))
                continue;
            carom_json_text(&self->json, NULL, argv[i]);
            if (!argv[i][length] && i + 1 < argc)
                carom_json_text(&self->json, NULL, argv[++i]);
            break;
        }
    carom_json_array_end(&self->json);
}

static carom_status write_runs(carom_page *self, const sweep_output *output, const sweep_picture *picture,
                               int argc, char **argv, carom_error *error)
{
    const carom_sweep *sweep = output->sweep;
    const size_t points = (size_t)sweep->point_count, axes = (size_t)sweep->axis_count;
    double *value = carom_new_array(carom_product(points, axes), sizeof *value);
    uint8_t *number = carom_new_array(points, sizeof *number);
    carom_status status = value && number ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK) {
        carom_json_object_begin(&self->json, "runs");
        carom_json_array_begin(&self->json, "names");
        for (int a = 0; a < sweep->axis_count; a++)
            carom_json_text(&self->json, NULL, sweep->axis[a].name);
        carom_json_array_end(&self->json);
        for (size_t i = 0; i < points; i++)
            for (size_t a = 0; a < axes; a++)
                value[i * axes + a] = picture->axis[a].value[place_on_axis(sweep, (int)a, (int)i)];
        carom_page_numbers(self, "values", points * axes, value);
        write_axis_words(self, picture);
        write_statuses(self, sweep, number);
        write_run_command(self, output, argc, argv);
        carom_json_object_end(&self->json);
    }
    free(value);
    free(number);
    return status;
}

/* ---- figures ---------------------------------------------------------------------------------------- */

static carom_page_axis axis_of(const drawn_axis *axis)
{
    return (carom_page_axis){.label = axis->name, .is_log = axis->is_log, .low = NAN, .high = NAN};
}

/* Points of one line of a panel: every value of every point of the axis. */
static size_t list_line(const sweep_picture *picture, int measure, int series, double *x, double *y,
                        uint32_t *run)
{
    size_t count = 0;
    for (int i = 0; i < picture->axis[picture->x].count; i++) {
        const int point = sweep_picture_point(picture, i, series);
        const carom_measured *measured = &picture->sweep->point[point].measure[measure];
        for (int k = 0; k < measured->count; k++, count++)
            if (x) {
                x[count] = picture->axis[picture->x].value[i];
                y[count] = measured->value[k];
                run[count] = (uint32_t)point;
            }
    }
    return count;
}

static carom_status write_line(carom_page *self, const sweep_picture *picture, int measure, int series,
                               carom_error *error)
{
    const size_t count = list_line(picture, measure, series, NULL, NULL, NULL);
    double *x = carom_new_array(2 * count, sizeof *x);
    uint32_t *run = carom_new_array(count, sizeof *run);
    carom_text label = {0};
    carom_status status = x && run ? CAROM_OK : carom_fail_memory(error);
    if (picture->series >= 0)
        carom_text_append(&label, "%s = %s", picture->axis[picture->series].name,
                          picture->axis[picture->series].word[series]);
    if (status == CAROM_OK && count > 0) {
        list_line(picture, measure, series, x, x + count, run);
        const bool points =
            sweep_measure_is_array(picture->sweep, measure) || picture->axis[picture->x].has_words;
        carom_page_curve(self, &(carom_page_curve_data){.label = label.bytes,
                                                        .style = points ? "points" : "line",
                                                        .colour = series % 8,
                                                        .count = count,
                                                        .x = x,
                                                        .y = x + count,
                                                        .run = run});
    }
    carom_text_free(&label);
    free(x);
    free(run);
    return status;
}

static carom_status write_lines(carom_page *self, const sweep_picture *picture, int measure,
                                carom_error *error)
{
    carom_status status = CAROM_OK;
    carom_page_panel(self,
                     &(carom_page_panel_look){.x = axis_of(&picture->axis[picture->x]),
                                              .y = {picture->sweep->measure[measure], false, NAN, NAN}});
    carom_page_curves(self);
    for (int i = 0; status == CAROM_OK && i < sweep_picture_lines(picture); i++)
        status = write_line(self, picture, measure, i, error);
    carom_page_marks(self);
    carom_page_panel_end(self);
    return status;
}

static carom_status write_heat(carom_page *self, const sweep_picture *picture, int measure,
                               carom_error *error)
{
    const drawn_axis *across = &picture->axis[0], *up = &picture->axis[1];
    const size_t nx = (size_t)across->count, ny = (size_t)up->count;
    double *z = carom_new_array(nx * ny, sizeof *z);
    uint32_t *run = carom_new_array(nx * ny, sizeof *run);
    carom_status status = z && run ? CAROM_OK : carom_fail_memory(error);
    for (size_t j = 0; status == CAROM_OK && j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            const int point = sweep_picture_point(picture, (int)i, (int)j);
            run[j * nx + i] = (uint32_t)point;
            z[j * nx + i] = sweep_number(picture->sweep, point, measure);
        }
    if (status == CAROM_OK)
        carom_page_heat(self, &(carom_page_heat_data){.look = {.x = axis_of(across), .y = axis_of(up)},
                                                      .label = picture->sweep->measure[measure],
                                                      .nx = nx,
                                                      .ny = ny,
                                                      .x = across->value,
                                                      .y = up->value,
                                                      .z = z,
                                                      .run = run});
    free(z);
    free(run);
    return status;
}

static carom_status write_panels(carom_page *self, const sweep_picture *picture, carom_error *error)
{
    carom_status status = CAROM_OK;
    carom_page_list_begin(self, "figures");
    carom_page_figure(self, "sweep", NULL, 2);
    for (int i = 0; status == CAROM_OK && i < picture->panel_count; i++)
        status = picture->is_heat ? write_heat(self, picture, picture->panel[i], error)
                                  : write_lines(self, picture, picture->panel[i], error);
    carom_page_figure_end(self);
    carom_page_list_end(self);
    return status;
}

/* ---- table ------------------------------------------------------------------------------------------ */

enum {
    ROWS_MOST = 5000
};

static void write_table_row(carom_page *self, const carom_sweep *sweep, int point)
{
    const carom_sweep_point *it = &sweep->point[point];
    carom_page_row(self);
    for (int a = 0; a < sweep->axis_count; a++)
        carom_page_cell_text(self, sweep_value(sweep, a, point));
    carom_page_cell_text(self, it->done ? it->word : "not run");
    carom_page_cell_text(self, !it->done ? "" : it->trusted ? "yes" : "no");
    for (int m = 0; m < sweep->measure_count; m++)
        if (!sweep_measure_is_array(sweep, m))
            carom_page_cell_number(self, sweep_number(sweep, point, m));
    carom_page_row_end(self);
}

static carom_status write_table(carom_page *self, const carom_sweep *sweep, carom_error *error)
{
    const int most = sweep->axis_count + 2 + sweep->measure_count;
    const char **column = carom_new_array((size_t)most, sizeof *column);
    int count = 0;
    if (!column)
        return carom_fail_memory(error);
    for (int a = 0; a < sweep->axis_count; a++)
        column[count++] = sweep->axis[a].name;
    column[count++] = "status";
    column[count++] = "trusted";
    for (int m = 0; m < sweep->measure_count; m++)
        if (!sweep_measure_is_array(sweep, m))
            column[count++] = sweep->measure[m];
    carom_page_list_begin(self, "tables");
    carom_page_table(self, sweep->point_count > ROWS_MOST ? "Points (the first ones)" : "Points", count,
                     column, true);
    for (int i = 0; i < sweep->point_count && i < ROWS_MOST; i++)
        write_table_row(self, sweep, i);
    carom_page_table_end(self);
    carom_page_list_end(self);
    free((void *)column);
    return CAROM_OK;
}

static void write_facts(carom_page *self, const carom_sweep *sweep)
{
    int first = 0, doubtful = 0;
    const int failed = count_failed_points(sweep, &first);
    for (int i = 0; i < sweep->point_count; i++)
        doubtful += sweep->point[i].done && !sweep->point[i].trusted;
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Sweep");
    carom_page_fact_number(self, "points", sweep->point_count, NULL);
    carom_page_fact_number(self, "failed", failed, NULL);
    carom_page_fact_number(self, "doubtful", doubtful, "the run of such a point says why");
    carom_page_fact_number(self, "time of computing", sweep->wall_seconds, "s");
    carom_page_fact_number(self, "threads", sweep->threads, NULL);
    carom_page_facts_end(self);
    carom_page_list_end(self);
}

static carom_status write_all(carom_page *self, const sweep_output *output, sweep_picture *picture, int argc,
                              char **argv, carom_error *error)
{
    int first = 0;
    carom_json_text(&self->json, "status", count_failed_points(output->sweep, &first) > 0 ? "failed" : "ok");
    write_facts(self, output->sweep);
    carom_status status = write_runs(self, output, picture, argc, argv, error);
    if (status == CAROM_OK)
        status = write_panels(self, picture, error);
    return status == CAROM_OK ? write_table(self, output->sweep, error) : status;
}

carom_status page_of_sweep(const sweep_output *output, int argc, char **argv, const char *path,
                           carom_error *error)
{
    const carom_experiment *experiment = output->experiment;
    sweep_picture picture = {
        .arena = carom_arena_create(), .sweep = output->sweep, .experiment = experiment->name};
    carom_page self = {0};
    carom_status status =
        picture.arena && sweep_picture_lay_out(&picture, output) ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = page_begin(&self, experiment, &command_sweep, argc, argv, error);
    if (status == CAROM_OK)
        status = write_all(&self, output, &picture, argc, argv, error);
    carom_arena_free(picture.arena);
    return carom_page_end(&self, status, path, error);
}
