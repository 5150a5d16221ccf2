#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

static void the_largest_entry_of_any_place_counts(void **state)
{
    (void)state;
    double x[11];
    for (int n = 1; n <= 11; n++)
        for (int at = 0; at < n; at++) {
            for (int i = 0; i < n; i++)
                x[i] = i % 2 ? 0.5 : -0.25;
            x[at] = at % 2 ? 3.0 : -3.0;
            assert_true(carom_largest(n, x) == 3.0);
        }
    assert_true(carom_largest(0, x) == 0.0);
}

static void what_is_not_a_number_is_passed_over(void **state)
{
    (void)state;
    const double x[] = {1.0, NAN, -2.0, NAN, NAN, 0.0};
    assert_true(carom_largest(6, x) == 2.0);
    assert_true(carom_largest(6, (const double[]){1.0, 2.0, -INFINITY, 3.0, NAN, 0.0}) == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_entry_of_any_place_counts),
        cmocka_unit_test(what_is_not_a_number_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
