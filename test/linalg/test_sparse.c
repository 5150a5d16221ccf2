#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/linalg.h"

enum {
    SIZE = 23,
    ENTRIES = 400
};

typedef struct entries {
    int count, row[ENTRIES], column[ENTRIES];
    double value[ENTRIES];
} entries;

static int random_below(carom_random *random, int limit)
{
    return (int)carom_random_uniform(random, 0.0, (double)limit) % limit;
}

/* Small integers, so that sums are exact in any order. */
static void make_entries(carom_random *random, int rows, int columns, int count, entries *made)
{
    made->count = count;
    for (int k = 0; k < count; k++) {
        made->row[k] = random_below(random, rows);
        made->column[k] = random_below(random, columns);
        made->value[k] = (double)(random_below(random, 19) - 9);
    }
}

static void check_order(const carom_sparse *a)
{
    assert_int_equal(a->column_start[0], 0);
    for (int j = 0; j < a->columns; j++) {
        assert_true(a->column_start[j + 1] >= a->column_start[j]);
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            assert_in_range(a->row[k], 0, a->rows - 1);
            assert_true(k == a->column_start[j] || a->row[k] > a->row[k - 1]);
        }
    }
}

static void check_values(const carom_sparse *a, const entries *made)
{
    double dense[SIZE][SIZE] = {{0}}, x[SIZE], y[SIZE] = {0}, transposed[SIZE] = {0};
    int is_there[SIZE][SIZE] = {{0}}, places = 0;
    for (int k = 0; k < made->count; k++) {
        dense[made->row[k]][made->column[k]] += made->value[k];
        places += !is_there[made->row[k]][made->column[k]];
        is_there[made->row[k]][made->column[k]] = 1;
    }
    assert_int_equal(a->column_start[a->columns], places);
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            assert_true(a->value[k] == dense[a->row[k]][j]);
    for (int i = 0; i < SIZE; i++)
        x[i] = (double)(i * i % 7) - 3.0;
    carom_sparse_add(a, x, y);
    carom_sparse_add_transposed(a, x, transposed);
    for (int i = 0; i < SIZE; i++) {
        double row = 0.0, column = 0.0;
        for (int j = 0; j < SIZE; j++) {
            row += dense[i][j] * x[j];
            column += dense[j][i] * x[j];
        }
        assert_true(y[i] == row && transposed[i] == column);
    }
}

static void agrees_with_dense(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int rows = 1; rows <= SIZE; rows += 2)
        for (int columns = 1; columns <= SIZE; columns += 3)
            for (int count = 0; count <= ENTRIES; count += 80) {
                entries made;
                carom_sparse a;
                carom_arena *arena = carom_arena_create();
                make_entries(&random, rows, columns, count, &made);
                assert_true(carom_sparse_take(arena, rows, columns, (size_t)count, made.row, made.column,
                                              made.value, &a));
                assert_true(a.rows == rows && a.columns == columns);
                check_order(&a);
                check_values(&a, &made);
                carom_arena_free(arena);
            }
}

/* Entries keep their bits, zeros their places and signs. */
static void keeps_zeros(void **state)
{
    (void)state;
    const int row[] = {1, 0}, column[] = {0, 0};
    const double value[] = {-0.0, 0.1};
    carom_sparse a;
    carom_arena *arena = carom_arena_create();
    assert_true(carom_sparse_take(arena, 2, 3, 2, row, column, value, &a));
    assert_int_equal(a.column_start[1], 2);
    assert_int_equal(a.column_start[3], 2);
    assert_true(a.value[0] == 0.1 && a.value[1] == 0.0 && signbit(a.value[1]));
    carom_arena_free(arena);
}

static void products_add(void **state)
{
    (void)state;
    const int at[] = {0};
    const double value[] = {2.0}, x[] = {3.0};
    double y[] = {10.0};
    carom_sparse a;
    carom_arena *arena = carom_arena_create();
    assert_true(carom_sparse_take(arena, 1, 1, 1, at, at, value, &a));
    carom_sparse_add(&a, x, y);
    assert_true(y[0] == 16.0);
    carom_sparse_add_transposed(&a, x, y);
    assert_true(y[0] == 22.0);
    carom_arena_free(arena);
}

static void a_matrix_without_places_is_one(void **state)
{
    (void)state;
    carom_sparse a;
    carom_arena *arena = carom_arena_create();
    assert_true(carom_sparse_take(arena, 0, 0, 0, NULL, NULL, NULL, &a));
    assert_int_equal(a.column_start[0], 0);
    assert_true(carom_sparse_take(arena, 5, 0, 0, NULL, NULL, NULL, &a));
    assert_int_equal(a.rows, 5);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense),
        cmocka_unit_test(keeps_zeros),
        cmocka_unit_test(products_add),
        cmocka_unit_test(a_matrix_without_places_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
