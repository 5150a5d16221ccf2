#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/survey/fit.h"

/* One and two degrees of freedom have closed forms. */
static void test_closed_forms(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    for (double p = 0.02; p < 1.0; p += 0.07) {
        const double a = 4.0 * p * (1.0 - p), two = 2.0 * (p - 0.5) * sqrt(2.0 / a),
                     one = tan(pi * (p - 0.5));
        assert_true(fabs(carom_student_quantile(p, 1.0) - one) < 1e-11 * (1.0 + fabs(one)));
        assert_true(fabs(carom_student_quantile(p, 2.0) - two) < 1e-11 * (1.0 + fabs(two)));
    }
}

/* Tables of t for 95 % on two sides. */
static void test_tables(void **state)
{
    (void)state;
    const double table[][2] = {{1, 12.7062}, {5, 2.57058}, {10, 2.22814}, {30, 2.04227}, {120, 1.97993}};
    for (int i = 0; i < 5; i++)
        assert_true(fabs(carom_student_quantile(0.975, table[i][0]) - table[i][1]) <
                    1e-4 * (i == 0 ? 1.0 : 0.1));
    assert_true(fabs(carom_student_quantile(0.975, 1e9) - 1.959963985) < 1e-6);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    assert_true(isnan(carom_student_quantile(0.0, 3.0)));
    assert_true(isnan(carom_student_quantile(1.0, 3.0)));
    assert_true(isnan(carom_student_quantile(0.9, 0.0)));
    assert_true(isnan(carom_student_quantile(NAN, 3.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
