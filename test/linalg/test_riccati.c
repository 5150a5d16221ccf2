#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    SIZE = 10
};

static void multiply(int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0.0;
            for (int k = 0; k < n; k++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

static void fill(carom_random *random, int count, double *a)
{
    for (int i = 0; i < count; i++)
        a[i] = carom_random_uniform(random, -1.0, 1.0);
}

static void identity(int n, double *a)
{
    for (int i = 0; i < n * n; i++)
        a[i] = i % (n + 1) == 0;
}

/* n = 1: 2 a x - b^2 x^2 / r + q = 0, x = r (a + sqrt(a^2 + b^2 q / r)) / b^2, also for unstable a. */
static void scalar_equation_has_its_root(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        const double a = -2.0 + 0.25 * k, b = 0.5 + 0.1 * k, q = 1.0 + k, r = 0.3 + 0.2 * k;
        double x;
        assert_int_equal(carom_riccati(1, 1, &a, &b, &q, &r, &x), 0);
        assert_true(fabs(x - r * (a + sqrt(a * a + b * b * q / r)) / (b * b)) < 1e-12 * (1.0 + x));
    }
}

/* Double integrator, q = diag(1, 0), r = 1: X = [sqrt 2, 1; 1, sqrt 2]. */
static void double_integrator(void **state)
{
    (void)state;
    const double A[] = {0, 1, 0, 0}, B[] = {0, 1}, Q[] = {1, 0, 0, 0}, R[] = {1}, root = sqrt(2.0);
    double X[4];
    assert_int_equal(carom_riccati(2, 1, A, B, Q, R, X), 0);
    const double expected[] = {root, 1, 1, root};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(X[i] - expected[i]) < 1e-13);
}

static void residual_is_zero_and_the_loop_stable(void **state)
{
    (void)state;
    carom_random random = {3};
    for (int n = 2; n <= SIZE; n++) {
        double A[SIZE * SIZE], B[2 * SIZE], Q[SIZE * SIZE], X[SIZE * SIZE], AX[SIZE * SIZE], F[SIZE * SIZE],
            real[SIZE], imaginary[SIZE];
        const double R[] = {0.5, 2.0};
        fill(&random, n * n, A);
        fill(&random, 2 * n, B);
        identity(n, Q);
        assert_int_equal(carom_riccati(n, 2, A, B, Q, R, X), 0);
        for (int i = 0; i < n; i++) /* F = A - B R^-1 B^T X */
            for (int j = 0; j < n; j++) {
                F[i * n + j] = A[i * n + j];
                for (int k = 0; k < n; k++)
                    F[i * n + j] -=
                        (B[2 * i] * B[2 * k] / R[0] + B[2 * i + 1] * B[2 * k + 1] / R[1]) * X[k * n + j];
            }
        /* A^T X + X F + Q = 0 */
        multiply(n, X, F, AX);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = AX[i * n + j] + Q[i * n + j];
                for (int k = 0; k < n; k++)
                    sum += A[k * n + i] * X[k * n + j];
                assert_true(fabs(sum) < 1e-8 * (1.0 + carom_largest(n * n, X)));
                assert_true(X[i * n + j] == X[j * n + i]);
            }
        assert_int_equal(carom_eigenvalues(n, F, real, imaginary), 0);
        for (int i = 0; i < n; i++)
            assert_true(real[i] < 0.0);
    }
}

/* An oscillator without input or cost stays on the axis; a mode that no input moves cannot be stabilized. */
static void what_has_no_solution_is_told(void **state)
{
    (void)state;
    const double A[] = {0, 1, -1, 0}, B[] = {0, 0}, Q[] = {0, 0, 0, 0}, R[] = {1}, unstable[] = {1, 0, 0, -1},
                 second[] = {0, 1}, I[] = {1, 0, 0, 1}, bad[] = {NAN, 0, 0, 1};
    double X[4];
    assert_int_not_equal(carom_riccati(2, 1, A, B, Q, R, X), 0);
    assert_int_equal(carom_riccati(2, 1, unstable, second, I, R, X), CAROM_RICCATI_SINGULAR);
    assert_int_equal(carom_riccati(2, 1, bad, second, I, R, X), CAROM_RICCATI_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_equation_has_its_root),
        cmocka_unit_test(double_integrator),
        cmocka_unit_test(residual_is_zero_and_the_loop_stable),
        cmocka_unit_test(what_has_no_solution_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
