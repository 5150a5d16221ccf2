#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/sample_coulomb_matrices.h"

typedef struct sample {
    carom_arena *arena;
    dense M, H, G, f, w, b, mu;
    carom_coulomb_global global;
} sample;

static void finish(sample *made, int dimension, int contacts)
{
    made->arena = carom_arena_create();
    made->global = (carom_coulomb_global){.dimension = dimension,
                                          .contacts = contacts,
                                          .M = sparse_of(made->arena, &made->M),
                                          .H = sparse_of(made->arena, &made->H),
                                          .G = sparse_of(made->arena, &made->G),
                                          .f = made->f.entry,
                                          .w = made->w.entry,
                                          .b = made->b.entry,
                                          .mu = made->mu.entry};
}

/* M is not symmetric. Some columns of H are empty. */
static void make_sample(carom_random *random, int dimension, int contacts, int n, int p, sample *made)
{
    const int m = dimension * contacts;
    *made = (sample){.M = dense_random(random, n, n, 0.4, 4.0),
                     .H = dense_random(random, n, m, 0.3, 0.0),
                     .G = dense_random(random, n, p, 0.7, 1.0),
                     .f = dense_random(random, n, 1, 1.0, 0.0),
                     .w = dense_random(random, m, 1, 1.0, 0.0),
                     .b = dense_random(random, p, 1, 1.0, 0.0),
                     .mu = dense_random(random, contacts, 1, 1.0, 2.0)};
    for (int i = 0; m > 0 && i < n; i++)
        *dense_at(&made->H, i, i % m ? m - 1 : 0) = 0.0;
    finish(made, dimension, contacts);
}

/* W = H^T M^-1 H - V S^-1 V', q = H^T M^-1 f + w - V S^-1 s, S = G^T M^-1 G, s = G^T M^-1 f + b. */
static void dense_formulas(const sample *made, dense *W, dense *q)
{
    const dense Ht = dense_transposed(&made->H), Gt = dense_transposed(&made->G);
    const dense MH = dense_solved(&made->M, &made->H), Mf = dense_solved(&made->M, &made->f);
    *W = dense_product(&Ht, &MH);
    *q = dense_product(&Ht, &Mf);
    for (int i = 0; i < q->rows; i++)
        q->entry[i] += made->w.entry[i];
    if (made->G.columns == 0)
        return;
    const dense MG = dense_solved(&made->M, &made->G), S = dense_product(&Gt, &MG);
    const dense V = dense_product(&Ht, &MG), V_other = dense_product(&Gt, &MH);
    dense s = dense_product(&Gt, &Mf);
    for (int i = 0; i < s.rows; i++)
        s.entry[i] += made->b.entry[i];
    const dense SV = dense_solved(&S, &V_other), Ss = dense_solved(&S, &s);
    const dense correction = dense_product(&V, &SV), correction_q = dense_product(&V, &Ss);
    *W = dense_difference(W, &correction);
    *q = dense_difference(q, &correction_q);
}

static void agrees_with_dense_formulas(void **state)
{
    (void)state;
    carom_random random = {17};
    for (int time = 0; time < 300; time++) {
        const int dimension = 2 + time % 2, contacts = time % 5, p = time / 3 % 4, n = 5 + time % 13;
        sample made;
        dense W, q;
        carom_coulomb problem;
        carom_error error = {0};
        make_sample(&random, dimension, contacts, n, p, &made);
        dense_formulas(&made, &W, &q);
        assert_int_equal(carom_coulomb_reduce(&made.global, made.arena, &problem, &error), CAROM_OK);
        assert_int_equal(problem.contacts, contacts);
        expect_problem(&problem, dimension, &W, &q, 1e-12);
        for (int i = 0; i < contacts; i++)
            assert_true(problem.mu[i] == made.mu.entry[i] && problem.mu != made.mu.entry);
        carom_arena_free(made.arena);
    }
}

/* Bodies of three velocities, two of them joined by equations: columns of H that act on different ones are solved at once. */
static void bodies_agree_with_dense_formulas(void **state)
{
    (void)state;
    carom_random random = {23};
    for (int time = 0; time < 200; time++) {
        const int contacts = 1 + time % 5, bodies = 2 + time % 4, n = 3 * bodies, p = time % 3;
        sample made;
        dense W, q;
        carom_coulomb problem;
        carom_error error = {0};
        make_sample(&random, 3, contacts, n, p, &made);
        carom_arena_free(made.arena);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                if (i / 3 != j / 3)
                    *dense_at(&made.M, i, j) = 0.0;
            for (int j = 0; j < made.H.columns; j++) /* a contact acts on one body, or on two */
                if (i / 3 != j / 3 % bodies && i / 3 != (j / 3 + time / 7) % bodies)
                    *dense_at(&made.H, i, j) = 0.0;
            for (int j = 0; j < p; j++)
                if (i >= 6)
                    *dense_at(&made.G, i, j) = 0.0;
        }
        finish(&made, 3, contacts);
        dense_formulas(&made, &W, &q);
        assert_int_equal(carom_coulomb_reduce(&made.global, made.arena, &problem, &error), CAROM_OK);
        expect_problem(&problem, 3, &W, &q, 1e-11);
        carom_arena_free(made.arena);
    }
}

/* Contacts on bodies of their own do not couple: no blocks but those on the diagonal. */
static void zeros_are_dropped(void **state)
{
    (void)state;
    sample made = {.M = {6, 6, {0}},
                   .H = {6, 6, {0}},
                   .G = {6, 0, {0}},
                   .f = {6, 1, {0}},
                   .w = {6, 1, {0}},
                   .mu = {2, 1, {0}}};
    carom_coulomb problem;
    carom_error error = {0};
    for (int i = 0; i < 6; i++) {
        *dense_at(&made.M, i, i) = 2.0;
        *dense_at(&made.H, i, i) = 1.0;
    }
    finish(&made, 3, 2);
    assert_int_equal(carom_coulomb_reduce(&made.global, made.arena, &problem, &error), CAROM_OK);
    assert_int_equal(problem.W.row_start[2], 2);
    assert_true(problem.W.block[0] == 0.5 && problem.W.block[17] == 0.5 && problem.W.block[1] == 0.0);
    carom_arena_free(made.arena);
}

static void expect_failure(sample *made, int dimension, int contacts, const char *part)
{
    carom_coulomb problem;
    carom_error error = {0};
    carom_arena_free(made->arena);
    finish(made, dimension, contacts);
    assert_int_equal(carom_coulomb_reduce(&made->global, made->arena, &problem, &error), CAROM_FAILED);
    if (!strstr(error.text, part))
        fail_msg("'%s' lacks '%s'", error.text, part);
    carom_arena_free(made->arena);
}

static void says_that_m_is_singular(void **state)
{
    (void)state;
    carom_random random = {3};
    for (int p = 0; p <= 1; p++) {
        sample made;
        make_sample(&random, 3, 2, 8, p, &made);
        for (int j = 0; j < 8; j++)
            *dense_at(&made.M, 4, j) = *dense_at(&made.M, 5, j) = 0.0; /* one equation frees one at most */
        expect_failure(&made, 3, 2, "M is singular");
    }
}

/* An equation that is given twice, in other units. */
static void says_that_equations_are_redundant(void **state)
{
    (void)state;
    carom_random random = {4};
    for (int time = 0; time < 50; time++) {
        sample made;
        make_sample(&random, 3, 2, 8 + time % 8, 3, &made);
        for (int i = 0; i < made.G.rows; i++)
            *dense_at(&made.G, i, 2) = *dense_at(&made.G, i, 0) / 3.0;
        expect_failure(&made, 3, 2, "redundant bilateral constraints");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_dense_formulas),
        cmocka_unit_test(bodies_agree_with_dense_formulas),
        cmocka_unit_test(zeros_are_dropped),
        cmocka_unit_test(says_that_m_is_singular),
        cmocka_unit_test(says_that_equations_are_redundant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
