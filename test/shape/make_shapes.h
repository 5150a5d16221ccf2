/* Shapes, poses and touches for the tests of this folder. */
#ifndef CAROM_TEST_SHAPE_H
#define CAROM_TEST_SHAPE_H

#include "test/near.h"

#include <stdlib.h>
#include <string.h>

#include "carom/shape.h"

/* A call that must work, and the text of its error when it does not. */
#define WORKS(call)                                                                                          \
    do {                                                                                                     \
        carom_error error = {0};                                                                             \
        if ((call) != CAROM_OK)                                                                              \
            fail_msg("%s: %s", #call, error.text);                                                           \
    } while (0)

static inline carom_shape *sphere_of(int dim, double radius)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_sphere(dim, radius, &shape, &error));
    return shape;
}

static inline carom_shape *box_of(int dim, double a, double b, double c)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_box(dim, (double[]){a, b, c}, &shape, &error));
    return shape;
}

static inline carom_shape *capsule_of(int dim, double radius, double length)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_capsule(dim, radius, length, &shape, &error));
    return shape;
}

static inline carom_shape *cylinder_of(double radius, double height)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_cylinder(radius, height, &shape, &error));
    return shape;
}

static inline carom_shape *plane_of(int dim, double x, double y, double z, double offset)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_halfspace(dim, (double[]){x, y, z}, offset, &shape, &error));
    return shape;
}

static inline carom_shape *convex_of(int dim, size_t points, const double *xyz)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_convex(dim, points, xyz, &shape, &error));
    return shape;
}

/* Turned about z. */
static inline carom_pose pose_at(double x, double y, double z, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (carom_pose){{x, y, z}, {c, -s, 0, s, c, 0, 0, 0, 1}};
}

/* By the unit quaternion w, x, y, z. */
static inline void rotation_of(const double q[4], double r[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, m, sizeof m);
}

/* Somewhere within `reach` of the origin, turned anyhow. */
static inline carom_pose random_pose(carom_random *random, int dim, double reach)
{
    carom_pose pose = pose_at(0, 0, 0, carom_random_uniform(random, -3.2, 3.2));
    for (int k = 0; k < dim; k++)
        pose.x[k] = carom_random_uniform(random, -reach, reach);
    if (dim == CAROM_PLANE)
        return pose;
    double q[4], square;
    do {
        square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = carom_random_uniform(random, -1.0, 1.0);
            square += q[k] * q[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(square);
    rotation_of(q, pose.r);
    return pose;
}

/* b after a: x -> a(b(x)) */
static inline carom_pose pose_product(const carom_pose *a, const carom_pose *b)
{
    carom_pose c;
    for (int i = 0; i < 3; i++) {
        c.x[i] = a->x[i];
        for (int k = 0; k < 3; k++)
            c.x[i] += a->r[3 * i + k] * b->x[k];
        for (int j = 0; j < 3; j++) {
            c.r[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++)
                c.r[3 * i + j] += a->r[3 * i + k] * b->r[3 * k + j];
        }
    }
    return c;
}

/* What every touch must be. */
static inline void assert_sound(const carom_touch *touch, double margin)
{
    assert_true(touch->a < touch->b && touch->gap <= margin);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        square += touch->normal[k] * touch->normal[k];
        assert_near(touch->point_a[k] - touch->point_b[k], touch->gap * touch->normal[k], 1e-12);
    }
    assert_near(square, 1.0, 1e-12);
}

/* Touches of two shapes, at most `room` of them; checked. */
static inline size_t touches_of(int dim, const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                                const carom_pose *pose_b, double margin, size_t room, carom_touch *touch)
{
    const carom_shape *const shape[] = {a, b};
    const carom_pose pose[] = {*pose_a, *pose_b};
    carom_collider *collider = NULL;
    const carom_touch *found = NULL;
    size_t count = 0;
    WORKS(carom_collider_setup(dim, 2, shape, NULL, 0, NULL, margin, &collider, &error));
    WORKS(carom_collider_find(collider, pose, &found, &count, &error));
    assert_true(count <= room);
    for (size_t i = 0; i < count; i++) {
        assert_sound(&found[i], margin);
        assert_true(i == 0 || found[i - 1].feature < found[i].feature);
        touch[i] = found[i];
    }
    carom_collider_free(collider);
    return count;
}

/* The smallest gap; INFINITY without touches. */
static inline double least_gap(size_t count, const carom_touch *touch)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, touch[i].gap);
    return least;
}

#endif
