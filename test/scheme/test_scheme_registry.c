#include "models.h"

#include <string.h>

#include "scheme/schemes.h"

#define ONE_MORE(entry) +1

/* These, and between them what was added since. */
static void names_in_order(void **unused)
{
    (void)unused;
    const char *const names[] = {
        "elast",    "billiard",     "inel",    "moreau-friction", "moreau-jean",       "paoli-schatzman",
        "sweeping", "event-driven", "penalty", "newmark-contact", "generalized-alpha", "dai-euler",
        "dai-theta"};
    const size_t count = 0 CAROM_SCHEMES(ONE_MORE);
    size_t known = 0;
    assert_int_equal(carom_scheme_count(), count);
    for (size_t i = 0; i < count; i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        assert_ptr_equal(carom_scheme_find(scheme->name, NULL), scheme);
        known += known < sizeof names / sizeof *names && strcmp(scheme->name, names[known]) == 0;
    }
    assert_int_equal(known, sizeof names / sizeof *names);
    assert_null(carom_scheme_at(count));
}

static void every_scheme_is_complete(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        assert_true(scheme->summary && scheme->size >= sizeof(carom_stepper) && scheme->setup &&
                    scheme->step);
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
    const carom_scheme_ops *inel = scheme_named("inel");
    const int av = carom_scheme_find_option(inel, "av"), solver = carom_scheme_find_option(inel, "solver");
    const int correction = carom_scheme_find_option(inel, "correction");
    double value = -1.0;
    assert_int_equal(carom_scheme_find_option(inel, "theta"), -1);
    assert_int_equal(carom_scheme_parse_option(inel, av, "0.25", &value, NULL), CAROM_OK);
    assert_near(value, 0.25, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, solver, "gauss-seidel", &value, NULL), CAROM_OK);
    assert_near(value, 2.0, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, solver, "lemke", &value, NULL), CAROM_OK);
    assert_near(value, 3.0, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, correction, "on", &value, NULL), CAROM_OK);
    assert_near(value, 1.0, 0.0);
    assert_int_equal(carom_scheme_parse_option(inel, correction, "0", &value, NULL), CAROM_OK);
    assert_near(value, 0.0, 0.0);
}

static void bad_options_are_refused(void **unused)
{
    (void)unused;
    const carom_scheme_ops *inel = scheme_named("inel");
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
    assert_int_equal(carom_scheme_parse_option(inel, solver, "5", &value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_parse_option(inel, -1, "3", &value, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_parse_option(inel, 6, "3", &value, &error), CAROM_BAD_INPUT);
    assert_near(value, 7.0, 0.0);
}

static void schemes_are_found_by_what_they_can(void **unused)
{
    (void)unused;
    char text[200], short_text[8];
    assert_ptr_equal(carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS), scheme_named("event-driven"));
    assert_null(carom_scheme_with(CAROM_SCHEME_INCLUSIONS | CAROM_SCHEME_STRUCTURES));
    assert_string_equal(carom_scheme_names_with(CAROM_SCHEME_FRICTION, text, sizeof text),
                        "moreau-friction, moreau-jean, event-driven or generalized-alpha");
    assert_string_equal(carom_scheme_names_with(CAROM_SCHEME_JOINTS, text, sizeof text),
                        "moreau-jean, event-driven or generalized-alpha"); /* not those for inclusions */
    assert_string_equal(carom_scheme_names_with(CAROM_SCHEME_INCLUSIONS, text, sizeof text),
                        "dai-theta"); /* dai-euler is for comparison */
    assert_string_equal(carom_scheme_names_with(CAROM_SCHEME_STRUCTURES, text, sizeof text),
                        "newmark-contact");
    assert_string_equal(carom_scheme_names_with(1u << 30, text, sizeof text), "another scheme");
    carom_scheme_names_with(CAROM_SCHEME_FRICTION, short_text, sizeof short_text);
    assert_string_equal(short_text, "moreau-");
}

static void models_say_what_they_need(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_error error = {0};
    char name[] = "rod", *joint = name;
    hand_init(&hand, 2, 1);
    assert_int_equal(carom_scheme_abilities_for(&hand.model), 0);
    hand.model.constant_mass = false;
    hand.model.joints = 1;
    hand.model.joint = &joint;
    assert_int_equal(carom_scheme_abilities_for(&hand.model), CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_JOINTS);
    assert_int_equal(carom_scheme_accepts(scheme_named("inel"), &hand.model, &error), CAROM_BAD_INPUT);
    assert_mentions(
        &error, "does not treat joints ('rod' is one); take moreau-jean, event-driven or generalized-alpha");
    hand.model.joints = 0;
    assert_int_equal(carom_scheme_accepts(scheme_named("inel"), &hand.model, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "take moreau-jean, paoli-schatzman");
    hand_friction(&hand, 0, 1, -1.0, 0.0);
    char text[200]; /* advice looks at what the contacts have, whatever its value */
    assert_string_equal(carom_scheme_names_for(&hand.model, 0, text, sizeof text),
                        "moreau-jean, event-driven or generalized-alpha");
    assert_int_equal(carom_scheme_abilities_for(&hand.model), CAROM_SCHEME_ANY_MASS);
    hand.info[0].friction_force = true;
    assert_int_equal(carom_scheme_accepts(scheme_named("inel"), &hand.model, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "take dai-theta, or moreau-jean or event-driven where there are contacts too");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_order),
        cmocka_unit_test(every_scheme_is_complete),
        cmocka_unit_test(unknown_name_lists_the_names),
        cmocka_unit_test(options_are_parsed),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(schemes_are_found_by_what_they_can),
        cmocka_unit_test(models_say_what_they_need),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
