/* Bodies on a page: their shapes, each kind once, and where they are in every frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/bodies.h"
#include "page_parts.h"

enum {
    AROUND = 32 /* corners of what is round, in space */
};

/* ---- shapes of the plane --------------------------------------------------------------------------- */

static void write_vector(carom_json *json, const char *key, int dimension, const double *value)
{
    carom_json_array_begin(json, key);
    for (int i = 0; i < dimension; i++)
        carom_json_number(json, NULL, value[i]);
    carom_json_array_end(json);
}

static void write_plane_hull(carom_json *json, const carom_shape_part *part)
{
    if (part->vertices == 1) {
        carom_json_number(json, "disc", part->radius);
        write_vector(json, "at", 2, part->vertex);
        return;
    }
    if (part->vertices == 2) {
        carom_json_number(json, "capsule", part->radius);
        write_vector(json, "from", 2, part->vertex);
        write_vector(json, "to", 2, part->vertex + 3);
        return;
    }
    carom_json_array_begin(json, "polygon");
    for (int i = 0; i < part->vertices; i++)
        for (int k = 0; k < 2; k++)
            carom_json_number(json, NULL, part->vertex[3 * i + k]);
    carom_json_array_end(json);
    if (!part->seam)
        return;
    carom_json_array_begin(json, "seams");
    for (int i = 0; i < part->vertices; i++)
        if (part->seam[i])
            carom_json_number(json, NULL, i);
    carom_json_array_end(json);
}

static void write_half(carom_json *json, int dimension, const carom_shape_part *part)
{
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = part->offset * part->axis[i];
    write_vector(json, "half", dimension, part->axis);
    write_vector(json, "at", dimension, at);
}

/* Lines without inside: segments that follow each other are one line. */
static carom_status write_plane_surface(carom_json *json, const carom_shape *shape, carom_error *error)
{
    carom_drawing *drawing = NULL;
    const carom_status status = carom_shape_draw(shape, AROUND, 1.0, &drawing, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < drawing->pieces; i++) {
        const int *piece = drawing->corner + 2 * i;
        const bool follows = i > 0 && piece[0] == piece[-1];
        if (!follows) {
            if (i > 0) {
                carom_json_array_end(json);
                carom_json_object_end(json);
            }
            carom_json_object_begin(json, NULL);
            carom_json_array_begin(json, "line");
        }
        for (int end = follows; end < 2; end++)
            for (int k = 0; k < 2; k++)
                carom_json_number(json, NULL, drawing->point[3 * piece[end] + k]);
    }
    if (drawing->pieces > 0) {
        carom_json_array_end(json);
        carom_json_object_end(json);
    }
    carom_drawing_free(drawing);
    return CAROM_OK;
}

static carom_status write_plane_shape(carom_json *json, const carom_shape *shape, carom_error *error)
{
    carom_status status = CAROM_OK;
    bool surface = false;
    carom_json_array_begin(json, NULL);
    for (size_t i = 0; i < carom_shape_part_count(shape); i++) {
        const carom_shape_part part = carom_shape_part_at(shape, i);
        if (part.kind == CAROM_PART_SURFACE) {
            surface = true;
            continue;
        }
        carom_json_object_begin(json, NULL);
        if (part.kind == CAROM_PART_HALFSPACE)
            write_half(json, 2, &part);
        else
            write_plane_hull(json, &part);
        carom_json_object_end(json);
    }
    if (surface)
        status = write_plane_surface(json, shape, error);
    carom_json_array_end(json);
    return status;
}

/* ---- shapes of space ------------------------------------------------------------------------------- */

/* One ball around its origin, or one halfspace: the page knows how they look. */
static bool write_simple(carom_json *json, const carom_shape *shape)
{
    const carom_shape_part part = carom_shape_part_at(shape, 0);
    if (carom_shape_part_count(shape) != 1)
        return false;
    if (part.kind == CAROM_PART_HALFSPACE) {
        carom_json_object_begin(json, NULL);
        write_half(json, 3, &part);
        carom_json_object_end(json);
        return true;
    }
    const bool ball = part.kind == CAROM_PART_HULL && part.vertices == 1 && part.vertex[0] == 0.0 &&
                      part.vertex[1] == 0.0 && part.vertex[2] == 0.0;
    if (ball) {
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "sphere", part.radius);
        carom_json_object_end(json);
    }
    return ball;
}

static carom_status write_triangles(carom_page *self, carom_json *json, const carom_drawing *drawing,
                                    carom_error *error)
{
    const size_t numbers = 3 * drawing->points, corners = 3 * drawing->pieces;
    float *point = carom_new_array(numbers, sizeof *point);
    uint32_t *corner = carom_new_array(corners, sizeof *corner);
    carom_status status = point && corner ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK) {
        for (size_t i = 0; i < numbers; i++)
            point[i] = (float)drawing->point[i];
        for (size_t i = 0; i < corners; i++)
            corner[i] = (uint32_t)drawing->corner[i];
        carom_json_object_begin(json, NULL);
        carom_payload_refer(json, "points", carom_payload_floats(self->payload, numbers, point, 0));
        carom_payload_refer(json, "triangles", carom_payload_wholes(self->payload, corners, corner));
        carom_json_object_end(json);
    }
    free(point);
    free(corner);
    return status;
}

/* ---- each shape once ------------------------------------------------------------------------------- */

/* What tells two shapes apart: their parts, as bytes. Shapes with surfaces are never taken for the same. */
static uint64_t mixed(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * 1099511628211u; /* FNV-1a */
    return hash;
}

static uint64_t hash_of(const carom_shape *shape)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < carom_shape_part_count(shape); i++) {
        const carom_shape_part part = carom_shape_part_at(shape, i);
        const double number[3] = {part.radius, part.half, part.offset};
        hash = mixed(hash, &part.kind, sizeof part.kind);
        hash = mixed(hash, number, sizeof number);
        hash = mixed(hash, part.vertex, 3 * (size_t)part.vertices * sizeof(double));
    }
    return hash;
}

static bool same_parts(const carom_shape *a, const carom_shape *b)
{
    if (a == b)
        return true;
    if (carom_shape_part_count(a) != carom_shape_part_count(b))
        return false;
    for (size_t i = 0; i < carom_shape_part_count(a); i++) {
        const carom_shape_part p = carom_shape_part_at(a, i), q = carom_shape_part_at(b, i);
        if (p.kind != q.kind || p.kind == CAROM_PART_SURFACE || p.vertices != q.vertices ||
            p.radius != q.radius || p.half != q.half || p.offset != q.offset ||
            memcmp(p.centre, q.centre, sizeof p.centre) != 0 || memcmp(p.axis, q.axis, sizeof p.axis) != 0 ||
            (p.vertices > 0 && memcmp(p.vertex, q.vertex, 3 * (size_t)p.vertices * sizeof(double)) != 0))
            return false;
    }
    return true;
}

typedef struct shape_list {
    const carom_shape **shape; /* each once */
    int count;
    int *number; /* of the shape of each body; -1: none */
    int *table;  /* by hash: numbers; -1: free */
    size_t room; /* a power of two */
} shape_list;

static bool shape_list_take(shape_list *list, int bodies)
{
    for (list->room = 16; list->room < 2 * (size_t)bodies; list->room *= 2)
        continue;
    list->shape = carom_new_array((size_t)bodies, sizeof *list->shape);
    list->number = carom_new_array((size_t)bodies, sizeof *list->number);
    list->table = carom_new_array(list->room, sizeof *list->table);
    if (!list->shape || !list->number || !list->table)
        return false;
    for (size_t i = 0; i < list->room; i++)
        list->table[i] = -1;
    return true;
}

static int shape_list_number(shape_list *list, const carom_shape *shape)
{
    size_t place = (size_t)hash_of(shape) & (list->room - 1);
    while (list->table[place] >= 0) {
        if (same_parts(list->shape[list->table[place]], shape))
            return list->table[place];
        place = (place + 1) & (list->room - 1);
    }
    list->table[place] = list->count;
    list->shape[list->count] = shape;
    return list->count++;
}

static void shape_list_free(shape_list *list)
{
    free((void *)list->shape);
    free(list->number);
    free(list->table);
}

static carom_status write_shape(carom_page *self, int dimension, const carom_shape *shape, carom_error *error)
{
    carom_drawing *drawing = NULL;
    if (dimension == CAROM_PLANE)
        return write_plane_shape(&self->json, shape, error);
    if (write_simple(&self->json, shape))
        return CAROM_OK;
    carom_status status = carom_shape_draw(shape, AROUND, 1.0, &drawing, error);
    if (status == CAROM_OK)
        status = write_triangles(self, &self->json, drawing, error);
    carom_drawing_free(drawing);
    return status;
}

static carom_status write_shapes(carom_page *self, const carom_bodies *bodies, shape_list *list,
                                 carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < bodies->count; i++)
        list->number[i] = bodies->body[i].shape ? shape_list_number(list, bodies->body[i].shape) : -1;
    carom_json_array_begin(&self->json, "shapes");
    for (int i = 0; status == CAROM_OK && i < list->count; i++)
        status = write_shape(self, bodies->dimension, list->shape[i], error);
    carom_json_array_end(&self->json);
    carom_json_array_begin(&self->json, "shape");
    for (int i = 0; i < bodies->count; i++)
        carom_json_number(&self->json, NULL, list->number[i]);
    carom_json_array_end(&self->json);
    return status;
}

/* ---- places ---------------------------------------------------------------------------------------- */

static void put_pose(int dimension, const carom_pose *pose, float *place)
{
    if (dimension == CAROM_PLANE) {
        place[0] = (float)pose->x[0];
        place[1] = (float)pose->x[1];
        place[2] = (float)atan2(pose->r[3], pose->r[0]);
        return;
    }
    double q[4];
    carom_rotation_quaternion(pose->r, q);
    for (int i = 0; i < 3; i++)
        place[i] = (float)pose->x[i];
    for (int i = 0; i < 4; i++)
        place[3 + i] = (float)q[i];
}

static void see_body(const carom_shape *shape, const carom_pose *pose, double low[3], double high[3])
{
    double from[3], to[3];
    carom_shape_bounds(shape, pose, from, to);
    for (int k = 0; k < 3; k++) {
        low[k] = isfinite(from[k]) ? fmin(low[k], from[k]) : low[k];
        high[k] = isfinite(to[k]) ? fmax(high[k], to[k]) : high[k];
    }
}

static carom_status write_poses(carom_page *self, const carom_bodies *bodies, const carom_frames *frames,
                                double low[3], double high[3], carom_error *error)
{
    const size_t count = (size_t)bodies->count, width = bodies->dimension == CAROM_PLANE ? 3 : 7,
                 stride = count * width;
    carom_pose *pose = carom_new_array(count, sizeof *pose);
    float *place = carom_new_array(carom_product(frames->count, stride), sizeof *place);
    carom_status status = pose && place ? CAROM_OK : carom_fail_memory(error);
    for (size_t f = 0; status == CAROM_OK && f < frames->count; f++) {
        const double *q = carom_frame_row(frames, f) + frames->series->layout.q;
        carom_bodies_poses(bodies, q, pose);
        for (size_t i = 0; i < count; i++) {
            put_pose(bodies->dimension, &pose[i], place + f * stride + i * width);
            if (bodies->dimension == CAROM_PLANE && bodies->body[i].q >= 0) /* the angle counts its turns */
                place[f * stride + i * width + 2] = (float)q[bodies->body[i].q + 2];
            if (bodies->body[i].shape)
                see_body(bodies->body[i].shape, &pose[i], low, high);
        }
    }
    if (status == CAROM_OK)
        carom_payload_refer(&self->json, "pose",
                            carom_payload_floats(self->payload, frames->count * stride, place, stride));
    free(pose);
    free(place);
    return status;
}

carom_status page_bodies(carom_page *self, const carom_scene *scene, const carom_frames *frames,
                         double low[3], double high[3], carom_error *error)
{
    const carom_bodies *bodies = scene->bodies;
    carom_json *json = &self->json;
    shape_list list = {0};
    if (bodies->count == 0)
        return CAROM_OK;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "kind", "bodies");
    carom_json_number(json, "count", bodies->count);
    carom_json_array_begin(json, "names");
    for (int i = 0; i < bodies->count; i++)
        carom_json_text(json, NULL, bodies->body[i].name ? bodies->body[i].name : "");
    carom_json_array_end(json);
    carom_json_array_begin(json, "fixed");
    for (int i = 0; i < bodies->count; i++)
        carom_json_number(json, NULL, bodies->body[i].kind == CAROM_BODY_FIXED);
    carom_json_array_end(json);
    carom_status status = shape_list_take(&list, bodies->count) ? write_shapes(self, bodies, &list, error)
                                                                : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = write_poses(self, bodies, frames, low, high, error);
    shape_list_free(&list);
    carom_json_object_end(json);
    return status;
}
