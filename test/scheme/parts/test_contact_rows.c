#include "test/scheme/models.h"

#include "scheme/parts/contact_rows.h"

static void rows_velocities_and_friction(void **unused)
{
    (void)unused;
    const double q[3] = {0.0, 0.0, 0.0}, u[3] = {1.0, 2.0, 3.0};
    carom_arena *arena = carom_arena_create();
    hand_model hand;
    contact_rows rows;
    hand_init(&hand, 3, 1);
    hand.frame = floor_frame;
    hand_friction(&hand, 0, 2, 0.0, 0.4);
    assert_true(contact_rows_take(&rows, arena, &hand.model, RESPONSES_FULL));
    hand_frame(&hand.work, 0, 0.0, q, &rows.frame[0]);
    rows.frame[0].normal_rate = 0.5;
    rows.frame[0].tangent_rate[1] = -7.0;
    assert_near(contact_velocity(&rows, 0, 0, u), 3.5, 0.0);
    assert_near(contact_velocity(&rows, 0, 1, u), 1.0, 0.0);
    assert_near(contact_velocity(&rows, 0, 2, u), -5.0, 0.0);
    assert_int_equal(contact_components(&hand.info[0]), 3);
    assert_true(contact_has_friction(&hand.info[0], &rows.frame[0]));
    rows.frame[0].coefficients[1] = 0.0;
    assert_false(contact_has_friction(&hand.info[0], &rows.frame[0]));

    for (int k = 0; k < 3; k++) {
        memcpy(contact_response(&rows, 0, k)->value, u, sizeof u);
        assert_true(contact_row_finite(&rows, 0, k));
    }
    contact_response(&rows, 0, 1)->value[0] = NAN;
    assert_false(contact_row_finite(&rows, 0, 1));
    rows.frame[0].normal_rate = INFINITY;
    assert_false(contact_row_finite(&rows, 0, 0));
    assert_true(contact_row_finite(&rows, 0, 2));
    carom_arena_free(arena);
}

/* An obstacle that parameters leave out has an infinite gap; only some schemes have a place for it. */
static void absent_contacts_are_refused_before_the_first_step(void **unused)
{
    (void)unused;
    hand_model hand;
    hand_init(&hand, 1, 2);
    hand.info[1].may_be_absent = true;
    const carom_stepper stepper = {.ops = scheme_named("inel"), .model = &hand.model, .contacts = 2};
    const double here[] = {0.5, 0.1}, absent[] = {0.5, INFINITY}, wrong[] = {INFINITY, 0.1};
    carom_error error = {0};
    assert_int_equal(refuse_absent_contacts(&stepper, here, &error), CAROM_OK);
    assert_int_equal(refuse_absent_contacts(&stepper, wrong, &error), CAROM_OK); /* told by the step */
    assert_int_equal(refuse_absent_contacts(&stepper, absent, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "is inf; it must be a finite number");
    assert_mentions(&error, "newmark-contact");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_velocities_and_friction),
        cmocka_unit_test(absent_contacts_are_refused_before_the_first_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
