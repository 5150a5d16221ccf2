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
    SIZE_MAX_TESTED = 40
};

static void solve_gives_back_the_solution(void **state)
{
    (void)state;
    carom_random random = {3};
    for (int n = 1; n <= SIZE_MAX_TESTED; n++) {
        double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED], factor[SIZE_MAX_TESTED * SIZE_MAX_TESTED];
        double x[SIZE_MAX_TESTED], expected[SIZE_MAX_TESTED], right[SIZE_MAX_TESTED];
        int pivot[SIZE_MAX_TESTED];
        for (int i = 0; i < n * n; i++)
            matrix[i] = carom_random_uniform(&random, -1.0, 1.0);
        for (int i = 0; i < n; i++)
            expected[i] = carom_random_uniform(&random, -1.0, 1.0);
        for (int i = 0; i < n; i++)
            right[i] = x[i] = carom_dot(n, matrix + i * n, expected);
        memcpy(factor, matrix, sizeof matrix);
        assert_int_equal(carom_lu_factor(n, factor, pivot), 0);
        carom_lu_solve(n, factor, pivot, x);
        for (int i = 0; i < n; i++)
            assert_true(fabs(carom_dot(n, matrix + i * n, x) - right[i]) <= 1e-13 * n);
    }
}

/* Without pivoting the first division would be by zero. */
static void a_cyclic_permutation_is_solved_exactly(void **state)
{
    (void)state;
    const int sizes[] = {2, 5, 16, 17, 40};
    for (int k = 0; k < 5; k++) {
        const int n = sizes[k];
        double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED] = {0}, x[SIZE_MAX_TESTED];
        int pivot[SIZE_MAX_TESTED];
        for (int i = 0; i < n; i++) {
            matrix[i * n + (i + 1) % n] = 1.0;
            x[i] = i;
        }
        assert_int_equal(carom_lu_factor(n, matrix, pivot), 0);
        carom_lu_solve(n, matrix, pivot, x);
        for (int i = 0; i < n; i++)
            assert_true(x[(i + 1) % n] == i);
    }
}

static void says_which_pivot_is_zero(void **state)
{
    (void)state;
    const int sizes[] = {1, 3, 16, 17, 40};
    for (int k = 0; k < 5; k++) {
        const int n = sizes[k];
        const double bad[] = {0.0, NAN};
        for (int b = 0; b < 2; b++) {
            double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED] = {0};
            int pivot[SIZE_MAX_TESTED];
            for (int i = 0; i < n; i++)
                matrix[i * n + i] = 2.0;
            int row = n / 2;
            matrix[row * n + row] = bad[b];
            int found = carom_lu_factor(n, matrix, pivot);
            assert_int_equal(found, row + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve_gives_back_the_solution),
        cmocka_unit_test(a_cyclic_permutation_is_solved_exactly),
        cmocka_unit_test(says_which_pivot_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
