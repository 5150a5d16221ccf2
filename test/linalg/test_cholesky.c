#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

/* Sizes on both sides of the change from the own loop to LAPACK. */
enum {
    SIZE_MAX_TESTED = 40
};

typedef struct system {
    double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED];
    double factor[SIZE_MAX_TESTED * SIZE_MAX_TESTED];
} system;

/* B B^T + I with uniform B: condition number of a few hundred. */
static void make_positive_definite(carom_random *random, int n, system *s)
{
    double b[SIZE_MAX_TESTED * SIZE_MAX_TESTED];
    for (int i = 0; i < n * n; i++)
        b[i] = carom_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->matrix[i * n + j] = carom_dot(n, b + i * n, b + j * n) + (i == j);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->factor[i * n + j] = j <= i ? s->matrix[i * n + j] : 1e30;
}

static void factor_times_transpose_is_the_matrix(void **state)
{
    (void)state;
    carom_random random = {1};
    for (int n = 1; n <= SIZE_MAX_TESTED; n++) {
        system s;
        make_positive_definite(&random, n, &s);
        assert_int_equal(carom_cholesky_factor(n, s.factor), 0);
        for (int i = 0; i < n; i++) {
            assert_true(s.factor[i * n + i] > 0.0);
            for (int j = 0; j <= i; j++) {
                double product = carom_dot(j + 1, s.factor + i * n, s.factor + j * n);
                assert_true(fabs(product - s.matrix[i * n + j]) <= 2e-14 * n);
            }
            for (int j = i + 1; j < n; j++)
                assert_true(s.factor[i * n + j] == 1e30);
        }
    }
}

static void solve_gives_back_the_solution(void **state)
{
    (void)state;
    carom_random random = {2};
    for (int n = 1; n <= SIZE_MAX_TESTED; n++) {
        system s;
        double x[SIZE_MAX_TESTED], expected[SIZE_MAX_TESTED];
        make_positive_definite(&random, n, &s);
        for (int i = 0; i < n; i++)
            expected[i] = carom_random_uniform(&random, -1.0, 1.0);
        for (int i = 0; i < n; i++)
            x[i] = carom_dot(n, s.matrix + i * n, expected);
        assert_int_equal(carom_cholesky_factor(n, s.factor), 0);
        carom_cholesky_solve(n, s.factor, x);
        for (int i = 0; i < n; i++)
            assert_true(fabs(x[i] - expected[i]) <= 1e-12);
    }
}

static void says_which_pivot_is_not_positive(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 16, 17, 40};
    for (int k = 0; k < 5; k++) {
        const int n = sizes[k];
        const double bad[] = {0.0, -1.0, NAN};
        for (int b = 0; b < 3; b++) {
            double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED] = {0};
            for (int i = 0; i < n; i++)
                matrix[i * n + i] = 2.0;
            int row = n / 2;
            matrix[row * n + row] = bad[b];
            assert_int_equal(carom_cholesky_factor(n, matrix), row + 1);
        }
    }
}

/* A matrix whose pivots are known: L D L^T with unit L, so that the pivot of each row is its D, of whatever sign. */
static void pivot_of_a_row_is_that_of_elimination(void **state)
{
    (void)state;
    carom_random random = {5};
    double lower[SIZE_MAX_TESTED * SIZE_MAX_TESTED], matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED],
        block[SIZE_MAX_TESTED * SIZE_MAX_TESTED], column[SIZE_MAX_TESTED];
    for (int n = 1; n <= SIZE_MAX_TESTED; n++) {
        const int row = n / 2;
        for (int i = 0; i < n * n; i++)
            lower[i] = i / n > i % n ? carom_random_uniform(&random, -0.5, 0.5) : (i / n == i % n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                matrix[i * n + j] = 0.0;
                for (int k = 0; k < n; k++)
                    matrix[i * n + j] += lower[i * n + k] * (k == row ? -0.25 : 1.0 + k) * lower[j * n + k];
            }
        assert_true(fabs(carom_cholesky_pivot(n, matrix, row, block, column) + 0.25) < 1e-11);
        if (row > 0)
            assert_true(fabs(carom_cholesky_pivot(n, matrix, row - 1, block, column) - row) < 1e-11 * n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_times_transpose_is_the_matrix),
        cmocka_unit_test(solve_gives_back_the_solution),
        cmocka_unit_test(says_which_pivot_is_not_positive),
        cmocka_unit_test(pivot_of_a_row_is_that_of_elimination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
