#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/sample_coulomb_matrices.h"

typedef struct sample {
    carom_arena *arena;
    dense W, V, R, q, s, mu;
    carom_coulomb_local local;
} sample;

static void finish(sample *made, int dimension, int contacts)
{
    made->arena = carom_arena_create();
    made->local = (carom_coulomb_local){.dimension = dimension,
                                        .contacts = contacts,
                                        .W = sparse_of(made->arena, &made->W),
                                        .V = sparse_of(made->arena, &made->V),
                                        .R = sparse_of(made->arena, &made->R),
                                        .q = made->q.entry,
                                        .s = made->s.entry,
                                        .mu = made->mu.entry};
}

static void make_sample(carom_random *random, int dimension, int contacts, int p, sample *made)
{
    const int m = dimension * contacts;
    *made = (sample){.W = dense_random(random, m, m, 0.4, 1.0),
                     .V = dense_random(random, m, p, 0.3, 0.0),
                     .R = dense_random(random, p, p, 0.5, 3.0),
                     .q = dense_random(random, m, 1, 1.0, 0.0),
                     .s = dense_random(random, p, 1, 1.0, 0.0),
                     .mu = dense_random(random, contacts, 1, 1.0, 2.0)};
    finish(made, dimension, contacts);
}

/* W - V R^-1 V^T, q - V R^-1 s */
static void dense_formulas(const sample *made, dense *W, dense *q)
{
    *W = made->W;
    *q = made->q;
    if (made->R.columns == 0)
        return;
    const dense Vt = dense_transposed(&made->V), RV = dense_solved(&made->R, &Vt);
    const dense Rs = dense_solved(&made->R, &made->s);
    const dense correction = dense_product(&made->V, &RV), correction_q = dense_product(&made->V, &Rs);
    *W = dense_difference(W, &correction);
    *q = dense_difference(q, &correction_q);
}

static void agrees_with_dense_formulas(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int time = 0; time < 300; time++) {
        const int dimension = 2 + time % 2, contacts = time % 6, p = time / 2 % 5;
        sample made;
        dense W, q;
        carom_coulomb problem;
        carom_error error = {0};
        make_sample(&random, dimension, contacts, p, &made);
        dense_formulas(&made, &W, &q);
        assert_int_equal(carom_coulomb_embed(&made.local, made.arena, &problem, &error), CAROM_OK);
        assert_int_equal(problem.contacts, contacts);
        expect_problem(&problem, dimension, &W, &q, p > 0 ? 1e-13 : 0.0);
        for (int i = 0; i < contacts; i++)
            assert_true(problem.mu[i] == made.mu.entry[i] && problem.mu != made.mu.entry);
        carom_arena_free(made.arena);
    }
}

/* The second tangent of a contact in the plane takes no part: u = W r + q of the plane, 0 beside it. */
static void the_plane_stays_a_plane(void **state)
{
    (void)state;
    carom_random random = {7};
    sample made;
    carom_coulomb problem;
    carom_error error = {0};
    double r[12] = {0}, u[12];
    make_sample(&random, 2, 4, 0, &made);
    assert_int_equal(carom_coulomb_embed(&made.local, made.arena, &problem, &error), CAROM_OK);
    for (int i = 0; i < 8; i++)
        r[3 * (i / 2) + i % 2] = 1.0 + i;
    carom_blocks_multiply(&problem.W, r, problem.q, u);
    for (int i = 0; i < 8; i++) {
        double expected = made.q.entry[i];
        for (int j = 0; j < 8; j++)
            expected += *dense_at(&made.W, i, j) * (1.0 + j);
        assert_true(fabs(u[3 * (i / 2) + i % 2] - expected) <= 1e-13 * 36.0);
        assert_true(u[3 * (i / 2) + 2] == 0.0);
    }
    carom_arena_free(made.arena);
}

static void stored_zeros_are_dropped(void **state)
{
    (void)state;
    const int row[] = {0, 3}, column[] = {0, 0};
    const double value[] = {1.0, 0.0}, q[6] = {0}, mu[2] = {0};
    carom_arena *arena = carom_arena_create();
    carom_coulomb_local local = {.dimension = 3, .contacts = 2, .q = q, .mu = mu};
    carom_coulomb problem;
    carom_error error = {0};
    assert_true(carom_sparse_take(arena, 6, 6, 2, row, column, value, &local.W));
    assert_int_equal(carom_coulomb_embed(&local, arena, &problem, &error), CAROM_OK);
    assert_int_equal(problem.W.row_start[2], 2);
    carom_arena_free(arena);
}

static void says_that_equations_are_redundant(void **state)
{
    (void)state;
    carom_random random = {4};
    sample made;
    carom_coulomb problem;
    carom_error error = {0};
    make_sample(&random, 3, 2, 3, &made);
    carom_arena_free(made.arena);
    for (int i = 0; i < 3; i++)
        *dense_at(&made.R, i, 2) = *dense_at(&made.R, i, 0) / 3.0;
    finish(&made, 3, 2);
    assert_int_equal(carom_coulomb_embed(&made.local, made.arena, &problem, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "redundant bilateral constraints"));
    carom_arena_free(made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_formulas),
        cmocka_unit_test(the_plane_stays_a_plane),
        cmocka_unit_test(stored_zeros_are_dropped),
        cmocka_unit_test(says_that_equations_are_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
