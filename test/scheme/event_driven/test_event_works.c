/* Works of the event-driven scheme: with those of forces and contacts the change of energy adds up, to some 1e-8 of the
 * energies that are moved. The energy of these models is the kinetic one, springs and gravity are forces. */
#include "table.h"

static void driven_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    force[0] = -4.0 * (q[0] - 0.3) - 0.2 * u[0] + 3.0 * cos(1.7 * t);
}

/* What the works leave unexplained of the change of energy. */
static double left_over(carom_stepper *stepper, double energy_start)
{
    const carom_works works = carom_stepper_works(stepper);
    return carom_stepper_energy(stepper) - energy_start - works.forces - works.contacts - works.joints;
}

static void driven_oscillator(void **unused)
{
    (void)unused;
    const double q0[1] = {5.0}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 0.0, 0.7);
    hand.force = driven_force;
    const double steps[] = {0.01, 0.3, 15.0};
    for (int k = 0; k < 3; k++) {
        carom_stepper *stepper = start_on(&hand, steps[k], q0, v0);
        hand_run(stepper, (long)(30.0 / steps[k] + 0.5));
        assert_true(inside(stepper)->impacts > 10);
        assert_true(carom_stepper_works(stepper).contacts < -0.1);
        assert_true(carom_stepper_works(stepper).forces > 0.1);
        assert_near(left_over(stepper, 0.0), 0.0, 1e-8);
        hand_free(stepper);
    }
}

/* All impacts of a ball, its last low hops, and rest: gravity gave what the impacts took. */
static void ball_to_rest(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 9.81, 0.5);
    carom_stepper *stepper = start_on(&hand, 0.1, q0, v0);
    hand_run(stepper, 20);
    assert_near(carom_stepper_works(stepper).forces, 9.81, 1e-9);
    assert_near(carom_stepper_works(stepper).contacts, -9.81, 1e-9);
    hand_free(stepper);
}

/* A table that moves like sin(3 t) works on the ball, in lasting contact and by impacts. */
static void moving_table(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, v0[1] = {3.0};
    hand_model hand;
    ball_init(&hand, 5.0, 0.4);
    hand.gaps = table_gap;
    hand.frame = table_frame;
    carom_stepper *stepper = start_on(&hand, 0.1, q0, v0);
    hand_step(stepper); /* in contact: the force 5 - 9 sin(3 t) along 3 cos(3 t) */
    const double s = sin(0.3);
    assert_near(carom_stepper_works(stepper).contacts, 5.0 * s - 4.5 * s * s, 1e-9);
    hand_run(stepper, 99);
    assert_true(inside(stepper)->impacts > 3);
    assert_near(left_over(stepper, 4.5), 0.0, 1e-9);
    hand_free(stepper);
}

/* Works do not disturb the integration: a pendulum at a wall is where it is without forces to integrate. */
static void pendulum_at_a_wall(void **unused)
{
    (void)unused;
    hand_model hand;
    pendulum_init(&hand, 0.8);
    carom_stepper *stepper = start_on(&hand, 0.05, pendulum_q0, pendulum_v0);
    hand_run(stepper, 60);
    assert_true(inside(stepper)->impacts > 2);
    assert_near(left_over(stepper, 0.0), 0.0, 1e-8);
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_oscillator),
        cmocka_unit_test(ball_to_rest),
        cmocka_unit_test(moving_table),
        cmocka_unit_test(pendulum_at_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
