#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"

/* Sizes on both sides of the change from the own loop to LAPACK. */
enum {
    SIZE = 40
};
static const int sizes[] = {1, 2, 5, 16, 17, 18, 40};

/* A cyclic shift of n places is an even permutation when n is odd. */
static void sign_of_a_shift(void **state)
{
    (void)state;
    for (int k = 1; k < 7; k++) {
        const int n = sizes[k];
        double matrix[SIZE * SIZE] = {0};
        int pivot[SIZE];
        for (int i = 0; i < n; i++)
            matrix[i * n + (i + 1) % n] = i == 0 ? -1.0 : 1.0;
        assert_int_equal(carom_lu_factor(n, matrix, pivot), 0);
        assert_int_equal(carom_lu_sign(n, matrix, pivot), n % 2 ? -1 : 1);
    }
}

/* Swapping two rows of any matrix changes the sign. */
static void sign_changes_with_two_rows(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int k = 1; k < 7; k++) {
        const int n = sizes[k];
        double matrix[SIZE * SIZE], swapped[SIZE * SIZE];
        int pivot[SIZE];
        for (int i = 0; i < n * n; i++)
            matrix[i] = carom_random_uniform(&random, -1.0, 1.0);
        memcpy(swapped, matrix, sizeof matrix);
        memcpy(swapped, matrix + n, (size_t)n * sizeof(double));
        memcpy(swapped + n, matrix, (size_t)n * sizeof(double));
        assert_int_equal(carom_lu_factor(n, matrix, pivot), 0);
        const int sign = carom_lu_sign(n, matrix, pivot);
        assert_int_equal(carom_lu_factor(n, swapped, pivot), 0);
        assert_int_equal(carom_lu_sign(n, swapped, pivot), -sign);
    }
}

/* 1-norm, not the infinity norm: a column of ones beside the identity. Inverse: that column with -1. */
static void condition_of_an_arrow(void **state)
{
    (void)state;
    for (int k = 0; k < 7; k++) {
        const int n = sizes[k];
        double matrix[SIZE * SIZE] = {0}, work[4 * SIZE];
        int pivot[SIZE], places[SIZE];
        for (int i = 0; i < n; i++)
            matrix[i * n] = matrix[i * n + i] = 1.0;
        assert_int_equal(carom_lu_factor(n, matrix, pivot), 0);
        assert_true(fabs(carom_lu_condition(n, matrix, pivot, n, work, places) - (double)n * n) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_of_a_shift),
        cmocka_unit_test(sign_changes_with_two_rows),
        cmocka_unit_test(condition_of_an_arrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
