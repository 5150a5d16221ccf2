/* Large global problems without W agree with the reduced ones, and with closed values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/large/large_problem.h"
#include "contact/coulomb/global/velocity_newton.h"
#include "contact/coulomb/parts/contact_maps.h"
#include "test/contact/coulomb/solve_with.h"
#include "test/near.h"

static carom_fclib *make_block(elastic_block block)
{
    carom_fclib *problem;
    carom_error error = {0};
    assert_int_equal(elastic_block_make(&block, &problem, &error), CAROM_OK);
    return problem;
}

/* ---- the elimination of reactions -------------------------------------------------------------------------------- */

/* Steps (du, dr) with dr = -g - D du obey the linearised law A (du + dr / alpha) + B dr = -G. */
static void test_elimination_obeys_the_law(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int trial = 0; trial < 300; trial++) {
        const double mu = carom_random_uniform(&random, 0.0, 1.5),
                     alpha = exp(carom_random_uniform(&random, -3.0, 9.0));
        const coulomb_rho rho = {carom_random_uniform(&random, 0.1, 2.0),
                                 carom_random_uniform(&random, 0.1, 2.0)};
        double u[3], r[3], du[3], G[3], A[9], B[9], D[9], g[3];
        for (int k = 0; k < 3; k++) {
            u[k] = carom_random_uniform(&random, -1.0, 1.0);
            r[k] = carom_random_uniform(&random, -1.0, 1.0);
            du[k] = carom_random_uniform(&random, -1.0, 1.0);
        }
        coulomb_alart_curnier(mu, rho, u, r, G, A, B);
        coulomb_eliminate_reaction(alpha, G, A, B, D, g);
        double dr[3], scale = 1.0;
        for (int i = 0; i < 3; i++) {
            dr[i] = -g[i] - carom_dot(3, D + 3 * (ptrdiff_t)i, du);
            scale = fmax(scale, fabs(dr[i]) + fabs(g[i]));
        }
        for (int i = 0; i < 3; i++) {
            double sum = G[i];
            for (int j = 0; j < 3; j++)
                sum += A[3 * i + j] * (du[j] + dr[j] / alpha) + B[3 * i + j] * dr[j];
            assert_true(fabs(sum) <= 1e-11 * scale);
        }
    }
}

/* ---- matrix and motions ------------------------------------------------------------------------------------------ */

/* (M + H D H^T) x of the factored matrix is what it is by multiplication. */
static void test_system_solves(void **state)
{
    (void)state;
    carom_fclib *problem = make_block(elastic_block_of(9, 8, 4));
    const carom_coulomb_global *global = &problem->global;
    const int n = global->M.columns, m = 3 * global->contacts;
    double *D = calloc(9 * (size_t)global->contacts, sizeof *D), *x = calloc((size_t)n, sizeof *x);
    double *b = calloc((size_t)n, sizeof *b), *u = calloc((size_t)m, sizeof *u),
           *Du = calloc((size_t)m, sizeof *Du);
    carom_random random = {9};
    for (int k = 0; k < 9 * global->contacts; k++) /* not symmetric, the diagonal large */
        D[k] = carom_random_uniform(&random, -1.0, 1.0) + (k % 9 % 4 == 0 ? 5.0 : 0.0);
    for (int k = 0; k < n; k++)
        x[k] = carom_random_uniform(&random, -1.0, 1.0);
    carom_sparse_add(&global->M, x, b);
    carom_sparse_add_transposed(&global->H, x, u);
    for (int k = 0; k < m; k++)
        Du[k] = carom_dot(3, D + 9 * (ptrdiff_t)(k / 3) + 3 * (ptrdiff_t)(k % 3), u + k / 3 * 3);
    carom_sparse_add(&global->H, Du, b);
    coulomb_velocity_system *system = coulomb_velocity_system_create(global);
    assert_non_null(system);
    assert_true(coulomb_velocity_system_factor(system, D));
    coulomb_velocity_system_solve(system, b);
    for (int k = 0; k < n; k++)
        assert_true(fabs(b[k] - x[k]) <= 1e-10);
    coulomb_velocity_system_free(system);
    free(D);
    free(x);
    free(b);
    free(u);
    free(Du);
    carom_fclib_free(problem);
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

/* By the whole and by W: the same velocities, certified by the error of the reduced problem. */
static void compare(carom_fclib *content)
{
    const carom_coulomb_global *global = &content->global;
    const int n = global->M.columns, d = global->dimension, contacts = global->contacts;
    const carom_solver_options limits = {.tolerance = 1e-10};
    double *v = calloc((size_t)n, sizeof *v), *r = calloc((size_t)(d * contacts), sizeof *r);
    double *three = calloc(3 * (size_t)contacts, sizeof *three),
           *other = calloc(3 * (size_t)contacts, sizeof *other);
    double *u = calloc(3 * (size_t)contacts, sizeof *u), *own = calloc(3 * (size_t)contacts, sizeof *own);
    carom_solve_report report;
    carom_error error = {0};
    assert_true(coulomb_velocity_system_suits(global));
    assert_int_equal(carom_coulomb_solve_global(global, &limits, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(report.iterations <= 25);
    carom_arena *arena = carom_arena_create();
    carom_coulomb reduced;
    assert_int_equal(carom_coulomb_reduce(global, arena, &reduced, &error), CAROM_OK);
    for (int k = 0; k < 3 * contacts; k++)
        three[k] = k % 3 < d ? r[k / 3 * d + k % 3] : 0.0;
    near_at("error", carom_coulomb_error(&reduced, three), report.error, 1e-12, __FILE__, __LINE__);
    assert_int_equal(solve_with(&coulomb_solver_auto, &reduced, NULL, &limits, other).word, CAROM_SOLVE_OK);
    carom_coulomb_summary summary, expected;
    carom_coulomb_summarise(&reduced, three, own, NULL, &summary);
    carom_coulomb_summarise(&reduced, other, u, NULL, &expected);
    for (int k = 0; k < 3 * contacts; k++)
        assert_true(fabs(own[k] - u[k]) <= 1e-7 * expected.q_norm);
    near_at("energy", summary.energy, expected.energy, 1e-8 * fabs(expected.energy), __FILE__, __LINE__);
    assert_true(summary.dissipation <= 0.0);
    /* a warm start is a solution already */
    assert_int_equal(carom_coulomb_solve_global(global, &limits, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_int_equal(report.iterations, 0);
    carom_arena_free(arena);
    free(v);
    free(r);
    free(three);
    free(other);
    free(u);
    free(own);
    carom_fclib_free(content);
}

static void test_blocks(void **state)
{
    (void)state;
    const double friction[] = {0.0, 0.2, 0.5, 1.0};
    for (int i = 0; i < 4; i++) {
        elastic_block block = elastic_block_of(12, 11, 4);
        block.friction = friction[i];
        compare(make_block(block));
    }
}

static void test_grid(void **state)
{
    (void)state;
    carom_fclib *problem;
    carom_error error = {0};
    assert_int_equal(beam_grid_make(&(beam_grid){17, 15, 0.4}, &problem, &error), CAROM_OK);
    compare(problem);
}

/* A string of masses in the plane, held at every mass, over 40 stops: two numbers per contact, velocities no multiple of three. */
static void test_plane(void **state)
{
    (void)state;
    enum {
        MASSES = 800,
        STOPS = 40
    };
    carom_arena *arena = carom_arena_create();
    carom_coulomb_global sizes = {.dimension = 2,
                                  .contacts = STOPS,
                                  .M = {.rows = 2 * MASSES, .columns = 2 * MASSES},
                                  .H = {.rows = 2 * MASSES, .columns = 2 * STOPS}};
    double *f = carom_arena_take(arena, 2 * MASSES, sizeof *f),
           *w = carom_arena_take(arena, 2 * STOPS, sizeof *w);
    double *mu = carom_arena_take(arena, STOPS, sizeof *mu);
    large_entries M = {0}, H = {0};
    for (int i = 0; i < 2 * MASSES; i++) {
        large_entries_put(&M, i, i, i % 2 == 0 ? 2.5 : 2.1);
        f[i] = i % 2 == 0 ? sin(0.1 * i) : -1.0 + 0.5 * cos(0.3 * i);
        for (int side = -2; side <= 2; side += 4)
            if (i + side >= 0 && i + side < 2 * MASSES)
                large_entries_put(&M, i, i + side, -1.0);
    }
    for (int c = 0; c < STOPS; c++) {
        large_entries_put(&H, 2 * (17 * c + 3) + 1, 2 * c, 1.0);
        large_entries_put(&H, 2 * (17 * c + 3), 2 * c + 1, 1.0);
        w[2 * c] = 0.1 * cos(c);
        mu[c] = 0.3;
    }
    sizes.f = f;
    sizes.w = w;
    sizes.mu = mu;
    carom_fclib *problem;
    carom_error error = {0};
    assert_int_equal(large_problem_finish(arena, &sizes, &M, &H, "string", &problem, &error), CAROM_OK);
    large_entries_free(&M);
    large_entries_free(&H);
    compare(problem);
}

/* Pressed flat without friction and without Poisson's number the block is a column: reactions carry E A press / height. */
static void test_column(void **state)
{
    (void)state;
    elastic_block block = elastic_block_of(12, 12, 4);
    block.poisson = block.crown = block.drag = block.friction = 0.0;
    carom_fclib *problem = make_block(block);
    const int n = problem->global.M.columns, m = 3 * problem->global.contacts;
    double *v = calloc((size_t)n, sizeof *v), *r = calloc((size_t)m, sizeof *r), sum = 0.0;
    carom_solve_report report;
    carom_error error = {0};
    assert_int_equal(carom_coulomb_solve_global(&problem->global, &(carom_solver_options){.tolerance = 1e-12},
                                                v, r, &report, &error),
                     CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    for (int k = 0; k < m; k += 3)
        sum += r[k];
    near_at("force", sum, block.young * block.press / block.height, 1e-9, __FILE__, __LINE__);
    /* uniform stress: a corner has a quarter of what a node inside has */
    const int inside = 3 * (5 * block.ny + 5);
    near_at("corner", r[0], r[inside] / 4, 1e-10, __FILE__, __LINE__);
    free(v);
    free(r);
    carom_fclib_free(problem);
}

/* What M is not, without exchanges: the way with exchanges is taken, or the error says what is wrong. */
static void test_singular_mass(void **state)
{
    (void)state;
    carom_fclib *problem = make_block(elastic_block_of(12, 12, 4));
    double *value = malloc((size_t)carom_sparse_entries(&problem->global.M) * sizeof *value);
    memset(value, 0, (size_t)carom_sparse_entries(&problem->global.M) * sizeof *value);
    problem->global.M.value = value;
    const int n = problem->global.M.columns, m = 3 * problem->global.contacts;
    double *v = calloc((size_t)n, sizeof *v), *r = calloc((size_t)m, sizeof *r);
    carom_solve_report report;
    carom_error error = {0};
    assert_int_equal(carom_coulomb_solve_global(&problem->global, NULL, v, r, &report, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "M is singular"));
    free(v);
    free(r);
    free(value);
    carom_fclib_free(problem);
}

/* ---- which way --------------------------------------------------------------------------------------------------- */

static void test_choice(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_fclib *problem = make_block(elastic_block_of(20, 20, 2));
    assert_true(carom_coulomb_prefers_global(&problem->global)); /* 400 contacts on one body */
    carom_fclib_free(problem);
    problem = make_block(elastic_block_of(12, 12, 4));
    assert_true(carom_coulomb_prefers_global(&problem->global)); /* 144 */
    carom_fclib_free(problem);
    problem = make_block(elastic_block_of(3, 3, 2));
    assert_false(
        carom_coulomb_prefers_global(&problem->global)); /* 9 contacts, 54 velocities: all is small */
    carom_fclib_free(problem);
    problem = make_block(elastic_block_of(3, 2, 8));
    assert_false(carom_coulomb_prefers_global(&problem->global)); /* 6 contacts: W is small */
    carom_fclib_free(problem);
    assert_int_equal(sphere_pile_make(&(sphere_pile){10, 10, 10, 0.3}, &problem, &error), CAROM_OK);
    assert_true(carom_coulomb_prefers_global(&problem->global)); /* rigid bodies in pairs */
    carom_fclib_free(problem);
    assert_int_equal(sphere_pile_make(&(sphere_pile){3, 3, 2, 0.3}, &problem, &error), CAROM_OK);
    assert_true(carom_coulomb_prefers_global(&problem->global)); /* few of them as well */
    carom_fclib_free(problem);
}

static void test_bad_blocks(void **state)
{
    (void)state;
    carom_fclib *problem;
    carom_error error = {0};
    elastic_block block = elastic_block_of(1, 3, 3);
    assert_int_equal(elastic_block_make(&block, &problem, &error), CAROM_BAD_INPUT);
    assert_null(problem);
    assert_int_equal(beam_grid_make(&(beam_grid){0, 3, 0.3}, &problem, &error), CAROM_BAD_INPUT);
    assert_int_equal(sphere_pile_make(&(sphere_pile){3, 3, 3, -0.3}, &problem, &error), CAROM_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elimination_obeys_the_law),
        cmocka_unit_test(test_system_solves),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_column),
        cmocka_unit_test(test_singular_mass),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_bad_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
