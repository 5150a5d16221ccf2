#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "sample_band.h"

static const double pi = 3.14159265358979323846;

/* S x = value M x to rounding, x.M x = 1, the largest entry positive. */
static void check_vector(const carom_band *S, const carom_band *M, double value, double largest_value,
                         const double *x)
{
    const int n = S->size;
    double *Sx = carom_new_array((size_t)n, sizeof *Sx), *Mx = carom_new_array((size_t)n, sizeof *Mx);
    assert_non_null(Sx);
    assert_non_null(Mx);
    carom_band_multiply(S, x, Sx);
    carom_band_multiply(M, x, Mx);
    double largest = 0.0, force = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fabs(x[i]) > fabs(largest) ? x[i] : largest;
        force = fmax(force, fabs(Mx[i]));
    }
    assert_true(largest > 0.0);
    assert_true(fabs(carom_dot(n, x, Mx) - 1.0) <= 1e-13);
    for (int i = 0; i < n; i++)
        assert_true(fabs(Sx[i] - value * Mx[i]) <= 1e-12 * largest_value * force);
    free(Sx);
    free(Mx);
}

static double largest_magnitude(int n, const double *values)
{
    return fmax(fabs(values[0]), fabs(values[n - 1]));
}

static void agrees_with_dense_lapack(void **state)
{
    (void)state;
    carom_random random = {31};
    for (int n = 1; n <= SAMPLE_SIZE; n += n < 8 ? 1 : 8)
        for (int trial = 0; trial < 12; trial++) {
            sample_band S, M;
            double values[SAMPLE_SIZE], vector[SAMPLE_SIZE], value;
            const int mass_width = trial % 3;
            /* indefinite, definite */
            make_band(&random, n, trial % (SAMPLE_WIDTH + 1), trial < 6 ? 0.0 : 11.0, &S);
            make_band(&random, n, mass_width, 2.0 * mass_width + 1.5, &M);
            assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'L', n, S.dense, n, M.dense, n, values),
                             0);
            const double scale = largest_magnitude(n, values);
            for (int index = 1; index <= n; index++) {
                assert_int_equal(carom_band_eigenvalue(&S.band, &M.band, index, &value, vector, NULL),
                                 CAROM_OK);
                assert_true(fabs(value - values[index - 1]) <= 1e-13 * scale);
                check_vector(&S.band, &M.band, value, scale, vector);
            }
        }
}

/* (-1, 2, -1): values 2 - 2 cos(k pi / (n + 1)), vectors sin(i k pi / (n + 1)). */
static void second_differences(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 3, 10, 101, 2000};
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s];
        carom_arena *arena = carom_arena_create();
        carom_band S, M;
        assert_true(carom_band_take(arena, n, 1, &S) && carom_band_take(arena, n, 0, &M));
        double *vector = carom_arena_take(arena, (size_t)n, sizeof *vector), value;
        for (int i = 0; i < n; i++) {
            *carom_band_at(&S, i, i) = 2.0;
            *carom_band_at(&M, i, i) = 1.0;
            if (i > 0)
                *carom_band_at(&S, i, i - 1) = -1.0;
        }
        const int index[] = {1, (n + 1) / 2, n};
        for (int k = 0; k < 3; k++) {
            const double half = sin(0.5 * index[k] * pi / (n + 1));
            assert_int_equal(carom_band_eigenvalue(&S, &M, index[k], &value, vector, NULL), CAROM_OK);
            assert_true(fabs(value - 4.0 * half * half) <= 4e-15);
            check_vector(&S, &M, value, 4.0, vector);
        }
        carom_arena_free(arena);
    }
}

/* A free chain: the rigid motion has the value 0 and equal entries. Two free chains have two of them. */
static void rigid_motions_have_the_value_zero(void **state)
{
    (void)state;
    enum {
        N = 30
    };
    for (int cut = 0; cut < 2; cut++) {
        double stiffness[2 * N] = {0}, mass[N], vector[N], value;
        carom_band S = {.size = N, .width = 1, .entry = stiffness};
        carom_band M = {.size = N, .width = 0, .entry = mass};
        for (int i = 0; i < N; i++)
            mass[i] = 0.5;
        for (int i = 1; i < N; i++) {
            if (cut && i == N / 3)
                continue;
            *carom_band_at(&S, i, i) += 3.0;
            *carom_band_at(&S, i - 1, i - 1) += 3.0;
            *carom_band_at(&S, i, i - 1) -= 3.0;
        }
        assert_int_equal(carom_band_eigenvalue(&S, &M, 1, &value, vector, NULL), CAROM_OK);
        assert_true(fabs(value) <= 24.0 * 1e-15);
        check_vector(&S, &M, value, 24.0, vector);
        for (int i = 1; i < N && !cut; i++)
            assert_true(fabs(vector[i] - sqrt(2.0 / N)) <= 1e-12);
        assert_int_equal(carom_band_eigenvalue(&S, &M, 2, &value, vector, NULL), CAROM_OK);
        const double next = 12.0 * 2.0 * pow(sin(0.5 * pi / N), 2.0);
        assert_true(fabs(value - (cut ? 0.0 : next)) <= 24.0 * 1e-15);
    }
}

/* A clamped beam of cubic Hermite elements, length 10, k^2 = 282.84: the largest value and the two lowest
 * frequencies, computed with a dense solver. */
static void clamped_beam(void **state)
{
    (void)state;
    enum {
        J_MAX = 40
    };
    const double mass[4][4] = {{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
    const double bending[4][4] = {{12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
    const struct {
        int J;
        double largest, first, second;
    } known[] = {{10, 1.014073e6, 0.59131860, 3.70584988}, {40, 2.596037e8, 0.59131809, 3.70572771}};
    for (int k = 0; k < 2; k++) {
        const int J = known[k].J;
        const double h = 10.0 / J, k2 = 282.84;
        double S_entry[8 * J_MAX] = {0}, M_entry[8 * J_MAX] = {0}, value;
        carom_band S = {.size = 2 * J, .width = 3, .entry = S_entry};
        carom_band M = {.size = 2 * J, .width = 3, .entry = M_entry};
        for (int e = 0; e < J; e++)
            for (int a = 0; a < 4; a++)
                for (int b = 0; b <= a; b++) {
                    const int i = 2 * e - 2 + a, j = 2 * e - 2 + b;
                    if (j < 0)
                        continue;
                    *carom_band_at(&M, i, j) += h / 420.0 * mass[a][b] * pow(h, a % 2 + b % 2);
                    *carom_band_at(&S, i, j) += k2 / (h * h * h) * bending[a][b] * pow(h, a % 2 + b % 2);
                }
        assert_int_equal(carom_band_eigenvalue(&S, &M, 2 * J, &value, NULL, NULL), CAROM_OK);
        assert_true(fabs(value / known[k].largest - 1.0) <= 5e-7);
        assert_int_equal(carom_band_eigenvalue(&S, &M, 1, &value, NULL, NULL), CAROM_OK);
        assert_true(fabs(sqrt(value) - known[k].first) <= 1e-7);
        assert_int_equal(carom_band_eigenvalue(&S, &M, 2, &value, NULL, NULL), CAROM_OK);
        assert_true(fabs(sqrt(value) - known[k].second) <= 1e-8);
    }
}

static void a_zero_matrix_has_zero_values(void **state)
{
    (void)state;
    double zero[10] = {0}, one[5] = {1, 1, 1, 1, 1}, vector[5], value;
    carom_band S = {.size = 5, .width = 1, .entry = zero}, M = {.size = 5, .width = 0, .entry = one};
    for (int index = 1; index <= 5; index++) {
        assert_int_equal(carom_band_eigenvalue(&S, &M, index, &value, vector, NULL), CAROM_OK);
        assert_true(fabs(value) <= 1e-15);
        check_vector(&S, &M, value, 1.0, vector);
    }
}

/* Every leading minor but the even ones is zero: elimination without exchanges would divide by zero. */
static void zero_pivots_do_not_spoil_the_count(void **state)
{
    (void)state;
    double stiffness[12] = {0}, one[6] = {1, 1, 1, 1, 1, 1}, value;
    carom_band S = {.size = 6, .width = 1, .entry = stiffness}, M = {.size = 6, .width = 0, .entry = one};
    for (int i = 1; i < 6; i += 2)
        *carom_band_at(&S, i, i - 1) = 1.0;
    for (int index = 1; index <= 6; index++) {
        assert_int_equal(carom_band_eigenvalue(&S, &M, index, &value, NULL, NULL), CAROM_OK);
        assert_true(fabs(value - (index <= 3 ? -1.0 : 1.0)) <= 1e-15);
    }
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    double stiffness[3] = {1, 2, 3}, mass[3] = {1, 1, 1}, value;
    carom_band S = {.size = 3, .width = 0, .entry = stiffness}, M = {.size = 3, .width = 0, .entry = mass};
    carom_error error;
    assert_int_equal(carom_band_eigenvalue(&S, &M, 0, &value, NULL, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_band_eigenvalue(&S, &M, 4, &value, NULL, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "eigenvalue 4"));
    mass[1] = -1.0;
    assert_int_equal(carom_band_eigenvalue(&S, &M, 1, &value, NULL, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "pivot 2"));
    mass[1] = 1.0;
    stiffness[2] = NAN;
    assert_int_equal(carom_band_eigenvalue(&S, &M, 1, &value, NULL, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "(3, 3)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_lapack),
        cmocka_unit_test(second_differences),
        cmocka_unit_test(rigid_motions_have_the_value_zero),
        cmocka_unit_test(clamped_beam),
        cmocka_unit_test(a_zero_matrix_has_zero_values),
        cmocka_unit_test(zero_pivots_do_not_spoil_the_count),
        cmocka_unit_test(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
