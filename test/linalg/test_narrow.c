/* Narrow matrices: solutions against their right-hand sides, singular ones, and the order that makes a matrix
 * narrow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    SIZE = 40
};

/* A random band matrix whose diagonal is zero: rows must be exchanged. */
static void fill_band(carom_narrow *a, double dense[SIZE][SIZE], carom_random *random)
{
    memset(dense, 0, SIZE * SIZE * sizeof(double));
    for (int i = 0; i < SIZE; i++)
        for (int j = i - a->width < 0 ? 0 : i - a->width; j < SIZE && j <= i + a->width; j++) {
            dense[i][j] = i == j ? 0.0 : carom_random_uniform(random, -1.0, 1.0) * pow(10.0, i % 7);
            a->entry[carom_narrow_place(a, i, j)] = dense[i][j];
        }
}

static void solutions_fulfil_the_equations(void **state)
{
    (void)state;
    static double dense[SIZE][SIZE];
    carom_random random = {7};
    for (int width = 1; width <= 9; width++) {
        carom_arena *arena = carom_arena_create();
        carom_narrow a;
        assert_true(carom_narrow_take(arena, SIZE, width, &a));
        fill_band(&a, dense, &random);
        double x[SIZE], right[SIZE];
        for (int i = 0; i < SIZE; i++) {
            x[i] = carom_random_uniform(&random, -1.0, 1.0);
        }
        for (int i = 0; i < SIZE; i++)
            right[i] = carom_dot(SIZE, dense[i], x);
        assert_int_equal(carom_narrow_factor(&a), 0);
        carom_narrow_solve(&a, right);
        for (int i = 0; i < SIZE; i++)
            assert_true(fabs(right[i] - x[i]) < 1e-9);
        carom_arena_free(arena);
    }
}

static void singular_matrices_are_found(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_narrow a;
    assert_true(carom_narrow_take(arena, 3, 2, &a));
    static const double rows[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.entry[carom_narrow_place(&a, i, j)] = rows[i][j];
    assert_int_equal(carom_narrow_factor(&a), 3);
    memset(a.entry, 0, 3 * 7 * sizeof *a.entry);
    assert_int_equal(carom_narrow_factor(&a), 1);
    carom_arena_free(arena);
}

/* A chain whose links are numbered at random is tridiagonal again; a star is not. */
static void order_finds_the_chain(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    int row[2 * SIZE], column[2 * SIZE], place[SIZE];
    double value[2 * SIZE];
    carom_sparse chain, star;
    for (int i = 0; i < SIZE; i++) { /* 17 and 40 have no common divisor */
        row[i] = row[SIZE + i] = 17 * i % SIZE;
        column[i] = row[i];
        column[SIZE + i] = 17 * (i + 1 < SIZE ? i + 1 : i) % SIZE;
        value[i] = value[SIZE + i] = 1.0;
    }
    assert_true(carom_sparse_take(arena, SIZE, SIZE, 2 * SIZE, row, column, value, &chain));
    assert_int_equal(carom_narrow_order(&chain, place), 1);
    bool taken[SIZE] = {false};
    for (int i = 0; i < SIZE; i++)
        taken[place[i]] = true;
    for (int i = 0; i < SIZE; i++)
        assert_true(taken[i]);
    for (int i = 0; i < SIZE; i++)
        column[SIZE + i] = 5;
    assert_true(carom_sparse_take(arena, SIZE, SIZE, 2 * SIZE, row, column, value, &star));
    assert_true(carom_narrow_order(&star, place) >= (SIZE - 1) / 2);
    carom_arena_free(arena);
}

/* A hub with half a million neighbours takes as long as other matrices; sorting them by comparing each with each would take
 * minutes. Chains of different length hang at it, so that degrees differ. */
static void a_hub_takes_linear_time(void **state)
{
    (void)state;
    enum {
        COUNT = 500000
    };
    carom_arena *arena = carom_arena_create();
    int *row = carom_arena_take(arena, 2 * COUNT, sizeof *row),
        *column = carom_arena_take(arena, 2 * COUNT, sizeof *column),
        *place = carom_arena_take(arena, COUNT, sizeof *place);
    double *value = carom_arena_take(arena, 2 * COUNT, sizeof *value);
    bool *taken = carom_arena_take(arena, COUNT, sizeof *taken);
    assert_true(row && column && place && value && taken);
    for (int i = 0; i < COUNT; i++) {
        row[i] = i;
        column[i] = 0;
        row[COUNT + i] = i;
        column[COUNT + i] = (int)((long)i * i % 7919) * 50; /* others share neighbours, too */
    }
    carom_sparse hub;
    assert_true(carom_sparse_take(arena, COUNT, COUNT, 2 * (size_t)COUNT, row, column, value, &hub));
    assert_true(carom_narrow_order(&hub, place) >= COUNT / 4);
    for (int i = 0; i < COUNT; i++)
        taken[place[i]] = true;
    for (int i = 0; i < COUNT; i++)
        assert_true(taken[i]);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_fulfil_the_equations),
        cmocka_unit_test(singular_matrices_are_found),
        cmocka_unit_test(order_finds_the_chain),
        cmocka_unit_test(a_hub_takes_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
