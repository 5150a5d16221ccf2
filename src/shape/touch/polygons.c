/* Polygons that look at each other: faces, segments, caps and sides of cylinders. */
#include "patch.h"

int edge_number(const polyhedron *solid, int from, int to)
{
    for (int e = 0; e < solid->edges; e++) {
        const int *edge = solid->edge + 4 * e;
        if ((edge[0] == from && edge[1] == to) || (edge[0] == to && edge[1] == from))
            return e;
    }
    return 0;
}

void polygon_of_face(const part *p, int face, polygon *to)
{
    const int *corner = p->solid->corner + p->solid->first[face];
    const int all = p->solid->first[face + 1] - p->solid->first[face];
    const int corners = all < PATCH_CORNERS ? all : PATCH_CORNERS;
    to->corners = corners;
    to->face = FEATURE_FACE | face;
    copy(p->normal + 3 * face, to->normal);
    for (int i = 0; i < corners; i++) {
        const int here = corner[(long)i * all / corners], next = corner[(long)(i + 1) * all / corners % all];
        copy(p->vertex + 3 * here, to->point[i]);
        to->vertex[i] = FEATURE_VERTEX | here;
        to->edge[i] = FEATURE_EDGE | edge_number(p->solid, here, next);
    }
}

int facing_face(const part *q, const double n[3])
{
    int facing = 0;
    double least = INFINITY;
    for (int f = 0; f < q->normals; f++) {
        const double d = dot(n, q->normal + 3 * f);
        if (d < least - 1e-9) {
            least = d;
            facing = f;
        }
    }
    return facing;
}

/* A segment is a polygon of two corners and one side, there and back. */
static void polygon_of_segment(const double from[3], const double to[3], const int vertex[2], int edge,
                               polygon *to_fill)
{
    to_fill->corners = 2;
    to_fill->face = edge;
    for (int i = 0; i < 2; i++) {
        copy(i ? to : from, to_fill->point[i]);
        to_fill->vertex[i] = vertex[i];
        to_fill->edge[i] = edge;
    }
}

void polygon_of_capsule(const part *capsule, polygon *to)
{
    static const int vertex[2] = {FEATURE_VERTEX, FEATURE_VERTEX | 1};
    polygon_of_segment(capsule->vertex, capsule->vertex + 3, vertex, FEATURE_EDGE, to);
}

/* A point of the rim at an angle, on the upper (1) or lower (0) cap. */
static void rim_point(const part *cylinder, int upper, double angle, double point[3])
{
    const double c = cylinder->radius * cos(angle), s = cylinder->radius * sin(angle);
    const double h = upper ? cylinder->half : -cylinder->half;
    for (int k = 0; k < 3; k++)
        point[k] = cylinder->inner[k] + cylinder->frame[3 * k] * c + cylinder->frame[3 * k + 1] * s +
                   cylinder->frame[3 * k + 2] * h;
}

/* Corners of a cap turn left seen from outside. */
void polygon_of_cap(const part *cylinder, int upper, int corners, const double lowest[3], polygon *to)
{
    const double along_x =
        cylinder->frame[0] * lowest[0] + cylinder->frame[3] * lowest[1] + cylinder->frame[6] * lowest[2];
    const double along_y =
        cylinder->frame[1] * lowest[0] + cylinder->frame[4] * lowest[1] + cylinder->frame[7] * lowest[2];
    const bool leans = hypot(along_x, along_y) > RIM_FLAT;
    const double step = 2.0 * CAROM_PI / corners, at = leans ? atan2(along_y, along_x) : 0.0;
    to->corners = 0;
    to->face = FEATURE_FACE | upper;
    for (int k = 0; k < 3; k++)
        to->normal[k] = upper ? cylinder->frame[3 * k + 2] : -cylinder->frame[3 * k + 2];
    /* From the moving corner around, or from corner 0. */
    const int first = leans ? (int)floor(at / step + 0.5) : 0;
    for (int i = 0; i < corners; i++) {
        const int turned = upper ? first + i : first - i, number = ((turned % corners) + corners) % corners;
        const bool moving = leans && i == 0;
        const int corner = to->corners++;
        rim_point(cylinder, upper, moving ? at : step * number, to->point[corner]);
        to->vertex[corner] = moving ? FEATURE_ROUND | upper : FEATURE_VERTEX | upper << 8 | number;
        to->edge[corner] = FEATURE_EDGE | upper << 8 | number;
    }
}

void polygon_of_side(const part *cylinder, const double lowest[3], polygon *to)
{
    static const int vertex[2] = {FEATURE_ROUND, FEATURE_ROUND | 1};
    const double x =
        cylinder->frame[0] * lowest[0] + cylinder->frame[3] * lowest[1] + cylinder->frame[6] * lowest[2];
    const double y =
        cylinder->frame[1] * lowest[0] + cylinder->frame[4] * lowest[1] + cylinder->frame[7] * lowest[2];
    const double angle = atan2(y, x);
    double from[3], end[3];
    rim_point(cylinder, 0, angle, from);
    rim_point(cylinder, 1, angle, end);
    polygon_of_segment(from, end, vertex, FEATURE_EDGE | SIDE_LINE, to);
}

void polygon_of_cylinder(const part *cylinder, const double out[3], int corners, polygon *to)
{
    const double along_axis =
        cylinder->frame[2] * out[0] + cylinder->frame[5] * out[1] + cylinder->frame[8] * out[2];
    if (fabs(along_axis) < 0.5)
        polygon_of_side(cylinder, out, to);
    else
        polygon_of_cap(cylinder, along_axis > 0.0, corners, out, to);
}
