/* Accelerations and forces of joints at outputs: where they are exact, where they are not known, who has them. */
#include "jointed.h"

#include <math.h>

static const double weight = -9.81;

/* A body above the floor of contact 0. */
static void init_fall(hand_model *hand)
{
    hand_init(hand, 1, 1);
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->force = constant_force;
    hand->data[16] = weight;
}

static double acceleration_of(carom_stepper *stepper)
{
    double found = 0.0;
    carom_error error = {0};
    if (carom_stepper_forces(stepper, &found, NULL, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return found;
}

static void a_free_fall_has_its_weight_in_every_scheme(void **unused)
{
    (void)unused;
    const double q0 = 1.0, v0 = 0.5;
    int tried = 0;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        hand_model hand;
        init_fall(&hand);
        if (carom_scheme_accepts(carom_scheme_at(i), &hand.model, NULL) != CAROM_OK)
            continue;
        carom_stepper *stepper = hand_start(carom_scheme_at(i), &hand, 0.0, 0.01, &q0, &v0);
        assert_int_equal(carom_stepper_watch(stepper, NULL), CAROM_OK);
        assert_true(acceleration_of(stepper) == weight); /* of the equations of motion */
        hand_run(stepper, 3);
        assert_near(acceleration_of(stepper), weight, 1e-11);
        hand_free(stepper);
        tried++;
    }
    assert_true(tried >= 8);
}

static void an_impact_is_spread_over_its_step(void **unused)
{
    (void)unused;
    const double q0 = 1e-3, v0 = -1.0, h = 0.01;
    hand_model hand;
    init_fall(&hand);
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, h, &q0, &v0);
    carom_stepper_watch(stepper, NULL);
    hand_step(stepper); /* inelastic: it stops */
    assert_true(stepper->state.v[0] == 0.0);
    assert_near(acceleration_of(stepper), 1.0 / h, 1e-11);
    hand_free(stepper);
}

static void what_is_closed_at_the_start_is_not_known_before_a_step(void **unused)
{
    (void)unused;
    const double q0 = 0.0, v0 = 0.0;
    static const char *const schemes[] = {"moreau-jean", "event-driven", "inel"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        hand_model hand;
        init_fall(&hand);
        carom_stepper *stepper = hand_start(scheme_named(schemes[i]), &hand, 0.0, 0.01, &q0, &v0);
        carom_stepper_watch(stepper, NULL);
        assert_true(isnan(acceleration_of(stepper)));
        hand_step(stepper);
        assert_near(acceleration_of(stepper), 0.0, 1e-12);
        hand_free(stepper);
    }
}

/* Two unit masses that must stay together, pulled at the first with 2: both have 1, and the joint pulls with 1. */
static void a_joint_carries_what_the_other_mass_needs(void **unused)
{
    (void)unused;
    const double q0[2] = {0.5, 0.5}, v0[2] = {0.0, 0.0};
    jointed model;
    jointed_init(&model, 2, 0, 1);
    model.joint = linear_joint;
    model.fixed_rows = true;
    model.hand.data[0] = 1.0;
    model.hand.data[1] = -1.0;
    model.hand.force = constant_force;
    model.hand.data[16] = 2.0;
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &model.hand, 0.0, 0.01, q0, v0);
    carom_stepper_watch(stepper, NULL);
    for (int step = 0; step < 3; step++) { /* before a step, and after */
        double acceleration[2], reaction;
        assert_int_equal(carom_stepper_forces(stepper, acceleration, &reaction, NULL), CAROM_OK);
        assert_near(acceleration[0], 1.0, 1e-12);
        assert_near(acceleration[1], 1.0, 1e-12);
        assert_near(reaction, -1.0, 1e-12);
        hand_step(stepper);
    }
    hand_free(stepper);
}

static void what_a_scheme_lacks_is_said(void **unused)
{
    (void)unused;
    const double q0 = 1.0, v0 = 0.5;
    double acceleration;
    hand_model hand;
    jointed model;
    carom_error error = {0};
    jointed_init(&model, 2, 0, 1);
    assert_int_equal(carom_scheme_check_reactions(scheme_named("moreau-jean"), &model.hand.model, &error),
                     CAROM_OK);
    assert_int_equal(carom_scheme_check_reactions(scheme_named("dai-theta"), &model.hand.model, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "take moreau-jean, event-driven or generalized-alpha");
    init_fall(&hand);
    carom_stepper *stepper = hand_start(scheme_named("moreau-jean"), &hand, 0.0, 0.01, &q0, &v0);
    hand_step(stepper);
    assert_int_equal(carom_stepper_forces(stepper, &acceleration, NULL, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "carom_stepper_watch");
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_fall_has_its_weight_in_every_scheme),
        cmocka_unit_test(an_impact_is_spread_over_its_step),
        cmocka_unit_test(what_is_closed_at_the_start_is_not_known_before_a_step),
        cmocka_unit_test(a_joint_carries_what_the_other_mass_needs),
        cmocka_unit_test(what_a_scheme_lacks_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
