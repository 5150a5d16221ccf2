/* The plain reflection: exact without force, and gaining energy under a force that presses on the wall. The
 * figures of trial 2 stand beside those of elast. */
#include "test/scheme/models.h"

static carom_stepper *start_ball(hand_model *hand, const carom_scheme_ops *scheme, double force)
{
    const double q0[1] = {0.05}, u0[1] = {-1.0};
    hand_init(hand, 1, 1);
    hand->mass[0] = 2.0;
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->force = constant_force;
    hand->data[16] = force;
    return hand_start(scheme, hand, 0.0, 0.125, q0, u0);
}

static void without_force_it_is_elast(void **unused)
{
    (void)unused;
    hand_model first, second;
    carom_stepper *a = start_ball(&first, scheme_named("billiard"), 0.0);
    carom_stepper *b = start_ball(&second, scheme_named("elast"), 0.0);
    for (int i = 0; i < 10; i++) {
        hand_step(a);
        hand_step(b);
        assert_near(a->state.v[0], b->state.v[0], 0.0);
        assert_near(a->state.q[0], b->state.q[0], 0.0);
    }
    assert_near(a->state.v[0], 1.0, 0.0);
    hand_free(a);
    hand_free(b);
}

/* One reflection returns u' = u - h g as h g - u: twice the gain of the half step that elast takes back. */
static void force_on_the_wall_adds_energy(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = start_ball(&hand, scheme_named("billiard"), -8.0);
    hand_step(stepper);
    assert_near(stepper->state.v[0], 1.0 + 0.125 * 4.0, 0.0);
    assert_near(stepper->state.impulse[0], 2.0 * 2.0 * 1.5, 0.0);
    hand_free(stepper);
    stepper = start_ball(&hand, scheme_named("elast"), -8.0);
    hand_step(stepper);
    assert_near(stepper->state.v[0], 1.0, 0.0);
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_force_it_is_elast),
        cmocka_unit_test(force_on_the_wall_adds_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
