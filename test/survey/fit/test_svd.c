#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/base.h"
#include "survey/fit/svd.h"

enum {
    ROWS = 7,
    COLUMNS = 4
};

/* A = U S V^T, columns of U and V are orthonormal. */
static void check(int rows, int columns, const double *given)
{
    double a[ROWS * COLUMNS], s[COLUMNS], v[COLUMNS * COLUMNS];
    memcpy(a, given, sizeof(double) * (size_t)(rows * columns));
    fit_svd(rows, columns, a, s, v);
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < columns; k++) {
            double vv = 0.0, uu = 0.0;
            for (int m = 0; m < columns; m++)
                vv += v[i * columns + m] * v[k * columns + m];
            for (int m = 0; m < rows; m++)
                uu += a[i * rows + m] * a[k * rows + m];
            assert_true(fabs(vv - (i == k)) < 1e-14);
            assert_true(fabs(uu - (i == k ? s[i] * s[i] : 0.0)) < 1e-13 * (1.0 + s[0] * s[0]));
        }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            double sum = 0.0;
            for (int k = 0; k < columns; k++)
                sum += a[k * rows + r] * v[k * columns + c];
            assert_true(fabs(sum - given[c * rows + r]) < 1e-13 * (1.0 + s[0]));
        }
    for (int k = 1; k < columns; k++)
        assert_true(s[k] <= s[k - 1]);
}

static void test_random(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int trial = 0; trial < 50; trial++) {
        double a[ROWS * COLUMNS];
        for (int i = 0; i < ROWS * COLUMNS; i++)
            a[i] = carom_random_uniform(&random, -1.0, 1.0);
        check(ROWS, COLUMNS, a);
    }
}

/* Columns (1, x) with x almost constant: the small singular value by the closed form of two columns. */
static void test_small_values(void **state)
{
    (void)state;
    const double d = 1e-9;
    double a[] = {1.0, 1.0, 1.0, 1.0 + d, 1.0, 1.0 - d}, s[2], v[4];
    fit_svd(3, 2, a, s, v);
    /* A^T A = [[3, 3], [3, 3 + 2 d^2]]: the product of the squares is its determinant, 6 d^2 */
    assert_true(fabs(s[0] - sqrt(6.0)) < 1e-14);
    assert_true(fabs(s[1] / d - 1.0) < 1e-6);
    assert_true(fabs(fabs(v[2]) - sqrt(0.5)) < 1e-8 && v[2] * v[3] < 0.0);
}

static void test_no_rank(void **state)
{
    (void)state;
    double zero[6] = {0}, s[2], v[4];
    fit_svd(3, 2, zero, s, v);
    assert_true(s[0] == 0.0 && s[1] == 0.0);
    double twice[] = {1.0, 2.0, 3.0, -2.0, -4.0, -6.0};
    fit_svd(3, 2, twice, s, v);
    assert_true(fabs(s[0] - sqrt(70.0)) < 1e-14 && s[1] < 1e-15);
    double lone[] = {3.0, 4.0};
    fit_svd(2, 1, lone, s, v);
    assert_true(s[0] == 5.0 && v[0] == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_small_values),
        cmocka_unit_test(test_no_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
