#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_qp.h"

/* A = diag(2, 4), D = (0, 1/2), f = (2, 4): x = (1, 1) without bounds, d = 1/2. */
static sample_qp small_sample(double lower, double upper)
{
    sample_qp sample = new_sample(2, 0, 1, 1);
    sample.A.entry[0] = 2.0;
    sample.A.entry[1] = 4.0;
    sample.row_start[1] = 1;
    sample.column[0] = 1;
    sample.entry[0] = 0.5;
    sample.lower[0] = lower;
    sample.upper[0] = upper;
    sample.f[0] = 2.0;
    sample.f[1] = 4.0;
    return sample;
}

static double error_of(double lower, double upper, double x0, double x1, double r)
{
    sample_qp sample = small_sample(lower, upper);
    const double x[2] = {x0, x1};
    const double error = carom_qp_error(problem_of(&sample), x, &r, sample.work);
    free_sample(&sample);
    return error;
}

static void solutions_have_no_error(void **state)
{
    (void)state;
    assert_true(error_of(-1.0, 1.0, 1.0, 1.0, 0.0) == 0.0);
    assert_true(error_of(-INFINITY, INFINITY, 1.0, 1.0, 0.0) == 0.0);
    /* x1 = 2: 4 x1 - 4 = 4 = r / 2 */
    assert_true(error_of(1.0, 2.0, 1.0, 2.0, 8.0) == 0.0);
    /* x1 = 1/2: -2 = r / 2 */
    assert_true(error_of(-1.0, 0.25, 1.0, 0.5, -4.0) == 0.0);
    assert_true(error_of(0.25, 0.25, 1.0, 0.5, -4.0) == 0.0);
}

static void measures_each_condition(void **state)
{
    (void)state;
    /* A x - f - D^T r = (2, 0), A x = (4, 4) */
    assert_true(error_of(-1.0, 1.0, 2.0, 1.0, 0.0) == 0.5);
    /* d = 1/2, upper bound 3/8 */
    assert_true(error_of(-1.0, 0.375, 1.0, 1.0, 0.0) == 0.25);
    /* the multiplier of the wrong sign, s r = (1/4) / 4 * -4 = -1/4: d = 1, P(5/4) = 5/4 */
    assert_true(fabs(error_of(1.0, 2.0, 1.0, 2.0, -4.0) - fmax(0.25, 6.0 / 8.0)) <= 1e-15);
    /* a multiplier at a distance: d = 1, lower 1/2, P(1 - 1/2) = 1/2 */
    assert_true(error_of(0.5, 2.0, 1.0, 2.0, 8.0) == 0.5);
}

static void what_is_not_finite_is_infinitely_wrong(void **state)
{
    (void)state;
    assert_true(isinf(error_of(-1.0, 1.0, NAN, 1.0, 0.0)));
    assert_true(isinf(error_of(-1.0, 1.0, 1.0, NAN, 0.0)));
    assert_true(isinf(error_of(-1.0, 1.0, 1.0, INFINITY, 0.0)));
    assert_true(isinf(error_of(-1.0, 1.0, 1.0, 1.0, NAN)));
    assert_true(isinf(error_of(-1.0, 1.0, 1.0, 1.0, -INFINITY)));
    assert_true(isinf(error_of(NAN, 1.0, 1.0, 1.0, 0.0)));
    assert_true(isinf(error_of(-1.0, NAN, 1.0, 1.0, 0.0)));
    assert_true(isinf(error_of(INFINITY, INFINITY, 1.0, 1.0, 0.0)));
    /* no value is allowed */
    assert_true(isinf(error_of(0.5, 0.25, 1.0, 1.0, 0.0)));
}

static void nothing_loaded_has_no_error(void **state)
{
    (void)state;
    sample_qp sample = small_sample(-1.0, 1.0);
    const double x[2] = {0.0, 0.0}, r[1] = {0.0};
    sample.f[0] = sample.f[1] = 0.0;
    assert_true(carom_qp_error(problem_of(&sample), x, r, sample.work) == 0.0);
    free_sample(&sample);
}

/* Other units of length and force (powers of two): the same number. */
static void does_not_depend_on_units(void **state)
{
    (void)state;
    carom_random random = {51};
    for (int trial = 0; trial < 50; trial++) {
        sample_qp sample = random_sample(&random, 12, 3, trial % 2);
        const double length = ldexp(1.0, trial % 9 - 4), force = ldexp(1.0, trial % 7 - 3);
        const int n = sample.problem.size, m = sample.problem.rows;
        fill_random(&random, n, -1.0, 1.0, sample.x);
        fill_random(&random, m, -1.0, 1.0, sample.r);
        const double error = carom_qp_error(problem_of(&sample), sample.x, sample.r, sample.work);
        for (int i = 0; i < n * 4; i++)
            sample.A.entry[i] *= force / length;
        for (int i = 0; i < n; i++) {
            sample.x[i] *= length;
            sample.f[i] *= force;
        }
        for (int i = 0; i < m; i++) {
            sample.lower[i] *= length;
            sample.upper[i] *= length;
            sample.r[i] *= force;
        }
        assert_true(carom_qp_error(problem_of(&sample), sample.x, sample.r, sample.work) == error);
        free_sample(&sample);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_have_no_error),
        cmocka_unit_test(measures_each_condition),
        cmocka_unit_test(what_is_not_finite_is_infinitely_wrong),
        cmocka_unit_test(nothing_loaded_has_no_error),
        cmocka_unit_test(does_not_depend_on_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
