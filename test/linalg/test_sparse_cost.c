#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "carom/linalg.h"

enum {
    SIZE = 60
};

/* The places (i, j) with |i - j| <= width. */
static void cost_of_band(int width, double *entries, double *flops)
{
    static int row[SIZE * SIZE], column[SIZE * SIZE];
    static double value[SIZE * SIZE];
    carom_arena *arena = carom_arena_create();
    carom_sparse a;
    carom_error error = {0};
    size_t count = 0;
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            if (abs(i - j) <= width) {
                row[count] = i;
                column[count] = j;
                value[count++] = 0.0; /* values do not matter */
            }
    assert_true(carom_sparse_take(arena, SIZE, SIZE, count, row, column, value, &a));
    assert_int_equal(carom_sparse_factor_cost(&a, entries, flops, &error), CAROM_OK);
    carom_arena_free(arena);
}

static void costs_follow_from_places(void **state)
{
    (void)state;
    const double n = SIZE;
    double entries = 0.0, flops = 0.0;
    cost_of_band(0, &entries, &flops);
    assert_true(entries <= 2.0 * n && flops <= n);
    cost_of_band(1, &entries, &flops); /* no entry but those of the matrix */
    assert_true(entries >= 3.0 * n - 2.0 && entries <= 4.0 * n && flops <= 4.0 * n);
    cost_of_band(SIZE, &entries, &flops);
    assert_true(entries >= n * n && entries <= n * n + 2.0 * n);
    assert_true(flops > 0.6 * n * n * n && flops < 0.75 * n * n * n); /* 2/3 n^3 */
}

static void what_has_no_factors_has_no_cost(void **state)
{
    (void)state;
    const int nothing = 0, start[] = {0, 0, 0};
    double entries = 1.0, flops = 1.0;
    carom_error error = {0};
    const carom_sparse empty = {.column_start = &nothing};
    assert_int_equal(carom_sparse_factor_cost(&empty, &entries, &flops, &error), CAROM_OK);
    assert_true(entries == 0.0 && flops == 0.0);
    const carom_sparse oblong = {.rows = 3, .columns = 2, .column_start = start};
    assert_int_equal(carom_sparse_factor_cost(&oblong, &entries, &flops, &error), CAROM_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_follow_from_places),
        cmocka_unit_test(what_has_no_factors_has_no_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
