#include "vibro_impact.h"

#include "scheme/vibro_impact/impact_system.h"

/* A system as its schemes make it, with a state at q0 and v0. */
static impact_system *system_at(hand_model *hand, const double *q0, const double *v0)
{
    return (impact_system *)hand_start(scheme_named("sweeping"), hand, 0.0, 0.1, q0, v0);
}

static void contacts_within_the_tolerance_are_active(void **unused)
{
    (void)unused;
    static const double wall[2] = {1.0, 0.0}, flat[2] = {0.0, 2.0};
    const double q0[2] = {1.0, 1.0}, v0[2] = {0.0, 0.0}, on_wall[2] = {0.0, 1e-3};
    hand_model hand;
    planes(&hand, 0.25, wall, flat);
    impact_system *system = system_at(&hand, q0, v0);
    assert_int_equal(impact_find_active(system, 0.0, q0, 0.0, NULL), CAROM_OK);
    assert_int_equal(system->active_count, 0);
    assert_int_equal(impact_find_active(system, 0.0, on_wall, 0.0, NULL), CAROM_OK);
    assert_int_equal(system->active_count, 1);
    assert_int_equal(system->active[0], 0);
    assert_near(system->restitution, 0.25, 0.0);
    assert_int_equal(impact_find_active(system, 0.0, on_wall, 0.01, NULL), CAROM_OK);
    assert_int_equal(system->active_count, 2);
    assert_near(system->lcp.matrix[0], 1.0, 0.0);
    assert_near(system->lcp.matrix[1], 0.0, 0.0);
    assert_near(system->lcp.matrix[3], 4.0, 0.0);
    hand_free(&system->stepper);
}

static void impulses_are_those_of_the_active_contacts(void **unused)
{
    (void)unused;
    static const double wall[2] = {1.0, 0.0}, flat[2] = {0.0, 1.0};
    const double q0[2] = {1.0, 1.0}, v0[2] = {0.0, 0.0}, on_flat[2] = {1.0, 0.0};
    hand_model hand;
    planes(&hand, 0.25, wall, flat);
    impact_system *system = system_at(&hand, q0, v0);
    assert_int_equal(impact_find_active(system, 0.0, on_flat, 0.0, NULL), CAROM_OK);
    system->lcp.z[0] = 3.0;
    impact_take_impulses(system, 2.0);
    impact_record_impulses(system);
    const carom_state *state = &system->stepper.state;
    assert_near(state->impulse[0], 0.0, 0.0);
    assert_near(state->impulse[CAROM_CONTACT_COMPONENTS], 6.0, 0.0);
    assert_int_equal(state->regime[0], CAROM_CONTACT_OPEN);
    assert_int_equal(state->regime[1], CAROM_CONTACT_SLIP);
    hand_free(&system->stepper);
}

static void velocities_without_bound_are_a_blow_up(void **unused)
{
    (void)unused;
    static const double beyond[] = {2e12, -2e12, INFINITY, NAN};
    const double q0 = 1.0, v0 = 0.0, fine = 1e12;
    hand_model hand;
    ball(&hand, 1.0, 0.5);
    impact_system *system = system_at(&hand, &q0, &v0);
    assert_int_equal(impact_check_velocity(system, 0.0, &fine, NULL), CAROM_OK);
    assert_null(system->stepper.end_word);
    for (int k = 0; k < 4; k++) {
        carom_error error = {0};
        system->stepper.end_word = NULL;
        assert_int_equal(impact_check_velocity(system, 0.0, &beyond[k], &error), CAROM_FAILED);
        assert_string_equal(system->stepper.end_word, "blowup");
        assert_mentions(&error, "'q1'");
    }
    hand_free(&system->stepper);
}

static void bad_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)q;
    (void)u;
    force[0] = t > 0.25 ? NAN : 0.0;
}

static void bad_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    gap[0] = t > 0.25 ? NAN : q[0];
}

static void bad_mass(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    mass[0] = q[0] - 0.75;
}

static void zero_gradient(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    frame->normal.value[0] = q[0] < 0.5 ? 0.0 : 1.0;
}

/* Runs until the step fails, and looks at the text; the state must be the one before the failing step. */
static void check_failure(const carom_scheme_ops *scheme, hand_model *hand, const char *text)
{
    const double q0 = 1.0, v0 = -1.0;
    carom_stepper *stepper = hand_start(scheme, hand, 0.0, 0.1, &q0, &v0);
    carom_error error = {0};
    carom_status status = CAROM_OK;
    double t = 0.0, q = 1.0;
    while (status == CAROM_OK && stepper->counts.steps < 30) {
        t = stepper->state.t;
        q = stepper->state.q[0];
        status = scheme->step(stepper, &error);
    }
    assert_int_equal(status, CAROM_FAILED);
    assert_mentions(&error, text);
    assert_true(stepper->state.t == t && stepper->state.q[0] == q);
    hand_free(stepper);
}

static void failures_say_what_is_wrong(void **unused)
{
    (void)unused;
    const carom_scheme_ops *const schemes[] = {scheme_named("sweeping"), scheme_named("paoli-schatzman")};
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        ball(&hand, 0.0, 0.5);
        hand.model.constant_force = false;
        hand.force = bad_force;
        check_failure(schemes[k], &hand, "the force of coordinate 'q1' is");
        ball(&hand, 0.0, 0.5);
        hand.gaps = bad_gap;
        check_failure(schemes[k], &hand, "the gap of contact 'one' is");
        ball(&hand, 0.0, 0.5);
        hand.model.constant_mass = false;
        hand.variable_mass = bad_mass;
        check_failure(schemes[k], &hand, "mass matrix not positive definite");
        ball(&hand, 0.0, 0.5);
        hand.info[0].constant_rows = hand.info[0].constant_frame = false;
        hand.frame = zero_gradient;
        check_failure(schemes[k], &hand, "has a zero gradient at contact");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_within_the_tolerance_are_active),
        cmocka_unit_test(impulses_are_those_of_the_active_contacts),
        cmocka_unit_test(velocities_without_bound_are_a_blow_up),
        cmocka_unit_test(failures_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
