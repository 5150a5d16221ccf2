/* Convex hulls of given points. */
#include <stdlib.h>

#include "hull.h"

enum {
    HULL_POINTS_MAX = 1 << 14
};

static carom_status check_points(int dim, size_t points, const double *xyz, carom_error *error)
{
    const carom_status status = shape_check_dim(dim, "convex", error);
    if (status != CAROM_OK)
        return status;
    if (points <= (size_t)dim || points > HULL_POINTS_MAX || !xyz)
        return carom_fail(error, CAROM_BAD_INPUT, "convex: %zu points; it needs %d to %d of them", points,
                          dim + 1, HULL_POINTS_MAX);
    for (size_t i = 0; i < points; i++)
        for (int k = 0; k < dim; k++)
            if (!(fabs(xyz[i * (size_t)dim + (size_t)k]) <= 1e150))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "convex: coordinate %d of point %zu is %g; it must be finite", k + 1, i + 1,
                                  xyz[i * (size_t)dim + (size_t)k]);
    return CAROM_OK;
}

static carom_status make_plane(int points, const double *point, carom_shape **shape, carom_error *error)
{
    int *corner = carom_new_array((size_t)points, sizeof *corner);
    if (!corner)
        return carom_fail_memory(error);
    double extent = 0.0;
    for (int i = 1; i < points; i++)
        extent = fmax(extent, distance(point, point + 3 * i));
    const int corners = hull_plane(points, point, 1e-12 * extent, corner);
    if (corners >= 0 && corners < 3) {
        free(corner);
        return carom_fail(error, CAROM_BAD_INPUT,
                          "convex: its %d points are on one line; a hull needs an area", points);
    }
    carom_shape *hull = corners >= 3 ? shape_create(CAROM_PLANE, 1) : NULL;
    const bool complete = hull && polygon_make(hull->arena, corners, corner, point, hull->part);
    free(corner);
    if (complete && hull->part->vertices < 3) {
        carom_shape_free(hull);
        return carom_fail(error, CAROM_BAD_INPUT,
                          "convex: the hull of its %d points is too thin for its size", points);
    }
    return shape_finish(hull, complete, shape, error);
}

static carom_status make_space(int points, const double *point, carom_shape **shape, carom_error *error)
{
    carom_shape *hull = shape_create(CAROM_SPACE, 1);
    if (!hull)
        return carom_fail_memory(error);
    const carom_status status = hull_make(hull->arena, points, point, hull->part, error);
    if (status == CAROM_OK)
        *shape = hull;
    else
        carom_shape_free(hull);
    return status;
}

carom_status carom_shape_convex(int dim, size_t points, const double *xyz, carom_shape **shape,
                                carom_error *error)
{
    *shape = NULL;
    carom_status status = check_points(dim, points, xyz, error);
    if (status != CAROM_OK)
        return status;
    double *point = carom_new_array(points, 3 * sizeof *point);
    if (!point)
        return carom_fail_memory(error);
    for (size_t i = 0; i < points; i++)
        for (int k = 0; k < dim; k++)
            point[3 * i + (size_t)k] = xyz[i * (size_t)dim + (size_t)k];
    status = dim == CAROM_PLANE ? make_plane((int)points, point, shape, error)
                                : make_space((int)points, point, shape, error);
    free(point);
    return status;
}
