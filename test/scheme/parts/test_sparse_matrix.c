#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scheme/parts/sparse_matrix.h"

enum {
    SIZE = 60
};

/* Diagonally dominant, with entries at most `reach` beside the diagonal, or anywhere (reach = SIZE). */
static void random_matrix(carom_random *random, carom_arena *arena, int reach, carom_sparse *a, double *full)
{
    int row[SIZE * SIZE], column[SIZE * SIZE];
    double value[SIZE * SIZE];
    size_t count = 0;
    memset(full, 0, SIZE * SIZE * sizeof *full);
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++) {
            if (i != j && (abs(i - j) > reach || carom_random_uniform(random, 0.0, 1.0) > 0.4))
                continue;
            row[count] = i;
            column[count] = j;
            full[i * SIZE + j] = value[count] =
                carom_random_uniform(random, -1.0, 1.0) + (i == j ? SIZE : 0.0);
            count++;
        }
    assert_true(carom_sparse_take(arena, SIZE, SIZE, count, row, column, value, a));
}

/* Diagonal, narrow and scattered matrices solve as the dense one does, and again with other values. */
static void solutions_are_those_of_the_full_matrix(void **unused)
{
    (void)unused;
    const int reach[] = {0, 1, 4, SIZE};
    for (int m = 0; m < 4; m++) {
        carom_random random = {.state = 40 + (uint64_t)m};
        carom_arena *arena = carom_arena_create();
        carom_sparse a;
        sparse_matrix matrix;
        static double full[SIZE * SIZE];
        random_matrix(&random, arena, reach[m], &a, full);
        assert_true(sparse_matrix_take(&matrix, arena, &a));
        assert_int_equal(matrix.diagonal, m == 0);
        assert_int_equal(matrix.diagonal || matrix.narrow, m < 3);
        for (int round = 0; round < 3; round++) {
            double x[SIZE], expected[SIZE], back[SIZE] = {0};
            int pivot[SIZE];
            for (int k = 0; k < carom_sparse_entries(&a); k++)
                matrix.value[k] = a.value[k] * (round + 1);
            for (int i = 0; i < SIZE; i++)
                x[i] = expected[i] = carom_random_uniform(&random, -1.0, 1.0);
            static double factor[SIZE * SIZE];
            for (int i = 0; i < SIZE * SIZE; i++)
                factor[i] = full[i] * (round + 1);
            assert_int_equal(carom_lu_factor(SIZE, factor, pivot), 0);
            carom_lu_solve(SIZE, factor, pivot, expected);
            double right[SIZE];
            memcpy(right, x, sizeof right);
            const long before = matrix.factorisation;
            assert_int_equal(sparse_matrix_factor(&matrix), 0);
            assert_int_equal(sparse_matrix_factor(&matrix), 0);
            assert_int_equal(matrix.factorisation, before + 1); /* the same values are not factored again */
            sparse_matrix_solve(&matrix, x);
            sparse_matrix_add(&matrix, 1.0, x, back);
            for (int i = 0; i < SIZE; i++) {
                assert_true(fabs(x[i] - expected[i]) <= 1e-14);
                assert_true(fabs(back[i] - right[i]) <= 1e-13);
            }
        }
        matrix.value[0] = NAN;
        assert_int_equal(sparse_matrix_factor(&matrix), -1);
        memset(matrix.value, 0, (size_t)carom_sparse_entries(&a) * sizeof *matrix.value);
        assert_true(sparse_matrix_factor(&matrix) > 0);
        sparse_matrix_free(&matrix);
        carom_arena_free(arena);
    }
}

static void sums_have_all_places_and_the_diagonal(void **unused)
{
    (void)unused;
    carom_arena *arena = carom_arena_create();
    carom_sparse a, b, sum;
    const double one = 1.0;
    assert_true(carom_sparse_take(arena, 3, 3, 1, (const int[]){2}, (const int[]){0}, &one, &a));
    assert_true(carom_sparse_take(arena, 3, 3, 1, (const int[]){1}, (const int[]){1}, &one, &b));
    const carom_sparse *const parts[] = {&a, &b};
    assert_true(sparse_union(arena, 2, parts, false, &sum));
    assert_int_equal(carom_sparse_entries(&sum), 4);
    assert_true(carom_sparse_place(&sum, 2, 0) >= 0 && carom_sparse_place(&sum, 0, 2) < 0);
    assert_true(sparse_union(arena, 2, parts, true, &sum));
    assert_int_equal(carom_sparse_entries(&sum), 5);
    assert_true(carom_sparse_place(&sum, 0, 2) >= 0 && !carom_sparse_is_diagonal(&sum));
    assert_true(carom_sparse_is_diagonal(&b) && !carom_sparse_is_diagonal(&a));
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_full_matrix),
        cmocka_unit_test(sums_have_all_places_and_the_diagonal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
