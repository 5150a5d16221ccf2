#include "test/scheme/models.h"

#include "scheme/parts/normal_lcp.h"

static void fill(normal_lcp *lcp, int size, const double *matrix, const double *vector, double scale)
{
    lcp->size = size;
    for (int i = 0; i < size * size; i++)
        lcp->matrix[i] = matrix[i];
    for (int i = 0; i < size; i++) {
        lcp->vector[i] = scale * vector[i];
        lcp->z[i] = 0.0;
    }
}

/* z = (1, 0, 2) with w = (0, 3, 0), at three scales of velocity; every solver finds it to full accuracy. */
static void solutions_at_any_scale(void **unused)
{
    (void)unused;
    const double matrix[9] = {4, 1, 1, 1, 3, 0.5, 1, 0.5, 2};
    const double vector[3] = {-6.0, 1.0, -5.0}, z[3] = {1.0, 0.0, 2.0};
    const carom_solver_ops *solvers[] = {NULL, &carom_lcp_active_set, &carom_lcp_gauss_seidel,
                                         &carom_lcp_lemke};
    carom_arena *arena = carom_arena_create();
    normal_lcp lcp;
    assert_true(normal_lcp_take(&lcp, arena, 3));
    for (int s = 0; s < 4; s++) {
        if (solvers[s])
            assert_int_equal(
                carom_solver_create(solvers[s], &(carom_problem_shape){.size = 3}, NULL, &lcp.solver, NULL),
                CAROM_OK);
        for (int k = -1; k <= 1; k++) {
            double scale = pow(10.0, 9 * k);
            fill(&lcp, 3, matrix, vector, scale);
            carom_solve_report report = normal_lcp_solve(&lcp);
            assert_int_equal(report.status, CAROM_OK);
            for (int i = 0; i < 3; i++)
                assert_near(lcp.z[i] / scale, z[i], 1e-11);
        }
        normal_lcp_free(&lcp);
    }
    carom_arena_free(arena);
}

static void small_and_open_problems(void **unused)
{
    (void)unused;
    carom_arena *arena = carom_arena_create();
    normal_lcp lcp;
    assert_true(normal_lcp_take(&lcp, arena, 2));
    fill(&lcp, 1, (double[]){4.0}, (double[]){-2.0}, 1.0);
    assert_int_equal(normal_lcp_solve(&lcp).status, CAROM_OK);
    assert_near(lcp.z[0], 0.5, 0.0);
    fill(&lcp, 1, (double[]){4.0}, (double[]){2.0}, 1.0);
    normal_lcp_solve(&lcp);
    assert_near(lcp.z[0], 0.0, 0.0);
    fill(&lcp, 2, (double[]){1, 0, 0, 1}, (double[]){0.0, 3.0}, 1.0);
    lcp.z[0] = 5.0;
    assert_int_equal(normal_lcp_solve(&lcp).status, CAROM_OK);
    assert_near(lcp.z[0], 0.0, 0.0);
    carom_arena_free(arena);
}

/* The same wall twice: the impulses are not unique, their sum is. */
static void dependent_rows(void **unused)
{
    (void)unused;
    const double matrix[9] = {2, 2, 2, 2, 2, 2, 2, 2, 2}, vector[3] = {-3.0, -3.0, -3.0};
    carom_arena *arena = carom_arena_create();
    normal_lcp lcp;
    assert_true(normal_lcp_take(&lcp, arena, 3));
    fill(&lcp, 3, matrix, vector, 1.0);
    assert_int_equal(normal_lcp_solve(&lcp).status, CAROM_OK);
    assert_near(lcp.z[0] + lcp.z[1] + lcp.z[2], 1.5, 1e-14);
    fill(&lcp, 2, matrix, vector, 1.0);
    assert_int_equal(normal_lcp_solve(&lcp).status, CAROM_OK);
    assert_near(lcp.z[0] + lcp.z[1], 1.5, 1e-14);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_at_any_scale),
        cmocka_unit_test(small_and_open_problems),
        cmocka_unit_test(dependent_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
