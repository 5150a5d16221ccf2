#include "test/scheme/models.h"

#include "scheme/parts/step_failure.h"

static void texts_say_where(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_error error = {0};
    hand_init(&hand, 3, 0);
    assert_int_equal(fail_step(&error, 0.25, 7, "value %d", 42), CAROM_FAILED);
    assert_string_equal(error.text, "t = 0.25, step 7: value 42");
    const double good[3] = {1.0, 2.0, 3.0}, bad[3] = {1.0, NAN, INFINITY};
    assert_int_equal(first_not_finite(3, good), 3);
    assert_int_equal(first_not_finite(3, bad), 1);
    fail_not_finite(&error, 0.0, 1, &hand.model, bad, good);
    assert_mentions(&error, "force of coordinate 'q2'");
    fail_not_finite(&error, 0.0, 1, &hand.model, good, (double[]){0.0, 0.0, INFINITY});
    assert_mentions(&error, "velocity of coordinate 'q3'");
    assert_int_equal(fail_step(NULL, 0.0, 1, "no place for the text"), CAROM_FAILED);
}

static void check_refused(double t0, double h, double q, double v, double theta, const char *word)
{
    hand_model hand;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    const char *const names[] = {"theta", NULL};
    hand_init(&hand, 1, 0);
    assert_int_equal(
        hand_try(&carom_scheme_moreau_jean, &hand, t0, h, &q, &v, names, &theta, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, word);
    assert_null(stepper);
}

static void bad_settings_are_refused(void **unused)
{
    (void)unused;
    check_refused(0.0, 0.0, 0.0, 0.0, 0.5, "h = 0");
    check_refused(0.0, -1.0, 0.0, 0.0, 0.5, "h = -1");
    check_refused(0.0, NAN, 0.0, 0.0, 0.5, "h =");
    check_refused(0.0, INFINITY, 0.0, 0.0, 0.5, "h = inf");
    check_refused(NAN, 0.1, 0.0, 0.0, 0.5, "t0");
    check_refused(0.0, 0.1, NAN, 0.0, 0.5, "position of coordinate 'q1'");
    check_refused(0.0, 0.1, 0.0, INFINITY, 0.5, "velocity of coordinate 'q1'");
    check_refused(0.0, 0.1, 0.0, 0.0, 0.4, "theta = 0.4");
    check_refused(0.0, 0.1, 0.0, 0.0, NAN, "theta");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_say_where),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
