/* The linear equations of motion and law: residuals of every row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contact/coulomb/global/global_system.h"
#include "test/contact/coulomb/sample_global.h"

enum {
    SIZE = DOF_MAX + EQUATIONS_MAX + 2 * SIZE_MAX_3
};

static const double rounding = 1e-11;

static void assert_zero(int n, const double *x)
{
    assert_true(carom_all_finite(n, x) && carom_largest(n, x) <= rounding);
}

/* With `sources` 0: of a change, for which f, b and w do not count. */
static void assert_motion(const coulomb_global_system *system, const carom_coulomb_global *global,
                          const double *x, double sources)
{
    const int n = global->M.columns, p = global->G.columns, d = global->dimension, m = d * global->contacts;
    const double *u = x + coulomb_global_system_u(system), *three = x + coulomb_global_system_r(system);
    double motion[DOF_MAX] = {0}, minus[DOF_MAX] = {0}, equation[EQUATIONS_MAX] = {0}, r[SIZE_MAX_3];
    double velocity[SIZE_MAX_3] = {0};
    for (int i = 0; i < m; i++)
        r[i] = three[i / d * 3 + i % d];
    carom_sparse_add(&global->M, x, motion);
    carom_sparse_add(&global->H, r, minus);
    carom_sparse_add(&global->G, x + n, minus);
    for (int i = 0; i < n; i++)
        motion[i] -= minus[i] + sources * global->f[i];
    assert_zero(n, motion);
    carom_sparse_add_transposed(&global->G, x, equation);
    for (int i = 0; i < p; i++)
        equation[i] += sources * global->b[i];
    assert_zero(p, equation);
    carom_sparse_add_transposed(&global->H, x, velocity);
    for (int i = 0; i < m; i++)
        velocity[i] += sources * global->w[i] - u[i / d * 3 + i % d];
    assert_zero(m, velocity);
    for (int a = 0; d == 2 && a < global->contacts; a++)
        assert_true(fabs(u[3 * a + 2] - three[3 * a + 2]) <= rounding);
}

static void all_rows_hold(void **state)
{
    (void)state;
    carom_random random = {81};
    for (int trial = 0; trial < 60; trial++) {
        static sample_global s;
        coulomb_global_system *system = NULL;
        double x[SIZE], d[SIZE], A[9 * CONTACTS_MAX], B[9 * CONTACTS_MAX], G[SIZE_MAX_3], r[SIZE_MAX_3];
        long regularised = 0;
        make_sample_global(&random, 2 + trial % 2, trial % 3, 0.5, 1.0, &s);
        const int contacts = s.global.contacts;
        assert_int_equal(coulomb_global_system_create(&s.global, &system, NULL), CAROM_OK);
        const ptrdiff_t at = coulomb_global_system_r(system);
        assert_true(coulomb_global_system_size(system) <= SIZE);
        fill_sample(&random, 3 * contacts, r);
        memcpy(x + at, r, 3 * (size_t)contacts * sizeof *r);
        coulomb_global_system_move(system, x);
        assert_true(memcmp(x + at, r, 3 * (size_t)contacts * sizeof *r) == 0);
        assert_motion(system, &s.global, x, 1.0);
        for (int step = 0; step < 2; step++) {
            fill_sample(&random, 9 * contacts, A);
            fill_sample(&random, 9 * contacts, B);
            fill_sample(&random, 3 * contacts, G);
            for (int i = 0; i < 9 * contacts; i += 4 - 3 * (i % 9 == 8))
                B[i] += 10.0;
            assert_true(coulomb_global_system_step(system, A, B, G, d, &regularised));
            assert_motion(system, &s.global, d, 0.0);
            const double *du = d + coulomb_global_system_u(system), *dr = d + at;
            for (int a = 0; a < contacts; a++)
                for (int i = 0; i < 3; i++)
                    assert_true(fabs(carom_dot(3, A + 9 * a + 3 * i, du + 3 * a) +
                                     carom_dot(3, B + 9 * a + 3 * i, dr + 3 * a) + G[3 * a + i]) <= rounding);
        }
        assert_int_equal(regularised, 0);
        coulomb_global_system_free(system);
        carom_arena_free(s.arena);
    }
}

/* A = B = 0 says nothing about r: with B = 1e-8 I it does. */
static void singular_laws_are_regularised(void **state)
{
    (void)state;
    carom_random random = {82};
    static sample_global s;
    coulomb_global_system *system = NULL;
    double d[SIZE];
    const double zero[9 * CONTACTS_MAX] = {0};
    long regularised = 0;
    make_sample_global(&random, 3, 0, 0.0, 1.0, &s);
    assert_int_equal(coulomb_global_system_create(&s.global, &system, NULL), CAROM_OK);
    assert_true(coulomb_global_system_step(system, zero, zero, zero, d, &regularised));
    assert_int_equal(regularised, 1);
    assert_true(carom_largest((int)coulomb_global_system_size(system), d) == 0.0);
    coulomb_global_system_free(system);
    carom_arena_free(s.arena);
}

/* The error and the summary are those of the reduced problem, whatever r is. */
static void errors_and_summaries_need_no_W(void **state)
{
    (void)state;
    carom_random random = {83};
    for (int trial = 0; trial < 60; trial++) {
        static sample_global s;
        carom_coulomb problem;
        carom_coulomb_summary summary, reduced;
        double r[SIZE_MAX_3], u[SIZE_MAX_3], three[SIZE_MAX_3], velocity[SIZE_MAX_3], expected[SIZE_MAX_3];
        unsigned char regime[CONTACTS_MAX], expected_regime[CONTACTS_MAX];
        make_sample_global(&random, 2 + trial % 2, trial % 3, 0.5, 1.0, &s);
        const int contacts = s.global.contacts;
        fill_sample(&random, SIZE_MAX_3, r);
        embed_sample(&s.global, r, three);
        assert_int_equal(carom_coulomb_reduce(&s.global, s.arena, &problem, NULL), CAROM_OK);
        carom_coulomb_summarise(&problem, three, expected, expected_regime, &reduced);
        assert_int_equal(carom_coulomb_summarise_global(&s.global, r, u, regime, &summary, NULL), CAROM_OK);
        embed_sample(&s.global, u, velocity);
        for (int i = 0; i < 3 * contacts; i++)
            assert_true(fabs(velocity[i] - expected[i]) <= rounding);
        assert_memory_equal(regime, expected_regime, (size_t)contacts);
        assert_true(fabs(summary.error - reduced.error) <= rounding);
        assert_true(fabs(summary.absolute_error - reduced.absolute_error) <= rounding);
        assert_true(fabs(summary.q_norm - reduced.q_norm) <= rounding);
        assert_true(fabs(summary.energy - reduced.energy) <= rounding * (1.0 + fabs(reduced.energy)));
        assert_true(fabs(summary.dissipation - reduced.dissipation) <= rounding * 10.0);
        carom_arena_free(s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_hold),
        cmocka_unit_test(singular_laws_are_regularised),
        cmocka_unit_test(errors_and_summaries_need_no_W),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
