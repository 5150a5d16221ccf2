/* Dense copies of block matrices and their factors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/parts/dense_blocks.h"
#include "test/contact/coulomb/coulomb_checks.h"

enum {
    NUMBERS = 30
};

/* x from W x = b with b = W y is y. */
static void solves_back(const carom_coulomb *problem, bool symmetric)
{
    coulomb_dense dense;
    assert_true(coulomb_dense_create(&dense, problem->contacts));
    coulomb_dense_begin(&dense, &problem->W);
    assert_int_equal(dense.symmetric, symmetric);
    double y[NUMBERS], x[NUMBERS];
    for (int k = 0; k < NUMBERS; k++)
        y[k] = sin(1.0 + k);
    carom_blocks_multiply(&problem->W, y, NULL, x);
    assert_true(coulomb_dense_factor(&dense));
    coulomb_dense_solve(&dense, x);
    for (int k = 0; k < NUMBERS; k++)
        assert_true(fabs(x[k] - y[k]) < 1e-9);
    coulomb_dense_free(&dense);
}

static void factors_solve_both_kinds(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    solves_back(&problem, true);
    ((double *)problem.W.block)[9] += 0.01;
    solves_back(&problem, false);
    carom_arena_free(arena);
}

static void copy_has_all_entries(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    coulomb_dense dense;
    assert_true(coulomb_dense_create(&dense, problem.contacts));
    coulomb_dense_begin(&dense, &problem.W);
    double trace = 0.0;
    for (int i = 0; i < NUMBERS; i++) {
        trace += dense.matrix[i * NUMBERS + i];
        for (int j = 0; j < NUMBERS; j++)
            assert_true(dense.matrix[i * NUMBERS + j] == formula_entry(&problem, i, j));
    }
    assert_true(fabs(trace - 15.583943119) < 1e-9);
    assert_true(fabs(coulomb_mean_diagonal(&problem.W) - trace / NUMBERS) < 1e-14);
    coulomb_dense_free(&dense);
    carom_arena_free(arena);
}

static void indefinite_and_large_are_refused(void **state)
{
    (void)state;
    const double W[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1}, q[3] = {0}, mu = 1;
    const carom_coulomb problem = one_contact(W, q, &mu);
    coulomb_dense dense;
    assert_true(coulomb_dense_create(&dense, problem.contacts));
    coulomb_dense_begin(&dense, &problem.W);
    assert_false(coulomb_dense_factor(&dense));
    coulomb_dense_free(&dense);
    assert_false(coulomb_dense_create(&dense, COULOMB_DENSE_CONTACTS + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_solve_both_kinds),
        cmocka_unit_test(copy_has_all_entries),
        cmocka_unit_test(indefinite_and_large_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
