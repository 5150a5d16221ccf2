/* A run file as something to draw. */
#include "run_source.h"

#include <stdlib.h>

static carom_status describe(run_source *run, carom_error *error)
{
    const carom_run_file *file = run->file;
    const size_t members = (size_t)file->member_count;
    carom_series *series = carom_arena_take(file->arena, members, sizeof *series);
    carom_event_points *points = carom_arena_take(file->arena, members, sizeof *points);
    const char **label = carom_arena_take(file->arena, members, sizeof *label);
    run->values = carom_experiment_values(run->experiment, NULL);
    if (!series || !points || !label || !run->values)
        return carom_fail_memory(error);
    for (int i = 0; i < file->member_count; i++) {
        series[i] = file->member[i].series;
        points[i] = file->member[i].points;
        label[i] = carom_family_label(file->arena, run->experiment, i);
    }
    run->source = (carom_curve_source){
        .experiment = run->experiment,
        .parameter = run->experiment->parameter,
        .values = run->values,
        .results = run->experiment->results,
        .series = &file->main.series,
        .points = &file->main.points,
        .family = {.count = file->member_count, .series = series, .points = points, .label = label}};
    return CAROM_OK;
}

static carom_status load(const char *path, run_source *run, carom_error *error)
{
    const carom_run_file *file = run->file;
    const carom_load_request request = {.name = file->name,
                                        .file = file->file,
                                        .text = file->text,
                                        .variant = file->variant && *file->variant ? file->variant : NULL,
                                        .override_count = file->main.override_count,
                                        .override = file->main.override,
                                        .units = given_units()};
    carom_error inner = {0};
    const carom_status status = carom_experiment_load(&request, &run->experiment, &inner);
    if (status != CAROM_OK)
        return carom_fail(error, status,
                          "%s: the model in this run file does not read (written by carom %s): %s", path,
                          file->version, inner.text);
    const carom_row_layout *layout = &file->main.series.layout;
    if (run->experiment->model->dof != layout->dof || run->experiment->model->contacts != layout->contacts ||
        run->experiment->column_count != layout->columns || file->member_count > run->experiment->family_size)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the rows do not fit the model in the same file", path);
    return carom_experiment_compute(run->experiment, (carom_progress){0}, error);
}

carom_status run_source_open(const char *path, run_source *run, carom_error *error)
{
    *run = (run_source){0};
    carom_status status = read_run_file(path, &run->file, error);
    if (status == CAROM_OK)
        status = load(path, run, error);
    return status == CAROM_OK ? describe(run, error) : status;
}

void run_source_close(run_source *run)
{
    carom_experiment_free(run->experiment);
    carom_run_file_free(run->file);
    free(run->values);
    *run = (run_source){0};
}
