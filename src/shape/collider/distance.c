#include "distance.h"

static double segment_distance(const double from[3], const double to[3], const double point[3])
{
    double way[3], offset[3], nearest[3];
    subtract(to, from, way);
    subtract(point, from, offset);
    const double square = dot(way, way);
    along(from, square > 0.0 ? clamp(dot(way, offset) / square, 0.0, 1.0) : 0.0, way, nearest);
    return distance(nearest, point);
}

double piece_distance(int dim, const double *vertex, const double point[3])
{
    if (dim == CAROM_PLANE)
        return segment_distance(vertex, vertex + 3, point);
    double u[3], v[3], n[3], offset[3], least = INFINITY;
    bool over = true;
    subtract(vertex + 3, vertex, u);
    subtract(vertex + 6, vertex, v);
    cross(u, v, n);
    normalise(n);
    for (int i = 0; i < 3; i++) {
        const double *from = vertex + 3 * i, *to = vertex + 3 * ((i + 1) % 3);
        double side[3], outward[3];
        subtract(to, from, side);
        cross(side, n, outward);
        subtract(point, from, offset);
        over = over && dot(outward, offset) <= 0.0;
        least = fmin(least, segment_distance(from, to, point));
    }
    return over ? fabs(dot(n, offset)) : least;
}

/* Inside it is 0; outside the nearest point is over a face, or on an edge. */
static double polyhedron_distance(const part *p, const double point[3])
{
    double least = INFINITY, highest = -INFINITY;
    for (int f = 0; f < p->normals; f++) {
        const int *corner = p->solid->corner + p->solid->first[f];
        const int corners = p->solid->first[f + 1] - p->solid->first[f];
        double offset[3];
        subtract(point, p->vertex + 3 * corner[0], offset);
        const double height = dot(p->normal + 3 * f, offset);
        highest = fmax(highest, height);
        if (height <= 0.0)
            continue;
        for (int i = 1; i + 1 < corners; i++) {
            double triangle[9];
            copy(p->vertex + 3 * corner[0], triangle);
            copy(p->vertex + 3 * corner[i], triangle + 3);
            copy(p->vertex + 3 * corner[i + 1], triangle + 6);
            least = fmin(least, piece_distance(CAROM_SPACE, triangle, point));
        }
    }
    return highest <= 0.0 ? 0.0 : least;
}

static double core_distance(int dim, const part *p, const double point[3])
{
    if (p->vertices == 1)
        return distance(p->vertex, point);
    if (p->vertices == 2)
        return segment_distance(p->vertex, p->vertex + 3, point);
    if (dim == CAROM_SPACE)
        return polyhedron_distance(p, point);
    double least = INFINITY;
    bool inside = true;
    for (int i = 0; i < p->vertices; i++) {
        const double *from = p->vertex + 3 * i, *to = p->vertex + 3 * ((i + 1) % p->vertices);
        double offset[3];
        subtract(point, from, offset);
        inside = inside && dot(p->normal + 3 * i, offset) <= 0.0;
        least = fmin(least, segment_distance(from, to, point));
    }
    return inside ? 0.0 : least;
}

double part_distance(int dim, const part *p, const double point[3])
{
    double offset[3];
    switch (p->kind) {
    case PART_CORE:
        return fmax(0.0, core_distance(dim, p, point) - p->radius);
    case PART_HALFSPACE:
        return fmax(0.0, dot(p->inner, point) - p->offset);
    case PART_CYLINDER:
        subtract(point, p->inner, offset);
        turn_back(p->frame, offset, offset);
        return hypot(fmax(0.0, fabs(offset[2]) - p->half),
                     fmax(0.0, hypot(offset[0], offset[1]) - p->radius));
    case PART_SURFACE:
        break;
    }
    return INFINITY;
}
