/* Simple polygons, cut into convex parts. */
#include "test/shape/make_shapes.h"

#include "shape/part.h"

/* Parts are convex, and their areas add up to that of the polygon. */
static size_t parts_of(size_t points, const double *xy)
{
    carom_shape *shape = NULL;
    double area = 0.0;
    for (size_t i = 0; i < points; i++) {
        const double *a = xy + 2 * i, *b = xy + 2 * ((i + 1) % points);
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    WORKS(carom_shape_polygon(points, xy, &shape, &error));
    carom_shape_mass mass;
    carom_shape_mass_of(shape, &mass);
    assert_relative(mass.volume, fabs(area), 1e-12);
    for (size_t p = 0; p < shape->parts; p++) {
        const part *core = &shape->part[p];
        assert_true(core->vertices >= 3);
        for (int e = 0; e < core->vertices; e++)
            for (int i = 0; i < core->vertices; i++) {
                double offset[3];
                subtract(core->vertex + 3 * i, core->vertex + 3 * e, offset);
                assert_true(dot(core->normal + 3 * e, offset) <= 1e-12);
            }
    }
    const size_t parts = shape->parts;
    carom_shape_free(shape);
    return parts;
}

static void cuts(void **state)
{
    (void)state;
    assert_int_equal(parts_of(4, (double[]){0, 0, 1, 0, 1, 1, 0, 1}), 1);
    assert_int_equal(parts_of(4, (double[]){0, 1, 1, 1, 1, 0, 0, 0}), 1);         /* clockwise */
    assert_int_equal(parts_of(5, (double[]){0, 0, 0.5, 0, 1, 0, 1, 1, 0, 1}), 1); /* a point in line */
    assert_int_equal(parts_of(6, (double[]){0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}), 2);
    assert_true(parts_of(12, (double[]){1, 0, 2, 0, 2, 1, 3, 1, 3, 2, 2, 2,
                                        2, 3, 1, 3, 1, 2, 0, 2, 0, 1, 1, 1}) <= 5);
    double star[40], comb[82];
    for (int i = 0; i < 20; i++) {
        const double r = i % 2 ? 0.4 : 1.0;
        star[2 * i] = r * cos(CAROM_PI * i / 10);
        star[2 * i + 1] = r * sin(CAROM_PI * i / 10);
    }
    assert_in_range(parts_of(20, star), 6, 14);
    for (int i = 0; i < 39; i++) {
        comb[2 * i] = i;
        comb[2 * i + 1] = i % 2 ? 5 : 1;
    }
    comb[78] = 38;
    comb[79] = 0;
    comb[80] = 0;
    comb[81] = 0;
    assert_true(parts_of(41, comb) < 40);
}

/* Spirals and random polygons around a point. */
static void random_polygons(void **state)
{
    (void)state;
    carom_random random = {12};
    for (int trial = 0; trial < 100; trial++) {
        double xy[120];
        const size_t points = 4 + (size_t)carom_random_uniform(&random, 0, 50);
        for (size_t i = 0; i < points; i++) {
            const double angle = 2.0 * CAROM_PI * (double)i / (double)points,
                         r = carom_random_uniform(&random, 0.2, 1.0);
            xy[2 * i] = 3.0 + r * cos(angle);
            xy[2 * i + 1] = r * sin(angle);
        }
        assert_true(parts_of(points, xy) <= points - 2);
    }
}

static void refuses(size_t points, const double *xy, const char *words)
{
    carom_shape *shape = NULL;
    carom_error error = {0};
    assert_int_equal(carom_shape_polygon(points, xy, &shape, &error), CAROM_BAD_INPUT);
    assert_null(shape);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void refusals(void **state)
{
    (void)state;
    refuses(2, (double[]){0, 0, 1, 1}, "2 points; it has 3 to");
    refuses(3, (double[]){0, 0, 1, 1, 2, 2}, "on one line");
    refuses(4, (double[]){0, 0, 1, 1, 1, 0, 0, 2}, "from point 1 and from point 3 cross");
    refuses(4, (double[]){0, 0, 1, 0, 1, 0, 0, 1}, "point 2, (1, 0), stands twice");
    refuses(4, (double[]){0, 0, 1, 0, NAN, 1, 0, 1}, "point 3 is");
    refuses(5, (double[]){0, 0, 2, 0, 2, 2, 2, 1, 0, 1}, "turns back on itself at point 3");
    refuses(6, (double[]){0, 0, 2, 0, 2, 2, 1, 0, 0.5, 2, 0, 2}, "cross or touch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts),
        cmocka_unit_test(random_polygons),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
