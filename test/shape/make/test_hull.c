/* Convex hulls of points in the plane and in space. */
#include "test/shape/make_shapes.h"

#include "shape/part.h"

static carom_random random_numbers = {5};

static double uniform(double low, double high)
{
    return carom_random_uniform(&random_numbers, low, high);
}

/* What every polyhedron is: all points inside all faces, each edge between two, Euler's number, faces flat. */
static void assert_polyhedron(const carom_shape *shape, size_t points, const double *xyz, double tolerance)
{
    const part *core = shape->part;
    const polyhedron *solid = core->solid;
    assert_int_equal(core->vertices - solid->edges + solid->faces, 2);
    assert_int_equal(2 * solid->edges, solid->first[solid->faces]);
    for (int f = 0; f < solid->faces; f++) {
        const double *n = core->normal + 3 * f, *origin = core->vertex + 3 * solid->corner[solid->first[f]];
        for (size_t i = 0; i < points; i++)
            assert_true(n[0] * (xyz[3 * i] - origin[0]) + n[1] * (xyz[3 * i + 1] - origin[1]) +
                            n[2] * (xyz[3 * i + 2] - origin[2]) <=
                        tolerance);
        for (int c = solid->first[f]; c < solid->first[f + 1]; c++) {
            double offset[3];
            subtract(core->vertex + 3 * solid->corner[c], origin, offset);
            assert_near(dot(offset, n), 0.0, tolerance);
        }
    }
    for (int e = 0; e < solid->edges; e++)
        assert_true(solid->edge[4 * e + 2] >= 0 && solid->edge[4 * e + 3] >= 0);
}

/* A grid of 5 x 5 x 5 points, many in edges and faces, turned: a cube of 8 vertices, 6 faces, 12 edges. */
static void grid_of_points(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        double xyz[375];
        const carom_pose pose = random_pose(&random_numbers, 3, trial % 2 ? 10.0 : 0.0);
        for (int i = 0; i < 125; i++) {
            const double at[3] = {i % 5, i / 5 % 5, i / 25};
            place(&pose, at, xyz + 3 * i);
        }
        carom_shape *shape = convex_of(3, 125, xyz);
        assert_polyhedron(shape, 125, xyz, 1e-10);
        assert_int_equal(shape->part->vertices, 8);
        assert_int_equal(shape->part->solid->faces, 6);
        carom_shape_mass mass;
        carom_shape_mass_of(shape, &mass);
        assert_relative(mass.volume, 64.0, 1e-12);
        carom_shape_free(shape);
    }
}

/* Points of a sphere, of a ball, of prisms with many sides, with noise of files with six digits. */
static void many_hulls(void **state)
{
    (void)state;
    for (int trial = 0; trial < 60; trial++) {
        double xyz[600];
        size_t points = 10 + (size_t)uniform(0, 190);
        for (size_t i = 0; i < points; i++) {
            double *p = xyz + 3 * i;
            do {
                for (int k = 0; k < 3; k++)
                    p[k] = uniform(-1, 1);
            } while (length(p) > 1.0 || length(p) < 0.1);
            if (trial % 3 == 0)
                normalise(p);
            if (trial % 3 == 1) { /* a prism */
                const double angle = 2.0 * CAROM_PI * (double)(i / 2) / (double)((points + 1) / 2);
                p[0] = floor(1e6 * cos(angle)) / 1e6;
                p[1] = floor(1e6 * sin(angle)) / 1e6;
                p[2] = i % 2 ? 0.3 : -0.3;
            }
        }
        if (trial % 3 == 1)
            points -= points % 2;
        carom_shape *shape = convex_of(3, points, xyz);
        assert_polyhedron(shape, points, xyz, 5e-6);
        if (trial % 3 == 1)
            assert_int_equal(shape->part->solid->faces, (int)points / 2 + 2);
        carom_shape_free(shape);
    }
}

static void in_the_plane(void **state)
{
    (void)state;
    double xy[50];
    for (int i = 0; i < 25; i++) {
        xy[2 * i] = i % 5;
        xy[2 * i + 1] = i / 5;
    }
    carom_shape *shape = convex_of(2, 25, xy);
    assert_int_equal(shape->part->vertices, 4);
    carom_shape_free(shape);
    for (int trial = 0; trial < 50; trial++) {
        for (int i = 0; i < 50; i++)
            xy[i] = uniform(-1, 1);
        shape = convex_of(2, 25, xy);
        for (int e = 0; e < shape->part->vertices; e++)
            for (int i = 0; i < 25; i++) {
                const double *n = shape->part->normal + 3 * e, *v = shape->part->vertex + 3 * e;
                assert_true(n[0] * (xy[2 * i] - v[0]) + n[1] * (xy[2 * i + 1] - v[1]) <= 1e-11);
            }
        carom_shape_free(shape);
    }
}

static void refuses(int dim, size_t points, const double *xyz, const char *words)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    assert_int_equal(carom_shape_convex(dim, points, xyz, &shape, &error), CAROM_BAD_INPUT);
    assert_null(shape);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void refusals(void **state)
{
    (void)state;
    const double plane[] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0.5, 0.2, 1},
                 line[] = {0, 0, 1, 1, 2, 2, 5, 5}, same[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    refuses(3, 5, plane, "in one plane");
    refuses(3, 4, same, "in one plane");
    refuses(3, 3, plane, "3 points; it needs 4");
    refuses(2, 4, line, "on one line");
    refuses(2, 4, same, "on one line");
    refuses(3, 4, (double[]){0, 0, 0, 1, 0, 0, 0, NAN, 0, 0, 0, 1}, "coordinate 2 of point 3 is nan");
    refuses(4, 4, plane, "2 (plane) or 3 (space)");
    refuses(3, 0, NULL, "0 points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_of_points),
        cmocka_unit_test(many_hulls),
        cmocka_unit_test(in_the_plane),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
