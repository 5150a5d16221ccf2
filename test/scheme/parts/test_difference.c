#include "scheme/parts/difference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void waves(void *context, double s, double *value)
{
    const double w = *(const double *)context;
    value[0] = sin(w * s + 0.3);
    value[1] = 7.0;
    value[2] = exp(0.1 * w * s);
}

/* Frequencies from slow to fast against the scale, one of them with half a period in the first step. */
static void test_step_is_found(void **state)
{
    (void)state;
    const double frequency[] = {1e-3, 1.0, 100.0, 3.14159265358979323846 / 0.03125, 314.159265358979, 1e4};
    double scratch[3 * DIFFERENCE_SCRATCH], derivative[3];
    for (size_t i = 0; i < sizeof frequency / sizeof *frequency; i++) {
        double w = frequency[i];
        const difference along = {
            .count = 3, .context = &w, .value = waves, .scale = 1.0, .scratch = scratch};
        assert_true(difference_find(&along, derivative));
        assert_true(fabs(derivative[0] / w - cos(0.3)) < 1e-9);
        assert_true(derivative[1] == 0.0);
        assert_true(fabs(derivative[2] / w - 0.1) < 1e-9);
    }
}

static void test_second(void **state)
{
    (void)state;
    double scratch[3 * DIFFERENCE_SCRATCH], derivative[3], w = 40.0;
    const difference along = {
        .count = 3, .second = true, .context = &w, .value = waves, .scale = 1.0, .scratch = scratch};
    assert_true(difference_find(&along, derivative));
    assert_true(fabs(derivative[0] / (w * w) + sin(0.3)) < 1e-9);
    assert_true(derivative[1] == 0.0);
    assert_true(fabs(derivative[2] / (w * w) - 0.01) < 1e-9);
}

/* The unit of the variable does not show. */
static void test_units(void **state)
{
    (void)state;
    double scratch[3 * DIFFERENCE_SCRATCH], derivative[3], scaled[3], w = 50.0, slow = ldexp(50.0, -40);
    const difference along = {.count = 3, .context = &w, .value = waves, .scale = 1.0, .scratch = scratch};
    const difference later = {
        .count = 3, .context = &slow, .value = waves, .scale = ldexp(1.0, 40), .scratch = scratch};
    assert_true(difference_find(&along, derivative));
    assert_true(difference_find(&later, scaled));
    for (int i = 0; i < 3; i++)
        assert_true(derivative[i] == ldexp(scaled[i], 40));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_step_is_found), cmocka_unit_test(test_second),
                                       cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
