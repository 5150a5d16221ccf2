/* Anderson's acceleration: on an affine map it is a method of Krylov's, which ends after as many steps as the
 * map has different eigenvalues (other than zero of I - M). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contact/coulomb/parts/anderson.h"

enum {
    SIZE = 11
};

/* g(x) = x* + M (x - x*) with eigenvalues of M that are given, on vectors that are not the axes: reflected by
 * I - 2 v v^T. */
static void map(const double *eigenvalue, const double *fixed, const double *x, double *g)
{
    double v[SIZE], y[SIZE], length = 0.0;
    for (int i = 0; i < SIZE; i++) {
        v[i] = 1.0 + i;
        length += v[i] * v[i];
        y[i] = x[i] - fixed[i];
    }
    for (int pass = 0; pass < 2; pass++) {
        double along = 0.0;
        for (int i = 0; i < SIZE; i++)
            along += v[i] * y[i];
        for (int i = 0; i < SIZE; i++) {
            y[i] -= 2.0 * along / length * v[i];
            if (pass == 0)
                y[i] *= eigenvalue[i];
        }
    }
    for (int i = 0; i < SIZE; i++)
        g[i] = fixed[i] + y[i];
}

static double distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Steps until x is within 1e-8 of the fixed point. */
static int steps_to(coulomb_anderson *self, const double *eigenvalue, int most)
{
    double x[SIZE] = {0}, g[SIZE], fixed[SIZE];
    for (int i = 0; i < SIZE; i++)
        fixed[i] = cos(1.0 + i);
    coulomb_anderson_begin(self, SIZE);
    for (int k = 0; k < most; k++) {
        if (distance(x, fixed) < 1e-8)
            return k;
        map(eigenvalue, fixed, x, g);
        coulomb_anderson_step(self, x, g);
        memcpy(x, g, sizeof x);
    }
    return most;
}

/* Three different eigenvalues: three steps of a polynomial of degree three, and the first is plain. One alone
 * would need log(1e-8) / log(0.99) = 1833 plain steps. */
static void few_eigenvalues_need_few_steps(void **state)
{
    (void)state;
    coulomb_anderson self;
    double eigenvalue[SIZE];
    for (int i = 0; i < SIZE; i++)
        eigenvalue[i] = i % 3 == 0 ? 0.99 : i % 3 == 1 ? 0.5 : -0.7;
    assert_true(coulomb_anderson_create(&self, SIZE, 5));
    assert_in_range(steps_to(&self, eigenvalue, 100), 2, 5);
    coulomb_anderson_free(&self);
}

/* All different: a memory of one is still far better than none (1833 steps), a longer one better than that.
 */
static void memory_helps(void **state)
{
    (void)state;
    double eigenvalue[SIZE];
    int steps[2];
    for (int i = 0; i < SIZE; i++)
        eigenvalue[i] = 0.99 - 0.09 * i;
    for (int k = 0; k < 2; k++) {
        coulomb_anderson self;
        assert_true(coulomb_anderson_create(&self, SIZE, k == 0 ? 1 : SIZE + 1));
        steps[k] = steps_to(&self, eigenvalue, 2000);
        coulomb_anderson_free(&self);
    }
    assert_true(steps[0] < 1000);
    assert_in_range(steps[1], SIZE - 1, SIZE + 3);
}

/* Memory for more unknowns than an iteration has; what went before leaves no trace. */
static void can_be_begun_anew(void **state)
{
    (void)state;
    coulomb_anderson self, other;
    double eigenvalue[SIZE];
    for (int i = 0; i < SIZE; i++)
        eigenvalue[i] = 0.9 - 0.05 * i;
    assert_true(coulomb_anderson_create(&self, 3 * SIZE, 4));
    assert_true(coulomb_anderson_create(&other, SIZE, 4));
    const int steps = steps_to(&other, eigenvalue, 1000);
    for (int k = 0; k < 3; k++)
        assert_int_equal(steps_to(&self, eigenvalue, 1000), steps);
    coulomb_anderson_free(&self);
    coulomb_anderson_free(&other);
}

/* A step whose residual is more than twice the last one is followed by a plain one. */
static void growth_makes_it_begin_anew(void **state)
{
    (void)state;
    coulomb_anderson self;
    assert_true(coulomb_anderson_create(&self, 1, 2));
    const double x[] = {0.0, 1.0, 1.5}, to[] = {1.0, 1.5, 4.5}; /* residuals 1, 0.5, 3 */
    double g = to[0];
    coulomb_anderson_step(&self, &x[0], &g);
    assert_true(g == 1.0); /* the first is plain */
    g = to[1];
    coulomb_anderson_step(&self, &x[1], &g);
    assert_true(fabs(g - 2.0) < 1e-9); /* the secant through (0, 1) and (1, 0.5) */
    g = to[2];
    coulomb_anderson_step(&self, &x[2], &g);
    assert_true(g == 4.5);
    coulomb_anderson_free(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_eigenvalues_need_few_steps),
        cmocka_unit_test(memory_helps),
        cmocka_unit_test(can_be_begun_anew),
        cmocka_unit_test(growth_makes_it_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
