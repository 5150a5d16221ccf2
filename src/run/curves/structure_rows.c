/* Rows of the layers that show a structure: its shape, and where it touches its obstacles. */
#include <math.h>

#include "curve_parts.h"

enum {
    PROFILES_MAX = 200,
    PROFILE_POINTS_MAX = 500,
    CONTACT_TIMES_MAX = 2000, /* more than a picture has pixels */
    CONTACT_POINTS_MAX = 50000
};

/* The outputs chosen of a run, and its model with the run's parameters. */
typedef struct structure_view {
    const carom_series *series;
    size_t outputs;
    const size_t *output;
    carom_model_work *work;
    size_t points; /* of a profile */
    double *x, *u;
} structure_view;

static const double *output_row(const structure_view *view, size_t output)
{
    return carom_series_row(view->series, view->output[output]);
}

/* Every how many of `count` things one is taken, so that there are `most` at most. */
static size_t stride_of(size_t count, size_t most)
{
    return count <= most ? 1 : (count + most - 1) / most;
}

/* ---- profiles -------------------------------------------------------------------------------------- */

static void append_profile(const structure_view *view, size_t output, size_t stride, layer_curve *curve)
{
    const double *row = output_row(view, output);
    view->work->model->ops->profile(view->work, row + view->series->layout.q, view->x, view->u);
    for (size_t i = 0; i < view->points; i++) {
        if (i % stride != 0 && i + 1 != view->points)
            continue;
        curve_row point = {.t = row[0], .x = view->x[i], .y = view->u[i]};
        if (!isfinite(point.x) || !isfinite(point.y))
            point.x = NAN;
        curve->row[curve->count++] = point;
    }
    curve->row[curve->count++] = (curve_row){.t = row[0], .x = NAN};
}

static carom_status take_profiles(const structure_view *view, carom_arena *arena, layer_curve *curve,
                                  carom_error *error)
{
    const size_t output_stride = stride_of(view->outputs, PROFILES_MAX);
    const size_t profiles = (view->outputs + output_stride - 1) / output_stride;
    const size_t point_stride = stride_of(view->points, PROFILE_POINTS_MAX);
    const size_t rows = view->points / point_stride + 3; /* at most, with last point and interruption */
    curve->row = carom_arena_take(arena, profiles * rows, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    for (size_t i = 0; i < view->outputs; i += output_stride)
        append_profile(view, i, point_stride, curve);
    return CAROM_OK;
}

/* ---- contacts -------------------------------------------------------------------------------------- */

/* The contacts of one side. */
typedef struct contact_side {
    int count;
    int *contact;
    double *place;
} contact_side;

static bool find_side(const structure_view *view, bool upper, carom_arena *arena, contact_side *side)
{
    const carom_model *model = view->work->model;
    side->contact = carom_arena_take(arena, (size_t)model->contacts, sizeof *side->contact);
    side->place = carom_arena_take(arena, (size_t)model->contacts, sizeof *side->place);
    if (!side->contact || !side->place)
        return false;
    for (int i = 0; i < model->contacts; i++) {
        bool is_upper = false;
        const double place = model->ops->contact_place(view->work, i, &is_upper);
        if (is_upper != upper)
            continue;
        side->contact[side->count] = i;
        side->place[side->count++] = place;
    }
    return true;
}

/* The first of the outputs begin ... end - 1 at which the contact carries an impulse; `end`: none. */
static size_t first_touch(const structure_view *view, int contact, size_t begin, size_t end)
{
    while (begin < end && output_row(view, begin)[view->series->layout.regime + contact] == 0.0)
        begin++;
    return begin;
}

/* A contact that touches in any of `group` consecutive outputs makes one point: no contact is lost, however
 * short. Writes them to `row` where it is not NULL; returns how many there are. */
static size_t list_touches(const structure_view *view, const contact_side *side, size_t group, curve_row *row)
{
    size_t count = 0;
    for (size_t begin = 0; begin < view->outputs; begin += group) {
        const size_t end = view->outputs - begin < group ? view->outputs : begin + group;
        for (int i = 0; i < side->count; i++) {
            const size_t output = first_touch(view, side->contact[i], begin, end);
            if (output == end)
                continue;
            const double t = output_row(view, output)[0];
            if (row)
                row[count] = (curve_row){.t = t, .x = side->place[i], .y = t};
            count++;
        }
    }
    return count;
}

/* The axes show the whole structure and the whole time, touched or not. */
static void set_extent(const structure_view *view, layer_curve *curve)
{
    const double *first = output_row(view, 0), *last = output_row(view, view->outputs - 1);
    view->work->model->ops->profile(view->work, first + view->series->layout.q, view->x, view->u);
    curve->has_extent = true;
    curve->extent_x = (carom_range){view->x[0], view->x[view->points - 1]};
    curve->extent_y = (carom_range){first[0], last[0]};
}

static carom_status take_contacts(const structure_view *view, carom_arena *arena, layer_curve *curve,
                                  carom_error *error)
{
    contact_side side = {0};
    if (!find_side(view, curve->layer->upper, arena, &side))
        return carom_fail_memory(error);
    size_t group = stride_of(view->outputs, CONTACT_TIMES_MAX),
           count = list_touches(view, &side, group, NULL);
    while (count > CONTACT_POINTS_MAX && group < view->outputs) {
        group *= 2;
        count = list_touches(view, &side, group, NULL);
    }
    curve->row = carom_arena_take(arena, count, sizeof *curve->row);
    if (!curve->row)
        return carom_fail_memory(error);
    curve->count = list_touches(view, &side, group, curve->row);
    set_extent(view, curve);
    return CAROM_OK;
}

/* ---- both ------------------------------------------------------------------------------------------ */

static carom_status take_rows(const carom_curve_source *source, structure_view *view, carom_arena *arena,
                              layer_curve *curve, carom_error *error)
{
    const carom_model_ops *ops = view->work->model->ops;
    ops->bind(view->work, source->parameter);
    carom_status status = ops->check ? ops->check(view->work, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    if (curve->layer->kind == CAROM_LAYER_PROFILE)
        return take_profiles(view, arena, curve, error);
    return take_contacts(view, arena, curve, error);
}

carom_status take_structure_rows(const carom_curve_source *source, const carom_series *series, size_t outputs,
                                 const size_t *output, carom_arena *arena, layer_curve *curve,
                                 carom_error *error)
{
    const carom_model *model = source->experiment->model;
    if (outputs == 0)
        return CAROM_OK;
    const size_t points = (size_t)model->ops->profile_points(model);
    structure_view view = {.series = series,
                           .outputs = outputs,
                           .output = output,
                           .work = model->ops->work_create(model),
                           .points = points,
                           .x = carom_arena_take(arena, points, sizeof *view.x),
                           .u = carom_arena_take(arena, points, sizeof *view.u)};
    carom_status status = view.work && view.x && view.u ? take_rows(source, &view, arena, curve, error)
                                                        : carom_fail_memory(error);
    if (view.work)
        model->ops->work_free(view.work);
    return status;
}
