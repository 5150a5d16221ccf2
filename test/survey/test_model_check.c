#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
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

/* A driven oscillator with a kink at its start, or none, in units that are even powers of two: the same verdict and the same bits. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static const char *const potential[] = {"sin(x / L)", "abs(x / L - 0.5 - 1e-7)"};
    static const int units[][3] = {{0, 0, 0},   {20, 0, 0},  {-20, 0, 0}, {0, 20, 0},    {0, -20, 0},
                                   {0, 0, -40}, {40, 0, 40}, {-40, 0, 0}, {-20, 40, -20}};
    for (int k = 0; k < 2; k++) {
        double worst = 0.0;
        for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
            char text[800];
            snprintf(text, sizeof text,
                     "local L, T, M = %.17e, %.17e, %.17e\n"
                     "local x, y = coordinates('x', 'y')\n"
                     "kinetic(M * (1 + (x / L)^2) * dot(x)^2 / 2 + M * dot(y)^2)\n"
                     "potential(M * L^2 / T^2 * (%s + (y / L)^2 / 2))\n"
                     "force { y = M * L / T^2 * cos(2 * time() / T) - 0.25 * M / T * dot(y) }\n"
                     "contact { 'wall', gap = 2 * L - x, restitution = 1 }\n"
                     "initial { x = 0.5 * L }\n"
                     "integrate { scheme = 'event-driven', h = 0.0625 * T, until_t = T }\n",
                     ldexp(1.0, units[i][0]), ldexp(1.0, units[i][1]), ldexp(1.0, units[i][2]), potential[k]);
            carom_experiment *experiment = load(text);
            carom_model_check found;
            carom_error error = {0};
            assert_int_equal(carom_check_model(experiment, &found, &error), CAROM_OK);
            assert_int_equal(found.good, k == 0);
            if (i == 0)
                worst = found.worst;
            if (found.worst != worst)
                fail_msg("unit %zu: %.17g instead of %.17g", i, found.worst, worst);
            carom_experiment_free(experiment);
        }
    }
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
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_closed_gap_is_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
