#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/qp/qp_solver.h"
#include "sample_qp.h"

/* Columns are A^-1 D_i^T, also when there is memory for few of them only. */
static void columns_solve_their_rows(void **state)
{
    (void)state;
    carom_random random = {71};
    sample_qp sample = random_sample(&random, 30, 3, true);
    qp_options options = qp_defaults();
    for (int slots = 1; slots <= 28; slots += 9) {
        options.cache_bytes = (size_t)slots * 30 * sizeof(double);
        qp_solver *solver = new_solver(&sample, &options);
        assert_int_equal(solver->condensed.slots, slots);
        assert_int_equal(solver->condensed.capacity, slots == 28 ? 28 : slots - 1);
        for (int k = 0; k < 200; k++) {
            const int row = (k * k + 3 * k) % sample.problem.rows;
            const double *column = qp_column(solver, row);
            carom_band_multiply(&sample.A, column, sample.work);
            qp_add_row(&solver->problem, row, -1.0, sample.work);
            assert_true(largest(30, sample.work) <= 1e-14);
            assert_ptr_equal(qp_column(solver, row), column);
        }
        qp_solver_free(solver);
    }
    free_sample(&sample);
}

/* A column that is in use is not given up. */
static void active_rows_keep_their_columns(void **state)
{
    (void)state;
    carom_random random = {72};
    sample_qp sample = random_sample(&random, 20, 2, true);
    qp_options options = qp_defaults();
    options.cache_bytes = 3 * 20 * sizeof(double);
    qp_solver *solver = new_solver(&sample, &options);
    qp_add(solver, 4, QP_LOWER);
    qp_add(solver, 9, QP_UPPER);
    const double *first = qp_column(solver, 4), *second = qp_column(solver, 9);
    for (int row = 0; row < sample.problem.rows; row++)
        qp_column(solver, row);
    assert_ptr_equal(qp_column(solver, 4), first);
    assert_ptr_equal(qp_column(solver, 9), second);
    qp_solver_free(solver);
    free_sample(&sample);
}

/* After rows came and went, the multipliers are those of a factor made from nothing. */
static void factor_follows_the_list_of_rows(void **state)
{
    (void)state;
    carom_random random = {73};
    sample_qp sample = random_sample(&random, 40, 3, true);
    const qp_options options = qp_defaults();
    qp_solver *solver = new_solver(&sample, &options), *fresh = new_solver(&sample, &options);
    double x[40], expected[40], y[40], z[40];
    for (int k = 0; k < 300; k++) {
        const int row = (int)carom_random_uniform(&random, 0.0, sample.problem.rows);
        if (solver->side[row] == QP_FREE)
            qp_add(solver, row, QP_LOWER);
        else
            qp_drop(solver, (int)carom_random_uniform(&random, 0.0, solver->active));
        qp_clear(fresh);
        for (int j = 0; j < solver->active; j++) {
            qp_add(fresh, solver->row[j], QP_LOWER);
            y[j] = z[j] = sin(j);
        }
        memset(x, 0, sizeof x);
        memset(expected, 0, sizeof expected);
        assert_true(qp_condensed_factor(solver) && qp_condensed_factor(fresh));
        qp_condensed_correct(solver, y, x);
        qp_condensed_correct(fresh, z, expected);
        assert_true(largest_difference(solver->active, y, z) == 0.0);
        assert_true(largest_difference(40, x, expected) == 0.0);
        for (int j = 0; j < solver->active; j++)
            assert_true(fabs(qp_row_value(&solver->problem, solver->row[j], x) - sin(j)) <= 1e-12);
    }
    qp_solver_free(solver);
    qp_solver_free(fresh);
    free_sample(&sample);
}

static void dependent_rows_are_noticed(void **state)
{
    (void)state;
    carom_random random = {74};
    sample_qp sample = random_sample(&random, 10, 2, false);
    sample.column[3] = sample.column[2];
    const qp_options options = qp_defaults();
    qp_solver *solver = new_solver(&sample, &options);
    qp_add(solver, 2, QP_LOWER);
    assert_true(qp_condensed_factor(solver));
    qp_add(solver, 3, QP_LOWER);
    assert_false(qp_condensed_factor(solver));
    qp_solver_free(solver);
    free_sample(&sample);
}

static void little_memory_gives_the_same_solution(void **state)
{
    (void)state;
    carom_random random = {75};
    for (int trial = 0; trial < 40; trial++) {
        const int n = 60;
        sample_qp sample = random_sample(&random, n, 3, trial % 2);
        qp_options options = qp_defaults();
        double x[60], r[60];
        assert_int_equal(solve_once(&sample, &options, x, r).status, CAROM_OK);
        /* enough for the banded system, and for more columns than are needed but not for all */
        options.cache_bytes = 20000;
        options.method = trial % 4 < 2 ? QP_PRIMAL_DUAL : QP_DUAL;
        assert_int_equal(solve_once(&sample, &options, sample.x, sample.r).status, CAROM_OK);
        assert_true(largest_difference(n, x, sample.x) <= 1e-12);
        assert_true(largest_difference(sample.problem.rows, r, sample.r) <= 1e-11);
        free_sample(&sample);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_solve_their_rows),
        cmocka_unit_test(active_rows_keep_their_columns),
        cmocka_unit_test(factor_follows_the_list_of_rows),
        cmocka_unit_test(dependent_rows_are_noticed),
        cmocka_unit_test(little_memory_gives_the_same_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
