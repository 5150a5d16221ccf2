/* Events as pictures need them: columns before and after those that are located. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/io.h"
#include "test/near.h"

static const char ball[] = "local y = coordinates('y')\nmass(1)\nforce { y = -10 }\n"
                           "contact { 'floor', gap = y, restitution = 0.5 }\n"
                           "initial { y = 1.25 }\n"
                           "integrate { scheme = 'event-driven', h = 0.3, until_t = 0.9 }\n"
                           "record { height = y, push = impulse 'floor', speed = dot(y) }\n";

static carom_experiment *load(void)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {.name = "ball", .file = "ball.lua", .text = ball};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* It strikes after 1/2 with speed 5, and flies on with 5/2; an impulse is one of steps. */
static void located_events_have_both_sides(void **state)
{
    (void)state;
    carom_experiment *experiment = load();
    carom_run_result result;
    const carom_run_request request = {.experiment = experiment, .event_points = true};
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    const carom_event_points *points = &result.points;
    assert_int_equal(result.event_count, 0); /* nobody asked for these */
    assert_int_equal(points->count, 1);
    assert_int_equal(points->columns, experiment->column_count);
    const double *row = points->row, *before = row + 3, *after = before + points->columns;
    assert_near(row[0], 0.5, 1e-10);
    assert_true(row[1] == (double)CAROM_EVENT_IMPACT && row[2] == 0.0);
    assert_near(before[0], 0.0, 1e-10);
    assert_near(after[0], 0.0, 1e-10);
    assert_true(isnan(before[1]) && isnan(after[1]));
    assert_near(before[2], -5.0, 1e-9);
    assert_near(after[2], 2.5, 1e-9);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void others_are_at_outputs(void **state)
{
    (void)state;
    carom_experiment *experiment = load();
    carom_run_result result;
    const carom_run_request request = {
        .experiment = experiment, .scheme = "moreau-jean", .h = 1e-3, .event_points = true};
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    assert_int_equal(result.points.columns, 0);
    assert_int_equal(result.points.count, 2); /* it strikes, and in the next step it is free */
    assert_near(result.points.row[0], 0.5, 2e-3);
    assert_true(result.points.row[4] == (double)CAROM_EVENT_RELEASE);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void nobody_asks_nothing_is_kept(void **state)
{
    (void)state;
    carom_experiment *experiment = load();
    carom_run_result result;
    assert_int_equal(carom_run(&(carom_run_request){.experiment = experiment}, &result, NULL), CAROM_OK);
    assert_null(result.points.row);
    assert_int_equal(result.points.count, 0);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(located_events_have_both_sides),
        cmocka_unit_test(others_are_at_outputs),
        cmocka_unit_test(nobody_asks_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
