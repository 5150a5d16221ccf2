/* Solids on polylines, meshes and height fields. */
#include "test/shape/make_shapes.h"

enum {
    ROOM = 64
};

static carom_touch touch[ROOM];

static carom_shape *polyline_of(size_t points, const double *xy, bool closed)
{
    carom_shape *shape = NULL;
    WORKS(carom_shape_polyline(points, xy, closed, &shape, &error));
    return shape;
}

/* A square of n by n cells, each of two triangles, turned in a pattern; heights from a function. */
static carom_shape *terrain_of(int n, double cell, double (*height)(double x, double y))
{
    static double xyz[3 * 41 * 41];
    static int corner[6 * 40 * 40];
    size_t triangles = 0;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            double *p = xyz + 3 * (j * (n + 1) + i);
            p[0] = cell * (i - 0.5 * n);
            p[1] = cell * (j - 0.5 * n);
            p[2] = height(p[0], p[1]);
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int at = j * (n + 1) + i, up = at + n + 1;
            const int one[6] = {at, at + 1, up + 1, at, up + 1, up},
                      two[6] = {at, up, at + 1, up + 1, at + 1, up};
            memcpy(corner + 3 * triangles, (i + j) % 2 ? one : two,
                   sizeof one); /* every second one upside down */
            triangles += 2;
        }
    carom_shape *shape = NULL;
    WORKS(carom_shape_mesh((size_t)((n + 1) * (n + 1)), xyz, triangles, corner, &shape, &error));
    return shape;
}

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0.0;
}

/* On a line of many pieces a disc has one touch and a box two, straight up, as on a half plane. */
static void no_bumps_in_the_plane(void **state)
{
    (void)state;
    double xy[2 * 21];
    for (int i = 0; i < 21; i++) {
        xy[2 * i] = 0.37 * i - 2.0;
        xy[2 * i + 1] = 0.0;
    }
    carom_shape *line = polyline_of(21, xy, false), *disc = sphere_of(2, 0.3), *box = box_of(2, 1.0, 0.5, 0),
                *capsule = capsule_of(2, 0.2, 0.7);
    const carom_shape *const solid[] = {disc, box, capsule};
    const double height[] = {0.3, 0.25, 0.2};
    const size_t expected[] = {1, 2, 2};
    const carom_pose origin = carom_pose_identity();
    for (int s = 0; s < 3; s++) {
        uint64_t feature[2] = {0};
        for (int i = 0; i < 1000; i++) {
            const carom_pose at = pose_at(-1.0 + 0.005 * i, height[s] - 1e-6, 0, 0);
            assert_int_equal(touches_of(2, solid[s], &at, line, &origin, 1e-3, ROOM, touch), expected[s]);
            for (size_t k = 0; k < expected[s]; k++) {
                assert_near(touch[k].gap, -1e-6, 1e-14);
                assert_all_near(3, touch[k].normal, ((double[]){0, 1, 0}), 1e-12);
                assert_true(i == 0 || touch[k].feature == feature[k]);
                feature[k] = touch[k].feature;
            }
        }
    }
    carom_shape_free(line);
    carom_shape_free(disc);
    carom_shape_free(box);
    carom_shape_free(capsule);
}

/* In a corner of a polyline a disc touches both walls; over a ridge it turns around it. */
static void corners_in_the_plane(void **state)
{
    (void)state;
    carom_shape *line = polyline_of(3, (double[]){-2, 2, 0, 0, 2, 2}, false), *disc = sphere_of(2, 0.5);
    const double h = sqrt(0.5);
    const carom_pose origin = carom_pose_identity(), in = pose_at(0, 0.5 / h, 0, 0),
                     under = pose_at(0, -0.51, 0, 0), aside = pose_at(-0.3, -0.4, 0, 0);
    assert_int_equal(touches_of(2, disc, &in, line, &origin, 1e-3, ROOM, touch), 2);
    for (int k = 0; k < 2; k++) {
        assert_near(touch[k].gap, 0.0, 1e-15);
        assert_near(fabs(touch[k].normal[0]), h, 1e-15);
    }
    assert_int_equal(touches_of(2, disc, &under, line, &origin, 0.02, ROOM, touch), 1);
    assert_near(touch->gap, 0.01, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){0, -1, 0}), 1e-15);
    assert_int_equal(touches_of(2, disc, &aside, line, &origin, 0.02, ROOM, touch), 1);
    assert_near(touch->gap, 0.0, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){-0.6, -0.8, 0}), 1e-15);
    carom_shape_free(line);
    carom_shape_free(disc);
}

/* Ball, box, capsule, cylinders and a wedge slide over a flat mesh as over a half-space: same count, same gaps, straight
 * normals, and numbers that stay. */
static void no_bumps_in_space(void **state)
{
    (void)state;
    carom_shape *mesh = terrain_of(20, 0.23, flat), *plane = plane_of(3, 0, 0, 1, 0);
    carom_shape *const solid[] = {
        sphere_of(3, 0.3),
        box_of(3, 0.6, 0.4, 0.5),
        capsule_of(3, 0.2, 0.7),
        cylinder_of(0.3, 0.5),
        cylinder_of(0.2, 0.8),
        convex_of(3, 4, (double[]){-0.3, -0.3, 0, 0.5, 0, 0, -0.2, 0.4, 0, 0, 0, 0.6})};
    const carom_pose origin = carom_pose_identity(), lie = {{0}, {0, 0, 1, 0, 1, 0, -1, 0, 0}};
    const double height[] = {0.3, 0.25, 0.2, 0.25, 0.2, 0.0};
    for (int s = 0; s < 6; s++) {
        uint64_t feature[ROOM] = {0};
        for (int i = 0; i < 400; i++) {
            carom_pose at = pose_at(-1.0 + 0.0057 * i, 0.6 * sin(0.01 * i), height[s] - 1e-6, 0.02 * i);
            if (s == 2 || s == 4)
                at = pose_product(&at, &lie);
            carom_touch expected[ROOM];
            const size_t count = touches_of(3, solid[s], &at, plane, &origin, 1e-3, ROOM, expected);
            if (touches_of(3, solid[s], &at, mesh, &origin, 1e-3, ROOM, touch) != count)
                fail_msg("solid %d, step %d: not %zu touches", s, i, count);
            for (size_t k = 0; k < count; k++) {
                assert_near(touch[k].gap, -1e-6, 1e-12);
                assert_all_near(3, touch[k].normal, ((double[]){0, 0, 1}), 1e-12);
                if (i > 0 && touch[k].feature != feature[k])
                    fail_msg("solid %d, step %d: touch %zu has another number", s, i, k);
                feature[k] = touch[k].feature;
            }
        }
    }
    for (int s = 0; s < 6; s++)
        carom_shape_free(solid[s]);
    carom_shape_free(mesh);
    carom_shape_free(plane);
}

static double roof(double x, double y)
{
    (void)y;
    return -fabs(x);
}

static double valley(double x, double y)
{
    (void)y;
    return fabs(x);
}

static void ridges_and_valleys(void **state)
{
    (void)state;
    carom_shape *ridge = terrain_of(20, 0.25, roof), *trough = terrain_of(20, 0.25, valley),
                *ball = sphere_of(3, 0.5), *box = box_of(3, 1, 1, 1);
    const carom_pose origin = carom_pose_identity();
    const double h = sqrt(0.5);
    for (int i = 0; i < 100; i++) {
        const carom_pose top = pose_at(0, -1 + 0.013 * i, 0.499, 0),
                         aside = pose_at(0.3 * 0.9, -1 + 0.013 * i, 0.4 * 0.9 + 0.05, 0),
                         in = pose_at(0, -1 + 0.013 * i, 0.5 / h - 0.001, 0),
                         stands = pose_at(0.1, -1 + 0.013 * i, 0.499, 0);
        assert_int_equal(touches_of(3, ball, &top, ridge, &origin, 1e-3, ROOM, touch), 1);
        assert_near(touch->gap, -0.001, 1e-15);
        assert_int_equal(touches_of(3, ball, &aside, ridge, &origin, 0.1, ROOM, touch), 1);
        assert_near(touch->gap, hypot(0.27, 0.41) - 0.5, 1e-15);
        assert_int_equal(touches_of(3, ball, &in, trough, &origin, 1e-4, ROOM, touch), 2);
        for (int k = 0; k < 2; k++) {
            assert_near(touch[k].gap, -0.001 * h, 1e-15);
            assert_near(fabs(touch[k].normal[0]), h, 1e-12);
        }
        /* A box on the ridge: straight up, along the line that it lies on. */
        const size_t count = touches_of(3, box, &stands, ridge, &origin, 1e-3, ROOM, touch);
        assert_true(count >= 2);
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            assert_near(touch[k].gap, -0.001, 1e-12);
            assert_all_near(3, touch[k].normal, ((double[]){0, 0, 1}), 1e-12);
            low = fmin(low, touch[k].point_a[1] - stands.x[1]);
            high = fmax(high, touch[k].point_a[1] - stands.x[1]);
        }
        assert_true(low < -0.24 && high > 0.24);
    }
    carom_shape_free(ridge);
    carom_shape_free(trough);
    carom_shape_free(ball);
    carom_shape_free(box);
}

/* A box that leans a little against the side of a block of triangles, near its upper edge: only sideways. */
static void beside_a_block(void **state)
{
    (void)state;
    double xyz[24];
    const int corner[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                          2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            xyz[3 * i + k] = i >> k & 1 ? 1.0 : -1.0;
    carom_shape *block = NULL, *box = box_of(3, 0.4, 0.4, 0.6), *ball = sphere_of(3, 0.3);
    WORKS(carom_shape_mesh(8, xyz, 12, corner, &block, &error));
    const carom_pose origin = carom_pose_identity();
    for (int i = -50; i <= 50; i++) {
        const double lean = 1e-4 * i, c = cos(lean), s = sin(lean);
        const carom_pose at = {{1.2 - 1e-6, 0.1, 0.75}, {c, 0, s, 0, 1, 0, -s, 0, c}};
        const size_t count = touches_of(3, box, &at, block, &origin, 1e-3, ROOM, touch);
        assert_true(count > 0);
        for (size_t k = 0; k < count; k++) {
            assert_near(touch[k].normal[0], 1.0, 1e-4);
            assert_true(touch[k].gap > -0.005);
        }
    }
    const carom_pose over = pose_at(1.0 + 0.18, 0.2, 1.0 + 0.24, 0);
    assert_int_equal(touches_of(3, ball, &over, block, &origin, 1e-3, ROOM, touch), 1);
    assert_near(touch->gap, 0.0, 1e-15);
    carom_shape_free(block);
    carom_shape_free(box);
    carom_shape_free(ball);
}

static double waves(double x, double y)
{
    return 0.2 * sin(1.7 * x) * cos(1.3 * y);
}

/* A ball on waves: the nearest point of all triangles, found by trying them. */
static void ball_on_waves(void **state)
{
    (void)state;
    enum {
        N = 20
    };
    double z[21 * 21];
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++)
            z[j * (N + 1) + i] = waves(0.2 * i, 0.2 * j);
    carom_shape *field = NULL, *ball = sphere_of(3, 0.25);
    WORKS(carom_shape_heightfield(N + 1, N + 1, 0.2, 0.2, z, &field, &error));
    carom_random random = {6};
    for (int trial = 0; trial < 200; trial++) {
        const carom_pose turn = random_pose(&random, 3, 2.0);
        carom_pose at = carom_pose_identity();
        at.x[0] = carom_random_uniform(&random, 0.5, 3.5);
        at.x[1] = carom_random_uniform(&random, 0.5, 3.5);
        at.x[2] = waves(at.x[0], at.x[1]) + carom_random_uniform(&random, 0.2, 0.3);
        /* Dense points of the surface near it. */
        double least = INFINITY;
        for (int p = 0; p <= 600; p++)
            for (int q = 0; q <= 600; q++) {
                const double x = at.x[0] + 0.3 * (p - 300) / 300, y = at.x[1] + 0.3 * (q - 300) / 300;
                const int i = (int)floor(x / 0.2), j = (int)floor(y / 0.2);
                if (i < 0 || j < 0 || i >= N || j >= N)
                    continue;
                const double u = x / 0.2 - i, v = y / 0.2 - j;
                const double z00 = z[j * (N + 1) + i], z10 = z[j * (N + 1) + i + 1],
                             z01 = z[(j + 1) * (N + 1) + i], z11 = z[(j + 1) * (N + 1) + i + 1];
                const double height =
                    u > v ? z00 + u * (z10 - z00) + v * (z11 - z10) : z00 + v * (z01 - z00) + u * (z11 - z01);
                const double d2 = (x - at.x[0]) * (x - at.x[0]) + (y - at.x[1]) * (y - at.x[1]) +
                                  (height - at.x[2]) * (height - at.x[2]);
                least = fmin(least, d2);
            }
        const carom_pose ball_at = pose_product(&turn, &at);
        const size_t count = touches_of(3, ball, &ball_at, field, &turn, 0.2, ROOM, touch);
        assert_near(least_gap(count, touch), sqrt(least) - 0.25, 5e-5);
    }
    carom_shape_free(field);
    carom_shape_free(ball);
}

static void refusals(void **state)
{
    (void)state;
    carom_shape *shape = NULL;
    carom_error error = {0};
    const double point[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0};
    assert_int_equal(carom_shape_mesh(4, point, 1, (int[]){0, 1, 4}, &shape, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "triangle 1 has the corner 4; points are 0 to 3"));
    assert_int_equal(carom_shape_mesh(4, point, 1, (int[]){0, 1, 2}, &shape, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "none of its 1 triangles has an area"));
    assert_int_equal(carom_shape_mesh(4, point, 0, (int[]){0}, &shape, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_shape_polyline(1, point, false, &shape, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "an open one") ? error.text : strstr(error.text, "open"));
    assert_int_equal(carom_shape_polyline(3, (double[]){0, 0, 1, 1, 0, 0}, true, &shape, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "returns by itself"));
    assert_int_equal(carom_shape_heightfield(1, 3, 1, 1, point, &shape, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_shape_heightfield(2, 2, 0, 1, point, &shape, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "spacings 0 and 1"));
    assert_int_equal(carom_shape_heightfield(2, 2, 1, 1, (double[]){0, 1, NAN, 2}, &shape, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "height (1, 2) is"));
    assert_null(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bumps_in_the_plane),
        cmocka_unit_test(corners_in_the_plane),
        cmocka_unit_test(no_bumps_in_space),
        cmocka_unit_test(ridges_and_valleys),
        cmocka_unit_test(beside_a_block),
        cmocka_unit_test(ball_on_waves),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
