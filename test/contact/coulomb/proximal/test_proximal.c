/* Proximal point algorithm: steps and solutions of the formula problems, failures, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contact/coulomb/proximal.h"
#include "test/contact/coulomb/formula_problems.h"
#include "test/contact/coulomb/solve_with.h"

enum {
    SIZE = 30,
    OPTIONS = 8,
    RULE = 0,
    ALPHA0 = 1,
    ALPHA0_REL = 2,
    OMEGA = 5,
    FULL_STEPS = 7 /* of PPA-NSN-AC-GP only */
};

static const carom_solver_ops *const solvers[] = {&coulomb_solver_ppa_nsn_ac, &coulomb_solver_ppa_nsn_ac_gp,
                                                  &coulomb_solver_ppa_nsgs_ac};

static void defaults(const carom_solver_ops *ops, double *option)
{
    assert_true(ops->option_count <= OPTIONS);
    for (int k = 0; k < ops->option_count; k++)
        option[k] = ops->options[k].value;
}

static carom_solve_report solve(const carom_solver_ops *ops, const carom_coulomb *problem,
                                const double *option, const carom_solver_options *limits, double *r)
{
    const carom_solve_report report = solve_with(ops, problem, option, limits, r);
    assert_true((report.word == CAROM_SOLVE_OK) == (report.error <= limits->tolerance));
    assert_true(report.error == carom_coulomb_error(problem, r));
    return report;
}

static const carom_solver_options to_eight_digits = {.tolerance = 1e-8};

typedef struct published {
    carom_coulomb (*make)(carom_arena *arena);
    int one[2], thousand[2]; /* outer iterations and Newton steps, alpha0 = 1 and 1000 */
    double speed;            /* |u| of the solution */
} published;

static const published formulas[] = {{formula_syn36, {7, 13}, {10, 16}, 6.21438966183},
                                     {formula_def15, {5, 6}, {8, 11}, 0.42105393535},
                                     {formula_def12, {6, 10}, {9, 13}, 0.155887287013}};

static void check_counts(const published *sample, double alpha0, const int *counts)
{
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = sample->make(arena);
    double option[OPTIONS], r[SIZE] = {0}, u[SIZE];
    defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
    option[ALPHA0] = alpha0;
    const carom_solve_report report =
        solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_in_range(report.iterations, counts[0] - 1, counts[0] + 1);
    assert_in_range(report.inner_iterations, counts[1] - 2, counts[1] + 2);
    carom_blocks_multiply(&problem.W, r, problem.q, u);
    assert_true(fabs(formula_norm(3 * problem.contacts, u) / sample->speed - 1) < 1e-7);
    carom_arena_free(arena);
}

static void has_the_published_steps(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++) {
        check_counts(&formulas[k], 1, formulas[k].one);
        check_counts(&formulas[k], 1e3, formulas[k].thousand);
    }
}

/* alpha from the error: good where W is of the size of 1, too large at the end of ill-conditioned ones. */
static void adaptive_rule(void **state)
{
    (void)state;
    static const int outer[] = {0, 8, 18}; /* 0: does not come to an end */
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = formulas[k].make(arena);
        double option[OPTIONS], r[SIZE] = {0};
        defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
        option[RULE] = 1;
        const carom_solve_report report =
            solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r);
        if (outer[k] == 0) {
            assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
        } else {
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            assert_in_range(report.iterations, outer[k] - 1, outer[k] + 1);
        }
        carom_arena_free(arena);
    }
}

static void every_solver_solves(void **state)
{
    (void)state;
    for (size_t k = 1; k < sizeof formulas / sizeof formulas[0]; k++)
        for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
            carom_arena *arena = carom_arena_create();
            const carom_coulomb problem = formulas[k].make(arena);
            double option[OPTIONS], r[SIZE] = {0}, u[SIZE];
            defaults(solvers[s], option);
            assert_int_equal(solve(solvers[s], &problem, option, &to_eight_digits, r).word, CAROM_SOLVE_OK);
            carom_blocks_multiply(&problem.W, r, problem.q, u);
            assert_true(fabs(formula_norm(3 * problem.contacts, u) / formulas[k].speed - 1) < 1e-6);
            carom_arena_free(arena);
        }
}

/* Units of r and u: W by a factor, r by its inverse. The relative alpha0 takes the same steps. */
static void relative_alpha_follows_units(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem = formula_def12(arena);
    double block[900], q[SIZE], option[OPTIONS];
    int steps[2];
    defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
    option[ALPHA0_REL] = 10;
    for (int k = 0; k < 2; k++) {
        const double unit = k == 0 ? 1 : 0x1p-17;
        double r[SIZE] = {0};
        for (int i = 0; i < 900; i++)
            block[i] = problem.W.block[i] * unit;
        memcpy(q, problem.q, sizeof q);
        carom_coulomb scaled = problem;
        scaled.W.block = block;
        scaled.q = q;
        const carom_solve_report report =
            solve(&coulomb_solver_ppa_nsn_ac_gp, &scaled, option, &to_eight_digits, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        steps[k] = report.iterations;
    }
    assert_in_range(steps[1], steps[0] - 2, steps[0] + 2);
    carom_arena_free(arena);
}

/* Rank 25 of 54: the line search alone ends in minima of |G| that are no zeros. */
static void stuck_line_searches_are_left_by_full_steps(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_problem(arena, 25, 18, .1, true);
    double option[OPTIONS], r[54] = {0};
    defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
    assert_int_equal(solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r).word,
                     CAROM_SOLVE_OK);
    carom_arena_free(arena);
}

/* Full steps before the line search: the same solutions; and where they fail (one step is never enough for
 * the first inner problem of SYN36) they are tried once only, so that the searches do the same work as
 * without them. */
static void full_steps_come_first_until_they_fail(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = formulas[k].make(arena);
        double option[OPTIONS], r[SIZE] = {0}, u[SIZE];
        defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
        option[ALPHA0_REL] = 0.01;
        const long alone =
            solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r).inner_iterations;
        option[FULL_STEPS] = 1;
        memset(r, 0, sizeof r);
        const long after_one =
            solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r).inner_iterations;
        if (k == 0)
            assert_int_equal(after_one, alone + 1);
        option[FULL_STEPS] = 40;
        memset(r, 0, sizeof r);
        assert_int_equal(solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r).word,
                         CAROM_SOLVE_OK);
        carom_blocks_multiply(&problem.W, r, problem.q, u);
        assert_true(fabs(formula_norm(3 * problem.contacts, u) / formulas[k].speed - 1) < 1e-6);
        carom_arena_free(arena);
    }
}

/* One object for several problems, the later ones smaller: each as if it were alone. */
static void memory_serves_smaller_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[] = {formula_syn36(arena), formula_def15(arena)}; /* 10 and 8 contacts */
    const coulomb_proximal_options options = {.solver = COULOMB_PROXIMAL_NEWTON_GP,
                                              .alpha0 = 1e3,
                                              .sigma = 5,
                                              .nu = 1,
                                              .omega = 1,
                                              .inner_iterations = 40};
    const carom_problem_shape shape = carom_coulomb_shape(&problem[0]);
    coulomb_proximal *ppa = coulomb_proximal_create(&shape, &options);
    assert_non_null(ppa);
    for (int k = 0; k < 2; k++) {
        double option[OPTIONS], alone[SIZE] = {0}, r[SIZE] = {0};
        carom_solve_report report;
        defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
        solve(&coulomb_solver_ppa_nsn_ac_gp, &problem[k], option, &to_eight_digits, alone);
        coulomb_proximal_solve(ppa, &problem[k], &to_eight_digits, r, &report);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_memory_equal(r, alone, sizeof r);
    }
    coulomb_proximal_free(ppa);
    carom_arena_free(arena);
}

static void relaxation_has_the_same_solution(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    double option[OPTIONS], r[SIZE] = {0};
    defaults(&coulomb_solver_ppa_nsn_ac_gp, option);
    option[OMEGA] = .7;
    assert_int_equal(solve(&coulomb_solver_ppa_nsn_ac_gp, &problem, option, &to_eight_digits, r).word,
                     CAROM_SOLVE_OK);
    assert_true(fabs(formula_norm(24, r) - 0.22192323032) < 1e-7);
    carom_arena_free(arena);
}

static void failures_are_told(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    const carom_solver_options limits = {.tolerance = 1e-8, .max_iterations = 15};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        double option[OPTIONS], r[SIZE] = {0};
        defaults(solvers[s], option);
        const carom_solve_report report = solve(solvers[s], &problem, option, &limits, r);
        assert_int_not_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error > .5 && report.error <= 0.745254604053);
        assert_true(report.iterations <= 15);
    }
    carom_arena_free(arena);
}

static void time_is_kept_within_inner_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    const carom_solver_options limits = {.tolerance = 1e-8, .max_iterations = 1000000000, .max_seconds = .02};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        double option[OPTIONS], r[SIZE] = {0};
        defaults(solvers[s], option);
        option[OPTIONS - 1] = 1e9;
        const carom_solve_report report = solve(solvers[s], &problem, option, &limits, r);
        assert_int_equal(report.word, CAROM_SOLVE_TIME);
        assert_true(report.seconds < 1);
    }
    carom_arena_free(arena);
}

static const int one_start[] = {0, 1}, one_column[] = {0}, one_diagonal[] = {0};

static void one_contact_without_friction_and_no_numbers(void **state)
{
    (void)state;
    const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, mu = 0;
    double q[3] = {-2, 3, -4}, option[OPTIONS];
    const carom_coulomb problem = {1, {1, one_start, one_column, one_diagonal, W}, q, &mu};
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++) {
        double r[3] = {0}, bad[3] = {0, NAN, 0};
        defaults(solvers[s], option);
        q[0] = -2;
        assert_int_equal(solve(solvers[s], &problem, option, &to_eight_digits, r).word, CAROM_SOLVE_OK);
        assert_true(fabs(r[0] - 4) < 1e-6 && fabs(r[1]) < 1e-6 && fabs(r[2]) < 1e-6);
        assert_int_equal(solve(solvers[s], &problem, option, &to_eight_digits, bad).word,
                         CAROM_SOLVE_DIVERGED);
        q[0] = NAN;
        assert_int_not_equal(solve(solvers[s], &problem, option, &to_eight_digits, r).word, CAROM_SOLVE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_published_steps),
        cmocka_unit_test(adaptive_rule),
        cmocka_unit_test(every_solver_solves),
        cmocka_unit_test(relative_alpha_follows_units),
        cmocka_unit_test(stuck_line_searches_are_left_by_full_steps),
        cmocka_unit_test(full_steps_come_first_until_they_fail),
        cmocka_unit_test(memory_serves_smaller_problems),
        cmocka_unit_test(relaxation_has_the_same_solution),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(time_is_kept_within_inner_problems),
        cmocka_unit_test(one_contact_without_friction_and_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
