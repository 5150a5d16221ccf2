#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/run.h"

static carom_parameter parameters[] = {
    {.name = "restitution", .value = 0.8, .min = 0.0, .max = 1.0},
    {.name = "order", .value = 2.0, .min = 1.0, .max = INFINITY, .integer = true},
    {.name = "slope", .value = 0.0, .min = -INFINITY, .max = 0.5},
};
static carom_setting settings[] = {{.name = "J", .number = 3.0}};
static carom_model model = {.parameters = 3, .parameter = parameters};
static double values[3];
static carom_experiment experiment = {
    .model = &model, .parameter = values, .setting_count = 1, .setting = settings};

static int reset(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        values[i] = parameters[i].value;
    return 0;
}

static void expect_failure(const char *name, const char *value, const char *words[])
{
    double before[3];
    memcpy(before, values, sizeof before);
    carom_error error = {0};
    assert_int_equal(carom_experiment_set(&experiment, name, value, &error), CAROM_BAD_INPUT);
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    for (int i = 0; words[i]; i++)
        if (!strstr(error.text, words[i]))
            fail_msg("'%s' is not in: %s", words[i], error.text);
    assert_memory_equal(before, values, sizeof before);
    assert_int_equal(carom_experiment_set(&experiment, name, value, NULL), CAROM_BAD_INPUT);
}

static void values_in_range_are_set(void **state)
{
    (void)state;
    assert_int_equal(carom_experiment_set(&experiment, "restitution", "1", NULL), CAROM_OK);
    assert_int_equal(carom_experiment_set(&experiment, "order", "7", NULL), CAROM_OK);
    assert_int_equal(carom_experiment_set(&experiment, "slope", "-2.5e3", NULL), CAROM_OK);
    assert_true(values[0] == 1.0 && values[1] == 7.0 && values[2] == -2500.0);
}

static void values_out_of_range_name_the_range(void **state)
{
    (void)state;
    expect_failure("restitution", "1.5", (const char *[]){"'restitution'", "1.5", "from 0 to 1", NULL});
    expect_failure("order", "0", (const char *[]){"'order'", "at least 1", NULL});
    expect_failure("slope", "0.75", (const char *[]){"'slope'", "0.75", "at most 0.5", NULL});
}

static void whole_numbers_are_asked_for(void **state)
{
    (void)state;
    expect_failure("order", "2.5", (const char *[]){"'order'", "2.5", "whole number", NULL});
}

static void texts_that_are_no_finite_number_are_refused(void **state)
{
    (void)state;
    expect_failure("restitution", "half", (const char *[]){"'restitution'", "'half'", "not a number", NULL});
    expect_failure("restitution", "", (const char *[]){"not a number", NULL});
    expect_failure("restitution", "nan", (const char *[]){"not a number", NULL});
    expect_failure("order", "inf", (const char *[]){"'order'", "finite", NULL});
}

static void unknown_names_list_the_known_ones(void **state)
{
    (void)state;
    expect_failure("restitutoin", "1",
                   (const char *[]){"'restitutoin'", "did you mean 'restitution'?",
                                    "restitution, order, slope, J", NULL});
    expect_failure("completely_else", "1", (const char *[]){"restitution, order, slope, J", NULL});
    carom_model empty_model = {0};
    carom_experiment empty = {.model = &empty_model};
    carom_error error = {0};
    assert_int_equal(carom_experiment_set(&empty, "a", "1", &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "no parameters"));
}

static void settings_are_not_parameters(void **state)
{
    (void)state;
    expect_failure("J", "4", (const char *[]){"setting 'J' shapes the model", "loaded", NULL});
}

static void freeing_nothing_is_allowed(void **state)
{
    (void)state;
    carom_experiment_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(values_in_range_are_set, reset),
        cmocka_unit_test_setup(values_out_of_range_name_the_range, reset),
        cmocka_unit_test_setup(whole_numbers_are_asked_for, reset),
        cmocka_unit_test_setup(texts_that_are_no_finite_number_are_refused, reset),
        cmocka_unit_test_setup(unknown_names_list_the_known_ones, reset),
        cmocka_unit_test_setup(settings_are_not_parameters, reset),
        cmocka_unit_test(freeing_nothing_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
