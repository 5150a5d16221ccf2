/* Sets and maps of the variational inequalities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/vi_problem.h"
#include "test/contact/coulomb/coulomb_checks.h"

enum {
    CONTACTS = 8,
    NUMBERS = 3 * CONTACTS
};

/* (z - p).(s - p) <= 0 for all s of the set: p is the nearest point. */
static void projections_are_nearest_points(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    carom_random random = {17};
    double radius[CONTACTS];
    coulomb_vi vi = coulomb_vi_of(&problem);
    vi.radius = radius;
    for (int trial = 0; trial < 400; trial++) {
        vi.set = (coulomb_set)(trial % 4);
        double r[NUMBERS], F[NUMBERS], p[NUMBERS], other[NUMBERS], zero[NUMBERS] = {0};
        for (int i = 0; i < CONTACTS; i++)
            radius[i] = i == 0 ? 0.0 : carom_random_uniform(&random, 0, 1);
        for (int k = 0; k < NUMBERS; k++) {
            r[k] = carom_random_uniform(&random, -1, 1);
            F[k] = carom_random_uniform(&random, -1, 1);
            other[k] = carom_random_uniform(&random, -2, 2);
            /* parts that the set leaves as they are: the same in all points of it */
            if ((vi.set == COULOMB_SET_HALF_LINE && k % 3 != 0) ||
                (vi.set == COULOMB_SET_DISK && k % 3 == 0)) {
                F[k] = 0.0;
                other[k] = r[k];
            }
        }
        coulomb_vi_project(&vi, r, 0.7, F, p);
        coulomb_vi_project(&vi, other, 0.0, zero, other);
        double product = 0.0;
        for (int k = 0; k < NUMBERS; k++)
            product += (r[k] - 0.7 * F[k] - p[k]) * (other[k] - p[k]);
        assert_true(product <= 1e-13);
        double again[NUMBERS];
        coulomb_vi_project(&vi, p, 0.0, zero, again);
        for (int k = 0; k < NUMBERS; k++)
            assert_true(fabs(again[k] - p[k]) < 1e-15);
    }
    carom_arena_free(arena);
}

/* The residual of the inequality is the error of FC(W, q, mu) times |q|. */
static void residual_is_the_error(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    const coulomb_vi vi = coulomb_vi_of(&problem);
    double r[NUMBERS], F[NUMBERS];
    for (int k = 0; k < NUMBERS; k++)
        r[k] = sin(1.0 + k);
    coulomb_vi_map(&vi, r, F);
    const double error = coulomb_vi_residual(&vi, r, F) / formula_norm(NUMBERS, problem.q);
    assert_true(fabs(error - carom_coulomb_error(&problem, r)) < 1e-14 * error);
    carom_arena_free(arena);
}

static void fixed_parts_have_no_force(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    coulomb_vi vi = coulomb_vi_of(&problem);
    double r[NUMBERS], F[NUMBERS], u[NUMBERS];
    for (int k = 0; k < NUMBERS; k++)
        r[k] = cos(k);
    carom_blocks_multiply(&problem.W, r, problem.q, u);
    vi.corrected = false;
    vi.set = COULOMB_SET_HALF_LINE;
    coulomb_vi_map(&vi, r, F);
    for (int k = 0; k < NUMBERS; k++)
        assert_true(F[k] == (k % 3 == 0 ? u[k] : 0.0));
    vi.set = COULOMB_SET_DISK;
    coulomb_vi_map(&vi, r, F);
    for (int k = 0; k < NUMBERS; k++)
        assert_true(F[k] == (k % 3 == 0 ? 0.0 : u[k]));
    carom_arena_free(arena);
}

static void row_norm_is_the_largest_row_sum(void **state)
{
    (void)state;
    const double W[9] = {1, -2, 3, 0, 0, -7, 4, -.5, 2}, q[3] = {0}, mu = 1;
    const carom_coulomb problem = one_contact(W, q, &mu);
    assert_true(coulomb_row_norm(&problem.W) == 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_are_nearest_points),
        cmocka_unit_test(residual_is_the_error),
        cmocka_unit_test(fixed_parts_have_no_force),
        cmocka_unit_test(row_norm_is_the_largest_row_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
