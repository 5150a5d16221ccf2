#include "survey/values.h"

#include <string.h>

#include "test/survey/texts.h"

static void test_ends_are_exact(void **state)
{
    (void)state;
    assert_true(survey_value(0.1, 0.7, 1, 0) == 0.1);
    for (int points = 2; points < 200; points++) {
        assert_true(survey_value(0.1, 0.7, points, 0) == 0.1);
        assert_true(survey_value(0.1, 0.7, points, points - 1) == 0.7);
        for (int i = 1; i < points; i++)
            assert_near(survey_value(0.1, 0.7, points, i) - survey_value(0.1, 0.7, points, i - 1),
                        0.6 / (points - 1), 1e-15);
    }
}

static void test_values_are_checked(void **state)
{
    (void)state;
    static const char text[] = "local n, e = param { 'n', 2, integer = true }, param { 'e', 0.5, max = 1 }\n"
                               "local x = coordinates('x')\n"
                               "mass(1 + n + e)\n"
                               "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n";
    carom_experiment *experiment = load(text);
    carom_error error = {0};
    assert_int_equal(survey_check_values(experiment, "e", 0.0, 1.0, 11, &error), CAROM_OK);
    assert_int_equal(survey_check_values(experiment, "n", 1.0, 4.0, 4, &error), CAROM_OK);
    assert_true(experiment->parameter[0] == 2.0 && experiment->parameter[1] == 0.5);
    static const struct {
        const char *name, *why;
        double from, to;
        int points;
    } bad[] = {{"e", "out of range", 0.0, 1.5, 2}, {"n", "'n'", 1.0, 4.0, 3}, {"f", "'f'", 0.0, 1.0, 2}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(
            survey_check_values(experiment, bad[i].name, bad[i].from, bad[i].to, bad[i].points, &error),
            CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, bad[i].why));
    }
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_are_exact),
        cmocka_unit_test(test_values_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
