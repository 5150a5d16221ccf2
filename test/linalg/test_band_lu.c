#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    SIZE = 40,
    WIDTH = 5
};

typedef struct sample_lu {
    carom_band_lu band;
    double entry[SIZE * (3 * WIDTH + 1)], dense[SIZE * SIZE];
    int pivot[SIZE];
} sample_lu;

static void make_sample(carom_random *random, int size, int width, sample_lu *sample)
{
    *sample = (sample_lu){.band = {.size = size, .width = width}};
    sample->band.entry = sample->entry;
    sample->band.pivot = sample->pivot;
    memset(sample->entry, 0x7f, sizeof sample->entry);
    carom_band_lu_clear(&sample->band);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            if (i - j <= width && j - i <= width)
                *carom_band_lu_at(&sample->band, i, j) = sample->dense[i * size + j] =
                    carom_random_uniform(random, -1.0, 1.0);
}

static void solution_satisfies_the_dense_system(void **state)
{
    (void)state;
    carom_random random = {21};
    for (int n = 1; n <= SIZE; n++)
        for (int width = 0; width <= WIDTH; width++) {
            sample_lu sample;
            double x[SIZE], right[SIZE], size = 1.0;
            make_sample(&random, n, width, &sample);
            for (int i = 0; i < n; i++)
                right[i] = x[i] = carom_random_uniform(&random, -1.0, 1.0);
            assert_int_equal(carom_band_lu_factor(&sample.band), 0);
            carom_band_lu_solve(&sample.band, x);
            for (int i = 0; i < n; i++)
                size = fmax(size, fabs(x[i]));
            for (int i = 0; i < n; i++)
                assert_true(fabs(carom_dot(n, sample.dense + i * n, x) - right[i]) <= 1e-13 * size);
        }
}

/* Zeros on the diagonal: neighbours exchange their values. */
static void exchanges_rows(void **state)
{
    (void)state;
    double entry[6 * 4] = {0}, x[6] = {1, 2, 3, 4, 5, 6};
    int pivot[6];
    carom_band_lu band = {.size = 6, .width = 1, .entry = entry, .pivot = pivot};
    for (int i = 0; i < 6; i++)
        *carom_band_lu_at(&band, i, i ^ 1) = 1.0;
    assert_int_equal(carom_band_lu_factor(&band), 0);
    carom_band_lu_solve(&band, x);
    for (int i = 0; i < 6; i++)
        assert_true(x[i] == (i ^ 1) + 1);
}

static void says_which_pivot_is_zero(void **state)
{
    (void)state;
    const double bad[] = {0.0, NAN};
    for (int n = 1; n <= SIZE; n += 3)
        for (int b = 0; b < 2; b++) {
            double entry[SIZE * 4] = {0};
            int pivot[SIZE];
            carom_band_lu band = {.size = n, .width = 1, .entry = entry, .pivot = pivot};
            for (int i = 0; i < n; i++)
                *carom_band_lu_at(&band, i, i) = i == n / 2 ? bad[b] : 2.0;
            assert_int_equal(carom_band_lu_factor(&band), n / 2 + 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_satisfies_the_dense_system),
        cmocka_unit_test(exchanges_rows),
        cmocka_unit_test(says_which_pivot_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
