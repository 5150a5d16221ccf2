/* The equations of a Newton step: J d = -G by elimination of open contacts, dense and sparse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "contact/coulomb/newton/newton_system.h"

enum {
    MOST = 80
};

/* A chain of contacts, each with blocks to `reach` neighbours on either side; A, B and G at random, every
 * third contact open. */
typedef struct sample_system {
    carom_arena *arena;
    carom_blocks W;
    double A[9 * MOST], B[9 * MOST], G[3 * MOST], d[3 * MOST];
} sample_system;

static void fill(carom_random *random, int count, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = carom_random_uniform(random, -1, 1);
}

static void open_contact(sample_system *sample, int a)
{
    for (int k = 0; k < 9; k++) {
        sample->A[9 * a + k] = 0;
        sample->B[9 * a + k] = k % 4 == 0;
    }
}

static void chain(sample_system *sample, int contacts, int reach)
{
    carom_random random = {(uint64_t)contacts};
    const size_t most = 9 * (size_t)contacts * (size_t)(2 * reach + 1);
    int *row = malloc(most * sizeof *row), *column = malloc(most * sizeof *column);
    double *value = malloc(most * sizeof *value);
    size_t count = 0;
    for (int a = 0; a < contacts; a++)
        for (int b = a > reach ? a - reach : 0; b <= a + reach && b < contacts; b++)
            for (int k = 0; k < 9; k++) {
                row[count] = 3 * a + k / 3;
                column[count] = 3 * b + k % 3;
                value[count++] = carom_random_uniform(&random, -1, 1) + (a == b && k % 4 == 0 ? 4 : 0);
            }
    sample->arena = carom_arena_create();
    assert_true(carom_blocks_take(sample->arena, contacts, count, row, column, value, &sample->W));
    free(row);
    free(column);
    free(value);
    fill(&random, 9 * contacts, sample->A);
    fill(&random, 9 * contacts, sample->B);
    fill(&random, 3 * contacts, sample->G);
    for (int a = 0; a < contacts; a++) {
        for (int k = 0; k < 3; k++)
            sample->A[9 * a + 4 * k] += 3;
        if (a % 3 == 1)
            open_contact(sample, a);
    }
}

/* max |A W d + B d + G| */
static double residual(const sample_system *sample)
{
    double worst = 0;
    for (int a = 0; a < sample->W.rows; a++) {
        double Wd[3], sum[3];
        carom_blocks_row(&sample->W, a, sample->d, NULL, Wd);
        for (int k = 0; k < 3; k++)
            sum[k] = sample->G[3 * a + k];
        carom_block_add(sample->A + 9 * (ptrdiff_t)a, Wd, sum);
        carom_block_add(sample->B + 9 * (ptrdiff_t)a, sample->d + 3 * (ptrdiff_t)a, sum);
        worst = fmax(worst, carom_largest(3, sum));
    }
    return worst;
}

static void solves_dense_and_sparse(void **state)
{
    (void)state;
    const int contacts[] = {1, 7, 40, 80, 80}, reach[] = {0, 6, 2, 79, 1};
    for (int k = 0; k < 5; k++) {
        static sample_system sample;
        long regularised = 0;
        chain(&sample, contacts[k], reach[k]);
        coulomb_newton_system *system = coulomb_newton_system_create(
            &(carom_problem_shape){.size = sample.W.rows, .blocks = sample.W.row_start[sample.W.rows]});
        assert_non_null(system);
        /* the second time with other values, the third time with other open contacts */
        for (int time = 0; time < 3; time++) {
            assert_true(coulomb_newton_system_solve(system, &sample.W, sample.A, sample.B, sample.G, sample.d,
                                                    &regularised));
            assert_true(residual(&sample) < 1e-11);
            sample.B[0] += 1;
            if (time == 1)
                open_contact(&sample, contacts[k] - 1);
        }
        assert_int_equal(regularised, 0);
        coulomb_newton_system_free(system);
        carom_arena_free(sample.arena);
    }
}

static void all_open_needs_no_factor(void **state)
{
    (void)state;
    static sample_system sample;
    long regularised = 0;
    chain(&sample, 80, 1);
    for (int a = 0; a < 80; a++)
        open_contact(&sample, a);
    coulomb_newton_system *system = coulomb_newton_system_create(
        &(carom_problem_shape){.size = sample.W.rows, .blocks = sample.W.row_start[sample.W.rows]});
    assert_true(
        coulomb_newton_system_solve(system, &sample.W, sample.A, sample.B, sample.G, sample.d, &regularised));
    for (int i = 0; i < 240; i++)
        assert_true(sample.d[i] == -sample.G[i]);
    coulomb_newton_system_free(system);
    carom_arena_free(sample.arena);
}

/* Two equal rows whose right sides agree: the regularised step solves them to the size of the shift. */
static void singular_matrices_are_regularised(void **state)
{
    (void)state;
    for (int reach = 1; reach < 80; reach += 78) { /* sparse, then dense */
        static sample_system sample;
        long regularised = 0;
        chain(&sample, 80, reach);
        for (int k = 0; k < 3; k++) {
            sample.A[9 * 5 + 3 + k] = sample.A[9 * 5 + 6 + k] = 0;
            sample.B[9 * 5 + 3 + k] = sample.B[9 * 5 + 6 + k] = k > 0;
        }
        sample.G[16] = sample.G[17] = .5;
        coulomb_newton_system *system = coulomb_newton_system_create(
            &(carom_problem_shape){.size = sample.W.rows, .blocks = sample.W.row_start[sample.W.rows]});
        assert_true(coulomb_newton_system_solve(system, &sample.W, sample.A, sample.B, sample.G, sample.d,
                                                &regularised));
        assert_int_equal(regularised, 1);
        assert_true(residual(&sample) < 1e-5);
        coulomb_newton_system_free(system);
        carom_arena_free(sample.arena);
    }
}

static void numbers_that_are_none_give_no_step(void **state)
{
    (void)state;
    for (int reach = 1; reach < 80; reach += 78) {
        static sample_system sample;
        long regularised = 0;
        chain(&sample, 80, reach);
        sample.G[4 * 3] = NAN;
        sample.B[9 * 6] = INFINITY;
        coulomb_newton_system *system = coulomb_newton_system_create(
            &(carom_problem_shape){.size = sample.W.rows, .blocks = sample.W.row_start[sample.W.rows]});
        assert_false(coulomb_newton_system_solve(system, &sample.W, sample.A, sample.B, sample.G, sample.d,
                                                 &regularised));
        coulomb_newton_system_free(system);
        carom_arena_free(sample.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_dense_and_sparse),
        cmocka_unit_test(all_open_needs_no_factor),
        cmocka_unit_test(singular_matrices_are_regularised),
        cmocka_unit_test(numbers_that_are_none_give_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
