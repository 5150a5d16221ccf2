#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/qp/qp_solver.h"
#include "sample_qp.h"

static qp_solver *small_solver(sample_qp *sample)
{
    carom_random random = {101};
    *sample = random_sample(&random, 20, 2, false);
    const qp_options options = qp_defaults();
    return new_solver(sample, &options);
}

/* The key names the set, whatever the order in which its rows came. */
static void keys_name_sets(void **state)
{
    (void)state;
    sample_qp sample;
    qp_solver *solver = small_solver(&sample);
    const uint64_t empty = solver->key;
    qp_add(solver, 3, QP_LOWER);
    const uint64_t one = solver->key;
    qp_add(solver, 7, QP_UPPER);
    const uint64_t two = solver->key;
    assert_true(empty != one && one != two && two != empty);
    qp_drop(solver, 0);
    assert_true(solver->key != one);
    qp_add(solver, 3, QP_LOWER);
    assert_true(solver->key == two);
    qp_drop(solver, 1);
    qp_add(solver, 3, QP_UPPER);
    assert_true(solver->key != two);
    qp_clear(solver);
    assert_true(solver->key == empty);
    assert_int_equal(solver->active, 0);
    qp_solver_free(solver);
    free_sample(&sample);
}

static void wrong_rows_leave_and_others_keep_their_order(void **state)
{
    (void)state;
    sample_qp sample;
    qp_solver *solver = small_solver(&sample);
    const qp_side sides[] = {QP_LOWER, QP_UPPER, QP_UPPER, QP_LOWER, QP_LOWER, QP_LOWER};
    const double reactions[] = {1.0, 1.0, -1.0, 0.0, 2.0, -5.0};
    for (int i = 0; i < 6; i++) {
        qp_add(solver, i, sides[i]);
        solver->reaction[i] = reactions[i];
    }
    sample.lower[4] = -INFINITY; /* its bound has gone */
    assert_true(qp_factor(solver));
    assert_true(qp_drop_wrong(solver, 5));
    assert_int_equal(solver->active, 3);
    assert_int_equal(solver->row[0], 0);
    assert_int_equal(solver->row[1], 2);
    assert_int_equal(solver->row[2], 5); /* came after the first five: not judged */
    assert_int_equal(solver->condensed.factored, 1);
    assert_int_equal(solver->side[1], QP_FREE);
    assert_false(qp_drop_wrong(solver, 2));
    sample.lower[5] = sample.upper[5]; /* one value: either sign */
    assert_false(qp_drop_wrong(solver, 3));
    qp_solver_free(solver);
    free_sample(&sample);
}

static void violation_has_a_side_and_an_amount(void **state)
{
    (void)state;
    sample_qp sample;
    qp_solver *solver = small_solver(&sample);
    double amount;
    sample.lower[2] = -1.0;
    sample.upper[2] = 2.0;
    solver->size_of_rows = 10.0;
    assert_int_equal(qp_violated(solver, 2, -1.5, &amount), QP_LOWER);
    assert_true(amount == 0.5);
    assert_int_equal(qp_violated(solver, 2, 2.25, &amount), QP_UPPER);
    assert_true(amount == 0.25);
    assert_int_equal(qp_violated(solver, 2, 0.0, &amount), QP_FREE);
    assert_int_equal(qp_violated(solver, 2, -1.0 - 0.9e-12, &amount), QP_FREE);
    assert_int_equal(qp_violated(solver, 2, -1.0 - 1.1e-12, &amount), QP_LOWER);
    assert_int_equal(qp_violated(solver, 2, NAN, &amount), QP_FREE);
    qp_solver_free(solver);
    free_sample(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_name_sets),
        cmocka_unit_test(wrong_rows_leave_and_others_keep_their_order),
        cmocka_unit_test(violation_has_a_side_and_an_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
