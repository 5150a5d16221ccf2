/* An affine iteration ends after as many accelerated steps as it has unknowns, also when two share them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/contact/acceleration.h"

enum {
    SIZE = 6,
    DEPTH = 8
};

/* g_i = 0.9 (mean of the neighbours) + i + 1 */
static void iterate(const double *x, double *g)
{
    for (int i = 0; i < SIZE; i++)
        g[i] = 0.45 * ((i > 0 ? x[i - 1] : 0.0) + (i + 1 < SIZE ? x[i + 1] : 0.0)) + i + 1.0;
}

static double residual(const double *x)
{
    double g[SIZE], most = 0.0;
    iterate(x, g);
    for (int i = 0; i < SIZE; i++)
        most = fmax(most, fabs(g[i] - x[i]));
    return most;
}

static void affine_iterations_end(void **state)
{
    (void)state;
    double x[SIZE] = {0}, g[SIZE];
    carom_acceleration *fast = carom_acceleration_create(SIZE, DEPTH, NULL, NULL);
    assert_non_null(fast);
    for (int again = 0; again < 2; again++) {
        memset(x, 0, sizeof x);
        for (int k = 0; k < SIZE + 2; k++) {
            iterate(x, g);
            carom_acceleration_step(fast, x, g);
            memcpy(x, g, sizeof x);
        }
        assert_true(residual(x) < 1e-9);
        carom_acceleration_begin(fast);
    }
    carom_acceleration_free(fast);
    memset(x, 0, sizeof x);
    for (int k = 0; k < SIZE + 2; k++) {
        iterate(x, g);
        memcpy(x, g, sizeof x);
    }
    assert_true(residual(x) > 1e-2);
}

/* As if a second process had the same unknowns: all sums are twice as large, and the steps the same. */
static void twice(void *context, int count, double *number)
{
    ++*(int *)context;
    for (int i = 0; i < count; i++)
        number[i] *= 2.0;
}

static void sums_are_those_of_all(void **state)
{
    (void)state;
    int calls = 0;
    double x[SIZE] = {0}, g[SIZE], h[SIZE];
    carom_acceleration *alone = carom_acceleration_create(SIZE, DEPTH, NULL, NULL),
                       *shared = carom_acceleration_create(SIZE, 100, twice, &calls);
    assert_non_null(alone);
    assert_non_null(shared);
    for (int k = 0; k < 4; k++) {
        iterate(x, g);
        memcpy(h, g, sizeof h);
        carom_acceleration_step(alone, x, g);
        carom_acceleration_step(shared, x, h);
        for (int i = 0; i < SIZE; i++)
            assert_true(fabs(g[i] - h[i]) <= 1e-9 * fabs(g[i]));
        memcpy(x, g, sizeof x);
    }
    assert_true(calls >= 4);
    carom_acceleration_free(alone);
    carom_acceleration_free(shared);
    carom_acceleration_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affine_iterations_end),
        cmocka_unit_test(sums_are_those_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
