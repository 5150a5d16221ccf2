#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/qp/qp_solver.h"
#include "sample_qp.h"

static double path_difference(sample_qp *sample)
{
    const int n = sample->problem.size, m = sample->problem.rows;
    double x[2][200], r[2][200];
    for (int k = 0; k < 2; k++) {
        qp_options options = qp_defaults();
        options.condensed_limit = k ? 0 : 1000;
        carom_solve_report report = solve_once(sample, &options, x[k], r[k]);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.active > 0);
        assert_true(report.error <= 1e-10);
    }
    return fmax(largest_difference(n, x[0], x[1]) / largest(n, x[0]),
                largest_difference(m, r[0], r[1]) / largest(m, r[0]));
}

static void agrees_with_the_condensed_system(void **state)
{
    (void)state;
    carom_random random = {81};
    for (int trial = 0; trial < 200; trial++) {
        sample_qp sample = random_sample(&random, 10 + trial % 150, trial % 6, trial % 2);
        assert_true(path_difference(&sample) <= 1e-9);
        free_sample(&sample);
    }
}

static void agrees_on_a_stiff_beam(void **state)
{
    (void)state;
    carom_random random = {82};
    for (int trial = 0; trial < 20; trial++) {
        sample_qp sample = beam_sample(80, 10.0, 282.84, 1e-3);
        fill_random(&random, 160, -0.01, 0.01, sample.f);
        for (int i = 0; i < 80; i++) {
            sample.upper[i] = 0.01;
            sample.lower[i] = -0.01;
        }
        assert_true(path_difference(&sample) <= 1e-9);
        free_sample(&sample);
    }
}

/* The numbers of unknowns keep neighbours together: width 3 and every second unknown constrained. */
static void multipliers_stand_among_their_unknowns(void **state)
{
    (void)state;
    carom_random random = {83};
    sample_qp sample = random_sample(&random, 40, 3, false);
    const qp_options options = qp_defaults();
    qp_solver *solver = new_solver(&sample, &options);
    for (int i = 0; i < sample.problem.rows; i++)
        qp_add(solver, (7 * i) % sample.problem.rows, QP_LOWER);
    assert_true(qp_banded_factor(solver));
    assert_int_equal(solver->banded.system.size, 60);
    assert_int_equal(solver->banded.system.width, 5);
    qp_clear(solver);
    qp_add(solver, 5, QP_UPPER);
    assert_true(qp_banded_factor(solver));
    assert_int_equal(solver->banded.system.size, 41);
    assert_int_equal(solver->banded.system.width, 4);
    qp_solver_free(solver);
    free_sample(&sample);
}

/* A row from the first unknown to the last makes the band as wide as the matrix. */
static void far_reaching_rows(void **state)
{
    (void)state;
    carom_random random = {84};
    for (int trial = 0; trial < 20; trial++) {
        const int n = 30;
        sample_qp sample = new_sample(n, 2, 3, 6);
        fill_matrix(&random, &sample.A);
        for (int i = 0; i < 3; i++) {
            sample.row_start[i + 1] = 2 * (i + 1);
            sample.column[2 * i] = i;
            sample.column[2 * i + 1] = n - 1 - 2 * i;
            sample.entry[2 * i] = 1.0;
            sample.entry[2 * i + 1] = -1.0;
            sample.upper[i] = 0.1;
        }
        fill_random(&random, n, -1.0, 1.0, sample.f);
        sample.f[0] = -2.0;
        assert_true(path_difference(&sample) <= 1e-9);
        /* no memory for the wide system: the dense one takes all rows, whatever its limit */
        qp_options options = qp_defaults();
        options.condensed_limit = 0;
        options.cache_bytes = 3 * 30 * sizeof(double);
        qp_solver *solver = new_solver(&sample, &options);
        assert_false(solver->banded.available);
        assert_int_equal(qp_solve(solver, sample.f, sample.x, sample.r).status, CAROM_OK);
        qp_solver_free(solver);
        /* no memory at all: said, not guessed */
        options.cache_bytes = 0;
        assert_int_equal(solve_once(&sample, &options, sample.x, sample.r).status, CAROM_FAILED);
        free_sample(&sample);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_condensed_system),
        cmocka_unit_test(agrees_on_a_stiff_beam),
        cmocka_unit_test(multipliers_stand_among_their_unknowns),
        cmocka_unit_test(far_reaching_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
