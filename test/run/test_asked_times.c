#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "run/asked_times.h"

/* Feeds outputs 0, 1, ..., last and writes which of them each asked time gets. */
static void decide_all(asked_times *asked, int last, int *output)
{
    bool earlier;
    int place;
    double previous = -INFINITY;
    for (int i = 0; i <= last; previous = i++)
        while ((place = asked_times_decide(asked, previous, i, 1e-9, &earlier)) >= 0)
            output[place] = earlier ? i - 1 : i;
    while ((place = asked_times_decide(asked, last, INFINITY, 1e-9, &earlier)) >= 0) {
        assert_true(earlier);
        output[place] = last;
    }
}

static void each_time_gets_its_nearest_output(void **state)
{
    (void)state;
    const double t[] = {7.4, 1e9, 0.0, 2.6, -5.0, 2.6, 4.0, INFINITY, -INFINITY};
    const int expected[] = {7, 9, 0, 3, 0, 3, 4, 9, 0};
    asked_times asked;
    assert_true(asked_times_create(&asked, 9, t));
    int output[9] = {0};
    decide_all(&asked, 9, output);
    assert_memory_equal(output, expected, sizeof output);
    asked_times_free(&asked);
    assert_null(asked.time);
}

static void ties_go_to_the_earlier_output(void **state)
{
    (void)state;
    const double t[] = {3.5, 3.5 + 1e-10, 3.5 - 1e-10, 3.5 + 1e-8};
    const int expected[] = {3, 3, 3, 4};
    asked_times asked;
    assert_true(asked_times_create(&asked, 4, t));
    int output[4] = {0};
    decide_all(&asked, 9, output);
    assert_memory_equal(output, expected, sizeof output);
    asked_times_free(&asked);
}

static void nothing_asked_nothing_decided(void **state)
{
    (void)state;
    asked_times asked;
    assert_true(asked_times_create(&asked, 0, NULL));
    bool earlier;
    assert_int_equal(asked_times_decide(&asked, -INFINITY, INFINITY, 0.0, &earlier), -1);
    asked_times_free(&asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_time_gets_its_nearest_output),
        cmocka_unit_test(ties_go_to_the_earlier_output),
        cmocka_unit_test(nothing_asked_nothing_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
