#include <stdlib.h>
#include <string.h>

#include "carom/model/scales.h"
#include "test/near.h"

/* A point over a floor on a spring, in units of length L, time T and mass M. */
typedef struct units {
    double L, T, M;
} units;

static carom_model *make(const units *in, const char *potential, const char *force, const char *gap)
{
    carom_builder *builder = carom_builder_create();
    const carom_node y = carom_build_coordinate(builder, "y");
    carom_build_parameter(builder, "L", in->L);
    carom_build_parameter(builder, "T", in->T);
    carom_build_parameter(builder, "M", in->M);
    carom_build_kinetic(builder, carom_build_formula(builder, "M*1.5*dot(y)^2"));
    carom_build_potential(builder, carom_build_formula(builder, potential));
    carom_build_force(builder, y, carom_build_formula(builder, force));
    if (gap)
        carom_build_contact(builder, "floor", carom_build_formula(builder, gap));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(builder, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(builder);
    return model;
}

static carom_scales find(const units *in, const char *potential, const char *force, const char *gap, double y,
                         double speed)
{
    carom_model *model = make(in, potential, force, gap);
    carom_model_work *work = NULL;
    carom_scales scales;
    const double q = y * in->L, v = speed * in->L / in->T;
    assert_int_equal(carom_model_work_create(model, NULL, &work, NULL), CAROM_OK);
    assert_int_equal(carom_model_scales(work, 0.0, &q, &v, 1e-3 * in->T, &scales, NULL), CAROM_OK);
    carom_model_work_free(work);
    carom_model_free(model);
    return scales;
}

static const units one = {1.0, 1.0, 1.0};
static const char *const weight = "M*3*9.81*y*L/T^2", *const none = "0";

static void test_gap_over_its_gradient_is_the_length(void **state)
{
    (void)state;
    carom_scales scales = find(&one, weight, none, "2*y", 0.5, 0.0);
    assert_near(scales.length, 0.5, 1e-15);
    assert_near(scales.time, sqrt(0.5 / 9.81), 1e-15);
    assert_near(scales.mass, 3.0, 1e-15);
}

static void test_rates_of_springs_dampers_and_forcing_give_the_time(void **state)
{
    (void)state;
    assert_near(find(&one, "150*y^2", none, "y", 0.5, 0.0).time, 0.1, 1e-15);
    assert_near(find(&one, weight, "-60*dot(y)", "y", 0.5, 0.0).time, 0.05, 1e-15);
    assert_near(find(&one, weight, "sin(314*t)", "y", 0.5, 0.0).time, 1.0 / 314.0, 1e-15);
}

static void test_motion_gives_what_the_model_does_not(void **state)
{
    (void)state;
    /* thrown from the floor: v^2/a and v/a */
    carom_scales scales = find(&one, weight, none, "y", 0.0, 2.0);
    assert_near(scales.length, 4.0 / 9.81, 1e-15);
    assert_near(scales.time, 2.0 / 9.81, 1e-15);
    /* at rest at the origin, moved by a force that begins with 0 */
    scales = find(&one, none, "6*sin(2*t)", "y", 0.0, 0.0);
    assert_near(scales.time, 0.5, 1e-15);
    assert_near(scales.length, 0.5, 1e-15);
    /* along the contact, without forces: y/v */
    scales = find(&one, none, none, "(y-0.5)^2", 0.5, 2.0);
    assert_near(scales.time, 0.25, 1e-15);
    /* nothing but a step */
    scales = find(&one, none, none, NULL, 0.0, 0.0);
    assert_near(scales.time, 1e-3, 1e-18);
    assert_true(scales.length > 0.0 && scales.mass > 0.0);
}

/* Even powers of two keep all significands. */
static void test_scales_are_homogeneous(void **state)
{
    (void)state;
    static const char *const potential[] = {"M*3*9.81*y*L/T^2", "M*40*y^2/T^2", "0"};
    static const char *const force[] = {"0", "M*L/T^2*sin(7*t/T)", "-M/T*dot(y)"};
    static const char *const gap[] = {"y", "y^2/L", NULL};
    static const double speed[] = {0.0, 0.7};
    for (int i = 0; i < 3 * 3 * 3 * 2; i++) {
        const char *p = potential[i % 3], *f = force[i / 3 % 3], *g = gap[i / 9 % 3];
        const double v = speed[i / 27];
        const carom_scales s = find(&one, p, f, g, 0.3, v);
        for (int k = 0; k < 6; k++) {
            const double power[] = {0x1p20, 0x1p-20, 0x1p40, 0x1p-40, 0x1p-20, 1.0};
            const units in = {power[k], power[(k + 1) % 6], power[(k + 2) % 6]};
            const carom_scales scaled = find(&in, p, f, g, 0.3, v);
            assert_true(scaled.length == s.length * in.L);
            assert_true(scaled.time == s.time * in.T);
            assert_true(scaled.mass == s.mass * in.M);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap_over_its_gradient_is_the_length),
        cmocka_unit_test(test_rates_of_springs_dampers_and_forcing_give_the_time),
        cmocka_unit_test(test_motion_gives_what_the_model_does_not),
        cmocka_unit_test(test_scales_are_homogeneous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
