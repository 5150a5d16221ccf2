#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sample_lcp.h"

enum {
    SMALL = 6,
    WORK = SAMPLE_MAX * (2 * SAMPLE_MAX + 2) + 6 * SAMPLE_MAX + 1
};

/* Whatever the problem: the report is true, and the work space is not overstepped. */
static carom_solve_report solve(const sample_lcp *sample, double tolerance, double *z)
{
    static const double untouched = 1.25;
    double work[WORK];
    const size_t needed = work_size_of(&carom_lcp_lemke, sample->size);
    assert_true(needed < WORK);
    work[needed] = untouched;
    const carom_lcp problem = problem_of(sample);
    const carom_solve_report report = solve_in(&carom_lcp_lemke, &problem, tolerance, work, z);
    assert_true(work[needed] == untouched);
    assert_true(report.error == carom_lcp_error(&problem, z));
    assert_int_equal(report.status, report.error <= tolerance ? CAROM_OK : CAROM_FAILED);
    return report;
}

/* Tries the complementary set `set`, bit i: z_i may be positive. */
static bool solve_set(const sample_lcp *sample, int set, double *z)
{
    const int n = sample->size;
    double matrix[SMALL * SMALL], x[SMALL], w[SMALL];
    int index[SMALL], pivot[SMALL], count = 0;
    for (int i = 0; i < n; i++)
        if (set >> i & 1)
            index[count++] = i;
    for (int i = 0; i < count; i++) {
        x[i] = -sample->vector[index[i]];
        for (int j = 0; j < count; j++)
            matrix[i * count + j] = sample->matrix[index[i] * n + index[j]];
    }
    if (carom_lu_factor(count, matrix, pivot) != 0)
        return false;
    carom_lu_solve(count, matrix, pivot, x);
    memset(z, 0, (size_t)n * sizeof *z);
    bool holds = true;
    for (int i = 0; i < count; i++) {
        z[index[i]] = x[i];
        holds = holds && x[i] >= -1e-12;
    }
    slack_of(sample, z, w);
    for (int i = 0; i < n; i++)
        holds = holds && (set >> i & 1 || w[i] >= -1e-12);
    return holds;
}

static bool enumerate(const sample_lcp *sample, double *z)
{
    for (int set = 0; set < 1 << sample->size; set++)
        if (solve_set(sample, set, z))
            return true;
    return false;
}

static void assert_same_as_enumeration(const sample_lcp *sample)
{
    double z[SMALL] = {0}, expected[SMALL], size = 1.0;
    assert_true(enumerate(sample, expected));
    assert_int_equal(solve(sample, 1e-12, z).status, CAROM_OK);
    for (int i = 0; i < sample->size; i++)
        size = fmax(size, expected[i]);
    assert_true(largest_difference(sample->size, z, expected) <= 1e-9 * size);
}

/* Positive definite: symmetric, and with a skew part of the same size. */
static void agrees_with_enumeration(void **state)
{
    (void)state;
    carom_random random = {61};
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 1 + trial % SMALL;
        sample_lcp sample;
        make_sample(&random, n, n + 2, &sample);
        for (int i = 0; trial % 2 == 0 && i < n; i++)
            for (int j = 0; j < i; j++) {
                const double skew = carom_random_uniform(&random, -2.0, 2.0);
                sample.matrix[i * n + j] += skew;
                sample.matrix[j * n + i] -= skew;
            }
        assert_same_as_enumeration(&sample);
    }
}

/* P-matrices that are not positive definite: triangular, the diagonal smaller than the rest. */
static void triangular_matrices(void **state)
{
    (void)state;
    carom_random random = {62};
    for (int trial = 0; trial < 1000; trial++) {
        const int n = 1 + trial % SMALL;
        sample_lcp sample = {.size = n};
        for (int i = 0; i < n; i++) {
            sample.vector[i] = carom_random_uniform(&random, -1.0, 1.0);
            sample.matrix[i * n + i] = carom_random_uniform(&random, 0.5, 1.0);
            for (int j = 0; j < i; j++)
                sample.matrix[i * n + j] = carom_random_uniform(&random, -2.0, 2.0);
        }
        assert_same_as_enumeration(&sample);
    }
}

static void agrees_with_the_active_set(void **state)
{
    (void)state;
    carom_random random = {63};
    for (int trial = 0; trial < 400; trial++) {
        const int n = 2 + trial % (SAMPLE_MAX - 2);
        sample_lcp sample;
        double work[SAMPLE_WORK], z[SAMPLE_MAX] = {0}, expected[SAMPLE_MAX] = {0}, size = 1.0;
        make_sample(&random, n, SAMPLE_MAX, &sample);
        const carom_lcp problem = problem_of(&sample);
        assert_int_equal(solve_in(&carom_lcp_active_set, &problem, 1e-13, work, expected).status, CAROM_OK);
        assert_int_equal(solve(&sample, 1e-13, z).status, CAROM_OK);
        for (int i = 0; i < n; i++)
            size = fmax(size, expected[i]);
        assert_true(largest_difference(n, z, expected) <= 1e-9 * size);
    }
}

/* More rows than dimensions, directions and velocities of small integers: many ties, rows that come twice,
 * rows of zeros. Velocities after the step are unique, impulses are not. */
static void degenerate_problems(void **state)
{
    (void)state;
    carom_random random = {64};
    for (int trial = 0; trial < 1000; trial++) {
        const int n = 2 + trial % (SAMPLE_MAX - 2), m = 1 + trial % 5;
        sample_lcp sample = {.size = n, .dimension = m};
        double v[SAMPLE_MAX], work[SAMPLE_WORK], z[SAMPLE_MAX] = {0}, other[SAMPLE_MAX] = {0};
        double w[SAMPLE_MAX], other_w[SAMPLE_MAX];
        for (int i = 0; i < n * m; i++)
            sample.gradient[i] = floor(carom_random_uniform(&random, -1.0, 2.0));
        for (int i = 0; i < m; i++)
            v[i] = floor(carom_random_uniform(&random, -2.0, 3.0));
        assemble(&sample, v);
        const carom_lcp problem = problem_of(&sample);
        assert_int_equal(solve(&sample, 1e-12, z).status, CAROM_OK);
        assert_int_equal(solve_in(&carom_lcp_active_set, &problem, 1e-12, work, other).status, CAROM_OK);
        slack_of(&sample, z, w);
        slack_of(&sample, other, other_w);
        assert_true(largest_difference(n, w, other_w) <= 1e-10);
    }
}

/* The same problem in other units of impulses and velocities. */
static void does_not_depend_on_units(void **state)
{
    (void)state;
    carom_random random = {65};
    for (int trial = 0; trial < 300; trial++) {
        const int n = 2 + trial % 10;
        sample_lcp sample, scaled;
        double z[SAMPLE_MAX] = {0}, same[SAMPLE_MAX] = {0}, unit[SAMPLE_MAX];
        make_sample(&random, n, n + 2, &sample);
        scaled = sample;
        for (int i = 0; i < n; i++)
            unit[i] = pow(2.0, floor(carom_random_uniform(&random, -20.0, 20.0)));
        for (int i = 0; i < n; i++) {
            scaled.vector[i] *= unit[i];
            for (int j = 0; j < n; j++)
                scaled.matrix[i * n + j] *= unit[i] * unit[j];
        }
        assert_int_equal(solve(&sample, 1e-12, z).status, CAROM_OK);
        solve(&scaled, 1e-12, same);
        for (int i = 0; i < n; i++)
            assert_true(fabs(same[i] * unit[i] - z[i]) <= 1e-9 * (1.0 + z[i]));
    }
}

/* A game: W has no diagonal. z = (1, 1), w = 0. */
static void skew_matrix(void **state)
{
    (void)state;
    const sample_lcp game = {.size = 2, .matrix = {0, 1, -1, 0}, .vector = {-1, 1}};
    double z[2] = {0, 0};
    assert_int_equal(solve(&game, 1e-15, z).status, CAROM_OK);
    assert_true(fabs(z[0] - 1.0) <= 1e-15 && fabs(z[1] - 1.0) <= 1e-15);
}

static void says_when_there_is_no_solution(void **state)
{
    (void)state;
    const sample_lcp none[] = {
        {.size = 2, .matrix = {1, -1, -1, 1}, .vector = {-1, -1}}, /* opposed walls that close */
        {.size = 2, .matrix = {1, 0, 0, 0}, .vector = {-1, -1}},   /* a row that nothing moves */
        {.size = 2, .matrix = {0, 1, -1, 0}, .vector = {1, -1}},   /* skew: w_2 = -z_1 - 1 */
        {.size = 3, .matrix = {1, 1, -2, 1, 1, -2, -2, -2, 4}, .vector = {-1, -2, -1}},
    };
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++) {
        double z[3] = {0};
        assert_int_equal(solve(&none[k], 1e-9, z).status, CAROM_FAILED);
        assert_true(carom_all_finite(none[k].size, z));
    }
}

/* Any matrix: it may fail, but the report tells the truth, which `solve` checks. */
static void reports_are_true_for_any_matrix(void **state)
{
    (void)state;
    carom_random random = {66};
    int solved = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const int n = 1 + trial % 12;
        sample_lcp sample = {.size = n};
        double z[SAMPLE_MAX] = {0};
        for (int i = 0; i < n * n; i++)
            sample.matrix[i] = carom_random_uniform(&random, -1.0, 1.0);
        for (int i = 0; i < n; i++)
            sample.vector[i] = carom_random_uniform(&random, -1.0, 1.0);
        solved += solve(&sample, 1e-11, z).status == CAROM_OK;
    }
    assert_true(solved > 100 && solved < 1000);
}

static void not_a_number_ends(void **state)
{
    (void)state;
    expect_end_without_numbers(solve, (carom_random){67});
}

static void nothing_to_solve(void **state)
{
    (void)state;
    const sample_lcp empty = {.size = 0}, open = {.size = 2, .matrix = {1, 0, 0, 1}, .vector = {0, 3}};
    double z[2] = {7.0, 7.0};
    assert_int_equal(solve(&empty, 0.0, z).status, CAROM_OK);
    assert_true(z[0] == 7.0);
    assert_int_equal(solve(&open, 0.0, z).status, CAROM_OK);
    assert_true(z[0] == 0.0 && z[1] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_enumeration),
        cmocka_unit_test(triangular_matrices),
        cmocka_unit_test(agrees_with_the_active_set),
        cmocka_unit_test(degenerate_problems),
        cmocka_unit_test(does_not_depend_on_units),
        cmocka_unit_test(skew_matrix),
        cmocka_unit_test(says_when_there_is_no_solution),
        cmocka_unit_test(reports_are_true_for_any_matrix),
        cmocka_unit_test(not_a_number_ends),
        cmocka_unit_test(nothing_to_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
