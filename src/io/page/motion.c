/* The motion on a page: which outputs it has, the coordinates, how it looks. */
#include <math.h>
#include <stdlib.h>

#include "page_parts.h"

enum {
    COORDINATES_MOST = 60 /* shown as numbers; of more the first ones */
};
static const double COORDINATE_BYTES = 6e6, SCENE_BYTES = 24e6; /* of all frames, before they are packed */

static int shown_coordinates(int count)
{
    return count < COORDINATES_MOST ? count : COORDINATES_MOST;
}

/* As many outputs as a page may have, evenly, from the first on; the last one is always there. */
static carom_frames choose_frames(const carom_series *series, const carom_model *model, size_t scene_width)
{
    const double numbers =
        1.0 + shown_coordinates(carom_model_positions(model)) + shown_coordinates(model->dof);
    double most = COORDINATE_BYTES / (8.0 * numbers);
    if (scene_width > 0)
        most = fmin(most, SCENE_BYTES / (4.0 * (double)scene_width));
    most = fmax(most, 2.0);
    return carom_frames_of(series, most < 1e9 ? (size_t)most : (size_t)1e9);
}

static carom_status write_clock(carom_page *self, const carom_frames *frames, double *scratch,
                                carom_error *error)
{
    const size_t outputs = carom_series_outputs(frames->series);
    carom_text rule = {0};
    for (size_t f = 0; f < frames->count; f++)
        scratch[f] = carom_frame_row(frames, f)[0];
    if (frames->count == outputs)
        carom_text_append(&rule, "all %zu outputs", outputs);
    else
        carom_text_append(&rule, "%zu of %zu outputs, evenly spaced", frames->count, outputs);
    if (rule.failed)
        return carom_fail_memory(error);
    carom_json_object_begin(&self->json, "clock");
    carom_page_numbers(self, "t", frames->count, scratch);
    carom_json_number(&self->json, "rows", (double)outputs);
    carom_json_text(&self->json, "rule", rule.bytes);
    carom_json_object_end(&self->json);
    carom_text_free(&rule);
    return CAROM_OK;
}

static void write_names(carom_page *self, const char *key, int count, char *const *name)
{
    carom_json_array_begin(&self->json, key);
    for (int i = 0; i < count; i++)
        carom_json_text(&self->json, NULL, name[i]);
    carom_json_array_end(&self->json);
}

static void write_part(carom_page *self, const char *key, const carom_frames *frames, int first, int count,
                       double *scratch)
{
    for (size_t f = 0; f < frames->count; f++)
        for (int i = 0; i < count; i++)
            scratch[f * (size_t)count + (size_t)i] = carom_frame_row(frames, f)[first + i];
    carom_page_numbers(self, key, frames->count * (size_t)count, scratch);
}

static void write_coordinates(carom_page *self, const carom_model *model, const carom_frames *frames,
                              double *scratch)
{
    const carom_row_layout *layout = &frames->series->layout;
    const int positions = shown_coordinates(carom_model_positions(model)),
              velocities = shown_coordinates(model->dof);
    carom_json_object_begin(&self->json, "coordinates");
    write_names(self, "names", positions, model->coordinate);
    write_names(self, "velocities", velocities, model->velocity ? model->velocity : model->coordinate);
    write_part(self, "q", frames, layout->q, positions, scratch);
    write_part(self, "v", frames, layout->v, velocities, scratch);
    carom_json_object_end(&self->json);
}

carom_status carom_page_motion(carom_page *self, const carom_experiment *experiment, const double *parameter,
                               const double *values, const carom_series *series,
                               const carom_push_series *pushes, carom_error *error)
{
    const carom_model *model = experiment->model;
    carom_scene *scene = NULL;
    if (experiment->study || !series || series->count == 0)
        return CAROM_OK;
    carom_status status = carom_scene_create(experiment, parameter, values, &scene, error);
    if (status != CAROM_OK)
        return status;
    const carom_frames frames = choose_frames(series, model, page_scene_width(scene));
    const int widest = 1 + shown_coordinates(carom_model_positions(model));
    double *scratch = carom_new_array(carom_product(frames.count, (size_t)widest), sizeof *scratch);
    status = scratch ? write_clock(self, &frames, scratch, error) : carom_fail_memory(error);
    if (status == CAROM_OK) {
        write_coordinates(self, model, &frames, scratch);
        if (carom_experiment_has_scene(experiment))
            status = page_scene(self, scene, &frames, pushes, error);
    }
    free(scratch);
    carom_scene_free(scene);
    return status;
}
