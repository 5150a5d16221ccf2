/* The correction of violated contacts. */
#include "test/scheme/models.h"

/* Two copies of the same wall: the correction has dependent gradients, and must not divide by zero. */
static void correction_with_the_same_wall_twice(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, -0.3}, u0[2] = {1.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 2);
    hand.gaps = planes_gap;
    hand.frame = planes_frame;
    hand.data[1] = 1.0;
    hand.data[3] = 1.0;
    carom_stepper *stepper =
        hand_start_with(scheme_named("inel"), &hand, 0.0, 0.1, q0, u0, "correction", 1.0);
    hand_step(stepper);
    assert_near(stepper->state.q[1], 0.0, 1e-16);
    assert_near(stepper->state.v[0], 1.0, 0.0);
    hand_free(stepper);
}

/* Two oblique walls, both violated, with masses: afterwards both gaps are 0, and the shift is the smallest in
 * the kinetic metric. */
static void correction_of_two_walls(void **unused)
{
    (void)unused;
    const double q0[3] = {-0.2, -0.1, 5.0}, u0[3] = {0.0, 0.0, 0.0};
    const double normals[6] = {1.0, 0.0, 0.5, 0.6, 0.8, 0.0};
    hand_model hand;
    hand_init(&hand, 3, 2);
    hand.gaps = planes_gap;
    hand.frame = planes_frame;
    memcpy(hand.data, normals, sizeof normals);
    hand.mass[0] = 2.0;
    hand.mass[4] = 0.5;
    hand.mass[8] = 1.0;
    hand.mass[1] = hand.mass[3] = 0.3;
    const double deep[3] = {-0.2, -0.1, -5.0};
    carom_stepper *stepper =
        hand_start_with(scheme_named("inel"), &hand, 0.0, 0.1, deep, u0, "correction", 1.0);
    hand_step(stepper);
    double gap[2], shift[3], momentum[3];
    planes_gap(&hand, 0.0, stepper->state.q, gap);
    assert_near(gap[0], 0.0, 1e-14);
    assert_near(gap[1], 0.0, 1e-14);
    for (int i = 0; i < 3; i++)
        shift[i] = stepper->state.q[i] - deep[i];
    for (int i = 0; i < 3; i++)
        momentum[i] = carom_dot(3, hand.mass + 3 * i, shift);
    /* M shift is a combination of the two normals: orthogonal to their cross product */
    const double across[3] = {-0.4, 0.3, 0.8};
    assert_near(carom_dot(3, across, momentum), 0.0, 1e-13);
    hand_free(stepper);
    /* only the second wall is violated here: the first is left alone */
    stepper = hand_start_with(scheme_named("inel"), &hand, 0.0, 0.1, q0, u0, "correction", 1.0);
    hand_step(stepper);
    planes_gap(&hand, 0.0, stepper->state.q, gap);
    assert_near(gap[1], 0.0, 1e-14);
    assert_true(gap[0] > 1.0);
    hand_free(stepper);
}

/* The velocity is not changed by the correction, nor is a position that violates nothing. */
static void correction_leaves_the_rest_alone(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 1.0}, u0[2] = {1.0, 0.25};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = planes_gap;
    hand.frame = planes_frame;
    hand.data[1] = 1.0;
    carom_stepper *stepper =
        hand_start_with(scheme_named("inel"), &hand, 0.0, 0.5, q0, u0, "correction", 1.0);
    hand_run(stepper, 4);
    assert_near(stepper->state.q[0], 2.0, 0.0);
    assert_near(stepper->state.q[1], 1.5, 0.0);
    assert_near(stepper->state.v[1], 0.25, 0.0);
    hand_free(stepper);
}

/* The same correction serves the scheme with friction. */
static void correction_with_friction(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, -0.25}, u0[2] = {1.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand.force = constant_force;
    hand.data[17] = -10.0;
    hand_friction(&hand, 0, 1, -1.0, 0.3);
    carom_stepper *stepper =
        hand_start_with(scheme_named("moreau-friction"), &hand, 0.0, 0.1, q0, u0, "correction", 1.0);
    hand_step(stepper);
    assert_near(stepper->state.q[1], 0.0, 1e-16);
    assert_near(stepper->state.v[0], 1.0 - 0.3 * 10.0 * 0.1, 1e-15);
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correction_with_the_same_wall_twice),
        cmocka_unit_test(correction_of_two_walls),
        cmocka_unit_test(correction_leaves_the_rest_alone),
        cmocka_unit_test(correction_with_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
