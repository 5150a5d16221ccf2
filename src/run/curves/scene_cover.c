/* A point is hidden when a triangle of another body stands before it, seen along the direction to the viewer. Segments are
 * tried at many points; where one is hidden and the next is not, the border is found by halving. */
#include "scene_cover.h"

#include <math.h>
#include <stdlib.h>

enum {
    AROUND = 32,  /* corners of what is round */
    PIECES = 150, /* of a line across the picture */
    HALVINGS = 12
};
static const double before = 1e-5; /* of the picture's size: what touches does not hide */

/* Corners as (right, up, toward). */
typedef struct triangle {
    double corner[3][3];
    double low[2], high[2];
} triangle;

typedef struct covering_body {
    size_t first, count;
    double low[2], high[2];
} covering_body;

struct scene_cover {
    const carom_view *view;
    int bodies;
    covering_body *body;
    triangle *triangle;
    size_t count, capacity;
    double size;
};

static double along(const double axis[3], const double point[3])
{
    return axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];
}

static void look_at(const carom_view *view, const double point[3], double seen[3])
{
    seen[0] = along(view->right, point);
    seen[1] = along(view->up, point);
    seen[2] = along(view->toward, point);
}

static void widen(const double seen[3], double low[2], double high[2])
{
    for (int k = 0; k < 2; k++) {
        low[k] = fmin(low[k], seen[k]);
        high[k] = fmax(high[k], seen[k]);
    }
}

static bool add_triangle(scene_cover *cover, const carom_pose *pose, const carom_drawing *drawing,
                         size_t piece, covering_body *body)
{
    if (cover->count == cover->capacity) {
        const size_t capacity = cover->capacity ? 2 * cover->capacity : 256;
        triangle *grown = realloc(cover->triangle, carom_product(capacity, sizeof *grown));
        if (!grown)
            return false;
        cover->triangle = grown;
        cover->capacity = capacity;
    }
    triangle *added = &cover->triangle[cover->count++];
    *added = (triangle){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    for (int c = 0; c < 3; c++) {
        const double *p = drawing->point + 3 * (ptrdiff_t)drawing->corner[3 * piece + (size_t)c];
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = pose->x[k] + along(pose->r + 3 * (ptrdiff_t)k, p);
        look_at(cover->view, x, added->corner[c]);
        widen(added->corner[c], added->low, added->high);
        widen(added->corner[c], body->low, body->high);
    }
    body->count++;
    return true;
}

static bool add_body(scene_cover *cover, const carom_body *is, const carom_pose *pose, covering_body *body)
{
    double low[3], high[3];
    carom_drawing *drawing = NULL;
    *body =
        (covering_body){.first = cover->count, .low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    if (!is->shape)
        return true;
    carom_shape_bounds(is->shape, pose, low, high);
    for (int k = 0; k < 3; k++)
        if (!isfinite(low[k]) || !isfinite(high[k]))
            return true;
    if (carom_shape_draw(is->shape, AROUND, 1.0, &drawing, NULL) != CAROM_OK)
        return false;
    bool taken = true;
    for (size_t i = 0; taken && i < drawing->pieces; i++)
        taken = add_triangle(cover, pose, drawing, i, body);
    carom_drawing_free(drawing);
    return taken;
}

scene_cover *scene_cover_create(const carom_bodies *bodies, const carom_pose *pose, const carom_view *view)
{
    scene_cover *cover = carom_new_array(1, sizeof *cover);
    if (!cover)
        return NULL;
    *cover = (scene_cover){.view = view, .bodies = bodies->count};
    cover->body = carom_new_array((size_t)bodies->count, sizeof *cover->body);
    bool taken = cover->body != NULL;
    for (int i = 0; taken && i < bodies->count; i++)
        taken = add_body(cover, &bodies->body[i], &pose[i], &cover->body[i]);
    if (!taken) {
        scene_cover_free(cover);
        return NULL;
    }
    for (int k = 0; k < 3; k++)
        cover->size = fmax(cover->size, view->high[k] - view->low[k]);
    return cover;
}

void scene_cover_free(scene_cover *cover)
{
    if (!cover)
        return;
    free(cover->body);
    free(cover->triangle);
    free(cover);
}

static bool is_within(const double low[2], const double high[2], const double seen[3])
{
    return seen[0] >= low[0] && seen[0] <= high[0] && seen[1] >= low[1] && seen[1] <= high[1];
}

/* Twice the area of the triangle a, b, seen; positive: it turns left. */
static double turn(const double a[3], const double b[3], const double seen[3])
{
    return (b[0] - a[0]) * (seen[1] - a[1]) - (b[1] - a[1]) * (seen[0] - a[0]);
}

static bool covers(const triangle *t, const double seen[3], double margin)
{
    const double area = turn(t->corner[0], t->corner[1], t->corner[2]);
    if (area == 0.0)
        return false; /* seen from its side */
    double depth = 0.0;
    for (int c = 0; c < 3; c++) {
        const double weight = turn(t->corner[(c + 1) % 3], t->corner[(c + 2) % 3], seen) / area;
        if (weight < 0.0)
            return false;
        depth += weight * t->corner[c][2];
    }
    return depth > seen[2] + margin;
}

static bool is_hidden(const scene_cover *cover, int own, const double point[3])
{
    double seen[3];
    look_at(cover->view, point, seen);
    for (int i = 0; i < cover->bodies; i++) {
        const covering_body *body = &cover->body[i];
        if (i == own || !is_within(body->low, body->high, seen))
            continue;
        for (size_t k = body->first; k < body->first + body->count; k++)
            if (is_within(cover->triangle[k].low, cover->triangle[k].high, seen) &&
                covers(&cover->triangle[k], seen, before * cover->size))
                return true;
    }
    return false;
}

static void point_at(const double from[3], const double to[3], double part, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = from[k] + part * (to[k] - from[k]);
}

void scene_cover_show(const scene_cover *cover, int own, const double from[3], const double to[3],
                      carom_shape_line *line, void *context)
{
    double length = 0.0, piece[6], start = 0.0;
    for (int k = 0; k < 3; k++)
        length = hypot(length, to[k] - from[k]);
    const int pieces = 1 + (int)fmin(PIECES * length / cover->size, 10.0 * PIECES);
    bool hidden = is_hidden(cover, own, from);
    for (int i = 1; i <= pieces; i++) {
        double point[3];
        point_at(from, to, (double)i / pieces, point);
        const bool next = is_hidden(cover, own, point);
        double low = (double)(i - 1) / pieces, high = (double)i / pieces;
        for (int k = 0; next != hidden && k < HALVINGS; k++) {
            const double middle = 0.5 * (low + high);
            point_at(from, to, middle, point);
            *(is_hidden(cover, own, point) == hidden ? &low : &high) = middle;
        }
        if (next != hidden && hidden)
            start = high;
        if (!hidden && (next || i == pieces)) {
            point_at(from, to, start, piece);
            point_at(from, to, next ? low : 1.0, piece + 3);
            line(context, 2, piece);
        }
        if (hidden && !next && i == pieces) {
            point_at(from, to, start, piece);
            point_at(from, to, 1.0, piece + 3);
            line(context, 2, piece);
        }
        hidden = next;
    }
}
