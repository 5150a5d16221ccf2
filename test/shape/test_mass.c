/* Volume, centre and inertia: closed forms, tetrahedra, sums of parts, and points thrown at random. */
#include "test/shape/make_shapes.h"

static carom_shape_mass mass_of(carom_shape *shape)
{
    carom_shape_mass mass;
    carom_shape_mass_of(shape, &mass);
    carom_shape_free(shape);
    return mass;
}

static void assert_mass(carom_shape *shape, double volume, double xx, double yy, double zz)
{
    const carom_shape_mass mass = mass_of(shape);
    assert_relative(mass.volume, volume, 1e-14);
    assert_all_near(3, mass.centre, ((double[3]){0}), 1e-15);
    assert_all_near(9, mass.inertia, ((double[9]){xx, 0, 0, 0, yy, 0, 0, 0, zz}), 1e-14 * fmax(zz, xx));
}

static void closed_forms(void **state)
{
    (void)state;
    const double pi = CAROM_PI, r = 0.3, h = 1.1;
    assert_mass(sphere_of(2, r), pi * r * r, 0, 0, pi * r * r * r * r / 2);
    assert_mass(box_of(2, 2, 3, 0), 6, 0, 0, 6 * (4 + 9) / 12.0);
    const double ball = 4.0 / 3.0 * pi * r * r * r;
    assert_mass(sphere_of(3, r), ball, 0.4 * ball * r * r, 0.4 * ball * r * r, 0.4 * ball * r * r);
    assert_mass(box_of(3, 1, 2, 3), 6, 6 * 13 / 12.0, 6 * 10 / 12.0, 6 * 5 / 12.0);
    const double tube = pi * r * r * h, across = tube * (3 * r * r + h * h) / 12;
    assert_mass(cylinder_of(r, h), tube, across, across, tube * r * r / 2);
    /* Capsules: cylinder and two half balls, moved by Steiner's rule. */
    const double ends = ball * (0.4 * r * r + h * h / 4 + 3 * h * r / 8);
    assert_mass(capsule_of(3, r, h), tube + ball, across + ends, across + ends,
                tube * r * r / 2 + 0.4 * ball * r * r);
}

/* Boxes as hulls and polygons, and their sums. */
static void hulls(void **state)
{
    (void)state;
    double corner[24];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corner[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * (k + 1);
    assert_mass(convex_of(3, 8, corner), 6, 6 * 13 / 12.0, 6 * 10 / 12.0, 6 * 5 / 12.0);
    const carom_shape_mass tetrahedron =
        mass_of(convex_of(3, 4, (double[]){1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2}));
    assert_near(tetrahedron.volume, 1.0 / 6.0, 1e-15);
    assert_all_near(3, tetrahedron.centre, ((double[]){1.25, 1.25, 1.25}), 1e-15);
    assert_near(tetrahedron.inertia[0], 1.0 / 80.0, 1e-15); /* 1/30 - 2 (1/6) (1/4)^2 */
    assert_near(tetrahedron.inertia[1], 1.0 / 480.0, 1e-15);
    const carom_shape_mass triangle = mass_of(convex_of(2, 3, (double[]){0, 0, 3, 0, 0, 3}));
    assert_near(triangle.volume, 4.5, 1e-14);
    assert_all_near(3, triangle.centre, ((double[]){1, 1, 0}), 1e-14);
    assert_near(triangle.inertia[8], 4.5, 1e-13); /* A (a^2 + b^2) / 18 */
}

static void compounds(void **state)
{
    (void)state;
    /* An L of three squares, as a polygon and as a compound. */
    carom_shape *polygon = NULL, *compound = NULL;
    WORKS(carom_shape_polygon(6, (double[]){0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}, &polygon, &error));
    carom_shape *const part[] = {box_of(2, 2, 1, 0), box_of(2, 1, 1, 0)};
    const carom_pose pose[] = {pose_at(1, 0.5, 0, 0), pose_at(0.5, 1.5, 0, 1.5707963267948966)};
    WORKS(carom_shape_compound(2, 2, part, pose, &compound, &error));
    const carom_shape_mass one = mass_of(polygon), two = mass_of(compound);
    assert_near(one.volume, 3.0, 1e-14);
    assert_all_near(3, one.centre, ((double[]){5.0 / 6.0, 5.0 / 6.0, 0}), 1e-14);
    assert_near(one.inertia[8], 3.0 / 6.0 + 4.0 / 3.0, 1e-14);
    assert_near(two.volume, 3.0, 1e-14);
    assert_all_near(3, two.centre, one.centre, 1e-14);
    assert_near(two.inertia[8], one.inertia[8], 1e-14);
}

/* A copy moved to its centre of mass has it at its origin, and the same inertia. */
static void moved(void **state)
{
    (void)state;
    carom_shape *shape = convex_of(3, 5, (double[]){1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 3, 3, 3}),
                *copy = NULL;
    carom_shape_mass before, after;
    carom_shape_mass_of(shape, &before);
    WORKS(carom_shape_moved(shape, before.centre, &copy, &error));
    carom_shape_free(shape);
    carom_shape_mass_of(copy, &after);
    carom_shape_free(copy);
    assert_near(after.volume, before.volume, 1e-15);
    assert_all_near(3, after.centre, ((double[3]){0}), 1e-15);
    assert_all_near(9, after.inertia, before.inertia, 1e-14);
}

/* Points of the box around the shape that are inside: they touch a small ball there. */
static void thrown_at_random(void **state)
{
    (void)state;
    carom_random random = {8};
    carom_shape *speck = sphere_of(3, 1e-9);
    carom_shape *const part[] = {cylinder_of(0.3, 1.0), capsule_of(3, 0.2, 0.5)};
    const carom_pose pose[] = {{{0.4, 0, 0}, {1, 0, 0, 0, 0, -1, 0, 1, 0}},
                               {{-0.4, 0.1, 0}, {0, 0, 1, 0, 1, 0, -1, 0, 0}}};
    carom_shape *shape = NULL;
    WORKS(carom_shape_compound(3, 2, part, pose, &shape, &error));
    const carom_shape *const both[] = {shape, speck};
    carom_collider *collider = NULL;
    WORKS(carom_collider_setup(3, 2, both, NULL, 0, NULL, 0.0, &collider, &error));
    carom_shape_mass exact;
    carom_shape_mass_of(shape, &exact);
    double low[3], high[3], volume = 1.0, sum[4] = {0}, xx = 0.0;
    carom_pose at[] = {carom_pose_identity(), carom_pose_identity()};
    carom_shape_bounds(shape, &at[0], low, high);
    enum {
        THROWS = 40000
    };
    for (int i = 0; i < THROWS; i++) {
        const carom_touch *touch = NULL;
        size_t count = 0;
        for (int k = 0; k < 3; k++)
            at[1].x[k] = carom_random_uniform(&random, low[k], high[k]);
        WORKS(carom_collider_find(collider, at, &touch, &count, &error));
        sum[3] += (double)count;
        for (int k = 0; k < 3; k++)
            sum[k] += (double)count * at[1].x[k];
        xx += (double)count * at[1].x[0] * at[1].x[0];
    }
    for (int k = 0; k < 3; k++)
        volume *= high[k] - low[k];
    volume /= THROWS;
    assert_relative(sum[3] * volume, exact.volume, 0.03);
    for (int k = 0; k < 3; k++)
        assert_near(sum[k] / sum[3], exact.centre[k], 0.01);
    const double second = 0.5 * (exact.inertia[4] + exact.inertia[8] - exact.inertia[0]);
    assert_relative(xx * volume - exact.volume * exact.centre[0] * exact.centre[0], second, 0.05);
    carom_collider_free(collider);
    carom_shape_free(shape);
    carom_shape_free(speck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),     cmocka_unit_test(hulls),
        cmocka_unit_test(compounds),        cmocka_unit_test(moved),
        cmocka_unit_test(thrown_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
