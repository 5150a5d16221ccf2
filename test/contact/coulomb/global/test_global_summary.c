/* The law of a global problem asked without W, beside the same of the reduced problem. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/contact.h"

enum {
    N = 5,
    CONTACTS = 2
};

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fmax(1.0, fabs(b))))
        fail_msg("%.17g instead of %.17g", a, b);
}

/* Masses 1 to 5, directions and reactions of no pattern, an equation between the last two velocities. */
static void parts_agree_with_reduced_problem(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    for (int dimension = 2; dimension <= 3; dimension++) {
        const int rows = dimension * CONTACTS;
        int row[N * 6], column[N * 6], diagonal[N], last[2] = {3, 4}, first[2] = {0, 0};
        double value[N * 6], mass[N], f[N], w[6], r[6], r3[6], pair[2] = {1.0, -1.0}, b[1] = {0.2};
        const double mu[CONTACTS] = {0.3, 0.7};
        for (int k = 0; k < N * rows; k++) {
            row[k] = k % N;
            column[k] = k / N;
            value[k] = sin(1.0 + 2.0 * k);
        }
        for (int i = 0; i < N; i++) {
            diagonal[i] = i;
            mass[i] = 1.0 + i;
            f[i] = cos(3.0 * i) - 1.0;
        }
        for (int k = 0; k < rows; k++) {
            w[k] = sin(5.0 * k);
            r[k] = cos(1.0 + 0.7 * k);
        }
        carom_coulomb_global global = {
            .dimension = dimension, .contacts = CONTACTS, .f = f, .w = w, .b = b, .mu = mu};
        assert_true(carom_sparse_take(arena, N, N, N, diagonal, diagonal, mass, &global.M));
        assert_true(carom_sparse_take(arena, N, rows, (size_t)(N * rows), row, column, value, &global.H));
        assert_true(carom_sparse_take(arena, N, 1, 2, last, first, pair, &global.G));
        for (int k = 0; k < 3 * CONTACTS; k++)
            r3[k] = k % 3 < dimension ? r[k / 3 * dimension + k % 3] : 0.0;
        carom_coulomb reduced;
        carom_coulomb_residual without;
        assert_int_equal(carom_coulomb_reduce(&global, arena, &reduced, NULL), CAROM_OK);
        assert_int_equal(carom_coulomb_residuals_global(&global, r, &without, NULL), CAROM_OK);
        const carom_coulomb_residual with = carom_coulomb_residuals(&reduced, r3);
        near(without.velocity, with.velocity);
        near(without.reaction, with.reaction);
        near(without.complementarity, with.complementarity);
        assert_true(with.velocity > 0.0 && with.reaction > 0.0 && with.complementarity > 0.0);
        assert_true(without.rounding > 0.1 * with.rounding && without.rounding < 100.0 * with.rounding);
    }
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_agree_with_reduced_problem)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
