#include "models.h"

static void names_in_order(void **unused)
{
    (void)unused;
    const char *const names[] = {
        "elast",    "billiard",     "inel",    "moreau-friction", "moreau-jean",       "paoli-schatzman",
        "sweeping", "event-driven", "penalty", "newmark-contact", "generalized-alpha", "dai-euler",
        "dai-theta"};
    const size_t count = sizeof names / sizeof *names;
    assert_int_equal(carom_scheme_count(), count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(carom_scheme_at(i)->name, names[i]);
        assert_ptr_equal(carom_scheme_find(names[i], NULL), carom_scheme_at(i));
    }
    assert_null(carom_scheme_at(count));
}

static void every_scheme_is_complete(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        assert_true(scheme->summary && scheme->accepts && scheme->create && scheme->step && scheme->free);
        for (int k = 0; k < scheme->option_count; k++) {
            const carom_option_info *option = &scheme->options[k];
            assert_true(option->value >= option->min && option->value <= option->max);
            assert_non_null(option->doc);
            assert_int_equal(carom_scheme_find_option(scheme, option->name), k);
            for (int c = 0; option->choices && option->choices[c]; c++)
                assert_true(c <= option->max);
        }
    }
}

static void unknown_name_lists_the_names(void **unused)
{
    (void)unused;
    carom_error error = {0};
    assert_null(carom_scheme_find("moreau-jaen", &error));
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    assert_mentions(&error, "did you mean 'moreau-jean'");
    for (size_t i = 0; i < carom_scheme_count(); i++)
        assert_mentions(&error, carom_scheme_at(i)->name);
    assert_null(carom_scheme_find("runge-kutta-4", &error));
    assert_null(strstr(error.text, "did you mean"));
    assert_null(carom_scheme_find("x", NULL));
}

static void options_are_parsed(void **unused)
{
    (void)unused;
    const carom_scheme_ops *inel = &carom_scheme_inel;
    const int av = carom_scheme_find_option(inel, "av"), solver = carom_scheme_find_option(inel, "solver");
    const int correction = carom_scheme_find_option(inel, "correction");
    double value = -1.0;
    assert_int_equal(carom_scheme_find_option(inel, "theta"), -1);
    assert_int_equal(carom_scheme_parse_option(inel, av, "0.25", &value, NULL), CAROM_OK);
    assert_close(value, 0.25, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, solver, "gauss-seidel", &value, NULL), CAROM_OK);
    assert_close(value, 2.0, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, solver, "lemke", &value, NULL), CAROM_OK);
    assert_close(value, 3.0, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, correction, "on", &value, NULL), CAROM_OK);
    assert_close(value, 1.0, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, correction, "0", &value, NULL), CAROM_OK);
    assert_close(value, 0.0, 0.0);
}

static void bad_options_are_refused(void **unused)
{
    (void)unused;
    const carom_scheme_ops *inel = &carom_scheme_inel;
    const int av = carom_scheme_find_option(inel, "av"), solver = carom_scheme_find_option(inel, "solver");
    double value = 7.0;
    carom_error error = {0};
    assert_int_equal(carom_scheme_parse_option(inel, av, "fast", &value, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "fast");
    assert_int_equal(carom_scheme_parse_option(inel, av, "99", &value, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "[-2, 2]");
    assert_int_equal(carom_scheme_parse_option(inel, av, "inf", &value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_parse_option(inel, solver, "activ-set", &value, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "did you mean 'active-set'");
    assert_mentions(&error, "solver");
    assert_int_equal(carom_scheme_parse_option(inel, solver, "1.5", &value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_parse_option(inel, solver, "4", &value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_parse_option(inel, -1, "3", &value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_parse_option(inel, 4, "3", &value, &error), CAROM_BAD_INPUT);
    assert_close(value, 7.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_order),
        cmocka_unit_test(every_scheme_is_complete),
        cmocka_unit_test(unknown_name_lists_the_names),
        cmocka_unit_test(options_are_parsed),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
