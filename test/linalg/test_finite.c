#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

static void accepts_finite_numbers_only(void **state)
{
    (void)state;
    const double good[3] = {1.0, -1e308, 0.0}, infinite[3] = {1.0, INFINITY, 0.0}, nan[3] = {1.0, 2.0, NAN};
    assert_true(carom_all_finite(3, good));
    assert_false(carom_all_finite(3, infinite));
    assert_false(carom_all_finite(3, nan));
    assert_true(carom_all_finite(2, nan));
    assert_true(carom_all_finite(0, nan));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepts_finite_numbers_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
