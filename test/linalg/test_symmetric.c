#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

enum {
    SIZE = 30
};

/* Tridiagonal (-1, 2, -1): 4 sin^2(k pi / (2 (n + 1))). The upper triangle is not read. */
static void eigenvalues_of_a_chain_are_known(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    for (int n = 1; n <= SIZE; n++) {
        double matrix[SIZE * SIZE], value[SIZE];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                matrix[i * n + j] = i == j ? 2.0 : i == j + 1 ? -1.0 : 0.0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                matrix[i * n + j] = 1e30;
        assert_int_equal(carom_symmetric_eigenvalues(n, matrix, value), 0);
        for (int k = 0; k < n; k++) {
            const double root = 2.0 * sin((k + 1) * pi / (2.0 * (n + 1)));
            assert_true(fabs(value[k] - root * root) <= 1e-14);
        }
    }
}

/* Sum and sum of squares of the eigenvalues of a full matrix. */
static void traces_are_kept(void **state)
{
    (void)state;
    carom_random random = {4};
    double matrix[SIZE * SIZE], value[SIZE], trace = 0.0, squares = 0.0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= i; j++) {
            const double entry = carom_random_uniform(&random, -1.0, 1.0);
            matrix[i * SIZE + j] = matrix[j * SIZE + i] = entry;
            trace += i == j ? entry : 0.0;
            squares += (i == j ? 1.0 : 2.0) * entry * entry;
        }
    assert_int_equal(carom_symmetric_eigenvalues(SIZE, matrix, value), 0);
    for (int k = 0; k < SIZE; k++) {
        trace -= value[k];
        squares -= value[k] * value[k];
        assert_true(k == 0 || value[k] >= value[k - 1]);
    }
    assert_true(fabs(trace) <= 1e-12 && fabs(squares) <= 1e-11);
}

static void what_is_not_a_number_is_refused(void **state)
{
    (void)state;
    double matrix[] = {1.0, 0.0, NAN, 1.0}, value[2];
    assert_int_not_equal(carom_symmetric_eigenvalues(2, matrix, value), 0);
    assert_int_equal(carom_symmetric_eigenvalues(0, matrix, value), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvalues_of_a_chain_are_known),
        cmocka_unit_test(traces_are_kept),
        cmocka_unit_test(what_is_not_a_number_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
