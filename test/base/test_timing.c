#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "carom/base.h"

static void the_clock_never_goes_back(void **state)
{
    (void)state;
    double before = carom_seconds();
    for (int i = 0; i < 10000; i++) {
        double now = carom_seconds();
        assert_true(now >= before);
        before = now;
    }
}

static void the_clock_counts_seconds(void **state)
{
    (void)state;
    const struct timespec pause = {0, 20 * 1000 * 1000};
    double start = carom_seconds();
    nanosleep(&pause, NULL);
    double passed = carom_seconds() - start;
    /* A busy machine may sleep longer, but never shorter. */
    assert_true(passed >= 0.02 - 1e-6);
    assert_true(passed < 20.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(the_clock_counts_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
