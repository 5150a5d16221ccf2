#include "test/scheme/models.h"

#include "scheme/parts/newton_matrix.h"

#include <stdlib.h>

enum {
    DOF = 3
};

static void solves_and_keeps(void **unused)
{
    (void)unused;
    const double full[9] = {0.0, 2.0, 1.0, 4.0, 1.0, 0.0, 0.0, 1.0, 3.0}; /* needs pivots */
    const double expected[3] = {1.0, -2.0, 0.5};
    carom_arena *arena = carom_arena_create();
    newton_matrix newton;
    assert_true(newton_matrix_take(&newton, arena, DOF));
    for (int k = 0; k < 2; k++) { /* the second time from what is kept */
        double x[3];
        assert_int_equal(newton_matrix_factor(&newton, full), 0);
        assert_false(newton.diagonal);
        for (int i = 0; i < DOF; i++)
            x[i] = carom_dot(DOF, full + (ptrdiff_t)DOF * i, expected);
        newton_matrix_solve(&newton, x);
        for (int i = 0; i < DOF; i++)
            assert_near(x[i], expected[i], 1e-15);
    }
    newton.factor[0] = 0.0; /* kept means not factored again */
    assert_int_equal(newton_matrix_factor(&newton, full), 0);
    assert_near(newton.factor[0], 0.0, 0.0);
    carom_arena_free(arena);
}

/* A diagonal matrix gives the bits of the general solve. */
static void diagonal_matrix(void **unused)
{
    (void)unused;
    const double diagonal[9] = {3.0, 0.0, 0.0, 0.0, 0.7, 0.0, 0.0, 0.0, 1e-9};
    carom_arena *arena = carom_arena_create();
    newton_matrix newton;
    assert_true(newton_matrix_take(&newton, arena, DOF));
    assert_int_equal(newton_matrix_factor(&newton, diagonal), 0);
    assert_true(newton.diagonal);
    double x[3] = {1.0, -2.0, 0.1}, general[3] = {1.0, -2.0, 0.1};
    newton_matrix_solve(&newton, x);
    carom_lu_solve(DOF, newton.factor, newton.pivot, general);
    for (int i = 0; i < DOF; i++)
        assert_true(x[i] == general[i]);
    carom_arena_free(arena);
}

/* A band: only what is not zero is gone through, and rounding is all that this changes. A full one of that size is no band. */
static void banded_matrix(void **unused)
{
    (void)unused;
    enum {
        N = 20
    };
    double matrix[N * N] = {0}, x[N], general[N];
    carom_arena *arena = carom_arena_create();
    newton_matrix newton;
    assert_true(newton_matrix_take(&newton, arena, N));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (abs(i - j) <= 2)
                matrix[i * N + j] =
                    1.0 / (1.0 + i + j) + (i == j - 1) + 0.3 * (i == j + 2); /* it needs pivots */
    for (int round = 0; round < 2; round++) {
        assert_int_equal(newton_matrix_factor(&newton, matrix), 0);
        assert_int_equal(newton.banded, round == 0);
        for (int i = 0; i < N; i++)
            x[i] = general[i] = sin(1.0 + i);
        newton_matrix_solve(&newton, x);
        carom_lu_solve(N, newton.factor, newton.pivot, general);
        for (int i = 0; i < N; i++) {
            assert_near(x[i], general[i], 1e-11 * (1.0 + fabs(general[i])));
            assert_near(carom_dot(N, matrix + (ptrdiff_t)N * i, x), sin(1.0 + i), 1e-9);
        }
        matrix[N - 1] = matrix[N * (N - 1)] = 2.0; /* fills the factors */
        for (int i = 0; i < N * N; i++)
            matrix[i] += 0.1;
    }
    carom_arena_free(arena);
}

/* After a matrix that cannot be factored the next one is factored anew, even if it is the last good one. */
static void bad_matrices(void **unused)
{
    (void)unused;
    const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double singular[9] = {1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    double spoiled[9];
    memcpy(spoiled, unit, sizeof unit);
    spoiled[5] = NAN;
    carom_arena *arena = carom_arena_create();
    newton_matrix newton;
    assert_true(newton_matrix_take(&newton, arena, DOF));
    assert_int_equal(newton_matrix_factor(&newton, unit), 0);
    assert_int_equal(newton_matrix_factor(&newton, spoiled), -1);
    assert_false(newton.factored);
    assert_int_not_equal(newton_matrix_factor(&newton, singular), 0);
    assert_false(newton.factored);
    assert_int_equal(newton_matrix_factor(&newton, unit), 0);
    double x[3] = {1.0, 2.0, 3.0};
    newton_matrix_solve(&newton, x);
    assert_near(x[2], 3.0, 0.0);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_and_keeps),
        cmocka_unit_test(diagonal_matrix),
        cmocka_unit_test(banded_matrix),
        cmocka_unit_test(bad_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
