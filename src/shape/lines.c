/* Lines that show a shape to a viewer far away: outlines of round things, and those edges of the others that he sees. */
#include <stdlib.h>

#include "part.h"
#include "surface.h"

enum {
    ROUND = 48 /* corners of a circle */
};

typedef struct drawing {
    const carom_view *view;
    carom_shape_line *line;
    void *context;
} drawing;

static void straight(const drawing *draw, const double from[3], const double to[3])
{
    const double end[6] = {from[0], from[1], from[2], to[0], to[1], to[2]};
    draw->line(draw->context, 2, end);
}

/* The arc centre + r (cos s a + sin s b), s from `from` to `to`. */
static void arc(const drawing *draw, const double centre[3], double r, const double a[3], const double b[3],
                double from, double to)
{
    double point[3 * (ROUND + 1)];
    for (int i = 0; i <= ROUND; i++) {
        const double s = from + (to - from) * i / ROUND;
        along(centre, r * cos(s), a, point + 3 * i);
        along(point + 3 * i, r * sin(s), b, point + 3 * i);
    }
    draw->line(draw->context, ROUND + 1, point);
}

/* The ball around a segment, from any side: two half circles and two lines; seen along its axis a circle. */
static void capsule_lines(const drawing *draw, const double from[3], const double to[3], double radius)
{
    const carom_view *view = draw->view;
    double axis[3], side[3], end[2][3];
    subtract(to, from, axis);
    along(axis, -dot(axis, view->toward), view->toward, axis);
    if (normalise(axis) <= 1e-12 * radius) {
        arc(draw, from, radius, view->right, view->up, 0.0, 2.0 * CAROM_PI);
        return;
    }
    cross(view->toward, axis, side);
    arc(draw, to, radius, axis, side, -0.5 * CAROM_PI, 0.5 * CAROM_PI);
    arc(draw, from, radius, axis, side, 0.5 * CAROM_PI, 1.5 * CAROM_PI);
    for (int k = -1; k <= 1; k += 2) {
        along(from, k * radius, side, end[0]);
        along(to, k * radius, side, end[1]);
        straight(draw, end[0], end[1]);
    }
}

static void polygon_lines(const drawing *draw, const part *core)
{
    for (int i = 0; i < core->vertices; i++)
        straight(draw, core->vertex + 3 * i, core->vertex + 3 * ((i + 1) % core->vertices));
}

/* An edge is seen when a face beside it is, and when it is no crease of a surface that is nearly smooth. */
static void polyhedron_lines(const drawing *draw, const part *core)
{
    const double smooth = 0.94; /* cosine: 20 degrees */
    for (int i = 0; i < core->solid->edges; i++) {
        const int *edge = core->solid->edge + 4 * i;
        const double *left = core->normal + 3 * edge[2], *right = core->normal + 3 * edge[3];
        const bool sees_left = dot(left, draw->view->toward) > 1e-9;
        const bool sees_right = dot(right, draw->view->toward) > 1e-9;
        if (sees_left != sees_right || (sees_left && dot(left, right) < smooth))
            straight(draw, core->vertex + 3 * edge[0], core->vertex + 3 * edge[1]);
    }
}

/* Rims, and the sides that bound what is seen. */
static void cylinder_lines(const drawing *draw, const part *cylinder)
{
    const double *f = cylinder->frame, x[3] = {f[0], f[3], f[6]}, y[3] = {f[1], f[4], f[7]},
                 z[3] = {f[2], f[5], f[8]};
    double end[2][3], side[3], from[3], to[3];
    for (int k = 0; k < 2; k++) {
        along(cylinder->inner, (k ? 1.0 : -1.0) * cylinder->half, z, end[k]);
        arc(draw, end[k], cylinder->radius, x, y, 0.0, 2.0 * CAROM_PI);
    }
    cross(draw->view->toward, z, side);
    if (normalise(side) <= 1e-12)
        return;
    for (int k = -1; k <= 1; k += 2) {
        along(end[0], k * cylinder->radius, side, from);
        along(end[1], k * cylinder->radius, side, to);
        straight(draw, from, to);
    }
}

/* Only the border of a halfspace that is seen as a line; it ends where the part of the world ends that is shown. */
static void halfspace_lines(const drawing *draw, const part *half)
{
    const carom_view *view = draw->view;
    const double *n = half->inner;
    double middle[3], on[3], side[3], from[3], to[3], first = -INFINITY, last = INFINITY;
    if (fabs(dot(n, view->toward)) > 1e-9)
        return;
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (view->low[k] + view->high[k]);
    along(middle, half->offset - dot(n, middle), n, on);
    cross(n, view->toward, side);
    for (int k = 0; k < 3; k++) {
        if (fabs(side[k]) < 1e-9)
            continue;
        const double a = (view->low[k] - on[k]) / side[k], b = (view->high[k] - on[k]) / side[k];
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    if (!(first < last))
        return;
    along(on, first, side, from);
    along(on, last, side, to);
    straight(draw, from, to);
}

static void surface_lines(const drawing *draw, int dim, const surface *sheet, const carom_pose *pose)
{
    const int corners = dim == CAROM_PLANE ? 2 : 3;
    for (int i = 0; i < sheet->pieces; i++)
        for (int k = 0; k < (corners == 2 ? 1 : 3); k++) {
            double from[3], to[3];
            place(pose, sheet->point + 3 * sheet->piece[i].corner[k], from);
            place(pose, sheet->point + 3 * sheet->piece[i].corner[(k + 1) % corners], to);
            straight(draw, from, to);
        }
}

static void core_lines(const drawing *draw, int dim, const carom_pose *pose, const part *core)
{
    if (core->vertices > 2) {
        if (dim == CAROM_PLANE)
            polygon_lines(draw, core);
        else
            polyhedron_lines(draw, core);
        return;
    }
    capsule_lines(draw, core->vertex, core->vertex + 3 * (core->vertices - 1), core->radius);
    if (core->vertices == 1 && dim == CAROM_PLANE) { /* a radius shows how it rolls */
        const double x[3] = {pose->r[0], pose->r[3], 0.0};
        double rim[3];
        along(core->vertex, core->radius, x, rim);
        straight(draw, core->vertex, rim);
    }
}

carom_status carom_shape_lines(const carom_shape *shape, const carom_pose *pose, const carom_view *view,
                               carom_shape_line *line, void *context, carom_error *error)
{
    const drawing draw = {view, line, context};
    for (size_t i = 0; i < shape->parts; i++) {
        const part *from = &shape->part[i];
        part placed = *from;
        double *room = carom_new_array(3 * (size_t)(from->vertices + from->normals) + 1, sizeof *room);
        if (!room)
            return carom_fail_memory(error);
        placed.vertex = room;
        placed.normal = room + 3 * from->vertices;
        part_place(from, pose, &placed);
        switch (placed.kind) {
        case PART_CORE:
            core_lines(&draw, shape->dim, pose, &placed);
            break;
        case PART_CYLINDER:
            cylinder_lines(&draw, &placed);
            break;
        case PART_HALFSPACE:
            halfspace_lines(&draw, &placed);
            break;
        case PART_SURFACE:
            surface_lines(&draw, shape->dim, placed.sheet, pose);
            break;
        }
        free(room);
    }
    return CAROM_OK;
}
