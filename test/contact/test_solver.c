/* Solvers as a program meets them that was written by somebody else: everything by the public header. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/contact.h"

/* ---- one after the other, all options at their defaults ---------------------------------------------- */

/* Two balls on each other on the floor, both falling with speed 1; then only the lower one. */
static void two_problems_by_one_solver(void **state)
{
    (void)state;
    const double W[] = {1, -1, -1, 2}, both[] = {-1, 0}, lower[] = {-1, 1}, expected[2][2] = {{2, 1}, {1, 0}};
    const carom_lcp problem[] = {{2, W, both}, {2, W, lower}};
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_LCP); s++) {
        carom_solver *solver = NULL;
        carom_error error;
        assert_int_equal(carom_solver_create(carom_solver_at(CAROM_PROBLEM_LCP, s),
                                             &(carom_problem_shape){.size = 2}, &(carom_solver_options){0},
                                             &solver, &error),
                         CAROM_OK);
        for (int k = 0; k < 2; k++) {
            double z[2] = {0};
            const carom_solve_report report = carom_solver_lcp(solver, &problem[k], z);
            assert_int_equal(report.status, CAROM_OK);
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            assert_true(report.error == carom_lcp_error(&problem[k], z) && report.error <= 1e-12);
            for (int i = 0; i < 2; i++)
                assert_true(fabs(z[i] - expected[k][i]) < 1e-10);
        }
        carom_solver_free(solver);
    }
}

static void one_contact_slides(void **state)
{
    (void)state;
    const carom_friction_contact contact = {.tangents = 1,
                                            .W = {{1, 0}, {0, 1}},
                                            .u_free = {-1, 3},
                                            .set = {.kind = CAROM_PLANAR_INTERVAL, .a = -0.5, .b = 0.5}};
    carom_solver *solver = NULL;
    carom_friction_result result;
    assert_int_equal(carom_solver_create(carom_solver_find(CAROM_PROBLEM_ONE_CONTACT, "one-contact", NULL),
                                         NULL, NULL, &solver, NULL),
                     CAROM_OK);
    const carom_solve_report report = carom_solver_one_contact(solver, &contact, &result, NULL);
    assert_int_equal(report.status, CAROM_OK);
    assert_true(result.impulse[0] == 1.0 && result.impulse[1] == -0.5);
    assert_int_equal(result.regime, CAROM_CONTACT_SLIP);
    carom_solver_free(solver);
}

/* min 1/2 (x - 2)^2 with x <= 1, and again with other bounds. */
static void bounds_are_read_anew(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_band A;
    assert_true(carom_band_take(arena, 1, 0, &A));
    A.entry[0] = 1.0;
    const int row_start[] = {0, 1}, column[] = {0};
    const double entry = 1.0, none = -INFINITY, f = 2.0, bound[] = {1.0, 3.0}, expected[] = {1.0, 2.0};
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_QP); s++) {
        carom_qp program = {1, &A, 1, row_start, column, &entry, &none, &bound[0], &f, 0.0};
        carom_solver *solver = NULL;
        assert_int_equal(carom_solver_create(carom_solver_at(CAROM_PROBLEM_QP, s),
                                             &(carom_problem_shape){.qp = &program}, NULL, &solver, NULL),
                         CAROM_OK);
        for (int k = 0; k < 2; k++) {
            double x, r;
            program.upper = &bound[k];
            const carom_solve_report report = carom_solver_qp(solver, &program, &x, &r);
            assert_int_equal(report.status, CAROM_OK);
            assert_int_equal(report.active, k == 0);
            assert_true(fabs(x - expected[k]) < 1e-12);
        }
        carom_solver_free(solver);
    }
    carom_arena_free(arena);
}

/* ---- a solver of one's own --------------------------------------------------------------------------- */

/* Jacobi's iteration, with a relaxation as its option: for matrices whose diagonal dominates. */
static const carom_option_info jacobi_options[] = {
    {"relaxation", 0.8, 0.01, 1.0, NULL, "part of the correction that is taken", NULL}};

static size_t jacobi_work_size(const carom_problem_shape *shape)
{
    return (size_t)shape->size;
}

static void jacobi_solve(carom_solver *self, const carom_lcp *problem, double *z, carom_solve_report *report)
{
    const int n = problem->size;
    double *next = self->work;
    do {
        for (int i = 0; i < n; i++) {
            const double w = carom_dot(n, problem->matrix + (ptrdiff_t)i * n, z) + problem->vector[i];
            next[i] = fmax(0.0, z[i] - self->option[0] * w / problem->matrix[i * n + i]);
        }
        memcpy(z, next, (size_t)n * sizeof *z);
        report->error = carom_lcp_error(problem, z);
        report->iterations++;
    } while (report->error > self->limits.tolerance && report->iterations < self->limits.max_iterations);
    report->word = report->error <= self->limits.tolerance ? CAROM_SOLVE_OK : CAROM_SOLVE_ITERATIONS;
}

static const carom_solver_ops jacobi = {
    .name = "jacobi",
    .summary = "all rows at once, relaxed",
    .kind = CAROM_PROBLEM_LCP,
    .options = jacobi_options,
    .option_count = 1,
    .tolerance = 1e-12,
    .max_iterations = 1000,
    .work_size = jacobi_work_size,
    .solve.lcp = jacobi_solve,
};

static void own_solvers_are_found_and_used(void **state)
{
    (void)state;
    const double W[] = {2, -1, -1, 2}, q[] = {-1, -1};
    const carom_lcp problem = {2, W, q};
    carom_error error;
    assert_int_equal(carom_solver_register(&jacobi, &error), CAROM_OK);
    assert_int_equal(carom_solver_register(&jacobi, &error), CAROM_BAD_INPUT);
    const carom_solver_ops *found = carom_solver_find(CAROM_PROBLEM_LCP, "jacobi", &error);
    assert_ptr_equal(found, &jacobi);
    int iterations[2];
    for (int k = 0; k < 2; k++) {
        const carom_option option[] = {{"relaxation", k ? 0.4 : 0.8, NULL}, {0}};
        carom_solver *solver = NULL;
        double z[2] = {0};
        assert_int_equal(
            carom_solver_create(found, NULL, &(carom_solver_options){.option = option}, &solver, &error),
            CAROM_OK);
        const carom_solve_report report =
            carom_solver_lcp(solver, &problem, z); /* takes memory: no shape was given */
        assert_int_equal(report.status, CAROM_OK);
        assert_true(fabs(z[0] - 1.0) < 1e-10 && fabs(z[1] - 1.0) < 1e-10);
        iterations[k] = report.iterations;
        carom_solver_free(solver);
    }
    assert_true(iterations[1] > iterations[0]);
}

/* ---- what is wrong is told --------------------------------------------------------------------------- */

static void creation_refuses(const carom_solver_ops *ops, const carom_problem_shape *shape,
                             const carom_solver_options *options, const char *text)
{
    carom_solver *solver = NULL;
    carom_error error = {0};
    assert_int_equal(carom_solver_create(ops, shape, options, &solver, &error), CAROM_BAD_INPUT);
    assert_null(solver);
    if (!strstr(error.text, text))
        fail_msg("'%s' is not in: %s", text, error.text);
}

/* x <= 1 in three coordinates. A column A^-1 D_i^T takes 24 bytes, and one more than there are active rows is needed
 * as long as there is not one for every row; the banded system would take 96. */
static void memory_for_active_rows(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_band A;
    assert_true(carom_band_take(arena, 3, 1, &A));
    for (int i = 0; i < 3; i++)
        *carom_band_at(&A, i, i) = 1.0;
    const int row_start[] = {0, 1, 2, 3}, column[] = {0, 1, 2};
    const double entry[] = {1, 1, 1}, lower[] = {0, 0, 0}, upper[] = {1, 1, 1}, one[] = {2, 0.5, 0.5},
                 all[] = {2, 2, 2};
    carom_qp program = {3, &A, 3, row_start, column, entry, lower, upper, one, 0.0};
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_QP); s++) {
        const carom_solver_ops *ops = carom_solver_at(CAROM_PROBLEM_QP, s);
        const double bytes[] = {0.0, 47.0, 48.0, 96.0};
        for (int k = 0; k < 4; k++) {
            const carom_option cache[] = {{"cache_bytes", bytes[k], NULL}, {0}};
            carom_error error = {0};
            carom_solver *solver = NULL;
            const carom_status status =
                carom_solver_create(ops, &(carom_problem_shape){.qp = &program},
                                    &(carom_solver_options){.option = cache}, &solver, &error);
            assert_int_equal(status, k < 2 ? CAROM_BAD_INPUT : CAROM_OK);
            if (k < 2) {
                assert_null(solver);
                assert_non_null(strstr(error.text, "give at least 48"));
                continue;
            }
            double x[3], r[3];
            program.vector = one;
            assert_int_equal(carom_solver_qp(solver, &program, x, r).status, CAROM_OK);
            assert_true(x[0] == 1.0 && x[1] == 0.5 && r[0] == -1.0 && r[1] == 0.0);
            program.vector = all;
            assert_int_equal(carom_solver_qp(solver, &program, x, r).word,
                             k == 2 ? CAROM_SOLVE_MEMORY : CAROM_SOLVE_OK);
            carom_solver_free(solver);
        }
    }
    carom_arena_free(arena);
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    const carom_solver_ops *newton = carom_solver_find(CAROM_PROBLEM_COULOMB, "newton", NULL);
    const carom_option unknown[] = {{"serch", 0.0, "gp"}, {0}}, wrong[] = {{"search", 0.0, "golden"}, {0}};
    creation_refuses(NULL, NULL, NULL, "no solver");
    creation_refuses(&carom_lcp_lemke, &(carom_problem_shape){.size = -2}, NULL, "-2");
    creation_refuses(&carom_lcp_closed_form, &(carom_problem_shape){.size = 3}, NULL, "up to size 2");
    creation_refuses(&carom_lcp_lemke, &(carom_problem_shape){.kind = CAROM_PROBLEM_STEP}, NULL, "'lcp'");
    creation_refuses(&carom_qp_dual, NULL, NULL, "matrix and the rows");
    creation_refuses(&carom_lcp_lemke, NULL, &(carom_solver_options){.tolerance = -1.0}, "tolerance -1");
    creation_refuses(&carom_lcp_lemke, NULL, &(carom_solver_options){.max_iterations = -1},
                     "max_iterations -1");
    creation_refuses(newton, NULL, &(carom_solver_options){.option = unknown}, "did you mean 'search'?");
    creation_refuses(newton, NULL, &(carom_solver_options){.option = wrong}, "golden");
    creation_refuses(newton, &(carom_problem_shape){.size = 100000}, NULL, "100000 contacts");
    carom_solver_free(NULL);
}

static void too_large_a_problem_is_refused(void **state)
{
    (void)state;
    const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {-1, -1, -1};
    double z[3] = {0};
    carom_solver *solver = NULL;
    assert_int_equal(carom_solver_create(&carom_lcp_closed_form, NULL, NULL, &solver, NULL), CAROM_OK);
    const carom_solve_report report = carom_solver_lcp(solver, &(carom_lcp){3, W, q}, z);
    assert_int_equal(report.status, CAROM_BAD_INPUT);
    assert_int_equal(report.word, CAROM_SOLVE_REFUSED);
    assert_true(report.error > 0.0);
    carom_solver_free(solver);
}

/* Reports of the way there, and limits. */
static void count_report(void *context, int iteration, double error, double seconds)
{
    int *count = context;
    assert_true(iteration >= 0 && error >= 0.0 && seconds >= 0.0);
    ++*count;
}

static const int pair_start[] = {0, 2, 4}, pair_column[] = {0, 1, 0, 1}, pair_diagonal[] = {0, 3};
static const double pair_block[36] = {1,  0, 0, 0, 1,  0, 0, 0, 1,  .9, 0, 0, 0, .9, 0, 0, 0, .9,
                                      .9, 0, 0, 0, .9, 0, 0, 0, .9, 1,  0, 0, 0, 1,  0, 0, 0, 1};
static const double pair_q[] = {-1, .5, 0, -1, -.5, .2}, pair_mu[] = {.3, .3};
static const carom_coulomb pair = {
    2, {2, pair_start, pair_column, pair_diagonal, pair_block}, pair_q, pair_mu};

static void limits_and_reports(void **state)
{
    (void)state;
    const carom_solver_ops *nsgs = carom_solver_find(CAROM_PROBLEM_COULOMB, "NSGS-exact", NULL);
    double r[6] = {0};
    int count = 0;
    carom_solve_report report;
    const carom_solver_options few = {.max_iterations = 2, .report = count_report, .context = &count};
    assert_int_equal(carom_coulomb_solve(nsgs, &pair, &few, r, &report, NULL), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_int_equal(report.status, CAROM_FAILED);
    assert_int_equal(report.iterations, 2);
    assert_int_equal(report.failed_contact, -1);
    assert_true(count >= 2);
    assert_int_equal(carom_coulomb_solve(nsgs, &pair, NULL, r, &report, NULL), CAROM_OK);
    assert_int_equal(report.status, CAROM_OK);
    assert_true(report.error == carom_coulomb_error(&pair, r) && report.error <= 1e-8);
    assert_int_equal(carom_coulomb_solve(NULL, &pair, NULL, r, &report, NULL), CAROM_BAD_INPUT);
}

/* Goes on while the count is above zero. */
static bool count_down(void *context, double done, double total)
{
    int *left = context;
    assert_true(done >= 0.0 && total > 0.0 && total <= 60.0); /* what a stage has left */
    return (*left)-- > 0;
}

/* Asked to stop at once or a little later, every solver ends with the best reactions that it had. */
static void the_end_can_be_asked_for(void **state)
{
    (void)state;
    size_t stopped = 0;
    for (size_t s = 0; s < carom_solver_count(CAROM_PROBLEM_COULOMB); s++)
        for (int patience = 0; patience < 3; patience++) {
            const carom_solver_ops *ops = carom_solver_at(CAROM_PROBLEM_COULOMB, s);
            double r[6] = {0};
            int left = patience;
            carom_solve_report report;
            const carom_solver_options limits = {
                .tolerance = 1e-15, .max_seconds = 60.0, .progress = {count_down, &left}};
            assert_int_equal(carom_coulomb_solve(ops, &pair, &limits, r, &report, NULL), CAROM_OK);
            assert_true(report.error == carom_coulomb_error(&pair, r));
            if (patience == 0)
                assert_true(report.iterations <= 1);
            if (report.word != CAROM_SOLVE_INTERRUPTED)
                continue;
            assert_int_equal(report.status, CAROM_INTERRUPTED);
            assert_true(left < 0);
            stopped += patience == 0;
        }
    assert_true(stopped == carom_solver_count(CAROM_PROBLEM_COULOMB));
    assert_string_equal(carom_solve_word_text(CAROM_SOLVE_INTERRUPTED), "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_problems_by_one_solver), cmocka_unit_test(one_contact_slides),
        cmocka_unit_test(bounds_are_read_anew),       cmocka_unit_test(own_solvers_are_found_and_used),
        cmocka_unit_test(wrong_requests_are_refused), cmocka_unit_test(too_large_a_problem_is_refused),
        cmocka_unit_test(limits_and_reports),         cmocka_unit_test(memory_for_active_rows),
        cmocka_unit_test(the_end_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
