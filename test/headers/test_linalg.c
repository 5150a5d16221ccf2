/* linalg and contact: zeroed matrices and problems, options that are left out. */
#include "zeroed.h"

#include "carom/contact.h"
#include "carom/contact/bipotential.h"

static void empty_matrices(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_sparse_factor *factor = NULL;
    WORKS(carom_sparse_factor_create(ZERO(carom_sparse), &factor, &error));
    WORKS(carom_sparse_factor_again(factor, NULL, &error));
    carom_sparse_solve(factor, NULL);
    carom_sparse_factor_free(factor);
    carom_sparse_factor_free(NULL);
    REFUSES(carom_sparse_factor_create((&(carom_sparse){.rows = 2, .columns = 2}), &factor, &error));
    REFUSES(carom_sparse_factor_create((&(carom_sparse){.rows = 2}), &factor, &error));
    assert_null(factor);

    carom_sparse sparse;
    carom_blocks blocks;
    carom_band band;
    carom_narrow narrow;
    double value = 0.0;
    assert_true(carom_sparse_take(arena, 0, 0, 0, NULL, NULL, NULL, &sparse));
    assert_true(carom_blocks_take(arena, 0, 0, NULL, NULL, NULL, &blocks));
    assert_true(carom_band_take(arena, 0, 0, &band));
    assert_true(carom_narrow_take(arena, 0, 0, &narrow));
    carom_sparse_add(ZERO(carom_sparse), NULL, NULL);
    carom_sparse_add_transposed(ZERO(carom_sparse), NULL, NULL);
    carom_blocks_multiply(ZERO(carom_blocks), NULL, NULL, NULL);
    carom_band_multiply(ZERO(carom_band), NULL, NULL);
    assert_int_equal(carom_band_factor(ZERO(carom_band)), 0);
    assert_int_equal(carom_narrow_factor(ZERO(carom_narrow)), 0);
    assert_int_equal(carom_narrow_order(ZERO(carom_sparse), NULL), 0);
    REFUSES(carom_band_eigenvalue(ZERO(carom_band), ZERO(carom_band), 0, &value, NULL, &error));
    REFUSES(carom_band_eigenvalue(ZERO(carom_band), ZERO(carom_band), 1, &value, NULL, &error));
    carom_arena_free(arena);
}

/* A problem without contacts is solved by every solver; the error of nothing is zero. */
static void empty_problems(void **state)
{
    (void)state;
    double none[3] = {0};
    assert_true(carom_lcp_error(ZERO(carom_lcp), none) == 0.0);
    assert_true(carom_friction_problem_error(ZERO(carom_friction_problem), none) == 0.0);
    assert_true(carom_coulomb_error(ZERO(carom_coulomb), none) == 0.0);
    assert_int_equal(carom_coulomb_shape(ZERO(carom_coulomb)).blocks, 0);
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++) {
        carom_solve_report report;
        WORKS(carom_coulomb_solve(carom_solver_at(CAROM_PROBLEM_COULOMB, i), ZERO(carom_coulomb),
                                  ZERO(carom_solver_options), none, &report, &error));
        assert_int_equal(report.status, CAROM_OK);
    }
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_LCP); i++) {
        carom_solver *solver = NULL;
        WORKS(carom_solver_create(carom_solver_at(CAROM_PROBLEM_LCP, i), ZERO(carom_problem_shape),
                                  ZERO(carom_solver_options), &solver, &error));
        assert_int_equal(carom_solver_lcp(solver, ZERO(carom_lcp), none).status, CAROM_OK);
        carom_solver_free(solver);
    }
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_QP); i++) {
        carom_solver *solver = NULL;
        REFUSES(carom_solver_create(carom_solver_at(CAROM_PROBLEM_QP, i), ZERO(carom_problem_shape), NULL,
                                    &solver, &error));
        REFUSES(carom_solver_create(carom_solver_at(CAROM_PROBLEM_QP, i),
                                    (&(carom_problem_shape){.qp = ZERO(carom_qp)}), NULL, &solver, &error));
    }
    REFUSES(carom_solver_register(ZERO(carom_solver_ops), &error));
}

/* One contact that is pushed together and slides: zeros, nothing and the defaults are the same. */
static void options_of_uzawa(void **state)
{
    (void)state;
    const int start[] = {0, 1}, column[] = {0}, diagonal[] = {0};
    const double block[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, 2, 0}, mu[] = {0.5, 0.5};
    carom_elliptic_cone cone;
    WORKS(carom_elliptic_cone_make(mu, NULL, &cone, &error));
    const carom_elliptic_problem problem = {
        .contacts = 1, .W = {1, start, column, diagonal, block}, .q = q, .cone = &cone};
    const carom_uzawa_options defaults = carom_uzawa_defaults();
    const carom_uzawa_options *const options[] = {&defaults, ZERO(carom_uzawa_options), NULL};
    double r[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        WORKS(carom_uzawa_solve(&problem, options[k], r[k], &error).status);
        assert_memory_equal(r[k], r[0], sizeof r[0]);
    }
    assert_true(r[0][0] > 0.99 && r[0][1] < -0.49);
    WORKS(carom_elliptic_problem_check(ZERO(carom_elliptic_problem), false, &error));
    WORKS(carom_uzawa_solve(ZERO(carom_elliptic_problem), NULL, r[0], &error).status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_matrices),
        cmocka_unit_test(empty_problems),
        cmocka_unit_test(options_of_uzawa),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
