/* Shapes as segments (plane) or triangles (space), for pictures and files of scenes. */
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "surface.h"

typedef struct sketch {
    int dim, around;
    double extent;
    carom_drawing *made;
    size_t point_room, piece_room;
    bool failed;
} sketch;

static bool grow(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t larger = *room ? 2 * *room : 64;
    void *moved = realloc(*array, larger * size);
    if (!moved)
        return false;
    *array = moved;
    *room = larger;
    return true;
}

static int add_point(sketch *s, const double point[3])
{
    void *array = s->made->point;
    if (!grow(&array, s->made->points, &s->point_room, 3 * sizeof(double))) {
        s->failed = true;
        return 0;
    }
    s->made->point = array;
    copy(point, s->made->point + 3 * s->made->points);
    return (int)s->made->points++;
}

/* A segment of the first two, or a triangle. */
static void add_piece(sketch *s, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    const size_t size = (size_t)s->dim;
    void *array = s->made->corner;
    if (!grow(&array, s->made->pieces, &s->piece_room, size * sizeof(int))) {
        s->failed = true;
        return;
    }
    s->made->corner = array;
    memcpy(s->made->corner + size * s->made->pieces++, corner, size * sizeof(int));
}

/* ---- plane ------------------------------------------------------------------------------------------------- */

/* A closed line around the vertices: arcs of the radius between the normals of edges. */
static void draw_rounded(sketch *s, const part *core)
{
    const int arcs = core->vertices, steps = arcs == 1 ? s->around : (s->around + 1) / 2;
    int first = -1, before = -1;
    for (int i = 0; i < arcs; i++) {
        const double *n = arcs == 1 ? (const double[3]){1, 0, 0} : core->normal + 3 * ((i + arcs - 1) % arcs);
        const double start = atan2(n[1], n[0]), turned = arcs == 1 ? 2.0 * CAROM_PI : CAROM_PI;
        for (int k = 0; k < steps + (arcs == 2); k++) {
            const double angle = start + turned * k / steps;
            const double way[3] = {cos(angle), sin(angle), 0.0};
            double point[3];
            along(core->vertex + 3 * i, core->radius, way, point);
            const int here = add_point(s, point);
            if (before >= 0)
                add_piece(s, before, here, 0);
            first = first < 0 ? here : first;
            before = here;
        }
    }
    add_piece(s, before, first, 0);
}

static void draw_polygon(sketch *s, const part *core)
{
    const int first = (int)s->made->points;
    for (int i = 0; i < core->vertices; i++)
        add_point(s, core->vertex + 3 * i);
    for (int i = 0; i < core->vertices; i++)
        if (!core->seam || !core->seam[i])
            add_piece(s, first + i, first + (i + 1) % core->vertices, 0);
}

/* ---- space ---------------------------------------------------------------------------------------------------- */

/* A body of revolution: circles of radius r at heights h along an axis, the ends closed. */
static void draw_turned(sketch *s, const double origin[3], const double axis[3], int circles, const double *r,
                        const double *h)
{
    double t1[3], t2[3];
    frame_of(axis, t1, t2);
    const int first = (int)s->made->points, around = s->around;
    for (int c = 0; c < circles; c++)
        for (int k = 0; k < around; k++) {
            const double angle = 2.0 * CAROM_PI * k / around;
            double point[3];
            for (int i = 0; i < 3; i++)
                point[i] = origin[i] + h[c] * axis[i] + r[c] * (cos(angle) * t1[i] + sin(angle) * t2[i]);
            add_point(s, point);
        }
    for (int c = 0; c + 1 < circles; c++)
        for (int k = 0; k < around; k++) {
            const int a = first + c * around + k, b = first + c * around + (k + 1) % around;
            add_piece(s, a, b, b + around);
            add_piece(s, a, b + around, a + around);
        }
    const int last = first + (circles - 1) * around;
    for (int k = 1; k + 1 < around; k++) {
        add_piece(s, first, first + k + 1, first + k);
        add_piece(s, last, last + k, last + k + 1);
    }
}

enum {
    MERIDIAN_MOST = 64
};

static void draw_capsule(sketch *s, const part *core)
{
    double axis[3] = {0.0, 0.0, 1.0}, r[2 * MERIDIAN_MOST], h[2 * MERIDIAN_MOST];
    const int steps = s->around / 4 + 1 < MERIDIAN_MOST ? s->around / 4 + 1 : MERIDIAN_MOST;
    if (core->vertices == 2)
        subtract(core->vertex + 3, core->vertex, axis);
    const double extent = normalise(axis) * (core->vertices == 2);
    for (int k = 0; k < steps; k++) {
        /* The ends are small circles, not points, so that all triangles have an area. */
        const double angle = 0.5 * CAROM_PI * (k + 0.25 * (k == 0)) / (steps - 1 > 0 ? steps - 1 : 1);
        r[k] = r[2 * steps - 1 - k] = core->radius * sin(fmin(angle, 0.5 * CAROM_PI));
        h[k] = -core->radius * cos(fmin(angle, 0.5 * CAROM_PI));
        h[2 * steps - 1 - k] = extent - h[k];
    }
    if (core->vertices == 1) { /* one circle in the middle is enough */
        memmove(r + steps, r + steps + 1, (size_t)(steps - 1) * sizeof *r);
        memmove(h + steps, h + steps + 1, (size_t)(steps - 1) * sizeof *h);
    }
    draw_turned(s, core->vertex, axis, 2 * steps - (core->vertices == 1), r, h);
}

static void draw_hull(sketch *s, const part *core)
{
    const int start = (int)s->made->points;
    for (int i = 0; i < core->vertices; i++)
        add_point(s, core->vertex + 3 * i);
    for (int f = 0; f < core->solid->faces; f++) {
        const int *corner = core->solid->corner + core->solid->first[f];
        const int corners = core->solid->first[f + 1] - core->solid->first[f];
        for (int i = 1; i + 1 < corners; i++)
            add_piece(s, start + corner[0], start + corner[i], start + corner[i + 1]);
    }
}

/* ---- both ----------------------------------------------------------------------------------------------------- */

/* A piece of the border, `extent` long. */
static void draw_halfspace(sketch *s, const part *p)
{
    double t1[3] = {-p->inner[1], p->inner[0], 0.0}, t2[3] = {0.0}, point[3];
    const int first = (int)s->made->points, corners = s->dim == CAROM_PLANE ? 2 : 4;
    if (s->dim == CAROM_SPACE)
        frame_of(p->inner, t1, t2);
    for (int i = 0; i < corners; i++) {
        const double x = i == 1 || i == 2 ? 0.5 : -0.5, y = i >= 2 ? 0.5 : -0.5;
        for (int k = 0; k < 3; k++)
            point[k] = p->offset * p->inner[k] + s->extent * (x * t1[k] + y * t2[k]);
        add_point(s, point);
    }
    add_piece(s, first, first + 1, first + 2);
    if (s->dim == CAROM_SPACE)
        add_piece(s, first, first + 2, first + 3);
}

static void draw_surface(sketch *s, const surface *sheet)
{
    const int first = (int)s->made->points;
    for (int i = 0; i < sheet->points; i++)
        add_point(s, sheet->point + 3 * i);
    for (int i = 0; i < sheet->pieces; i++) {
        const int *corner = sheet->piece[i].corner;
        add_piece(s, first + corner[0], first + corner[1], first + corner[2]);
    }
}

static void draw_part(sketch *s, const part *p)
{
    const double axis[3] = {p->frame[2], p->frame[5], p->frame[8]};
    switch (p->kind) {
    case PART_HALFSPACE:
        draw_halfspace(s, p);
        return;
    case PART_SURFACE:
        draw_surface(s, p->sheet);
        return;
    case PART_CYLINDER:
        draw_turned(s, p->inner, axis, 2, (const double[2]){p->radius, p->radius},
                    (const double[2]){-p->half, p->half});
        return;
    case PART_CORE:
        break;
    }
    if (s->dim == CAROM_PLANE && p->vertices <= 2)
        draw_rounded(s, p);
    else if (s->dim == CAROM_PLANE)
        draw_polygon(s, p);
    else if (p->solid)
        draw_hull(s, p);
    else
        draw_capsule(s, p);
}

carom_status carom_shape_draw(const carom_shape *shape, int around, double extent, carom_drawing **drawing,
                              carom_error *error)
{
    *drawing = NULL;
    if (around < 4 || around > 1024 || !(extent > 0.0) || !isfinite(extent))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "drawing of a shape: %d points around and an extent of %g; 4 to 1024, and a positive one", around,
            extent);
    sketch s = {.dim = shape->dim, .around = around, .extent = extent, .made = calloc(1, sizeof *s.made)};
    s.failed = !s.made;
    for (size_t i = 0; i < shape->parts && !s.failed; i++)
        draw_part(&s, &shape->part[i]);
    if (s.failed) {
        carom_drawing_free(s.made);
        return carom_fail_memory(error);
    }
    *drawing = s.made;
    return CAROM_OK;
}

void carom_drawing_free(carom_drawing *drawing)
{
    if (!drawing)
        return;
    free(drawing->point);
    free(drawing->corner);
    free(drawing);
}
