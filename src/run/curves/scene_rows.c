/* Rows of the layers that show bodies: the lines of their shapes, projected on the picture. */
#include <math.h>
#include <stdlib.h>

#include "carom/model/bodies.h"
#include "curve_parts.h"
#include "scene_cover.h"

enum {
    SCENES_MAX = 100,
    GREY = 0x9a9a9a,
};

/* Rows that grow; the arena takes them in the end. */
typedef struct scene_rows {
    curve_row *row;
    size_t count, capacity;
    bool failed;
    double t, colour;
    const carom_view *view;
    const scene_cover *cover; /* NULL: nothing is hidden */
    int body;                 /* whose lines come */
} scene_rows;

static void add_row(scene_rows *rows, double x, double y)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity ? 2 * rows->capacity : 1024;
        curve_row *grown = realloc(rows->row, carom_product(capacity, sizeof *grown));
        if (!grown) {
            rows->failed = true;
            return;
        }
        rows->row = grown;
        rows->capacity = capacity;
    }
    rows->row[rows->count++] = (curve_row){.t = rows->t, .x = x, .y = y, .x2 = rows->colour};
}

static double along_axis(const double axis[3], const double point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

static void show_line(void *context, size_t points, const double *xyz)
{
    scene_rows *rows = context;
    for (size_t i = 0; i < points; i++)
        add_row(rows, along_axis(rows->view->right, xyz + 3 * i), along_axis(rows->view->up, xyz + 3 * i));
    add_row(rows, NAN, 0.0);
}

static void add_line(void *context, size_t points, const double *xyz)
{
    scene_rows *rows = context;
    if (!rows->cover) {
        show_line(rows, points, xyz);
        return;
    }
    for (size_t i = 0; i + 1 < points; i++)
        scene_cover_show(rows->cover, rows->body, xyz + 3 * i, xyz + 3 * (i + 1), show_line, rows);
}

static carom_view view_of(const carom_bodies *bodies, const carom_layer *layer)
{
    if (bodies->dimension == CAROM_PLANE)
        return (carom_view){.right = {1, 0, 0}, .up = {0, 1, 0}, .toward = {0, 0, 1}};
    const double a = layer->azimuth * CAROM_PI / 180.0, e = layer->elevation * CAROM_PI / 180.0;
    return (carom_view){.right = {cos(a), sin(a), 0.0},
                        .up = {-sin(a) * sin(e), cos(a) * sin(e), cos(e)},
                        .toward = {sin(a) * cos(e), -cos(a) * cos(e), sin(e)}};
}

/* What the picture shows: all that is not endless, at all the times. */
static void widen_view(const carom_bodies *bodies, const carom_pose *pose, double low[3], double high[3])
{
    for (int i = 0; i < bodies->count; i++) {
        double body_low[3], body_high[3];
        if (!bodies->body[i].shape)
            continue;
        carom_shape_bounds(bodies->body[i].shape, &pose[i], body_low, body_high);
        for (int k = 0; k < 3; k++) {
            low[k] = isfinite(body_low[k]) ? fmin(low[k], body_low[k]) : low[k];
            high[k] = isfinite(body_high[k]) ? fmax(high[k], body_high[k]) : high[k];
        }
    }
}

/* Floors and walls reach a little further than what they carry; a world without anything that ends is shown near 0. */
static void add_margin(carom_view *view)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(view->low[k] <= view->high[k]))
            view->low[k] = view->high[k] = 0.0;
        size = fmax(size, view->high[k] - view->low[k]);
    }
    for (int k = 0; k < 3; k++) {
        view->low[k] -= size > 0.0 ? 0.08 * size : 1.0;
        view->high[k] += size > 0.0 ? 0.08 * size : 1.0;
    }
}

/* From light to dark with time. */
static double colour_at(size_t number, size_t count)
{
    static const double dark[3] = {0x1f, 0x4e, 0x79}, light[3] = {0xb8, 0xd4, 0xec};
    const double part = count > 1 ? (double)number / (double)(count - 1) : 1.0;
    double colour = 0.0;
    for (int k = 0; k < 3; k++)
        colour = 256.0 * colour + round(light[k] + part * (dark[k] - light[k]));
    return colour;
}

static carom_status add_scene(const carom_bodies *bodies, const carom_pose *pose, bool still,
                              scene_rows *rows, carom_error *error)
{
    carom_status status = CAROM_OK;
    scene_cover *cover = NULL;
    if (bodies->dimension == CAROM_SPACE && !(cover = scene_cover_create(bodies, pose, rows->view)))
        return carom_fail_memory(error);
    rows->cover = cover;
    for (int i = 0; status == CAROM_OK && i < bodies->count; i++) {
        rows->body = i;
        if (bodies->body[i].shape && (bodies->body[i].kind == CAROM_BODY_FIXED) == still)
            status = carom_shape_lines(bodies->body[i].shape, &pose[i], rows->view, add_line, rows, error);
    }
    scene_cover_free(cover);
    rows->cover = NULL;
    return status == CAROM_OK && rows->failed ? carom_fail_memory(error) : status;
}

/* The outputs that are shown of those chosen: some hundred at most. */
typedef struct scene_outputs {
    const carom_series *series;
    const size_t *output;
    size_t count, stride;
} scene_outputs;

static const double *row_of(const scene_outputs *shown, size_t i)
{
    return carom_series_row(shown->series, shown->output[i * shown->stride]);
}

static carom_status take_scenes(const carom_bodies *bodies, const scene_outputs *shown,
                                const carom_layer *layer, carom_pose *pose, scene_rows *rows,
                                carom_error *error)
{
    const int q = shown->series->layout.q;
    carom_view view = view_of(bodies, layer);
    for (int k = 0; k < 3; k++) {
        view.low[k] = INFINITY;
        view.high[k] = -INFINITY;
    }
    for (size_t i = 0; i < shown->count; i++) {
        carom_bodies_poses(bodies, row_of(shown, i) + q, pose);
        widen_view(bodies, pose, view.low, view.high);
    }
    add_margin(&view);
    rows->view = &view;
    rows->colour = GREY;
    rows->t = row_of(shown, 0)[0];
    carom_bodies_poses(bodies, row_of(shown, 0) + q, pose);
    carom_status status = add_scene(bodies, pose, true, rows, error);
    for (size_t i = 0; status == CAROM_OK && i < shown->count; i++) {
        const double *row = row_of(shown, i);
        rows->t = row[0];
        rows->colour = colour_at(i, shown->count);
        carom_bodies_poses(bodies, row + q, pose);
        status = add_scene(bodies, pose, false, rows, error);
    }
    rows->view = NULL; /* it ends here */
    return status;
}

static carom_status hand_over(const scene_rows *rows, carom_arena *arena, layer_curve *curve,
                              carom_error *error)
{
    curve->row = carom_arena_take(arena, rows->count, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    for (size_t i = 0; i < rows->count; i++)
        curve->row[i] = rows->row[i];
    curve->count = rows->count;
    return CAROM_OK;
}

carom_status take_scene_rows(const carom_curve_source *source, const carom_series *series, size_t outputs,
                             const size_t *output, carom_arena *arena, layer_curve *curve, carom_error *error)
{
    const carom_model *model = source->experiment->model;
    if (outputs == 0)
        return CAROM_OK;
    const size_t stride = (outputs + SCENES_MAX - 1) / SCENES_MAX;
    const scene_outputs shown = {series, output, (outputs + stride - 1) / stride, stride};
    carom_model_work *work = model->ops->work_create(model);
    if (!work)
        return carom_fail_memory(error);
    model->ops->bind(work, source->parameter);
    const carom_bodies *bodies = carom_model_bodies(work);
    scene_rows rows = {0};
    carom_pose *pose = carom_arena_take(arena, (size_t)bodies->count, sizeof *pose);
    carom_status status =
        pose ? take_scenes(bodies, &shown, curve->layer, pose, &rows, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = hand_over(&rows, arena, curve, error);
    free(rows.row);
    model->ops->work_free(work);
    return status;
}
