/* Bounds of sequences, and runs whose measures are known to the accuracy asked for. */
#include <stdio.h>
#include <string.h>

#include "carom/io.h"
#include "carom/survey.h"
#include "test/near.h"

/* ---- sequences ------------------------------------------------------------------------------------------- */

enum {
    VALUES = 8
};

/* m(h) = 3 + c h^p with h = 1, 1/2, ...; c of each value from a list. */
static carom_sequence_limit limit_of(int count, double p, const double *c, double *true_error)
{
    double h[VALUES], value[VALUES];
    for (int i = 0; i < count; i++) {
        h[i] = pow(0.5, i);
        value[i] = 3.0 + c[i] * pow(h[i], p);
    }
    *true_error = fabs(value[count - 1] - 3.0);
    return carom_sequence_limit_of(count, h, value, 1e-14);
}

static void orders_are_seen(void **state)
{
    (void)state;
    const double same[VALUES] = {1, 1, 1, 1, 1, 1, 1, 1}, orders[] = {0.5, 1.0, 2.0, 3.0, 4.0};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (int count = CAROM_SEQUENCE_LEAST; count <= VALUES; count++) {
            double error;
            const carom_sequence_limit limit = limit_of(count, orders[k], same, &error);
            assert_true(limit.seen && limit.order == orders[k]);
            assert_true(limit.error >= error && limit.error <= 2.1 * error);
        }
}

static void luck_is_not_believed(void **state)
{
    (void)state;
    /* the last two values are equal */
    const double lucky[VALUES] = {0.9, -0.4, 0.6, 0.45, 0.9};
    double error;
    const carom_sequence_limit limit = limit_of(5, 1.0, lucky, &error);
    assert_false(limit.seen);
    assert_true(limit.error >= error);
}

/* Scattered errors of first order: the bound holds nearly always and is not much too large. */
static void scatter_is_covered(void **state)
{
    (void)state;
    carom_random random = {7};
    int held = 0, close = 0;
    const int runs = 2000;
    for (int k = 0; k < runs; k++) {
        double c[VALUES], error;
        for (int i = 0; i < 6; i++)
            c[i] = carom_random_uniform(&random, -1.0, 1.0);
        const carom_sequence_limit limit = limit_of(6, 1.0, c, &error);
        held += limit.error >= error;
        close += limit.error <= 10.0 * error;
    }
    assert_true(held >= 95 * runs / 100);
    assert_true(close >= runs / 2);
}

static void too_little_is_not_known(void **state)
{
    (void)state;
    const double same[VALUES] = {1, 1, 1, 1};
    double error;
    assert_true(isnan(limit_of(3, 1.0, same, &error).error));
    const double h[] = {1, 0.5, 0.25, 0.125, 0.0625, 0.03125}, wild[] = {1, 4, 2, -3, 5, -4};
    const carom_sequence_limit none = carom_sequence_limit_of(6, h, wild, 0.0);
    assert_true(none.diverges && none.error > 9.0);
    const double rest[] = {2, 2, 2, 2};
    assert_true(carom_sequence_limit_of(4, h, rest, 1e-15).error == 1e-15);
}

/* The same significands in any unit. */
static void bounds_have_no_unit(void **state)
{
    (void)state;
    const double scale = 0x1p-40, time = 0x1p20;
    const double h[] = {1, 0.5, 0.21, 0.1, 0.06}, value[] = {3, 3.4, 3.1, 3.18, 3.2};
    double small_h[5], small[5];
    for (int i = 0; i < 5; i++) {
        small_h[i] = time * h[i];
        small[i] = scale * value[i];
    }
    const carom_sequence_limit a = carom_sequence_limit_of(5, h, value, 0.0),
                               b = carom_sequence_limit_of(5, small_h, small, 0.0);
    assert_true(a.order == b.order && a.error * scale == b.error);
}

/* ---- runs ------------------------------------------------------------------------------------------------ */

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {.name = "test", .file = "test.lua", .text = text};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

#define BALL(integrate)                                                                                      \
    "local y = coordinates('y') mass(1) potential(9.81 * y)\n"                                               \
    "contact { 'floor', gap = y, restitution = 0.9 } initial { y = 1 }\n"                                    \
    "integrate { " integrate " h = 2e-3, until_t = 1 }\n"                                                    \
    "measure { height = y, n = count(impact 'floor'), t = times(impact 'floor') }\n"

static const double g = 9.81;

/* Height after the first impact, at t = 1. */
static double exact_height(void)
{
    const double t = sqrt(2.0 / g), s = 1.0 - t, v = 0.9 * g * t;
    return v * s - 0.5 * g * s * s;
}

static carom_accuracy run_ball(const char *text, carom_accuracy_request request)
{
    carom_experiment *experiment = load(text);
    carom_accuracy found = {0};
    carom_error error = {0};
    request.run.experiment = experiment;
    if (carom_accuracy_run(&request, &found, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_experiment_free(experiment);
    return found;
}

static const carom_accuracy_measure *find(const carom_accuracy *found, const char *name)
{
    for (int i = 0; i < found->measure_count; i++)
        if (strcmp(found->measure[i].name, name) == 0)
            return &found->measure[i];
    fail_msg("no measure %s", name);
    return NULL;
}

static void check_ball(const carom_accuracy *found, double asked)
{
    const carom_accuracy_measure *height = find(found, "height"), *n = find(found, "n"),
                                 *t = find(found, "t");
    assert_true(found->met && found->why[0] == '\0');
    assert_true(fabs(height->value[0] - exact_height()) <= height->error[0]);
    assert_true(height->error[0] <= asked * fabs(height->value[0]));
    assert_true(n->is_count && n->value[0] == 1.0 && n->error[0] == 0.0);
    assert_true(t->is_array && t->count == 1 && fabs(t->value[0] - sqrt(2.0 / g)) <= t->error[0]);
    assert_true(found->best.final && found->best.h == found->h);
}

static void scheme_is_chosen(void **state)
{
    (void)state;
    carom_accuracy found = run_ball(BALL(""), (carom_accuracy_request){.relative = 1e-6});
    check_ball(&found, 1e-6);
    assert_true(found.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS);
    carom_accuracy_free(&found);
}

static void scheme_that_is_given_stays(void **state)
{
    (void)state;
    const char *text = BALL("scheme = 'moreau-jean',");
    carom_accuracy found = run_ball(text, (carom_accuracy_request){.relative = 1e-3});
    check_ball(&found, 1e-3);
    assert_string_equal(found.scheme->name, "moreau-jean");
    assert_true(found.tried_count > 3 && found.tried[0].scheme != found.scheme); /* the judge */
    carom_accuracy_free(&found);
    found = run_ball(text, (carom_accuracy_request){.relative = 1e-2, .alone = true});
    check_ball(&found, 1e-2);
    for (int i = 0; i < found.tried_count; i++)
        assert_true(found.tried[i].scheme == found.scheme);
    carom_accuracy_free(&found);
}

static void limit_is_kept(void **state)
{
    (void)state;
    carom_accuracy found =
        run_ball(BALL("scheme = 'moreau-jean',"), (carom_accuracy_request){.relative = 1e-5, .limit = 8.0});
    assert_true(!found.met && strstr(found.why, "is needed"));
    for (int i = 0; i < found.tried_count; i++)
        assert_true(found.tried[i].h >= 2e-3 / 9.0);
    const carom_accuracy_measure *height = find(&found, "height");
    assert_true(fabs(height->value[0] - exact_height()) <= height->error[0]);
    carom_accuracy_free(&found);
}

static void single_measures_can_be_asked(void **state)
{
    (void)state;
    const carom_accuracy_wish wish = {"n", 0.1}, unknown = {"m", 0.1};
    carom_accuracy found =
        run_ball(BALL("scheme = 'moreau-jean',"), (carom_accuracy_request){.wish_count = 1, .wish = &wish});
    assert_true(found.met && isnan(found.asked) && isnan(find(&found, "height")->asked));
    carom_accuracy_free(&found);
    carom_experiment *experiment = load(BALL(""));
    carom_error error = {0};
    const carom_accuracy_request request = {
        .run = {.experiment = experiment}, .wish_count = 1, .wish = &unknown};
    assert_int_equal(carom_accuracy_run(&request, &found, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "unknown measure 'm'; known: "));
    carom_accuracy_free(&found);
    carom_experiment_free(experiment);
}

static void counts_at_an_accumulation_are_not_known(void **state)
{
    (void)state;
    carom_accuracy found = run_ball("local y = coordinates('y') mass(1) potential(9.81 * y)\n"
                                    "contact { 'floor', gap = y, restitution = 0.5 } initial { y = 1 }\n"
                                    "integrate { h = 2e-3, until_t = 3 }\n"
                                    "measure { height = y, n = count(impact 'floor') }\n",
                                    (carom_accuracy_request){.relative = 1e-3});
    const carom_accuracy_measure *height = find(&found, "height"), *n = find(&found, "n");
    assert_true(!found.met && !n->met && isnan(n->error[0]) && strstr(n->why, "accumulate"));
    assert_true(height->met && fabs(height->value[0]) <= height->error[0]); /* against the scale: it is 0 */
    carom_accuracy_free(&found);
}

/* A double pendulum; the model has no measures. */
static void chaos_is_said(void **state)
{
    (void)state;
    carom_accuracy found = run_ball("local a, b = coordinates('a', 'b')\n"
                                    "kinetic(dot(a)^2 + dot(b)^2 / 2 + dot(a) * dot(b) * cos(a - b))\n"
                                    "potential(-9.81 * (2 * cos(a) + cos(b)))\n"
                                    "initial { a = 2, b = 2 } integrate { h = 1e-2, until_t = 60 }\n",
                                    (carom_accuracy_request){.relative = 1e-6});
    assert_true(found.of_state && found.measure_count == 4 && !found.met);
    assert_string_equal(found.measure[0].name, "q:a");
    assert_non_null(strstr(found.why, "chaotic"));
    carom_accuracy_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_seen),
        cmocka_unit_test(luck_is_not_believed),
        cmocka_unit_test(scatter_is_covered),
        cmocka_unit_test(too_little_is_not_known),
        cmocka_unit_test(bounds_have_no_unit),
        cmocka_unit_test(scheme_is_chosen),
        cmocka_unit_test(scheme_that_is_given_stays),
        cmocka_unit_test(limit_is_kept),
        cmocka_unit_test(single_measures_can_be_asked),
        cmocka_unit_test(counts_at_an_accumulation_are_not_known),
        cmocka_unit_test(chaos_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
