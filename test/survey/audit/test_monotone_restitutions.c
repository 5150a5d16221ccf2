/* On both roots G - E G E is singular; between them it is positive definite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/survey.h"

/* Determinant of G - E G E over G11 G22. */
static double determinant(double c2, double e1, double e2)
{
    const double apart = 1.0 - e1 * e2;
    return (1.0 - e1 * e1) * (1.0 - e2 * e2) - c2 * apart * apart;
}

static void roots(void **state)
{
    (void)state;
    for (double c2 = 0.0; c2 < 1.0; c2 += 0.125)
        for (double e1 = 0.0; e1 < 1.0; e1 += 0.125) {
            double low, high;
            carom_monotone_restitutions(c2, e1, &low, &high);
            assert_true(low >= 0.0 && high <= 1.0 && low <= high);
            assert_true(low == 0.0 || fabs(determinant(c2, e1, low)) < 1e-14);
            assert_true(high == 1.0 || fabs(determinant(c2, e1, high)) < 1e-14);
            assert_true(determinant(c2, e1, 0.5 * (low + high)) > -1e-14);
            /* equal restitutions are always safe */
            assert_true(low <= e1 && e1 <= high + 1e-15);
        }
}

static void no_coupling(void **state)
{
    (void)state;
    double low, high;
    carom_monotone_restitutions(0.0, 1.0, &low, &high);
    assert_true(low == 0.0 && high == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roots),
        cmocka_unit_test(no_coupling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
