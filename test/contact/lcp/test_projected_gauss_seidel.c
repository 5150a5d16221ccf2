#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sample_lcp.h"

/* Diagonally dominant, so that the sweeps contract. */
static void agrees_with_the_active_set(void **state)
{
    (void)state;
    carom_random random = {51};
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + trial % 12;
        sample_lcp sample;
        double work[SAMPLE_WORK], z[SAMPLE_MAX] = {0}, expected[SAMPLE_MAX] = {0};
        make_sample(&random, n, n, &sample);
        for (int i = 0; i < n; i++)
            sample.matrix[i * n + i] += 2.0;
        const carom_lcp problem = problem_of(&sample);
        carom_solve_report report = solve_in(&carom_lcp_gauss_seidel, &problem, 1e-14, NULL, z);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.error == carom_lcp_error(&problem, z));
        assert_int_equal(solve_in(&carom_lcp_active_set, &problem, 1e-14, work, expected).status, CAROM_OK);
        assert_true(largest_difference(n, z, expected) <= 1e-12);
    }
}

/* Dependent rows: other impulses, the same velocities. */
static void dependent_rows_give_the_same_velocities(void **state)
{
    (void)state;
    carom_random random = {52};
    for (int trial = 0; trial < 50; trial++) {
        sample_lcp sample;
        double work[SAMPLE_WORK], z[6] = {0}, expected[6] = {0}, w[6], expected_w[6];
        make_sample(&random, 6, 2, &sample);
        const carom_lcp problem = problem_of(&sample);
        assert_int_equal(solve_in(&carom_lcp_gauss_seidel, &problem, 1e-13, NULL, z).status, CAROM_OK);
        assert_int_equal(solve_in(&carom_lcp_active_set, &problem, 1e-13, work, expected).status, CAROM_OK);
        slack_of(&sample, z, w);
        slack_of(&sample, expected, expected_w);
        assert_true(largest_difference(6, w, expected_w) <= 1e-9);
    }
}

static void starts_from_the_given_impulses(void **state)
{
    (void)state;
    const double matrix[4] = {2, 1, 1, 2}, vector[2] = {-3, -3};
    const carom_lcp problem = {2, matrix, vector};
    double z[2] = {1, 1};
    assert_int_equal(solve_in(&carom_lcp_gauss_seidel, &problem, 1e-15, NULL, z).iterations, 1);
    assert_true(z[0] == 1.0 && z[1] == 1.0);
    z[0] = NAN;
    z[1] = -4.0;
    assert_int_equal(solve_in(&carom_lcp_gauss_seidel, &problem, 1e-14, NULL, z).status, CAROM_OK);
}

static void says_when_there_is_no_solution(void **state)
{
    (void)state;
    const double opposed[4] = {1, -1, -1, 1}, immovable[4] = {1, 0, 0, 0}, vector[2] = {-1, -1};
    const double nan[4] = {1, NAN, NAN, 1};
    double z[2] = {0, 0};
    assert_int_equal(
        solve_in(&carom_lcp_gauss_seidel, &(carom_lcp){2, opposed, vector}, 1e-9, NULL, z).status,
        CAROM_FAILED);
    z[0] = z[1] = 0.0;
    carom_solve_report report =
        solve_in(&carom_lcp_gauss_seidel, &(carom_lcp){2, immovable, vector}, 1e-9, NULL, z);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_true(report.iterations < 5);
    report = solve_in(&carom_lcp_gauss_seidel, &(carom_lcp){2, nan, vector}, 1e-9, NULL, z);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_int_equal(report.iterations, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_active_set),
        cmocka_unit_test(dependent_rows_give_the_same_velocities),
        cmocka_unit_test(starts_from_the_given_impulses),
        cmocka_unit_test(says_when_there_is_no_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
