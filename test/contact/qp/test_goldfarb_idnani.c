#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_qp.h"

static double method_difference(sample_qp *sample, int condensed_limit)
{
    const int n = sample->problem.size, m = sample->problem.rows;
    double x[2][200], r[2][200];
    for (int k = 0; k < 2; k++) {
        qp_options options = qp_defaults();
        options.method = k ? QP_DUAL : QP_PRIMAL_DUAL;
        options.condensed_limit = condensed_limit;
        carom_solve_report report = solve_once(sample, &options, x[k], r[k]);
        assert_int_equal(report.status, CAROM_OK);
        assert_false(k == 1 && report.fell_back);
    }
    return fmax(largest_difference(n, x[0], x[1]) / largest(n, x[0]),
                largest_difference(m, r[0], r[1]) / largest(m, r[0]));
}

static void agrees_with_the_active_set(void **state)
{
    (void)state;
    carom_random random = {91};
    const int limits[] = {96, 5, 0};
    for (int trial = 0; trial < 150; trial++) {
        sample_qp sample = random_sample(&random, 10 + trial % 80, trial % 6, trial % 2);
        assert_true(method_difference(&sample, limits[trial % 3]) <= 1e-9);
        free_sample(&sample);
    }
}

/* Strongly coupled rows of A = (second differences)^2: rows leave again on the way. */
static void rows_that_block_leave(void **state)
{
    (void)state;
    carom_random random = {92};
    int detours = 0;
    for (int trial = 0; trial < 100; trial++) {
        const int n = 60;
        sample_qp sample = random_sample(&random, n, 2, false);
        for (int i = 0; i < n; i++) {
            *carom_band_at(&sample.A, i, i) = 6.0 + 1e-3;
            if (i > 0)
                *carom_band_at(&sample.A, i, i - 1) = -4.0;
            if (i > 1)
                *carom_band_at(&sample.A, i, i - 2) = 1.0;
        }
        qp_options options = qp_defaults();
        options.method = QP_DUAL;
        carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
        detours += report.iterations > report.active;
        assert_true(method_difference(&sample, 96) <= 1e-9);
        free_sample(&sample);
    }
    assert_true(detours > 50);
}

/* One iteration is not enough for the active set: the dual method ends what it began. */
static void takes_over(void **state)
{
    (void)state;
    carom_random random = {93};
    for (int trial = 0; trial < 50; trial++) {
        sample_qp sample = random_sample(&random, 40, 3, trial % 2);
        qp_options options = qp_defaults();
        double x[40], r[40];
        carom_solve_report report = solve_once(&sample, &options, x, r);
        assert_int_equal(report.status, CAROM_OK);
        assert_false(report.fell_back);
        options.max_iterations = 1;
        report = solve_once(&sample, &options, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.fell_back);
        assert_true(largest_difference(40, x, sample.x) <= 1e-12);
        assert_true(largest_difference(sample.problem.rows, r, sample.r) <= 1e-11);
        free_sample(&sample);
    }
}

/* A = L L^T with random L, so strongly coupled that sets of the active set come back now and then. */
static void couple_strongly(carom_random *random, carom_band *A)
{
    double L[30][30] = {{0}};
    assert_true(A->size <= 30);
    for (int i = 0; i < A->size; i++)
        for (int j = i > A->width ? i - A->width : 0; j <= i; j++) {
            L[i][j] = i == j ? 1.0 : carom_random_uniform(random, -1.0, 1.0);
            *carom_band_at(A, i, j) = carom_dot(j + 1, L[i], L[j]);
        }
}

static void ends_what_comes_back(void **state)
{
    (void)state;
    carom_random random = {95};
    int taken_over = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 6 + trial % 25;
        sample_qp sample = random_sample(&random, n, 1 + trial % 5, trial % 2);
        couple_strongly(&random, &sample.A);
        qp_options options = qp_defaults();
        double x[30], r[30];
        carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        taken_over += report.fell_back;
        options.method = QP_DUAL;
        assert_int_equal(solve_once(&sample, &options, x, r).status, CAROM_OK);
        assert_true(largest_difference(n, x, sample.x) <= 1e-9 * largest(n, x));
        free_sample(&sample);
    }
    assert_true(taken_over > 0 && taken_over < 20);
}

/* Rows 0 and 1 are the same; the narrower bounds count. */
static sample_qp sample_with_twins(carom_random *random, double second_lower, double second_upper)
{
    sample_qp sample = random_sample(random, 12, 2, false);
    sample.column[1] = sample.column[0];
    sample.lower[0] = 0.5;
    sample.upper[0] = 1.0;
    sample.lower[1] = second_lower;
    sample.upper[1] = second_upper;
    sample.f[0] = -1.0;
    return sample;
}

static void dependent_rows(void **state)
{
    (void)state;
    carom_random random = {94};
    for (int trial = 0; trial < 40; trial++)
        for (int m = 0; m < 2; m++)
            for (int limit = 0; limit <= 96; limit += 96) {
                qp_options options = qp_defaults();
                options.method = m ? QP_DUAL : QP_PRIMAL_DUAL;
                options.condensed_limit = limit;
                const double demands[][2] = {{0.5, 1.0}, {0.25, 1.0}, {0.75, 1.0}};
                for (int k = 0; k < 3; k++) {
                    sample_qp sample = sample_with_twins(&random, demands[k][0], demands[k][1]);
                    carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
                    assert_int_equal(report.status, CAROM_OK);
                    assert_true(fabs(sample.x[0] - fmax(0.5, demands[k][0])) <= 1e-12);
                    free_sample(&sample);
                }
                /* nothing satisfies both */
                sample_qp opposed = sample_with_twins(&random, -1.0, 0.25);
                carom_solve_report report = solve_once(&opposed, &options, opposed.x, opposed.r);
                assert_int_equal(report.status, CAROM_FAILED);
                free_sample(&opposed);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_active_set),
        cmocka_unit_test(rows_that_block_leave),
        cmocka_unit_test(takes_over),
        cmocka_unit_test(ends_what_comes_back),
        cmocka_unit_test(dependent_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
