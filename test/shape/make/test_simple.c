/* What a few numbers describe: refusals that say what would be right, bounds. */
#include "test/shape/make_shapes.h"

static carom_shape *shape;
static carom_error error;

static void refused(carom_status status, const char *words)
{
    assert_int_equal(status, CAROM_BAD_INPUT);
    assert_null(shape);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void refusals(void **state)
{
    (void)state;
    refused(carom_shape_sphere(2, 0.0, &shape, &error),
            "disc: the radius is 0; it must be a positive number");
    refused(carom_shape_sphere(3, NAN, &shape, &error), "sphere: the radius is");
    refused(carom_shape_sphere(1, 1.0, &shape, &error), "dimension 1");
    refused(carom_shape_box(3, (double[]){1, -2, 3}, &shape, &error), "box: edge 2 is -2");
    refused(carom_shape_box(2, (double[]){1, INFINITY}, &shape, &error), "box: edge 2 is inf");
    refused(carom_shape_capsule(2, 1, 0, &shape, &error), "length between the centres");
    refused(carom_shape_cylinder(1, -1, &shape, &error), "cylinder: the height is -1");
    refused(carom_shape_halfspace(3, (double[]){0, 0, 0}, 1, &shape, &error),
            "the normal must have a length");
    refused(carom_shape_halfspace(2, (double[]){0, 1}, NAN, &shape, &error), "must be finite");
    refused(carom_shape_compound(2, 0, NULL, NULL, &shape, &error), "without parts");
}

static void compound_refusals(void **state)
{
    (void)state;
    carom_shape *disc = sphere_of(2, 1.0), *ball = sphere_of(3, 1.0);
    carom_pose pose = carom_pose_identity();
    refused(carom_shape_compound(2, 1, &ball, &pose, &shape, &error), "part 1 is no shape of the plane");
    pose.x[2] = 1.0;
    refused(carom_shape_compound(2, 1, &disc, &pose, &shape, &error), "z = 0 in the plane");
    pose.x[2] = 0.0;
    pose.r[0] = -1.0;
    refused(carom_shape_compound(2, 1, &disc, &pose, &shape, &error), "no rotation about z");
    refused(carom_shape_compound(3, 1, &ball, &pose, &shape, &error), "no rotation");
    refused(carom_shape_moved(disc, (double[]){0, NAN, 0}, &shape, &error), "must be finite");
    carom_shape_free(disc);
    carom_shape_free(ball);
}

static void bounds(void **state)
{
    (void)state;
    double low[3], high[3];
    const carom_pose pose = pose_at(1, 2, 3, 0.7853981633974483);
    carom_shape *all[] = {box_of(3, 2, 2, 4), cylinder_of(1, 2), capsule_of(3, 0.5, 2),
                          plane_of(3, 0, 0, 1, 0)};
    carom_shape_bounds(all[0], &pose, low, high);
    assert_all_near(3, low, ((double[]){1 - sqrt(2), 2 - sqrt(2), 1}), 1e-15);
    assert_all_near(3, high, ((double[]){1 + sqrt(2), 2 + sqrt(2), 5}), 1e-15);
    carom_shape_bounds(all[1], &pose, low, high);
    assert_all_near(3, high, ((double[]){2, 3, 4}), 1e-15);
    carom_shape_bounds(all[2], &pose, low, high);
    assert_all_near(3, low, ((double[]){0.5, 1.5, 1.5}), 1e-15);
    carom_shape_bounds(all[3], &pose, low, high);
    assert_true(isinf(low[2]) && isinf(high[0]));
    for (int i = 0; i < 4; i++) {
        assert_true(carom_shape_is_solid(all[i]) == (i < 3));
        assert_int_equal(carom_shape_dim(all[i]), 3);
        carom_shape_free(all[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(compound_refusals),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
