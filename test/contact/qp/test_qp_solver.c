#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_qp.h"

enum {
    TINY = 5
};

static const qp_method methods[] = {QP_PRIMAL_DUAL, QP_DUAL};

static double dense_entry(const carom_band *A, int i, int j)
{
    const int row = i > j ? i : j, column = i > j ? j : i;
    return row - column <= A->width ? *carom_band_at(A, row, column) : 0.0;
}

/* Solves A x - D_a^T r = f, D_a x = target for the rows with side 1 (lower) or 2 (upper). */
static bool solve_set(sample_qp *sample, const int *side, double *x, double *r)
{
    const int n = sample->problem.size;
    double matrix[4 * TINY * TINY] = {0}, y[2 * TINY];
    int pivot[2 * TINY], rows[TINY], count = 0;
    for (int i = 0; i < sample->problem.rows; i++)
        if (side[i] != 0)
            rows[count++] = i;
    const int size = n + count;
    for (int i = 0; i < n; i++) {
        y[i] = sample->f[i];
        for (int j = 0; j < n; j++)
            matrix[i * size + j] = dense_entry(&sample->A, i, j);
    }
    for (int k = 0; k < count; k++) {
        y[n + k] = side[rows[k]] == 1 ? sample->lower[rows[k]] : sample->upper[rows[k]];
        for (int e = sample->row_start[rows[k]]; e < sample->row_start[rows[k] + 1]; e++) {
            matrix[(n + k) * size + sample->column[e]] = sample->entry[e];
            matrix[sample->column[e] * size + n + k] = -sample->entry[e];
        }
    }
    if (carom_lu_factor(size, matrix, pivot) != 0)
        return false;
    carom_lu_solve(size, matrix, pivot, y);
    memcpy(x, y, (size_t)n * sizeof *x);
    memset(r, 0, TINY * sizeof *r);
    for (int k = 0; k < count; k++)
        r[rows[k]] = y[n + k];
    return true;
}

static bool holds(sample_qp *sample, const int *side, const double *x, const double *r)
{
    for (int i = 0; i < sample->problem.rows; i++) {
        double d = 0.0;
        for (int e = sample->row_start[i]; e < sample->row_start[i + 1]; e++)
            d += sample->entry[e] * x[sample->column[e]];
        const bool fixed = sample->lower[i] == sample->upper[i];
        if (d < sample->lower[i] - 1e-12 || d > sample->upper[i] + 1e-12)
            return false;
        if (!fixed && ((side[i] == 1 && r[i] < 0.0) || (side[i] == 2 && r[i] > 0.0)))
            return false;
    }
    return true;
}

/* All sets of rows at their bounds. */
static bool enumerate(sample_qp *sample, double *x, double *r)
{
    int sets = 1;
    for (int i = 0; i < sample->problem.rows; i++)
        sets *= 3;
    for (int set = 0; set < sets; set++) {
        int side[TINY], rest = set;
        bool finite = true;
        for (int i = 0; i < sample->problem.rows; i++, rest /= 3) {
            side[i] = rest % 3;
            finite = finite && (side[i] != 1 || isfinite(sample->lower[i])) &&
                     (side[i] != 2 || isfinite(sample->upper[i]));
        }
        if (finite && solve_set(sample, side, x, r) && holds(sample, side, x, r))
            return true;
    }
    return false;
}

static sample_qp tiny_sample(carom_random *random, int trial)
{
    const int n = 3 + trial % 3;
    sample_qp sample = random_sample(random, n, trial / 3 % 4, trial / 12 % 2);
    if (trial % 5 == 1)
        sample.lower[0] = -INFINITY;
    if (trial % 5 == 2)
        sample.upper[0] = INFINITY;
    if (trial % 5 == 3)
        sample.lower[0] = sample.upper[0];
    return sample;
}

static void agrees_with_enumeration(void **state)
{
    (void)state;
    carom_random random = {61};
    for (int trial = 0; trial < 360; trial++) {
        sample_qp sample = tiny_sample(&random, trial);
        double x[TINY], r[TINY];
        assert_true(enumerate(&sample, x, r));
        for (int m = 0; m < 2; m++)
            for (int limit = 0; limit <= 96; limit += 96) {
                qp_options options = qp_defaults();
                options.method = methods[m];
                options.condensed_limit = limit;
                carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
                assert_int_equal(report.status, CAROM_OK);
                assert_true(report.error <= 1e-13);
                assert_true(largest_difference(sample.problem.size, sample.x, x) <= 1e-12);
                assert_true(largest_difference(sample.problem.rows, sample.r, r) <= 1e-11);
            }
        free_sample(&sample);
    }
}

/* Multipliers vanish exactly where the bound is not reached, and the error is that of the measure. */
static void reports_what_it_found(void **state)
{
    (void)state;
    carom_random random = {62};
    for (int trial = 0; trial < 100; trial++) {
        sample_qp sample = random_sample(&random, 30, 3, trial % 2);
        const qp_options options = qp_defaults();
        carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.error == carom_qp_error(problem_of(&sample), sample.x, sample.r, sample.work));
        int active = 0;
        for (int i = 0; i < sample.problem.rows; i++) {
            double d = 0.0;
            for (int e = sample.row_start[i]; e < sample.row_start[i + 1]; e++)
                d += sample.entry[e] * sample.x[sample.column[e]];
            active += sample.r[i] != 0.0;
            assert_true(sample.r[i] <= 0.0 || fabs(d - sample.lower[i]) <= 1e-14);
            assert_true(sample.r[i] >= 0.0 || fabs(d - sample.upper[i]) <= 1e-14);
        }
        assert_int_equal(report.active, active);
        assert_true(active > 0);
        free_sample(&sample);
    }
}

static void without_bounds_one_solve_is_enough(void **state)
{
    (void)state;
    carom_random random = {63};
    sample_qp sample = random_sample(&random, 40, 3, false);
    for (int i = 0; i < sample.problem.rows; i++) {
        sample.lower[i] = -INFINITY;
        sample.upper[i] = INFINITY;
    }
    for (int m = 0; m < 2; m++) {
        qp_options options = qp_defaults();
        options.method = methods[m];
        carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        assert_int_equal(report.active, 0);
        assert_true(report.iterations <= 1);
        assert_true(largest(sample.problem.rows, sample.r) == 0.0);
    }
    free_sample(&sample);
}

/* Pressed on an obstacle of the height 0 or -1: all rows at the lower bound; the error measure has no d to
 * compare with at 0. */
static void obstacle_touching_everywhere(void **state)
{
    (void)state;
    const int limits[] = {0, 96};
    for (int k = 0; k < 8; k++) {
        const double height = k % 2 ? -1.0 : 0.0;
        const int elements = 60;
        sample_qp sample = beam_sample(elements, 10.0, 282.84, 1e-3);
        for (int i = 0; i < sample.problem.rows; i++) {
            sample.lower[i] = height;
            sample.upper[i] = INFINITY;
            sample.f[2 * i] = -10.0 * 10.0 / elements * (i == elements - 1 ? 0.5 : 1.0);
        }
        qp_options options = qp_defaults();
        options.method = methods[k / 2 % 2];
        options.condensed_limit = limits[k / 4];
        carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.error <= 1e-10);
        /* a clamped end at height 0 lifts the first nodes of an obstacle at -1 */
        assert_true(report.active >= elements - 8);
        for (int i = 0; i < sample.problem.rows; i++)
            assert_true(sample.x[2 * i] >= height - 1e-12 && sample.r[i] >= 0.0);
        free_sample(&sample);
    }
}

/* 1000 loads that change slowly, with warm start. Returns the largest difference of the two methods. */
static double run_sequence(sample_qp *sample, carom_random *random, double load, int *contacts,
                           double *worst_error)
{
    const int n = sample->problem.size, m = sample->problem.rows;
    qp_solver *solver[2];
    double x[2][256], r[2][256], difference = 0.0, shape[2][256];
    assert_true(n <= 256);
    fill_random(random, n, -1.0, 1.0, shape[0]);
    fill_random(random, n, -1.0, 1.0, shape[1]);
    for (int k = 0; k < 2; k++) {
        qp_options options = qp_defaults();
        options.method = methods[k];
        solver[k] = new_solver(sample, &options);
    }
    for (int step = 0; step < 1000; step++) {
        const double a = load * sin(0.031 * step), b = load * cos(0.017 * step);
        for (int i = 0; i < n; i++)
            sample->f[i] = a * shape[0][i] + b * shape[1][i];
        for (int k = 0; k < 2; k++) {
            carom_solve_report report = qp_solve(solver[k], sample->f, x[k], r[k]);
            assert_int_equal(report.status, CAROM_OK);
            *worst_error = fmax(*worst_error, report.error);
            *contacts += report.active;
        }
        difference = fmax(difference, largest_difference(n, x[0], x[1]) / largest(n, x[0]));
        const double force = fmax(largest(m, r[0]), largest(n, sample->f));
        difference = fmax(difference, largest_difference(m, r[0], r[1]) / force);
    }
    for (int k = 0; k < 2; k++)
        qp_solver_free(solver[k]);
    return difference;
}

static void both_methods_agree_over_a_sequence(void **state)
{
    (void)state;
    carom_random random = {64};
    for (int trial = 0; trial < 4; trial++) {
        sample_qp sample = random_sample(&random, 60, 3, trial % 2);
        int contacts = 0;
        double error = 0.0;
        assert_true(run_sequence(&sample, &random, 1.0, &contacts, &error) <= 1e-9);
        assert_true(contacts > 2000);
        assert_true(error <= 1e-12);
        free_sample(&sample);
    }
}

static void stiff_beam(void **state)
{
    (void)state;
    carom_random random = {65};
    sample_qp sample = beam_sample(80, 10.0, 282.84, 1e-3);
    for (int i = 0; i < sample.problem.rows; i++) {
        sample.upper[i] = 0.005 + 0.03 * pow((i + 1) / 8.0 - 5.0, 2.0);
        sample.lower[i] = -sample.upper[i];
    }
    int contacts = 0;
    double error = 0.0;
    assert_true(run_sequence(&sample, &random, 0.01, &contacts, &error) <= 1e-9);
    assert_true(contacts > 2000);
    assert_true(error <= 1e-10);
    free_sample(&sample);
}

/* Bounds that hold back nearly all of the solution without bounds: x is what is left of large numbers. A soft
 * matrix (second differences, almost free to move) under a load of one sign. */
static void bounds_that_hold_back_nearly_all(void **state)
{
    (void)state;
    const int limits[] = {0, 96};
    for (int k = 0; k < 4; k++) {
        const int n = 60;
        sample_qp sample = new_sample(n, 1, 30, 30);
        select_every_second(&sample);
        for (int i = 0; i < n; i++) {
            *carom_band_at(&sample.A, i, i) = 2.0 - (i == 0 || i == n - 1) + 1e-9;
            if (i > 0)
                *carom_band_at(&sample.A, i, i - 1) = -1.0;
            sample.f[i] = 1.0 + 0.1 * sin(i);
        }
        for (int i = 0; i < 30; i++) {
            sample.upper[i] = 0.01 + 0.001 * (i % 4);
            sample.lower[i] = -INFINITY;
        }
        qp_options options = qp_defaults();
        options.method = methods[k % 2];
        options.condensed_limit = limits[k / 2];
        carom_solve_report report = solve_once(&sample, &options, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.error <= 1e-14);
        free_sample(&sample);
    }
}

/* A = I, x_0 = 1 whatever the load: the multiplier takes either sign. */
static void rows_with_one_value_are_always_active(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        sample_qp sample = new_sample(4, 1, 2, 2);
        for (int i = 0; i < 4; i++)
            *carom_band_at(&sample.A, i, i) = 1.0;
        select_every_second(&sample);
        sample.lower[0] = sample.upper[0] = 1.0;
        sample.lower[1] = -INFINITY;
        sample.upper[1] = INFINITY;
        qp_options options = qp_defaults();
        options.method = methods[m];
        qp_solver *solver = new_solver(&sample, &options);
        const double loads[] = {3.0, -2.0, 0.5, 1.5};
        for (int k = 0; k < 4; k++) {
            sample.f[0] = sample.f[1] = sample.f[2] = sample.f[3] = loads[k];
            carom_solve_report report = qp_solve(solver, sample.f, sample.x, sample.r);
            assert_int_equal(report.status, CAROM_OK);
            assert_int_equal(report.active, 1);
            assert_true(sample.x[0] == 1.0 && sample.x[2] == loads[k]);
            assert_true(fabs(sample.r[0] - (1.0 - loads[k])) <= 1e-15 && sample.r[1] == 0.0);
        }
        qp_solver_free(solver);
        free_sample(&sample);
    }
}

/* The bounds are read in every solve: they move, and they go. */
static void bounds_may_change(void **state)
{
    (void)state;
    carom_random random = {66};
    sample_qp sample = random_sample(&random, 40, 3, true);
    const qp_options options = qp_defaults();
    qp_solver *solver = new_solver(&sample, &options);
    double x[40], r[40];
    for (int step = 0; step < 50; step++) {
        fill_bounds(&random, &sample, 0.3);
        for (int i = step % 3; i < sample.problem.rows; i += 3) {
            sample.lower[i] = step % 2 ? sample.lower[i] : -INFINITY;
            sample.upper[i] = step % 4 ? sample.upper[i] : INFINITY;
        }
        carom_solve_report report = qp_solve(solver, sample.f, sample.x, sample.r);
        assert_int_equal(report.status, CAROM_OK);
        assert_int_equal(solve_once(&sample, &options, x, r).status, CAROM_OK);
        assert_true(largest_difference(40, x, sample.x) <= 1e-13);
        assert_true(largest_difference(sample.problem.rows, r, sample.r) <= 1e-12);
    }
    qp_solver_free(solver);
    free_sample(&sample);
}

static void warm_start_keeps_a_solution(void **state)
{
    (void)state;
    carom_random random = {67};
    sample_qp sample = random_sample(&random, 60, 3, true);
    const qp_options options = qp_defaults();
    qp_solver *solver = new_solver(&sample, &options);
    double x[60], r[60];
    assert_true(qp_solve(solver, sample.f, sample.x, sample.r).iterations > 1);
    carom_solve_report report = qp_solve(solver, sample.f, x, r);
    assert_int_equal(report.iterations, 1);
    assert_true(largest_difference(60, x, sample.x) == 0.0);
    qp_solver_free(solver);
    free_sample(&sample);
}

/* A load that is not a number fails, and the next one is solved as if it had not been. */
static void not_a_number_fails_and_is_forgotten(void **state)
{
    (void)state;
    carom_random random = {68};
    for (int m = 0; m < 2; m++) {
        sample_qp sample = random_sample(&random, 20, 3, true);
        qp_options options = qp_defaults();
        options.method = methods[m];
        qp_solver *solver = new_solver(&sample, &options);
        const double bad[] = {NAN, INFINITY}, kept = sample.f[7];
        double x[20], r[20];
        assert_int_equal(solve_once(&sample, &options, x, r).status, CAROM_OK);
        for (int k = 0; k < 2; k++) {
            sample.f[7] = bad[k];
            carom_solve_report report = qp_solve(solver, sample.f, sample.x, sample.r);
            assert_int_equal(report.status, CAROM_FAILED);
            assert_true(isinf(report.error));
            sample.f[7] = kept;
            assert_int_equal(qp_solve(solver, sample.f, sample.x, sample.r).status, CAROM_OK);
            assert_true(largest_difference(20, x, sample.x) <= 1e-14);
        }
        sample.upper[3] = sample.lower[3] - 1.0;
        assert_int_equal(qp_solve(solver, sample.f, sample.x, sample.r).status, CAROM_FAILED);
        sample.upper[3] = NAN;
        assert_int_equal(qp_solve(solver, sample.f, sample.x, sample.r).status, CAROM_FAILED);
        qp_solver_free(solver);
        free_sample(&sample);
    }
}

static void expect_bad_input(sample_qp *sample, const qp_options *options, const char *words)
{
    qp_solver *solver;
    carom_error error = {.text = ""};
    assert_int_equal(qp_solver_create(problem_of(sample), options, &solver, &error), CAROM_BAD_INPUT);
    assert_null(solver);
    assert_non_null(strstr(error.text, words));
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    carom_random random = {69};
    sample_qp sample = random_sample(&random, 10, 2, true);
    qp_options options = qp_defaults();
    sample.column[4] = 10;
    expect_bad_input(&sample, &options, "row 1 names column 10");
    sample.column[4] = 1;
    expect_bad_input(&sample, &options, "row 1 names column 1;");
    sample.column[4] = 2;
    sample.entry[3] = NAN;
    expect_bad_input(&sample, &options, "row 1 has the entry");
    sample.entry[3] = sample.entry[4] = sample.entry[5] = 0.0;
    expect_bad_input(&sample, &options, "row 1 is zero");
    sample.entry[4] = 1.0;
    *carom_band_at(&sample.A, 5, 5) = -1.0;
    expect_bad_input(&sample, &options, "pivot 6");
    options.max_iterations = 0;
    expect_bad_input(&sample, &options, "max_iterations 0");
    sample.problem.rows = -1;
    expect_bad_input(&sample, &options, "-1 rows");
    free_sample(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_enumeration),
        cmocka_unit_test(reports_what_it_found),
        cmocka_unit_test(without_bounds_one_solve_is_enough),
        cmocka_unit_test(obstacle_touching_everywhere),
        cmocka_unit_test(both_methods_agree_over_a_sequence),
        cmocka_unit_test(stiff_beam),
        cmocka_unit_test(bounds_that_hold_back_nearly_all),
        cmocka_unit_test(rows_with_one_value_are_always_active),
        cmocka_unit_test(bounds_may_change),
        cmocka_unit_test(warm_start_keeps_a_solution),
        cmocka_unit_test(not_a_number_fails_and_is_forgotten),
        cmocka_unit_test(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
