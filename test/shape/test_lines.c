/* Lines that show shapes: their outer points are the shape's bounds, from every side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "make_shapes.h"

typedef struct extent {
    double low[3], high[3];
    size_t lines, points;
} extent;

static void widen(void *context, size_t points, const double *xyz)
{
    extent *found = context;
    found->lines++;
    found->points += points;
    for (size_t i = 0; i < points; i++)
        for (int k = 0; k < 3; k++) {
            found->low[k] = fmin(found->low[k], xyz[3 * i + (size_t)k]);
            found->high[k] = fmax(found->high[k], xyz[3 * i + (size_t)k]);
        }
}

/* From in front (x across, z up) and from above (x across, y up). */
static const carom_view views[2] = {
    {.right = {1, 0, 0}, .up = {0, 0, 1}, .toward = {0, -1, 0}, .low = {-2, -2, -2}, .high = {3, 3, 3}},
    {.right = {1, 0, 0}, .up = {0, 1, 0}, .toward = {0, 0, 1}, .low = {-2, -2, -2}, .high = {3, 3, 3}}};

static extent extent_of(const carom_shape *shape, const carom_pose *pose, const carom_view *view)
{
    extent found = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    WORKS(carom_shape_lines(shape, pose, view, widen, &found, &error));
    return found;
}

/* Circles are polygons of 48 corners: their extremes are short by r (1 - cos(pi/48)) at most. */
static void check_bounds(carom_shape *shape, const carom_pose *pose, int view, double roundness)
{
    double low[3], high[3];
    const extent found = extent_of(shape, pose, &views[view]);
    carom_shape_bounds(shape, pose, low, high);
    for (int k = 0; k < 3; k++) {
        if (views[view].toward[k] != 0.0 || carom_shape_dim(shape) == CAROM_PLANE)
            continue;
        assert_near(found.low[k], low[k], roundness + 1e-12);
        assert_near(found.high[k], high[k], roundness + 1e-12);
    }
    carom_shape_free(shape);
}

static carom_pose turned(double x, double y, double z, double angle)
{
    carom_pose pose = {.x = {x, y, z}}; /* about (1, 2, 2) / 3, Rodrigues */
    const double n[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, c = cos(angle), s = sin(angle);
    const double skew[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    for (int i = 0; i < 9; i++)
        pose.r[i] = (i % 4 == 0 ? c : 0.0) + s * skew[i] + (1.0 - c) * n[i / 3] * n[i % 3];
    return pose;
}

static void outlines_fill_the_bounds(void **state)
{
    (void)state;
    const carom_pose pose = turned(0.3, -0.2, 0.5, 0.8);
    const double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, round = 1.0 - cos(CAROM_PI / 48.0);
    for (int view = 0; view < 2; view++) {
        check_bounds(sphere_of(3, 0.4), &pose, view, 0.4 * round);
        check_bounds(box_of(3, 0.4, 0.3, 0.2), &pose, view, 0.0);
        check_bounds(capsule_of(3, 0.1, 0.5), &pose, view, 0.1 * round);
        check_bounds(cylinder_of(0.2, 0.5), &pose, view, 0.2 * round);
        check_bounds(convex_of(3, 4, tetrahedron), &pose, view, 0.0);
    }
}

/* A box from in front shows nine edges, when it is askew; straight from in front only its four. */
static void a_box_hides_its_edges(void **state)
{
    (void)state;
    carom_shape *shape = box_of(3, 0.4, 0.3, 0.2);
    const carom_pose askew = turned(0, 0, 0, 0.8), straight = carom_pose_identity();
    assert_int_equal(extent_of(shape, &askew, &views[0]).lines, 9);
    assert_int_equal(extent_of(shape, &straight, &views[0]).lines, 4);
    carom_shape_free(shape);
}

static void shapes_of_the_plane(void **state)
{
    (void)state;
    const carom_pose here = {.x = {1.0, 2.0, 0.0}, .r = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    carom_shape *disc = sphere_of(2, 0.5), *box = box_of(2, 0.4, 0.2, 0), *floor = plane_of(2, 0, 1, 0, 0.25);
    extent found = extent_of(disc, &here, &views[1]);
    assert_int_equal(found.lines, 2); /* with the radius that shows how it rolls */
    assert_near(found.low[0], 0.5, 1e-12);
    assert_near(found.high[0], 1.5, 1e-12);
    assert_near(found.high[1], 2.5, 1e-12);
    found = extent_of(box, &here, &views[1]);
    assert_int_equal(found.lines, 4);
    assert_near(found.low[1], 1.9, 1e-12);
    /* the floor, as wide as the world that is shown; its height is its own */
    const carom_pose origin = carom_pose_identity();
    found = extent_of(floor, &origin, &views[1]);
    assert_int_equal(found.lines, 1);
    assert_near(found.low[0], -2.0, 1e-12);
    assert_near(found.high[0], 3.0, 1e-12);
    assert_near(found.low[1], 0.25, 1e-12);
    assert_near(found.high[1], 0.25, 1e-12);
    carom_shape_free(disc);
    carom_shape_free(box);
    carom_shape_free(floor);
}

/* In space a floor is a line from the side; from above there is nothing to see of it. */
static void floors_of_space(void **state)
{
    (void)state;
    carom_shape *floor = plane_of(3, 0, 0, 1, 0);
    const carom_pose origin = carom_pose_identity();
    assert_int_equal(extent_of(floor, &origin, &views[0]).lines, 1);
    assert_int_equal(extent_of(floor, &origin, &views[1]).lines, 0);
    carom_shape_free(floor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_fill_the_bounds),
        cmocka_unit_test(a_box_hides_its_edges),
        cmocka_unit_test(shapes_of_the_plane),
        cmocka_unit_test(floors_of_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
