/* Drawings enclose what the shapes enclose. */
#include "test/shape/make_shapes.h"

/* Area inside closed segments, volume inside triangles that turn left seen from outside: sums over the border. */
static double measure_of(const carom_shape *shape, int around)
{
    carom_drawing *drawing = NULL;
    double sum = 0.0;
    const int dim = carom_shape_dim(shape);
    WORKS(carom_shape_draw(shape, around, 1.0, &drawing, &error));
    for (size_t i = 0; i < drawing->pieces; i++) {
        const int *corner = drawing->corner + (size_t)dim * i;
        for (int c = 0; c < dim; c++)
            assert_true(corner[c] >= 0 && (size_t)corner[c] < drawing->points);
        const double *a = drawing->point + 3 * corner[0], *b = drawing->point + 3 * corner[1];
        if (dim == CAROM_PLANE) {
            sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
            continue;
        }
        const double *c = drawing->point + 3 * corner[2];
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6.0;
    }
    carom_drawing_free(drawing);
    return sum;
}

static void solids(void **state)
{
    (void)state;
    carom_shape *cut = NULL, *compound = NULL;
    WORKS(carom_shape_polygon(6, (double[]){0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}, &cut, &error));
    carom_shape *const part[] = {box_of(3, 1, 2, 3), cylinder_of(0.5, 1)};
    const carom_pose pose[] = {{{5, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 1}},
                               {{0, 5, 0}, {1, 0, 0, 0, 0, -1, 0, 1, 0}}};
    WORKS(carom_shape_compound(3, 2, part, pose, &compound, &error));
    carom_shape *all[] = {sphere_of(2, 0.7),
                          capsule_of(2, 0.3, 1),
                          box_of(2, 2, 3, 0),
                          cut,
                          sphere_of(3, 0.7),
                          capsule_of(3, 0.3, 1),
                          box_of(3, 1, 2, 3),
                          cylinder_of(0.4, 2),
                          convex_of(3, 4, (double[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}),
                          compound};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        carom_shape_mass mass;
        carom_shape_mass_of(all[i], &mass);
        assert_relative(measure_of(all[i], 128), mass.volume, 3e-3);
        assert_relative(measure_of(all[i], 8), mass.volume, 0.3);
        carom_shape_free(all[i]);
    }
}

static void surfaces(void **state)
{
    (void)state;
    carom_shape *line = NULL, *plane = plane_of(3, 0, 0, 1, 2), *half = plane_of(2, 0, 1, 0, 2);
    carom_drawing *drawing = NULL;
    WORKS(carom_shape_polyline(4, (double[]){0, 0, 1, 0, 1, 1, 0, 1}, true, &line, &error));
    assert_near(measure_of(line, 8), 1.0, 1e-15);
    WORKS(carom_shape_draw(plane, 8, 10.0, &drawing, &error));
    assert_int_equal(drawing->points, 4);
    assert_int_equal(drawing->pieces, 2);
    for (int i = 0; i < 4; i++) {
        assert_near(drawing->point[3 * i + 2], 2.0, 1e-15);
        assert_near(hypot(drawing->point[3 * i], drawing->point[3 * i + 1]), sqrt(50), 1e-14);
    }
    carom_drawing_free(drawing);
    WORKS(carom_shape_draw(half, 8, 10.0, &drawing, &error));
    assert_int_equal(drawing->pieces, 1);
    carom_drawing_free(drawing);
    carom_error text = {0};
    assert_int_equal(carom_shape_draw(half, 2, 10.0, &drawing, &text), CAROM_BAD_INPUT);
    assert_non_null(strstr(text.text, "2 points around"));
    assert_int_equal(carom_shape_draw(half, 8, 0.0, &drawing, &text), CAROM_BAD_INPUT);
    carom_drawing_free(NULL);
    carom_shape_free(line);
    carom_shape_free(plane);
    carom_shape_free(half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solids), cmocka_unit_test(surfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
