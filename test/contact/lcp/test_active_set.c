#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sample_lcp.h"

static carom_solve_report solve(const sample_lcp *sample, double tolerance, double *z)
{
    static const double untouched = 1.25;
    double work[SAMPLE_WORK];
    size_t needed = work_size_of(&carom_lcp_active_set, sample->size);
    assert_true(needed < SAMPLE_WORK);
    work[needed] = untouched;
    const carom_lcp problem = problem_of(sample);
    carom_solve_report report = solve_in(&carom_lcp_active_set, &problem, tolerance, work, z);
    assert_true(work[needed] == untouched);
    return report;
}

/* Enumerates all sets of positive unknowns; W positive definite makes the solution unique. */
static bool enumerate(const sample_lcp *sample, double *z)
{
    const int n = sample->size;
    for (int set = 0; set < 1 << n; set++) {
        double matrix[36], x[6], w[6];
        int index[6], pivot[6], count = 0;
        for (int i = 0; i < n; i++)
            if (set >> i & 1)
                index[count++] = i;
        for (int i = 0; i < count; i++) {
            x[i] = -sample->vector[index[i]];
            for (int j = 0; j < count; j++)
                matrix[i * count + j] = sample->matrix[index[i] * n + index[j]];
        }
        if (carom_lu_factor(count, matrix, pivot) != 0)
            continue;
        carom_lu_solve(count, matrix, pivot, x);
        memset(z, 0, (size_t)n * sizeof *z);
        bool holds = true;
        for (int i = 0; i < count; i++) {
            z[index[i]] = x[i];
            holds = holds && x[i] >= 0.0;
        }
        slack_of(sample, z, w);
        for (int i = 0; i < n; i++)
            holds = holds && (set >> i & 1 || w[i] >= -1e-13);
        if (holds)
            return true;
    }
    return false;
}

static void agrees_with_enumeration(void **state)
{
    (void)state;
    carom_random random = {41};
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 1 + trial % 6;
        sample_lcp sample;
        double z[6] = {0}, expected[6];
        make_sample(&random, n, n + 2, &sample);
        assert_true(enumerate(&sample, expected));
        assert_int_equal(solve(&sample, 1e-13, z).status, CAROM_OK);
        double size = 1.0;
        for (int i = 0; i < n; i++)
            size = fmax(size, expected[i]);
        assert_true(largest_difference(n, z, expected) <= 1e-10 * size);
    }
}

static void agrees_with_the_closed_form(void **state)
{
    (void)state;
    carom_random random = {42};
    for (int trial = 0; trial < 2000; trial++) {
        sample_lcp sample;
        double z[2] = {0}, expected[2];
        make_sample(&random, 1 + trial % 2, 4, &sample);
        const carom_lcp problem = problem_of(&sample);
        assert_int_equal(solve(&sample, 1e-14, z).status, CAROM_OK);
        assert_int_equal(solve_in(&carom_lcp_closed_form, &problem, 1e-14, NULL, expected).status, CAROM_OK);
        assert_true(largest_difference(sample.size, z, expected) <= 1e-12 * (1.0 + z[0]));
    }
}

/* Many more rows than dimensions: impulses are not unique, velocities are. */
static void dependent_rows(void **state)
{
    (void)state;
    carom_random random = {43};
    for (int trial = 0; trial < 500; trial++) {
        const int n = 3 + trial % 38, m = 2 + trial % 5;
        sample_lcp sample;
        double z[SAMPLE_MAX] = {0}, other[SAMPLE_MAX], w[SAMPLE_MAX], other_w[SAMPLE_MAX];
        make_sample(&random, n, m, &sample);
        carom_solve_report report = solve(&sample, 1e-13, z);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.iterations <= 3 * n);
        const carom_lcp problem = problem_of(&sample);
        assert_true(report.error == carom_lcp_error(&problem, z));
        /* Another start may end in other impulses. */
        for (int i = 0; i < n; i++)
            other[i] = carom_random_uniform(&random, -1.0, 1.0);
        assert_int_equal(solve(&sample, 1e-13, other).status, CAROM_OK);
        slack_of(&sample, z, w);
        slack_of(&sample, other, other_w);
        assert_true(largest_difference(n, w, other_w) <= 1e-12);
    }
}

static void duplicated_rows(void **state)
{
    (void)state;
    carom_random random = {44};
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + trial % 10, m = 12;
        sample_lcp once, twice = {.size = 2 * n, .dimension = m};
        double v[SAMPLE_MAX], z[SAMPLE_MAX] = {0}, double_z[SAMPLE_MAX] = {0};
        make_sample(&random, n, m, &once);
        for (int i = 0; i < m; i++)
            v[i] = carom_random_uniform(&random, -1.0, 1.0);
        memcpy(twice.gradient, once.gradient, (size_t)(n * m) * sizeof(double));
        memcpy(twice.gradient + n * m, once.gradient, (size_t)(n * m) * sizeof(double));
        assemble(&once, v);
        assemble(&twice, v);
        assert_int_equal(solve(&once, 1e-13, z).status, CAROM_OK);
        assert_int_equal(solve(&twice, 1e-13, double_z).status, CAROM_OK);
        for (int i = 0; i < n; i++)
            assert_true(fabs(double_z[i] + double_z[n + i] - z[i]) <= 1e-12 * (1.0 + z[i]));
    }
}

/* The same row with three demands: only the largest counts, and it must take over from the others. */
static void duplicated_rows_with_different_demands(void **state)
{
    (void)state;
    const double demands[4][3] = {{1, 2, 3}, {3, 1, 2}, {2, 3, 1}, {3 - 1e-10, 3, 3 - 1e-6}};
    for (int k = 0; k < 4; k++) {
        sample_lcp sample = {.size = 3};
        double z[3] = {1, 1, 1}, w[3];
        for (int i = 0; i < 9; i++)
            sample.matrix[i] = 2.0;
        for (int i = 0; i < 3; i++)
            sample.vector[i] = -demands[k][i];
        assert_int_equal(solve(&sample, 1e-15, z).status, CAROM_OK);
        slack_of(&sample, z, w);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(w[i] - (3.0 - demands[k][i])) <= 1e-15);
    }
}

static void does_not_depend_on_numbering(void **state)
{
    (void)state;
    carom_random random = {45};
    for (int trial = 0; trial < 200; trial++) {
        const int n = 2 + trial % 20, shift = 1 + trial % 7;
        sample_lcp sample, moved = {.size = n};
        double z[SAMPLE_MAX] = {0}, moved_z[SAMPLE_MAX] = {0};
        make_sample(&random, n, n + 3, &sample);
        for (int i = 0; i < n; i++) {
            moved.vector[(i + shift) % n] = sample.vector[i];
            for (int j = 0; j < n; j++)
                moved.matrix[(i + shift) % n * n + (j + shift) % n] = sample.matrix[i * n + j];
        }
        assert_int_equal(solve(&sample, 1e-13, z).status, CAROM_OK);
        assert_int_equal(solve(&moved, 1e-13, moved_z).status, CAROM_OK);
        for (int i = 0; i < n; i++)
            assert_true(fabs(moved_z[(i + shift) % n] - z[i]) <= 1e-11 * (1.0 + z[i]));
    }
}

/* Rows in other units (powers of two): the same arithmetic, so the same bits. */
static void does_not_depend_on_units(void **state)
{
    (void)state;
    carom_random random = {46};
    for (int trial = 0; trial < 200; trial++) {
        const int n = 2 + trial % 20;
        sample_lcp sample, scaled = {.size = n};
        double z[SAMPLE_MAX] = {0}, scaled_z[SAMPLE_MAX] = {0}, unit[SAMPLE_MAX];
        make_sample(&random, n, n / 2 + 1, &sample);
        for (int i = 0; i < n; i++)
            unit[i] = ldexp(1.0, (i * 5 + trial) % 13 - 6);
        for (int i = 0; i < n; i++) {
            scaled.vector[i] = unit[i] * sample.vector[i];
            for (int j = 0; j < n; j++)
                scaled.matrix[i * n + j] = unit[i] * unit[j] * sample.matrix[i * n + j];
        }
        solve(&sample, 1e-13, z);
        solve(&scaled, 1e-13, scaled_z);
        for (int i = 0; i < n; i++)
            assert_true(scaled_z[i] * unit[i] == z[i]);
    }
}

/* The solution as start is kept, without an iteration. */
static void warm_start_keeps_a_solution(void **state)
{
    (void)state;
    carom_random random = {47};
    for (int trial = 0; trial < 200; trial++) {
        const int n = 2 + trial % 30;
        sample_lcp sample;
        double z[SAMPLE_MAX] = {0}, again[SAMPLE_MAX];
        make_sample(&random, n, n + 1, &sample);
        assert_int_equal(solve(&sample, 1e-12, z).status, CAROM_OK);
        memcpy(again, z, sizeof z);
        carom_solve_report report = solve(&sample, 1e-12, again);
        assert_int_equal(report.status, CAROM_OK);
        assert_int_equal(report.iterations, 0);
        for (int i = 0; i < n; i++)
            assert_true(fabs(again[i] - z[i]) <= 1e-10 * (1.0 + z[i]));
    }
}

static void says_when_there_is_no_solution(void **state)
{
    (void)state;
    sample_lcp opposed = {.size = 2, .matrix = {1, -1, -1, 1}, .vector = {-1, -1}};
    sample_lcp immovable = {.size = 2, .matrix = {1, 0, 0, 0}, .vector = {-1, -1}};
    double z[2] = {0, 0};
    assert_int_equal(solve(&opposed, 1e-9, z).status, CAROM_FAILED);
    z[0] = z[1] = 0.0;
    assert_int_equal(solve(&immovable, 1e-9, z).status, CAROM_FAILED);
}

static void not_a_number_ends(void **state)
{
    (void)state;
    expect_end_without_numbers(solve, (carom_random){48});
}

static void nothing_to_solve(void **state)
{
    (void)state;
    sample_lcp empty = {.size = 0};
    double z[1] = {7.0};
    carom_solve_report report = solve(&empty, 0.0, z);
    assert_int_equal(report.status, CAROM_OK);
    assert_true(report.error == 0.0 && z[0] == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_enumeration),
        cmocka_unit_test(agrees_with_the_closed_form),
        cmocka_unit_test(dependent_rows),
        cmocka_unit_test(duplicated_rows),
        cmocka_unit_test(duplicated_rows_with_different_demands),
        cmocka_unit_test(does_not_depend_on_numbering),
        cmocka_unit_test(does_not_depend_on_units),
        cmocka_unit_test(warm_start_keeps_a_solution),
        cmocka_unit_test(says_when_there_is_no_solution),
        cmocka_unit_test(not_a_number_ends),
        cmocka_unit_test(nothing_to_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
