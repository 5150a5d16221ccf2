/* How a motion looks, on its page: what draw { } says, and the shape of a structure. */
#include <math.h>
#include <stdlib.h>

#include "carom/model/bodies.h"
#include "page_parts.h"

typedef struct scene_writer {
    carom_page *page;
    const carom_scene *scene;
    const carom_frames *frames;
    double *look;   /* the numbers of what is drawn: frames x scene->looks */
    float *scratch; /* a number per frame */
    double low[3], high[3];
} scene_writer;

size_t page_scene_width(const carom_scene *scene)
{
    size_t width = 2 * (size_t)scene->profile_points;
    if (scene->bodies)
        width += (size_t)scene->bodies->count * (scene->dimension == 3 ? 7 : 3);
    for (int i = 0; i < scene->experiment->draw_count; i++)
        width += (size_t)scene->experiment->draw[i].number_count;
    return width;
}

static double number_at(const scene_writer *writer, const carom_draw_number *number, size_t frame)
{
    return carom_scene_number(writer->scene, number, writer->look + frame * (size_t)writer->scene->looks);
}

static void see(scene_writer *writer, int axis, double value)
{
    if (!isfinite(value))
        return;
    writer->low[axis] = fmin(writer->low[axis], value);
    writer->high[axis] = fmax(writer->high[axis], value);
}

/* A number, or an array of one per frame. axis >= 0: a coordinate along it, which the picture must show. */
static void write_number(scene_writer *writer, const char *key, const carom_draw_number *number, int axis)
{
    const size_t frames = writer->frames->count;
    if (carom_draw_number_is_constant(number)) {
        const double value = number_at(writer, number, 0);
        carom_json_number(&writer->page->json, key, value);
        if (axis >= 0)
            see(writer, axis, value);
        return;
    }
    for (size_t f = 0; f < frames; f++) {
        const double value = number_at(writer, number, f);
        writer->scratch[f] = (float)value;
        if (axis >= 0)
            see(writer, axis, value);
    }
    carom_payload_refer(&writer->page->json, key,
                        carom_payload_floats(writer->page->payload, frames, writer->scratch, 1));
}

/* `seen`: what stands there must be shown; vectors are not places. */
static void write_point(scene_writer *writer, const char *key, const carom_draw_item *item, int first,
                        bool seen)
{
    carom_json_array_begin(&writer->page->json, key);
    for (int i = 0; i < item->dimension; i++)
        write_number(writer, NULL, &item->number[first + i], seen ? i : -1);
    carom_json_array_end(&writer->page->json);
}

static void write_points(scene_writer *writer, const char *key, const carom_draw_item *item)
{
    carom_json_array_begin(&writer->page->json, key);
    for (int i = 0; i < item->points; i++)
        write_point(writer, NULL, item, i * item->dimension, true);
    carom_json_array_end(&writer->page->json);
}

static bool is_given(const carom_draw_number *number)
{
    return number->look >= 0 || number->value >= 0;
}

/* A disc reaches further than its centre. */
static void see_around(scene_writer *writer, const carom_draw_item *item, int points, int radius)
{
    for (size_t f = 0; f < writer->frames->count; f++)
        for (int p = 0; p < points; p++)
            for (int i = 0; i < item->dimension; i++) {
                const double r = number_at(writer, &item->number[radius], f),
                             x = number_at(writer, &item->number[p * item->dimension + i], f);
                see(writer, i, x - r);
                see(writer, i, x + r);
            }
}

/* ---- contacts -------------------------------------------------------------------------------------- */

/* What a contact does, in the numbers of the page. An output at which it carries an impulse, and none at the output
 * before, is an impact. */
enum {
    SHOWN_OPEN,
    SHOWN_STICK,
    SHOWN_SLIP,
    SHOWN_IMPACT,
};
static int regime_at(const carom_frames *frames, size_t frame, int contact)
{
    const double *row = carom_frame_row(frames, frame);
    const int place = frames->series->layout.regime + contact;
    const double *before = row == frames->series->rows ? row : row - frames->series->layout.width;
    if (row[place] == CAROM_CONTACT_OPEN)
        return SHOWN_OPEN;
    if (before[place] == CAROM_CONTACT_OPEN)
        return SHOWN_IMPACT;
    return row[place] == CAROM_CONTACT_STICK ? SHOWN_STICK : SHOWN_SLIP;
}

/* Impulses and regimes of a contact of the model, from the rows. */
static void write_contact_rows(scene_writer *writer, int contact)
{
    carom_page *self = writer->page;
    const carom_row_layout *layout = &writer->frames->series->layout;
    const size_t frames = writer->frames->count;
    carom_json_array_begin(&self->json, "impulse");
    for (int i = 0; i < 1 + self->space; i++) {
        for (size_t f = 0; f < frames; f++)
            writer->scratch[f] = (float)carom_frame_row(
                writer->frames, f)[layout->impulse + CAROM_CONTACT_COMPONENTS * contact + i];
        carom_payload_refer(&self->json, NULL,
                            carom_payload_floats(self->payload, frames, writer->scratch, 1));
    }
    carom_json_array_end(&self->json);
    for (size_t f = 0; f < frames; f++)
        writer->scratch[f] = (float)regime_at(writer->frames, f, contact);
    carom_payload_refer(&self->json, "regime",
                        carom_payload_floats(self->payload, frames, writer->scratch, 1));
}

/* ---- items ----------------------------------------------------------------------------------------- */

static void write_look(carom_page *self, const carom_draw_item *item)
{
    carom_json *json = &self->json;
    if (item->name)
        carom_json_text(json, "name", item->name);
    if (item->colour)
        carom_json_text(json, "colour", item->colour);
    if (item->text)
        carom_json_text(json, "text", item->text);
    if (item->dashed || item->dotted)
        carom_json_text(json, "dash", item->dashed ? "dashed" : "dotted");
    if (item->scale > 0.0)
        carom_json_number(json, "scale", item->scale);
    carom_json_bool(json, "fill", item->filled);
}

static void write_numbers_of(scene_writer *writer, const carom_draw_item *item)
{
    const int d = item->dimension;
    switch (item->kind) {
    case CAROM_DRAW_DISC:
        write_point(writer, "at", item, 0, true);
        write_number(writer, "r", &item->number[d], -1);
        if (item->number_count > d + 1 && is_given(&item->number[d + 1]))
            write_number(writer, "angle", &item->number[d + 1], -1);
        see_around(writer, item, 1, d);
        break;
    case CAROM_DRAW_SEGMENT:
    case CAROM_DRAW_SPRING:
    case CAROM_DRAW_DAMPER:
        write_point(writer, "p", item, 0, true);
        write_point(writer, "q", item, d, true);
        break;
    case CAROM_DRAW_ROD:
        write_point(writer, "p", item, 0, true);
        write_point(writer, "q", item, d, true);
        write_number(writer, "r", &item->number[2 * d], -1);
        see_around(writer, item, 2, 2 * d);
        break;
    case CAROM_DRAW_POLYGON:
    case CAROM_DRAW_WALL:
        write_points(writer, "points", item);
        break;
    case CAROM_DRAW_PATH:
    case CAROM_DRAW_TEXT:
    case CAROM_DRAW_PIN:
        write_point(writer, "at", item, 0, true);
        break;
    case CAROM_DRAW_ARROW:
        write_point(writer, "at", item, 0, true);
        write_point(writer, "vector", item, d, false);
        break;
    case CAROM_DRAW_CONTACT:
        write_point(writer, "at", item, 0, true);
        write_point(writer, "normal", item, d, false);
        write_contact_rows(writer, item->contact);
        break;
    case CAROM_DRAW_CURVE:
    case CAROM_DRAW_KINDS:
        break;
    }
}

/* A curve through many points: two arrays of frames x points. */
static carom_status write_curve(scene_writer *writer, const carom_draw_item *item, carom_error *error)
{
    carom_page *self = writer->page;
    const size_t frames = writer->frames->count, points = (size_t)item->points;
    static const char *const key[3] = {"x", "y", "z"};
    float *place = carom_new_array(carom_product(frames, points), sizeof *place);
    if (!place)
        return carom_fail_memory(error);
    carom_json_number(&self->json, "n", item->points);
    for (int i = 0; i < item->dimension && i < 3; i++) {
        for (size_t f = 0; f < frames; f++)
            for (size_t k = 0; k < points; k++) {
                const double value =
                    number_at(writer, &item->number[k * (size_t)item->dimension + (size_t)i], f);
                place[f * points + k] = (float)value;
                see(writer, i, value);
            }
        carom_payload_refer(&self->json, key[i],
                            carom_payload_floats(self->payload, frames * points, place, points));
    }
    carom_json_bool(&self->json, "closed", item->closed);
    carom_json_bool(&self->json, "exaggerate", item->exaggerates);
    free(place);
    return CAROM_OK;
}

static carom_status write_item(scene_writer *writer, const carom_draw_item *item, carom_error *error)
{
    carom_page *self = writer->page;
    carom_status status = CAROM_OK;
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "kind", carom_draw_kind_word(item->kind));
    write_look(self, item);
    if (item->kind == CAROM_DRAW_CURVE)
        status = write_curve(writer, item, error);
    else
        write_numbers_of(writer, item);
    carom_json_object_end(&self->json);
    return status;
}

/* ---- structures ------------------------------------------------------------------------------------ */

/* Its displacements may be shown larger than they are: the page has a slider for it. */
static carom_status write_profile(scene_writer *writer, carom_error *error)
{
    carom_page *self = writer->page;
    const carom_model_ops *ops = writer->scene->work->model->ops;
    const size_t points = (size_t)writer->scene->profile_points, frames = writer->frames->count;
    double *x = carom_new_array(2 * points, sizeof *x), *u = x ? x + points : NULL;
    float *place = carom_new_array(carom_product(frames, points), sizeof *place);
    carom_status status = x && place ? CAROM_OK : carom_fail_memory(error);
    for (size_t f = 0; status == CAROM_OK && f < frames; f++) {
        const double *row = carom_frame_row(writer->frames, f);
        ops->profile(writer->scene->work, row + writer->frames->series->layout.q, x, u);
        for (size_t i = 0; i < points; i++) {
            place[f * points + i] = (float)u[i];
            see(writer, 0, x[i]);
            see(writer, 1, u[i]);
        }
    }
    if (status == CAROM_OK) {
        carom_json_object_begin(&self->json, NULL);
        carom_json_text(&self->json, "kind", "curve");
        carom_json_text(&self->json, "name", "structure");
        carom_json_number(&self->json, "n", (double)points);
        carom_json_bool(&self->json, "exaggerate", true);
        carom_page_numbers(self, "x", points, x);
        carom_payload_refer(&self->json, "y",
                            carom_payload_floats(self->payload, frames * points, place, points));
        carom_json_object_end(&self->json);
    }
    free(x);
    free(place);
    return status;
}

/* Where the stops of a structure are: its contacts at their places, at the start, from the structure at rest. */
static carom_status write_stops(scene_writer *writer, carom_error *error)
{
    carom_page *self = writer->page;
    carom_model_work *work = writer->scene->work;
    const carom_model *model = work->model;
    const int contacts = model->contacts;
    if (!model->ops->contact_place || contacts == 0)
        return CAROM_OK;
    double *gap = carom_new_array((size_t)contacts, sizeof *gap);
    double *rest = carom_new_array((size_t)carom_model_positions(model), sizeof *rest);
    if (!gap || !rest) {
        free(gap);
        free(rest);
        return carom_fail_memory(error);
    }
    model->ops->gaps(work, carom_frame_row(writer->frames, 0)[0], rest, gap);
    for (int i = 0; i < contacts; i++) {
        bool upper = false;
        const double x = model->ops->contact_place(work, i, &upper), y = upper ? gap[i] : -gap[i];
        if (!isfinite(x) || !isfinite(y))
            continue;
        carom_json_object_begin(&self->json, NULL);
        carom_json_text(&self->json, "kind", "stop");
        carom_json_text(&self->json, "name", model->contact[i].name);
        carom_json_array_begin(&self->json, "at");
        carom_json_number(&self->json, NULL, x);
        carom_json_number(&self->json, NULL, y);
        carom_json_array_end(&self->json);
        carom_json_bool(&self->json, "upper", upper);
        write_contact_rows(writer, i);
        carom_json_object_end(&self->json);
        see(writer, 1, y);
    }
    free(gap);
    free(rest);
    return CAROM_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static void write_corner(carom_page *self, const char *key, int dimension, const double *corner)
{
    carom_json_array_begin(&self->json, key);
    for (int i = 0; i < dimension; i++)
        carom_json_number(&self->json, NULL, isfinite(corner[i]) ? corner[i] : 0.0);
    carom_json_array_end(&self->json);
}

static carom_status write_items(scene_writer *writer, carom_error *error)
{
    const carom_scene *scene = writer->scene;
    carom_status status = CAROM_OK;
    if (scene->bodies)
        status = page_bodies(writer->page, scene, writer->frames, writer->low, writer->high, error);
    if (status == CAROM_OK && scene->profile_points > 0)
        status = write_profile(writer, error);
    if (status == CAROM_OK && scene->profile_points > 0)
        status = write_stops(writer, error);
    for (int i = 0; status == CAROM_OK && i < scene->experiment->draw_count; i++)
        status = write_item(writer, &scene->experiment->draw[i], error);
    return status;
}

carom_status page_scene(carom_page *self, const carom_scene *scene, const carom_frames *frames,
                        const carom_push_series *pushes, carom_error *error)
{
    scene_writer writer = {
        .page = self,
        .scene = scene,
        .frames = frames,
        .scratch = carom_new_array(frames->count, sizeof *writer.scratch),
        .look = carom_new_array(carom_product(frames->count, (size_t)scene->looks), sizeof *writer.look),
        .low = {INFINITY, INFINITY, INFINITY},
        .high = {-INFINITY, -INFINITY, -INFINITY}};
    if (!writer.scratch || !writer.look) {
        free(writer.scratch);
        free(writer.look);
        return carom_fail_memory(error);
    }
    for (size_t f = 0; f < frames->count; f++)
        carom_scene_look(scene, &frames->series->layout, carom_frame_row(frames, f),
                         writer.look + f * (size_t)scene->looks);
    self->space = scene->dimension == 3;
    carom_json_object_begin(&self->json, "scene");
    carom_json_number(&self->json, "dimension", scene->dimension);
    if (scene->bodies) {
        carom_json_array_begin(&self->json, "gravity");
        for (int i = 0; i < scene->dimension; i++)
            carom_json_number(&self->json, NULL, scene->bodies->gravity[i]);
        carom_json_array_end(&self->json);
    }
    carom_json_array_begin(&self->json, "items");
    carom_status status = write_items(&writer, error);
    if (status == CAROM_OK && scene->bodies && pushes && pushes->points > 0)
        status = page_pushes(self, scene->bodies, frames, pushes, error);
    carom_json_array_end(&self->json);
    write_corner(self, "low", scene->dimension, writer.low);
    write_corner(self, "high", scene->dimension, writer.high);
    carom_json_object_end(&self->json);
    free(writer.scratch);
    free(writer.look);
    return status;
}
