#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "test/base/counted_memory.h"

enum {
    SIZE = 40,
    ENTRIES = SIZE * 6
};

typedef struct sample_sparse {
    carom_arena *arena;
    carom_sparse a;
    double dense[SIZE * SIZE];
} sample_sparse;

/* One entry in every row and column at random places, so that it is not structurally singular, and some more;
 * rows of very different size. */
static void make_sample(carom_random *random, int n, sample_sparse *sample)
{
    int row[ENTRIES], column[ENTRIES], count = 0;
    double value[ENTRIES], scale[SIZE];
    memset(sample->dense, 0, sizeof sample->dense);
    for (int i = 0; i < n; i++)
        scale[i] = pow(10.0, carom_random_uniform(random, -6.0, 6.0));
    for (int k = 0; k < 4 * n; k++) {
        row[count] = k < n ? k : (int)carom_random_uniform(random, 0.0, (double)n) % n;
        column[count] = k < n ? (k + n / 3) % n : (int)carom_random_uniform(random, 0.0, (double)n) % n;
        value[count] = scale[row[count]] * carom_random_uniform(random, -1.0, 1.0) * (k < n ? 4.0 : 1.0);
        sample->dense[row[count] * n + column[count]] += value[count];
        count++;
    }
    sample->arena = carom_arena_create();
    assert_true(carom_sparse_take(sample->arena, n, n, (size_t)count, row, column, value, &sample->a));
}

/* max_i |A x - b|_i / sum_j |A_ij| |x_j|: the backward error. */
static double backward_error(int n, const double *dense, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double size = fabs(b[i]);
        for (int j = 0; j < n; j++)
            size += fabs(dense[i * n + j] * x[j]);
        worst = fmax(worst, fabs(carom_dot(n, dense + i * n, x) - b[i]) / size);
    }
    return worst;
}

static void check_solve(carom_random *random, carom_sparse_factor *factor, int n, const double *dense)
{
    double x[SIZE], right[SIZE];
    for (int i = 0; i < n; i++)
        right[i] = x[i] = carom_random_uniform(random, -1.0, 1.0);
    carom_sparse_solve(factor, x);
    assert_true(backward_error(n, dense, x, right) <= 1e-14);
}

static void solution_satisfies_the_dense_system(void **state)
{
    (void)state;
    carom_random random = {21};
    for (int n = 1; n <= SIZE; n++) {
        sample_sparse sample;
        carom_sparse_factor *factor = NULL;
        carom_error error = {0};
        make_sample(&random, n, &sample);
        assert_int_equal(carom_sparse_factor_create(&sample.a, &factor, &error), CAROM_OK);
        check_solve(&random, factor, n, sample.dense);
        check_solve(&random, factor, n, sample.dense);
        carom_sparse_factor_free(factor);
        carom_arena_free(sample.arena);
    }
}

static void takes_other_values(void **state)
{
    (void)state;
    carom_random random = {4};
    sample_sparse sample;
    carom_sparse_factor *factor = NULL;
    carom_error error = {0};
    make_sample(&random, SIZE, &sample);
    const carom_sparse *a = &sample.a;
    double value[ENTRIES];
    memcpy(value, a->value, (size_t)a->column_start[SIZE] * sizeof *value);
    assert_int_equal(carom_sparse_factor_create(a, &factor, &error), CAROM_OK);
    for (int time = 0; time < 3; time++) {
        for (int j = 0; j < SIZE; j++)
            for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
                sample.dense[a->row[k] * SIZE + j] = value[k] *= carom_random_uniform(&random, 0.5, 1.5);
        assert_int_equal(carom_sparse_factor_again(factor, value, &error), CAROM_OK);
        check_solve(&random, factor, SIZE, sample.dense);
    }
    /* a singular one, and back */
    double none[ENTRIES] = {0};
    assert_int_equal(carom_sparse_factor_again(factor, none, &error), CAROM_FAILED);
    assert_int_equal(carom_sparse_factor_again(factor, value, &error), CAROM_OK);
    check_solve(&random, factor, SIZE, sample.dense);
    carom_sparse_factor_free(factor);
    carom_arena_free(sample.arena);
}

/* Values that the pivots of the first ones do not suit: a pivot becomes small, rounding, or zero. */
static void other_values_may_need_other_pivots(void **state)
{
    (void)state;
    static const double small[] = {1e-3, 1e-6, 1e-12, 1e-20, 0.0};
    const int start[] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const double first[] = {8.0, 1.0, 1.0, 1.0, 8.0, 1.0, 1.0, 1.0, 8.0};
    const carom_sparse a = {3, 3, start, row, first};
    carom_random random = {3};
    carom_sparse_factor *factor = NULL;
    assert_int_equal(carom_sparse_factor_create(&a, &factor, NULL), CAROM_OK);
    for (int k = 0; k < 10; k++) {
        /* symmetric: columns are rows */
        const double value[] = {small[k / 2], 1.0, 2.0, 1.0, small[k / 2], 3.0, 2.0, 3.0, small[k / 2]};
        assert_int_equal(carom_sparse_factor_again(factor, k % 2 ? first : value, NULL), CAROM_OK);
        check_solve(&random, factor, 3, k % 2 ? first : value);
    }
    carom_sparse_factor_free(factor);
}

/* Solutions by a factor, for the right-hand side 1, 2, 3, ... */
static void solve_counted(carom_sparse_factor *factor, double *x)
{
    for (int i = 0; i < SIZE; i++)
        x[i] = 1.0 + i;
    carom_sparse_solve(factor, x);
}

/* What a snapshot gives back goes on as the factor would have done; a new one of the same values need not. */
static void a_snapshot_keeps_the_bits(void **state)
{
    (void)state;
    carom_random random = {12};
    int others = 0;
    for (int trial = 0; trial < 20; trial++) {
        sample_sparse sample;
        carom_sparse_factor *factor = NULL, *restored = NULL, *fresh = NULL;
        make_sample(&random, SIZE, &sample);
        const int entries = sample.a.column_start[SIZE];
        double value[ENTRIES], x[SIZE], y[SIZE];
        assert_int_equal(carom_sparse_factor_create(&sample.a, &factor, NULL), CAROM_OK);
        for (int again = 0; again < trial % 3; again++) {
            for (int k = 0; k < entries; k++)
                value[k] = sample.a.value[k] * carom_random_uniform(&random, 0.3, 2.0);
            assert_int_equal(carom_sparse_factor_again(factor, value, NULL), CAROM_OK);
        }
        carom_snapshot kept = {0};
        carom_sparse_factor_keep(&factor, &sample.a, &kept);
        assert_false(kept.failed);
        carom_snapshot given = carom_snapshot_of(kept.bytes, kept.length);
        carom_sparse_factor_keep(&restored, &sample.a, &given);
        assert_false(given.failed);
        assert_int_equal(given.place, given.length);
        for (int again = 0; again < 4; again++) {
            solve_counted(factor, x);
            solve_counted(restored, y);
            assert_memory_equal(x, y, sizeof x);
            for (int k = 0; k < entries; k++)
                value[k] = sample.a.value[k] * carom_random_uniform(&random, 0.3, 2.0);
            assert_int_equal(carom_sparse_factor_again(factor, value, NULL), CAROM_OK);
            assert_int_equal(carom_sparse_factor_again(restored, value, NULL), CAROM_OK);
        }
        solve_counted(factor, x);
        carom_sparse other = sample.a;
        other.value = value;
        assert_int_equal(carom_sparse_factor_create(&other, &fresh, NULL), CAROM_OK);
        solve_counted(fresh, y);
        others += memcmp(x, y, sizeof x) != 0;
        carom_snapshot_free(&kept);
        carom_sparse_factor_free(factor);
        carom_sparse_factor_free(restored);
        carom_sparse_factor_free(fresh);
        carom_arena_free(sample.arena);
    }
    assert_true(others > 0);
}

/* No factor, and one whose last values were singular. */
static void a_snapshot_of_no_factor(void **state)
{
    (void)state;
    carom_random random = {13};
    sample_sparse sample;
    make_sample(&random, SIZE, &sample);
    carom_sparse_factor *factor = NULL, *restored = NULL;
    carom_snapshot kept = {0};
    carom_sparse_factor_keep(&factor, &sample.a, &kept);
    const double none[ENTRIES] = {0};
    assert_int_equal(carom_sparse_factor_create(&sample.a, &factor, NULL), CAROM_OK);
    assert_int_equal(carom_sparse_factor_again(factor, none, NULL), CAROM_FAILED);
    carom_sparse_factor_keep(&factor, &sample.a, &kept);
    assert_false(kept.failed);
    carom_snapshot given = carom_snapshot_of(kept.bytes, kept.length);
    carom_sparse_factor_keep(&restored, &sample.a, &given);
    assert_null(restored);
    carom_sparse_factor_keep(&restored, &sample.a, &given);
    assert_false(given.failed);
    assert_int_equal(carom_sparse_factor_again(restored, sample.a.value, NULL), CAROM_OK);
    check_solve(&random, restored, SIZE, sample.dense);
    carom_snapshot_free(&kept);
    carom_sparse_factor_free(factor);
    carom_sparse_factor_free(restored);
    carom_arena_free(sample.arena);
}

static void other_values_and_solutions_take_no_memory(void **state)
{
    (void)state;
    if (!COUNTS_MEMORY) {
        print_message("sanitizers have a malloc of their own, which cannot be counted: skipped; the build "
                      "without them counts\n");
        skip();
    }
    carom_random random = {5};
    sample_sparse sample;
    carom_sparse_factor *factor = NULL;
    make_sample(&random, SIZE, &sample);
    double value[ENTRIES], x[SIZE] = {1.0};
    assert_int_equal(carom_sparse_factor_create(&sample.a, &factor, NULL), CAROM_OK);
    const long before = asked;
    for (int k = 0; k < sample.a.column_start[SIZE]; k++)
        value[k] = (1.0 + 0.01 * sin(k)) * sample.a.value[k];
    assert_int_equal(carom_sparse_factor_again(factor, value, NULL), CAROM_OK);
    carom_sparse_solve(factor, x);
    assert_int_equal(asked, before);
    assert_true(asked > 0); /* they are counted */
    carom_sparse_factor_free(factor);
    carom_arena_free(sample.arena);
}

static carom_status factor_dense(int n, const double *dense, carom_error *error)
{
    int row[SIZE * SIZE], column[SIZE * SIZE];
    carom_sparse a;
    carom_sparse_factor *factor = NULL;
    carom_arena *arena = carom_arena_create();
    for (int k = 0; k < n * n; k++) {
        row[k] = k / n;
        column[k] = k % n;
    }
    assert_true(carom_sparse_take(arena, n, n, (size_t)(n * n), row, column, dense, &a));
    const carom_status status = carom_sparse_factor_create(&a, &factor, error);
    assert_int_equal(status == CAROM_OK, factor != NULL);
    carom_sparse_factor_free(factor);
    carom_arena_free(arena);
    return status;
}

/* A column that is another one times a number that is no power of two: its pivot is rounding, not zero. */
static void says_that_a_matrix_is_singular(void **state)
{
    (void)state;
    carom_random random = {8};
    for (int n = 2; n <= 20; n++) {
        double dense[SIZE * SIZE];
        carom_error error = {0};
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                dense[i * n + j] = carom_random_uniform(&random, -1.0, 1.0) + (i == j ? 4.0 : 0.0);
            dense[i * n + n - 1] = dense[i * n] / 3.0;
        }
        assert_int_equal(factor_dense(n, dense, &error), CAROM_FAILED);
        assert_non_null(strstr(error.text, "singular"));
        assert_non_null(strstr(error.text, "pivot "));
    }
}

/* Springs in a row that nothing holds. */
static void finds_a_free_chain_singular(void **state)
{
    (void)state;
    const double stiffness = 0.7;
    double dense[SIZE * SIZE] = {0};
    carom_error error = {0};
    for (int i = 0; i + 1 < SIZE; i++) {
        dense[i * SIZE + i] += stiffness;
        dense[(i + 1) * SIZE + i + 1] += stiffness;
        dense[i * SIZE + i + 1] = dense[(i + 1) * SIZE + i] = -stiffness;
    }
    assert_int_equal(factor_dense(SIZE, dense, &error), CAROM_FAILED);
    dense[0] += 1e-6;
    assert_int_equal(factor_dense(SIZE, dense, &error), CAROM_OK);
}

static void names_the_column_without_a_pivot(void **state)
{
    (void)state;
    const double bad[] = {0.0, NAN, INFINITY};
    for (int b = 0; b < 3; b++) {
        double dense[25] = {0};
        carom_error error = {0};
        for (int i = 0; i < 5; i++)
            dense[6 * i] = i == 3 ? bad[b] : 2.0;
        assert_int_equal(factor_dense(5, dense, &error), CAROM_FAILED);
        assert_non_null(strstr(error.text, "singular"));
        if (b == 0)
            assert_non_null(strstr(error.text, "(column 4)"));
    }
}

/* Masses of 1e-9 beside masses of 1e9 are no singular matrix. */
static void size_does_not_matter(void **state)
{
    (void)state;
    const double dense[] = {1e-9, 0.0, 0.0, 1e9};
    carom_error error = {0};
    assert_int_equal(factor_dense(2, dense, &error), CAROM_OK);
}

static void nothing_is_factored_at_once(void **state)
{
    (void)state;
    const int start[] = {0};
    const carom_sparse a = {.column_start = start};
    carom_sparse_factor *factor = NULL;
    carom_error error = {0};
    assert_int_equal(carom_sparse_factor_create(&a, &factor, &error), CAROM_OK);
    carom_sparse_solve(factor, NULL);
    assert_int_equal(carom_sparse_factor_again(factor, NULL, &error), CAROM_OK);
    carom_sparse_factor_free(factor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_satisfies_the_dense_system),
        cmocka_unit_test(takes_other_values),
        cmocka_unit_test(says_that_a_matrix_is_singular),
        cmocka_unit_test(finds_a_free_chain_singular),
        cmocka_unit_test(names_the_column_without_a_pivot),
        cmocka_unit_test(size_does_not_matter),
        cmocka_unit_test(nothing_is_factored_at_once),
        cmocka_unit_test(other_values_may_need_other_pivots),
        cmocka_unit_test(a_snapshot_keeps_the_bits),
        cmocka_unit_test(a_snapshot_of_no_factor),
        cmocka_unit_test(other_values_and_solutions_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
