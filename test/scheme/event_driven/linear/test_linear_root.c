#include "scheme/event_driven/linear/linear_system.h"
#include "test/near.h"

/* Coefficients of (x - r1)(x - r2)...(x - rn) times `factor`. */
static void from_roots(int count, const double *root, double factor, double series[LINEAR_TERMS])
{
    for (int k = 0; k < LINEAR_TERMS; k++)
        series[k] = 0.0;
    series[0] = factor;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k >= 0; k--)
            series[k] = (k > 0 ? series[k - 1] : 0.0) - root[i] * series[k];
}

static void test_first_of_several(void **state)
{
    (void)state;
    double series[LINEAR_TERMS], x;
    carom_random random = {.state = 7};
    for (int trial = 0; trial < 2000; trial++) {
        double root[5], first = 2.0;
        for (int i = 0; i < 5; i++) {
            root[i] = carom_random_uniform(&random, 0.01, 1.6);
            first = fmin(first, root[i]);
        }
        from_roots(5, root, -1.0, series); /* positive at 0: -1 (-1)^5 product > 0 */
        assert_true(series[0] > 0.0);
        const bool found = linear_first_root(series, LINEAR_TERMS, 1.0, &x);
        assert_true(found == (first <= 1.0) || fabs(first - 1.0) < 1e-12);
        if (found) /* two roots that are close to each other are less well known */
            near_at("root", x, first, 1e-6, __FILE__, __LINE__);
    }
}

/* Lower and lower above zero, then through it. */
static void test_grazing(void **state)
{
    (void)state;
    double series[LINEAR_TERMS] = {0}, x;
    for (double depth = 1e-2; depth > 1e-13; depth *= 0.1) {
        series[0] = 0.25 + depth, series[1] = -1.0, series[2] = 1.0; /* (x - 1/2)^2 + depth */
        assert_false(linear_first_root(series, LINEAR_TERMS, 1.0, &x));
        series[0] = 0.25 - depth;
        assert_true(linear_first_root(series, LINEAR_TERMS, 1.0, &x));
        near_at("root", x, 0.5 - sqrt(depth), 1e-15 / sqrt(depth) + 1e-15, __FILE__, __LINE__);
        assert_false(linear_first_root(series, LINEAR_TERMS, 0.5 - 2.0 * sqrt(depth), &x));
    }
}

/* Roots that are tiny beside the step have all their digits. */
static void test_short_flights(void **state)
{
    (void)state;
    double series[LINEAR_TERMS] = {0}, x;
    for (double v = 1.0; v > 1e-200; v *= 1e-3) { /* v - x: a hop without its first term */
        series[0] = 0.5 * v, series[1] = -1.0, series[2] = 0.3, series[3] = -2.0;
        assert_true(linear_first_root(series, LINEAR_TERMS, 1.0, &x));
        const double rest = series[0] + x * (series[1] + x * (series[2] + x * series[3]));
        assert_true(fabs(rest) <= 4e-16 * v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_of_several),
        cmocka_unit_test(test_grazing),
        cmocka_unit_test(test_short_flights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
