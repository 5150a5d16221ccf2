#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/io.h"

static carom_experiment *load(const char *text)
{
    const carom_load_request request = {.name = "model", .file = "model.lua", .text = text};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

#define PENDULUM(potential)                                                                                  \
    "local x = coordinates('x')\n"                                                                           \
    "kinetic((1 + x^2) * dot(x)^2 / 2)\n"                                                                    \
    "potential(" potential ")\n"                                                                             \
    "contact { 'wall', gap = 2 - x, restitution = 1 }\n"                                                     \
    "initial { x = 0.5 }\n"                                                                                  \
    "integrate { scheme = 'event-driven', h = 0.01, until_t = 1 }\n"

static void derivatives_agree(void **state)
{
    (void)state;
    carom_experiment *experiment = load(PENDULUM("sin(x)"));
    carom_model_check found;
    carom_error error = {0};
    assert_int_equal(carom_check_model(experiment, &found, &error), CAROM_OK);
    assert_int_equal(found.kind, CAROM_CHECK_DERIVATIVES);
    assert_string_equal(found.scheme->name, "event-driven");
    assert_true(found.good && found.worst < 1e-8);
    assert_true(found.worst >= found.derivatives.inertia && found.derivatives.inertia > 0.0);
    carom_experiment_free(experiment);
}

/* A kink within the width of the differences: they see another slope than the derivative. */
static void kinks_are_seen(void **state)
{
    (void)state;
    carom_experiment *experiment = load(PENDULUM("1e3 * abs(x - 0.5 - 1e-7)"));
    carom_model_check found;
    carom_error error = {0};
    assert_int_equal(carom_check_model(experiment, &found, &error), CAROM_OK);
    assert_true(!found.good && found.worst > 1e-6);
    carom_experiment_free(experiment);
}

static void a_closed_gap_is_bad_input(void **state)
{
    (void)state;
    carom_experiment *experiment = load("local y = coordinates('y')\n"
                                        "mass(1)\n"
                                        "contact { 'floor', gap = y, restitution = 1 }\n"
                                        "initial { y = -1 }\n"
                                        "integrate { scheme = 'moreau-jean', h = 0.01, until_t = 1 }\n");
    carom_model_check found;
    carom_error error = {0};
    assert_int_equal(carom_check_model(experiment, &found, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "floor"));
    assert_true(!found.good && !found.scheme);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree),
        cmocka_unit_test(kinks_are_seen),
        cmocka_unit_test(a_closed_gap_is_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
