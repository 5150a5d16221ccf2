#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sample_band.h"

static void memory_is_zero_and_places_are_distinct(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    carom_band band;
    assert_true(carom_band_take(arena, 7, 2, &band));
    assert_int_equal(band.size, 7);
    assert_int_equal(band.width, 2);
    for (int i = 0; i < 7; i++)
        for (int j = i > 2 ? i - 2 : 0; j <= i; j++) {
            assert_true(*carom_band_at(&band, i, j) == 0.0);
            *carom_band_at(&band, i, j) = 10.0 * i + j;
        }
    for (int i = 0; i < 7; i++)
        for (int j = i > 2 ? i - 2 : 0; j <= i; j++)
            assert_true(*carom_band_at(&band, i, j) == 10.0 * i + j);
    carom_arena_free(arena);
}

static void products_are_those_of_the_dense_matrix(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int n = 1; n <= SAMPLE_SIZE; n++)
        for (int width = 0; width <= SAMPLE_WIDTH; width++) {
            sample_band sample;
            double x[SAMPLE_SIZE], y[SAMPLE_SIZE], z[SAMPLE_SIZE];
            make_band(&random, n, width, 0.0, &sample);
            random_vector(&random, n, x);
            random_vector(&random, n, z);
            memset(y, 0x7f, sizeof y); /* what stood in y does not count */
            carom_band_multiply(&sample.band, x, y);
            double form = 0.0;
            for (int i = 0; i < n; i++) {
                const double expected = carom_dot(n, sample.dense + i * n, x);
                assert_true(fabs(y[i] - expected) <= 1e-14);
                form += z[i] * expected;
            }
            assert_true(fabs(carom_band_form(&sample.band, z, x) - form) <= 1e-13);
            assert_true(fabs(carom_band_form(&sample.band, x, z) - form) <= 1e-13);
        }
}

static void combines_entry_by_entry(void **state)
{
    (void)state;
    carom_random random = {12};
    for (int n = 1; n <= 12; n++)
        for (int width = 0; width <= SAMPLE_WIDTH; width++) {
            sample_band a, b;
            make_band(&random, n, width, 0.0, &a);
            make_band(&random, n, width, 0.0, &b);
            carom_band_combine(&a.band, -2.5, &b.band, &a.band);
            for (int i = 0; i < n; i++)
                for (int j = i > width ? i - width : 0; j <= i; j++)
                    assert_true(*carom_band_at(&a.band, i, j) ==
                                a.dense[i * n + j] + -2.5 * b.dense[i * n + j]);
        }
}

static void solve_gives_back_the_dense_solution(void **state)
{
    (void)state;
    carom_random random = {13};
    for (int n = 1; n <= SAMPLE_SIZE; n++)
        for (int width = 0; width <= SAMPLE_WIDTH; width++) {
            sample_band sample;
            double x[SAMPLE_SIZE], expected[SAMPLE_SIZE];
            make_band(&random, n, width, 2.0 * width + 1.5, &sample);
            random_vector(&random, n, x);
            memcpy(expected, x, sizeof x);
            assert_int_equal(carom_cholesky_factor(n, sample.dense), 0);
            carom_cholesky_solve(n, sample.dense, expected);
            assert_int_equal(carom_band_factor(&sample.band), 0);
            carom_band_solve(&sample.band, x);
            for (int i = 0; i < n; i++)
                assert_true(fabs(x[i] - expected[i]) <= 1e-14);
        }
}

/* The inverse of (-1, 2, -1) times (1, ..., 1) is i (n + 1 - i) / 2. */
static void second_differences(void **state)
{
    (void)state;
    for (int n = 1; n <= SAMPLE_SIZE; n++) {
        double entry[2 * SAMPLE_SIZE] = {0}, x[SAMPLE_SIZE];
        carom_band band = {.size = n, .width = 1, .entry = entry};
        for (int i = 0; i < n; i++) {
            *carom_band_at(&band, i, i) = 2.0;
            if (i > 0)
                *carom_band_at(&band, i, i - 1) = -1.0;
            x[i] = 1.0;
        }
        assert_int_equal(carom_band_factor(&band), 0);
        carom_band_solve(&band, x);
        for (int i = 0; i < n; i++)
            assert_true(fabs(x[i] - 0.5 * (i + 1) * (n - i)) <= 1e-12 * n * n);
    }
}

static void says_which_pivot_is_not_positive(void **state)
{
    (void)state;
    carom_random random = {14};
    const double bad[] = {0.0, -1.0, NAN, INFINITY, -INFINITY};
    for (int n = 1; n <= SAMPLE_SIZE; n++)
        for (int width = 0; width <= SAMPLE_WIDTH; width++)
            for (int b = 0; b < 5; b++) {
                sample_band sample;
                make_band(&random, n, width, 2.0 * width + 1.5, &sample);
                const int row = n / 2;
                *carom_band_at(&sample.band, row, row) = bad[b];
                assert_int_equal(carom_band_factor(&sample.band), row + 1);
            }
}

/* Beside the diagonal the number spoils the pivot of its own row at the earliest. */
static void does_not_let_a_number_beside_the_diagonal_pass(void **state)
{
    (void)state;
    carom_random random = {15};
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e6};
    for (int n = 2; n <= SAMPLE_SIZE; n++)
        for (int width = 1; width <= SAMPLE_WIDTH; width++)
            for (int b = 0; b < 4; b++) {
                sample_band sample;
                make_band(&random, n, width, 2.0 * width + 1.5, &sample);
                const int row = n / 2 > 0 ? n / 2 : 1;
                *carom_band_at(&sample.band, row, row - 1) = bad[b];
                assert_int_equal(carom_band_factor(&sample.band), row + 1);
            }
}

/* Diagonal entries of either sign, each larger than the rest of its row: no leading minor vanishes. */
static void a_signed_matrix_is_solved_without_exchanges(void **state)
{
    (void)state;
    carom_random random = {17};
    for (int n = 1; n <= SAMPLE_SIZE; n++)
        for (int width = 0; width <= SAMPLE_WIDTH; width++) {
            sample_band sample;
            double x[SAMPLE_SIZE], f[SAMPLE_SIZE];
            make_band(&random, n, width, 0.0, &sample);
            for (int i = 0; i < n; i++) {
                const double more = (i % 3 == 1 ? -1.0 : 1.0) * (2.0 * width + 2.0);
                *carom_band_at(&sample.band, i, i) += more;
                sample.dense[i * n + i] += more;
            }
            random_vector(&random, n, x);
            for (int i = 0; i < n; i++)
                f[i] = carom_dot(n, sample.dense + i * n, x);
            assert_int_equal(carom_band_factor_signed(&sample.band), 0);
            carom_band_solve(&sample.band, f);
            for (int i = 0; i < n; i++)
                assert_true(fabs(f[i] - x[i]) <= 1e-13);
        }
}

/* minimise 1/2 x.A x - f.x with x_1 = 0.5: its multiplier stands behind it. Exact: x_0 = 1, s = f_1 - x_0 -
 * 3/2. */
static void an_equation_behind_its_unknown(void **state)
{
    (void)state;
    double entry[] = {0, 0, 2, 0, 1, 3, 0, 1, 0}; /* rows of width 2: (2), (1, 3), (0, 1, 0) */
    carom_band band = {3, 2, entry};
    double x[] = {2.5, 4.0, 0.5};
    assert_int_equal(carom_band_factor_signed(&band), 0);
    carom_band_solve(&band, x);
    assert_true(fabs(x[0] - 1.0) <= 1e-15 && fabs(x[1] - 0.5) <= 1e-15 && fabs(x[2] - 1.5) <= 1e-15);
    double again[] = {0, 0, 1, 1, 0, 0}; /* (0), (0, 1), (1, 0): the first minor is zero */
    assert_int_equal(carom_band_factor_signed(&(carom_band){3, 1, again}), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zero_and_places_are_distinct),
        cmocka_unit_test(products_are_those_of_the_dense_matrix),
        cmocka_unit_test(combines_entry_by_entry),
        cmocka_unit_test(solve_gives_back_the_dense_solution),
        cmocka_unit_test(second_differences),
        cmocka_unit_test(a_signed_matrix_is_solved_without_exchanges),
        cmocka_unit_test(an_equation_behind_its_unknown),
        cmocka_unit_test(says_which_pivot_is_not_positive),
        cmocka_unit_test(does_not_let_a_number_beside_the_diagonal_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
