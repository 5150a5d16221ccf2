#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

enum {
    ROWS = 7,
    SIZE = 3 * ROWS,
    ENTRIES = 200
};

/* Random entries, some at one place, against the dense matrix. */
static void blocks_hold_the_sum_of_the_entries(void **state)
{
    (void)state;
    carom_random random = {5};
    int row[ENTRIES], column[ENTRIES];
    double value[ENTRIES], dense[SIZE][SIZE] = {{0}};
    for (int k = 0; k < ENTRIES; k++) {
        row[k] = (int)carom_random_uniform(&random, 0, SIZE - 1e-9);
        column[k] = k % 3 ? (int)carom_random_uniform(&random, 0, SIZE - 1e-9) : row[k] / 2;
        value[k] = carom_random_uniform(&random, -1, 1);
        if (row[k] / 3 == 4) /* one row of blocks stays empty but for its diagonal block */
            row[k] = column[k] = 0;
        dense[row[k]][column[k]] += value[k];
    }
    carom_arena *arena = carom_arena_create();
    carom_blocks blocks;
    assert_true(carom_blocks_take(arena, ROWS, ENTRIES, row, column, value, &blocks));
    double seen[SIZE][SIZE] = {{0}};
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(blocks.column[blocks.diagonal[i]], i);
        for (int k = blocks.row_start[i]; k < blocks.row_start[i + 1]; k++) {
            assert_true(k == blocks.row_start[i] || blocks.column[k] > blocks.column[k - 1]);
            for (int e = 0; e < 9; e++)
                seen[3 * i + e / 3][3 * blocks.column[k] + e % 3] = carom_block_at(&blocks, k)[e];
        }
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            assert_true(fabs(seen[i][j] - dense[i][j]) < 1e-15);
    assert_int_equal(blocks.row_start[5] - blocks.row_start[4], 1);
    carom_arena_free(arena);
}

static void product_is_that_of_the_dense_matrix(void **state)
{
    (void)state;
    const int row[] = {0, 1, 5, 3, 2}, column[] = {4, 0, 5, 1, 2};
    const double value[] = {2, -3, 4, 5, 7}, x[] = {1, 2, 3, 4, 5, 6}, b[] = {10, 20, 30, 40, 50, 60};
    carom_arena *arena = carom_arena_create();
    carom_blocks blocks;
    double y[6];
    assert_true(carom_blocks_take(arena, 2, 5, row, column, value, &blocks));
    carom_blocks_multiply(&blocks, x, b, y);
    const double expected[] = {10 + 2 * 5, 20 - 3 * 1, 30 + 7 * 3, 40 + 5 * 2, 50, 60 + 4 * 6};
    for (int i = 0; i < 6; i++)
        assert_true(y[i] == expected[i]);
    carom_blocks_multiply(&blocks, x, NULL, y);
    for (int i = 0; i < 6; i++)
        assert_true(y[i] == expected[i] - b[i]);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_hold_the_sum_of_the_entries),
        cmocka_unit_test(product_is_that_of_the_dense_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
