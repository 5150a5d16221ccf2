#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

enum {
    SIZE = 12
};

/* a a^T + n I: symmetric and positive definite */
static void random_definite(carom_random *random, int n, double *matrix)
{
    double a[SIZE * SIZE];
    for (int i = 0; i < n * n; i++)
        a[i] = carom_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            matrix[i * n + j] = carom_dot(n, a + i * n, a + j * n) + (i == j ? n : 0.0);
}

static double form(int n, const double *matrix, const double *vector, int a, int b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += vector[i * n + a] * (matrix ? matrix[i * n + j] : i == j) * vector[j * n + b];
    return sum;
}

/* V^T M V = I and V^T K V = diag(value), with and without a mass matrix. */
static void vectors_are_mass_normalised(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int n = 1; n <= SIZE; n++)
        for (int with_mass = 0; with_mass < 2; with_mass++) {
            double stiffness[SIZE * SIZE], mass[SIZE * SIZE], value[SIZE], vector[SIZE * SIZE];
            random_definite(&random, n, stiffness);
            random_definite(&random, n, mass);
            const double *M = with_mass ? mass : NULL;
            assert_int_equal(carom_generalized_eigen(n, stiffness, M, value, vector), 0);
            for (int a = 0; a < n; a++) {
                assert_true(a == 0 || value[a] >= value[a - 1]);
                for (int b = 0; b < n; b++) {
                    assert_true(fabs(form(n, M, vector, a, b) - (a == b)) < 1e-12);
                    assert_true(fabs(form(n, stiffness, vector, a, b) - (a == b ? value[a] : 0.0)) < 1e-11);
                }
            }
        }
}

/* Two masses of 1/2 between springs of 2 fixed at one end: omega = sqrt(5) -+ 1. */
static void chain_of_two_has_the_golden_frequencies(void **state)
{
    (void)state;
    const double stiffness[] = {4.0, -2.0, -2.0, 2.0}, mass[] = {0.5, 0.0, 0.0, 0.5};
    double value[2], vector[4];
    assert_int_equal(carom_generalized_eigen(2, stiffness, mass, value, vector), 0);
    assert_true(fabs(sqrt(value[0]) - (sqrt(5.0) - 1.0)) < 1e-14);
    assert_true(fabs(sqrt(value[1]) - (sqrt(5.0) + 1.0)) < 1e-14);
}

static void indefinite_mass_is_said(void **state)
{
    (void)state;
    const double stiffness[] = {1.0, 0.0, 0.0, 1.0}, mass[] = {1.0, 0.0, 0.0, -1.0};
    double value[2], vector[4];
    assert_int_equal(carom_generalized_eigen(2, stiffness, mass, value, vector), 2 + 2);
    const double bad[] = {NAN, 0.0, 0.0, 1.0};
    assert_int_not_equal(carom_generalized_eigen(2, bad, NULL, value, vector), 0);
}

/* A cyclic shift: the n-th roots of one. */
static void shift_has_the_roots_of_one(void **state)
{
    (void)state;
    for (int n = 1; n <= SIZE; n++) {
        double matrix[SIZE * SIZE] = {0}, real[SIZE], imaginary[SIZE];
        for (int i = 0; i < n; i++)
            matrix[i * n + (i + 1) % n] = 1.0;
        assert_int_equal(carom_eigenvalues(n, matrix, real, imaginary), 0);
        for (int k = 0; k < n; k++) {
            const double angle = 2.0 * 3.14159265358979323846 * k / n;
            double nearest = INFINITY;
            for (int i = 0; i < n; i++)
                nearest = fmin(nearest, hypot(real[i] - cos(angle), imaginary[i] - sin(angle)));
            assert_true(nearest < 1e-14);
        }
    }
}

static void eigenvalues_of_what_is_no_number(void **state)
{
    (void)state;
    double matrix[] = {1.0, NAN, 0.0, 1.0}, real[2], imaginary[2];
    assert_int_not_equal(carom_eigenvalues(2, matrix, real, imaginary), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_mass_normalised),
        cmocka_unit_test(chain_of_two_has_the_golden_frequencies),
        cmocka_unit_test(indefinite_mass_is_said),
        cmocka_unit_test(shift_has_the_roots_of_one),
        cmocka_unit_test(eigenvalues_of_what_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
