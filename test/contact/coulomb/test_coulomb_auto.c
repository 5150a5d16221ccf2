/* The default solver: everything that has a solution is solved, and what is not is said not to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula_problems.h"
#include "solve_with.h"

enum {
    CONTACTS_MAX = 30,
    SIZE_MAX_3 = 3 * CONTACTS_MAX
};

static carom_solve_report solve(const carom_coulomb *problem, double tolerance, double seconds, double *r)
{
    const carom_solver_options limits = {.tolerance = tolerance, .max_seconds = seconds};
    const carom_solve_report report = solve_with(&coulomb_solver_auto, problem, NULL, &limits, r);
    assert_true(report.error == carom_coulomb_error(problem, r));
    assert_true((report.word == CAROM_SOLVE_OK) == (report.error <= tolerance));
    return report;
}

/* A problem whose solution is chosen first: W = H^T H, r and u that obey the law, q = u - W r. */
typedef struct planned {
    carom_arena *arena;
    carom_coulomb problem;
    double r[SIZE_MAX_3], q[SIZE_MAX_3], mu[CONTACTS_MAX];
} planned;

static void plan_contact(carom_random *random, double mu, double *r, double *u)
{
    const double n = carom_random_uniform(random, 0.1, 2), angle = carom_random_uniform(random, 0, 6.3);
    const double c = cos(angle), s = sin(angle), kind = carom_random_uniform(random, 0, 3);
    memset(r, 0, 3 * sizeof *r);
    memset(u, 0, 3 * sizeof *u);
    if (kind < 1) { /* open */
        u[0] = n;
        u[1] = c;
        u[2] = s;
        return;
    }
    const double share = kind < 2 ? 1.0 : carom_random_uniform(random, 0, 0.95);
    r[0] = n;
    r[1] = share * mu * n * c;
    r[2] = share * mu * n * s;
    if (kind < 2) { /* slide */
        const double speed = carom_random_uniform(random, 0.1, 2);
        u[1] = -speed * c;
        u[2] = -speed * s;
    }
}

static void plan(carom_random *random, planned *p)
{
    const int nc = 1 + (int)carom_random_uniform(random, 0, CONTACTS_MAX - 1e-9), m = 3 * nc;
    const int n = 1 + (int)carom_random_uniform(random, m / 3.0, 1.5 * m); /* fewer than m: rank deficient */
    const double scale = pow(10.0, carom_random_uniform(random, -4, 4));
    double *H = malloc((size_t)(n * m) * sizeof *H), *W = malloc((size_t)(m * m) * sizeof *W), u[SIZE_MAX_3];
    int *row = malloc((size_t)(m * m) * sizeof *row), *column = malloc((size_t)(m * m) * sizeof *column);
    for (int i = 0; i < n * m; i++)
        H[i] = carom_random_uniform(random, -1, 1);
    for (int i = 0; i < m * m; i++) {
        row[i] = i / m;
        column[i] = i % m;
        W[i] = 0.0;
        for (int k = 0; k < n; k++)
            W[i] += scale * H[k * m + row[i]] * H[k * m + column[i]] / n;
    }
    p->arena = carom_arena_create();
    for (int a = 0; a < nc; a++) {
        p->mu[a] = carom_random_uniform(random, 0, 1) < 0.1 ? 0.0 : carom_random_uniform(random, 0, 2);
        plan_contact(random, p->mu[a], p->r + 3 * a, u + 3 * a);
        for (int k = 0; k < 3; k++)
            p->r[3 * a + k] /= scale;
    }
    for (int i = 0; i < m; i++)
        p->q[i] = u[i] - carom_dot(m, W + i * m, p->r);
    p->problem = (carom_coulomb){.contacts = nc, .q = p->q, .mu = p->mu};
    assert_true(carom_blocks_take(p->arena, nc, (size_t)(m * m), row, column, W, &p->problem.W));
    free(H);
    free(W);
    free(row);
    free(column);
}

static void problems_with_a_solution_are_solved(void **state)
{
    (void)state;
    enum {
        PROBLEMS = 1000
    };
    carom_random random = {2026};
    int unsolved = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        planned p;
        plan(&random, &p);
        assert_true(carom_coulomb_error(&p.problem, p.r) < 1e-10 * (1 + 1 / 1e-4));
        double r[SIZE_MAX_3] = {0};
        const carom_solve_report report = solve(&p.problem, 1e-8, 5, r);
        if (report.word != CAROM_SOLVE_OK) {
            unsolved++;
            print_message("problem %d: %d contacts, %s, error %g\n", k, p.problem.contacts,
                          carom_solve_word_text(report.word), report.error);
        }
        double d[SIZE_MAX_3];
        carom_coulomb_proof proof;
        assert_false(carom_coulomb_infeasible(&p.problem, 1e-8, d, &proof));
        carom_arena_free(p.arena);
    }
    assert_int_equal(unsolved, 0);
}

static void formula_problems_are_solved(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    for (int k = 0; k < 3; k++) {
        double r[SIZE_MAX_3] = {0};
        assert_int_equal(solve(&problem[k], 1e-10, 0, r).word, CAROM_SOLVE_OK);
        if (k == 0) { /* the only solution */
            assert_true(fabs(r[0] - 234.270373003) < 1e-5);
            assert_true(fabs(r[5] - 7.70404267235) < 1e-5);
        }
    }
    carom_arena_free(arena);
}

static void no_solution_is_not_called_one(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    double r[SIZE_MAX_3] = {0};
    const carom_solve_report report = solve(&problem, 1e-8, 1, r);
    assert_int_not_equal(report.word, CAROM_SOLVE_OK);
    assert_true(report.error > 0.1 && report.error < 10);
    carom_arena_free(arena);
}

/* Bodies squeezed from eight sides: normals in a space of three coordinates, all of which approach. The proof ends
 * it soon, without a limit of time. */
static void no_solution_is_proved_soon(void **state)
{
    (void)state;
    enum {
        CONTACTS = 8,
        SIZE = 3 * CONTACTS,
        COORDINATES = 3
    };
    carom_random random = {7};
    int proved = 0;
    for (int trial = 0; trial < 20; trial++) {
        double H[COORDINATES][SIZE], W[SIZE * SIZE] = {0}, q[SIZE], mu[CONTACTS], r[SIZE] = {0};
        int row[SIZE * SIZE], column[SIZE * SIZE];
        for (int i = 0; i < COORDINATES; i++)
            for (int j = 0; j < SIZE; j++)
                H[i][j] = carom_random_uniform(&random, -1, 1);
        for (int k = 0; k < SIZE * SIZE; k++) {
            row[k] = k / SIZE;
            column[k] = k % SIZE;
            for (int i = 0; i < COORDINATES; i++)
                W[k] += H[i][row[k]] * H[i][column[k]];
        }
        for (int j = 0; j < SIZE; j++)
            q[j] = j % 3 == 0 ? -carom_random_uniform(&random, 0.1, 1) : carom_random_uniform(&random, -1, 1);
        for (int i = 0; i < CONTACTS; i++)
            mu[i] = 0.3;
        carom_arena *arena = carom_arena_create();
        carom_coulomb problem = {.contacts = CONTACTS, .q = q, .mu = mu};
        assert_true(carom_blocks_take(arena, CONTACTS, SIZE * SIZE, row, column, W, &problem.W));
        const double started = carom_seconds();
        const carom_solve_report report = solve(&problem, 1e-8, 0, r);
        if (report.word == CAROM_SOLVE_INFEASIBLE) {
            double d[SIZE];
            carom_coulomb_proof proof;
            assert_true(carom_seconds() - started < 5.0);
            assert_true(carom_coulomb_infeasible(&problem, 1e-8, d, &proof));
            assert_true(proof.least_error > 1e-8 && report.error >= proof.least_error);
            proved++;
        }
        carom_arena_free(arena);
    }
    assert_true(proved >= 10);
}

/* Nothing moves the contact and it approaches: whatever r is, however large. */
static void nothing_that_moves_is_infeasible(void **state)
{
    (void)state;
    static const int start[] = {0, 1}, column[] = {0}, diagonal[] = {0};
    const double W[9] = {0}, q[3] = {-1, 0, 0}, mu[1] = {0.3};
    const carom_coulomb problem = {1, {1, start, column, diagonal, W}, q, mu};
    for (double size = 1.0; size < 1e300; size *= 1e10) {
        double r[3] = {size, 0, 0};
        assert_true(solve(&problem, 1e-8, 0, r).word == CAROM_SOLVE_INFEASIBLE);
    }
}

/* Two copies of one problem and a contact that nothing closes: islands are solved apart, the open one is left
 * alone. */
static void islands_and_idle_contacts(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb one = formula_def15(arena);
    const int n = one.contacts, contacts = 2 * n + 1, m = 9 * n * n;
    int *row = carom_arena_take(arena, (size_t)(2 * m + 3), sizeof *row);
    int *column = carom_arena_take(arena, (size_t)(2 * m + 3), sizeof *column);
    double *value = carom_arena_take(arena, (size_t)(2 * m + 3), sizeof *value);
    double q[3 * CONTACTS_MAX], mu[CONTACTS_MAX], r[SIZE_MAX_3] = {0}, alone[SIZE_MAX_3] = {0};
    size_t count = 0;
    for (int copy = 0; copy < 2; copy++)
        for (int i = 0; i < n; i++)
            for (int k = one.W.row_start[i]; k < one.W.row_start[i + 1]; k++)
                for (int e = 0; e < 9; e++) {
                    /* the copies alternate: contact i of copy c is number 2 i + c */
                    row[count] = 3 * (2 * i + copy) + e / 3;
                    column[count] = 3 * (2 * one.W.column[k] + copy) + e % 3;
                    value[count++] = carom_block_at(&one.W, k)[e];
                }
    for (int k = 0; k < 3; k++) {
        row[count] = column[count] = 3 * (contacts - 1) + k;
        value[count++] = 1.0;
        q[3 * (contacts - 1) + k] = k == 0 ? 0.5 : -2.0;
    }
    for (int i = 0; i < 2 * n; i++) {
        mu[i] = one.mu[i / 2];
        memcpy(q + 3 * i, one.q + 3 * (i / 2), 3 * sizeof *q);
    }
    mu[contacts - 1] = 0.7;
    carom_coulomb all = {.contacts = contacts, .q = q, .mu = mu};
    assert_true(carom_blocks_take(arena, contacts, count, row, column, value, &all.W));
    r[3 * (contacts - 1)] = 1.0; /* a start that is not zero there */
    assert_int_equal(solve(&all, 1e-9, 0, r).word, CAROM_SOLVE_OK);
    assert_int_equal(solve(&one, 1e-9, 0, alone).word, CAROM_SOLVE_OK);
    for (int k = 0; k < 3; k++)
        assert_true(r[3 * (contacts - 1) + k] == 0.0);
    for (int i = 0; i < 3 * n; i++)
        for (int copy = 0; copy < 2; copy++)
            assert_true(fabs(r[3 * (2 * (i / 3) + copy) + i % 3] - alone[i]) < 1e-6);
    carom_arena_free(arena);
}

static void nothing_to_do(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem = formula_syn36(arena);
    const double zero[SIZE_MAX_3] = {0};
    double r[SIZE_MAX_3];
    for (int i = 0; i < SIZE_MAX_3; i++)
        r[i] = 1.0;
    problem.q = zero;
    assert_int_equal(solve(&problem, 1e-12, 0, r).word, CAROM_SOLVE_OK);
    for (int i = 0; i < 3 * problem.contacts; i++)
        assert_true(r[i] == 0.0);
    carom_arena_free(arena);
}

/* A number that is not finite, and a time that is over at once. */
static void what_cannot_be_done_is_said(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem = formula_syn36(arena);
    double q[SIZE_MAX_3] = {0}, r[SIZE_MAX_3] = {0};
    memcpy(q, problem.q, 3 * (size_t)problem.contacts * sizeof *q);
    const carom_solve_report late = solve(&problem, 1e-14, 1e-9, r);
    assert_true(late.word != CAROM_SOLVE_OK && late.error < 1.0);
    q[4] = NAN;
    problem.q = q;
    memset(r, 0, sizeof r);
    assert_int_not_equal(solve(&problem, 1e-8, 1, r).word, CAROM_SOLVE_OK);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formula_problems_are_solved), cmocka_unit_test(no_solution_is_not_called_one),
        cmocka_unit_test(no_solution_is_proved_soon),  cmocka_unit_test(nothing_that_moves_is_infeasible),
        cmocka_unit_test(islands_and_idle_contacts),   cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(what_cannot_be_done_is_said), cmocka_unit_test(problems_with_a_solution_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
