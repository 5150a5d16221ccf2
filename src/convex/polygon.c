#include "polygon.h"

#include <math.h>

typedef struct point {
    double x, y;
} point;

static point vertex_of(const double *vertex, int count, int k)
{
    int i = k < count ? k : k - count;
    return (point){vertex[2 * i], vertex[2 * i + 1]};
}

/* Twice the signed area of the triangle a, b, c: positive when c is left of the way from a to b. */
static double area_twice(point a, point b, point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool polygon_contains(const carom_planar_set *set, double scale, const double p[2])
{
    for (int k = 0; k < set->vertices; k++) {
        point from = vertex_of(set->vertex, set->vertices, k);
        point to = vertex_of(set->vertex, set->vertices, k + 1);
        double left = (to.x - from.x) * (p[1] - scale * from.y) - (to.y - from.y) * (p[0] - scale * from.x);
        if (!(left >= 0.0))
            return false;
    }
    return true;
}

/* The minimiser of 1/2 x^T W x + b.x on the edge from a to c. */
static point edge_minimise(point a, point c, const double w[3], const double b[2])
{
    point e = {c.x - a.x, c.y - a.y};
    double slope = e.x * (w[0] * a.x + w[1] * a.y + b[0]) + e.y * (w[1] * a.x + w[2] * a.y + b[1]);
    double curvature = w[0] * e.x * e.x + 2.0 * w[1] * e.x * e.y + w[2] * e.y * e.y;
    if (slope >= 0.0)
        return a;
    if (-slope >= curvature)
        return c;
    double t = -slope / curvature;
    return (point){a.x + t * e.x, a.y + t * e.y};
}

/* Value at x less value at y, without the cancellation of two separate values: near a vertex the minimisers
 * of its two edges differ by much less in value than in place. */
static double value_difference(point x, point y, const double w[3], const double b[2])
{
    double mean_x = 0.5 * (x.x + y.x), mean_y = 0.5 * (x.y + y.y);
    return (x.x - y.x) * (w[0] * mean_x + w[1] * mean_y + b[0]) +
           (x.y - y.y) * (w[1] * mean_x + w[2] * mean_y + b[1]);
}

void polygon_boundary_minimise(const carom_planar_set *set, double scale, const double w[3],
                               const double b[2], double x[2])
{
    point best = vertex_of(set->vertex, set->vertices, 0);
    best = (point){scale * best.x, scale * best.y};
    for (int k = 0; k < set->vertices; k++) {
        point from = vertex_of(set->vertex, set->vertices, k);
        point to = vertex_of(set->vertex, set->vertices, k + 1);
        from = (point){scale * from.x, scale * from.y};
        to = (point){scale * to.x, scale * to.y};
        point candidate = edge_minimise(from, to, w, b);
        if (value_difference(candidate, best, w, b) < 0.0)
            best = candidate;
    }
    x[0] = best.x;
    x[1] = best.y;
}

static carom_status check_vertices(int vertices, const double *vertex, double *extent, carom_error *error)
{
    if (vertices < 3 || vertices > CAROM_POLYGON_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "a polygon has 3 to %d vertices, not %d", CAROM_POLYGON_MAX,
                          vertices);
    *extent = 0.0;
    for (int k = 0; k < vertices; k++) {
        point here = vertex_of(vertex, vertices, k), next = vertex_of(vertex, vertices, k + 1);
        if (!isfinite(here.x) || !isfinite(here.y))
            return carom_fail(error, CAROM_BAD_INPUT, "polygon vertex %d is (%g, %g); it must be finite",
                              k + 1, here.x, here.y);
        if (here.x == next.x && here.y == next.y)
            return carom_fail(error, CAROM_BAD_INPUT, "polygon vertex %d, (%g, %g), stands twice in a row",
                              k + 1, here.x, here.y);
        *extent = fmax(*extent, fmax(fabs(here.x), fabs(here.y)));
    }
    return CAROM_OK;
}

static double signed_area_twice(int vertices, const double *vertex)
{
    double sum = 0.0;
    for (int k = 0; k < vertices; k++) {
        point here = vertex_of(vertex, vertices, k), next = vertex_of(vertex, vertices, k + 1);
        sum += here.x * next.y - here.y * next.x;
    }
    return sum;
}

/* Every vertex and the origin must be left of every edge; that also refuses stars, which turn left at each
 * vertex but go around twice. */
static carom_status check_sides(int vertices, const double *vertex, double rounding, carom_error *error)
{
    for (int k = 0; k < vertices; k++) {
        point from = vertex_of(vertex, vertices, k), to = vertex_of(vertex, vertices, k + 1);
        for (int i = 0; i < vertices; i++) {
            point other = vertex_of(vertex, vertices, i);
            if (area_twice(from, to, other) < -rounding)
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "polygon is not convex: vertex %d, (%g, %g), is right of the edge from vertex "
                    "%d to vertex %d",
                    i + 1, other.x, other.y, k + 1, (k + 1) % vertices + 1);
        }
        if (area_twice(from, to, (point){0.0, 0.0}) < -rounding)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "polygon does not contain (0, 0): it is right of the edge from vertex %d, "
                              "(%g, %g), to vertex %d, (%g, %g)",
                              k + 1, from.x, from.y, (k + 1) % vertices + 1, to.x, to.y);
    }
    return CAROM_OK;
}

carom_status carom_polygon_check(int vertices, const double *vertex, carom_error *error)
{
    double extent = 0.0;
    carom_status status = check_vertices(vertices, vertex, &extent, error);
    if (status != CAROM_OK)
        return status;
    double rounding = 1e-14 * extent * extent;
    double area = signed_area_twice(vertices, vertex);
    if (fabs(area) <= rounding)
        return carom_fail(error, CAROM_BAD_INPUT, "polygon has no area: its %d vertices are on one line",
                          vertices);
    if (area < 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "polygon is clockwise (area %g); list its vertices counter-clockwise", 0.5 * area);
    return check_sides(vertices, vertex, rounding, error);
}
