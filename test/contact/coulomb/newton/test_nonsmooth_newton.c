/* Nonsmooth Newton on problems with known solutions and numbers of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contact/coulomb/nonsmooth_newton.h"
#include "test/contact/coulomb/formula_problems.h"

enum {
    MOST = 30
};

static carom_solve_report solve(const carom_coulomb *problem, coulomb_function function,
                                coulomb_search search, double tolerance, double *r)
{
    const coulomb_newton_options options = {
        function, search, function == COULOMB_FUNCTION_NM ? COULOMB_RHO_110 : COULOMB_RHO_111, 0};
    const carom_solver_options limits = {.tolerance = tolerance};
    carom_solve_report report;
    coulomb_newton_once(problem, &options, &limits, r, &report);
    assert_true((report.word == CAROM_SOLVE_OK) == (report.error <= tolerance));
    assert_true(report.error == carom_coulomb_error(problem, r));
    return report;
}

static double velocity_norm(const carom_coulomb *problem, const double *r)
{
    double u[3 * MOST];
    carom_blocks_multiply(&problem->W, r, problem->q, u);
    return formula_norm(3 * problem->contacts, u);
}

/* W of full rank: one solution, and steps that do not depend on rounding. */
static void steps_and_solution_of_full_rank(void **state)
{
    (void)state;
    static const int steps[4][2] = {[COULOMB_FUNCTION_AC] = {8, 8},
                                    [COULOMB_FUNCTION_JM] = {9, 8},
                                    [COULOMB_FUNCTION_NM] = {8, 8},
                                    [COULOMB_FUNCTION_FB] = {10, 11}};
    static const double r_known[6] = {234.270373003, 44.3266953974,  15.1805264015,
                                      47.0828175568, -11.8388758048, 7.70404267235};
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    for (int function = 0; function < 4; function++)
        for (int search = COULOMB_SEARCH_NONE; search <= COULOMB_SEARCH_ARMIJO; search++) {
            double r[3 * MOST] = {0};
            const carom_solve_report report =
                solve(&problem, (coulomb_function)function, (coulomb_search)search, 1e-12, r);
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            assert_int_equal(report.local_failures, 0);
            if (search != COULOMB_SEARCH_ARMIJO)
                assert_in_range(report.iterations, steps[function][search] - 1, steps[function][search] + 1);
            for (int i = 0; i < 6; i++)
                assert_true(fabs(r[i] - r_known[i]) < 1e-9 * 300);
            assert_true(fabs(formula_norm(30, r) - 300.625153859) < 1e-8);
            assert_true(fabs(velocity_norm(&problem, r) - 6.21438966183) < 1e-10);
        }
    carom_arena_free(arena);
}

/* Rank 15 of 24, yet every method finds the same r. */
static void solution_of_deficient_rank(void **state)
{
    (void)state;
    static const int steps[4][2] = {[COULOMB_FUNCTION_AC] = {6, 6},
                                    [COULOMB_FUNCTION_JM] = {6, 6},
                                    [COULOMB_FUNCTION_NM] = {14, 6},
                                    [COULOMB_FUNCTION_FB] = {7, 7}};
    static const double r_known[3] = {0.087222766051, 0.0062899806421, 0.025399589093};
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    for (int function = 0; function < 4; function++)
        for (int search = COULOMB_SEARCH_NONE; search <= COULOMB_SEARCH_ARMIJO; search++) {
            double r[3 * MOST] = {0};
            const carom_solve_report report =
                solve(&problem, (coulomb_function)function, (coulomb_search)search, 1e-12, r);
            assert_int_equal(report.word, CAROM_SOLVE_OK);
            if (search != COULOMB_SEARCH_ARMIJO)
                assert_in_range(report.iterations, 1, 2 * steps[function][search]);
            assert_true(fabs(formula_norm(24, r) - 0.22192323032) < 1e-10);
            assert_true(fabs(velocity_norm(&problem, r) - 0.42105393535) < 1e-10);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(r[3 + i] - r_known[i]) < 1e-11);
        }
    carom_arena_free(arena);
}

/* Rank 12 of 30, two solutions with different velocities. */
static void one_of_two_solutions(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def12(arena);
    for (int function = 0; function < 4; function++) {
        double r[3 * MOST] = {0};
        const carom_solve_report report =
            solve(&problem, (coulomb_function)function, COULOMB_SEARCH_GP, 1e-12, r);
        const double speed = velocity_norm(&problem, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(fabs(speed - 0.155887287013) < 1e-9 || speed < 1e-9);
    }
    carom_arena_free(arena);
}

/* No solution: every method ends, and none says that it found one. */
static void failures_are_told(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    for (int function = 0; function < 4; function++)
        for (int search = COULOMB_SEARCH_NONE; search <= COULOMB_SEARCH_ARMIJO; search++) {
            double r[3 * MOST] = {0};
            const carom_solve_report report =
                solve(&problem, (coulomb_function)function, (coulomb_search)search, 1e-8, r);
            assert_int_not_equal(report.word, CAROM_SOLVE_OK);
            assert_true(report.error > .5 && report.error <= 0.745254604053);
            assert_in_range(report.iterations, 0, 200);
        }
    carom_arena_free(arena);
}

/* ---- one contact ------------------------------------------------------------------------------------- */

static const int one_start[] = {0, 1}, one_column[] = {0}, one_diagonal[] = {0};

typedef struct one_contact {
    double W[9], q[3], mu, r[3];
} one_contact;

#define HALF 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5
#define SYMMETRIC 2, .3, -.2, .3, 1.5, .4, -.2, .4, 1
#define UNSYMMETRIC 2, .9, -.7, -.4, 1.5, .8, .6, -.9, 1

static const one_contact single[] = {
    {{HALF}, {-2, .3, -.4}, .3, {4, -.6, .8}},
    {{HALF}, {-2, 3, -4}, .3, {4, -.72, .96}},
    {{HALF}, {.1, 3, -4}, .3, {0, 0, 0}},
    {{SYMMETRIC}, {-1, .2, .1}, .6, {0.5535858178888, -0.27639000805802, 0.12127316680097}},
    {{SYMMETRIC}, {-1, 2, 1}, .6, {0.53288979080066, -0.29744929407866, -0.11727603311142}},
    {{UNSYMMETRIC}, {-1, 2, 1}, .6, {0.52165089895697, -0.2207159259297, -0.22191790774684}},
    {{UNSYMMETRIC}, {-1, -2, .5}, 1, {0.33109294109353, 0.32459995348163, -0.065248799542107}},
    {{HALF}, {-2, 3, -4}, 0, {4, 0, 0}},
};

static carom_coulomb problem_of(const one_contact *contact)
{
    return (carom_coulomb){1, {1, one_start, one_column, one_diagonal, contact->W}, contact->q, &contact->mu};
}

static void one_contact_is_solved(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof single / sizeof single[0]; k++)
        for (int function = 0; function < 4; function++) {
            const carom_coulomb problem = problem_of(&single[k]);
            double r[3] = {0};
            assert_int_equal(solve(&problem, (coulomb_function)function, COULOMB_SEARCH_GP, 1e-12, r).word,
                             CAROM_SOLVE_OK);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(r[i] - single[k].r[i]) < 1e-11);
        }
}

static void numbers_that_are_none_are_told(void **state)
{
    (void)state;
    one_contact contact = single[1];
    const carom_coulomb problem = problem_of(&contact);
    double r[3] = {NAN, 0, 0};
    assert_int_equal(solve(&problem, COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, 1e-8, r).word,
                     CAROM_SOLVE_DIVERGED);
    assert_true(carom_all_finite(3, r));
    contact.W[4] = INFINITY;
    memset(r, 0, sizeof r);
    assert_int_not_equal(solve(&problem, COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, 1e-8, r).word,
                         CAROM_SOLVE_OK);
    contact.q[0] = NAN;
    memset(r, 0, sizeof r);
    assert_int_not_equal(solve(&problem, COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, 1e-8, r).word,
                         CAROM_SOLVE_OK);
}

static void solved_and_trivial_problems_need_no_step(void **state)
{
    (void)state;
    one_contact contact = single[0];
    const carom_coulomb problem = problem_of(&contact);
    double r[3] = {4, -.6, .8};
    assert_int_equal(solve(&problem, COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, 1e-12, r).iterations, 0);
    memset(contact.q, 0, sizeof contact.q);
    const carom_solve_report report = solve(&problem, COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, 1e-12, r);
    assert_true(report.word == CAROM_SOLVE_OK && report.iterations == 0 && r[0] == 0);
}

/* ---- limits and memory ------------------------------------------------------------------------------- */

static void limits_are_kept(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    const coulomb_newton_options options = {COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, COULOMB_RHO_111, 0};
    double r[3 * MOST] = {0};
    carom_solve_report report;
    carom_solver_options limits = {.tolerance = 1e-12, .max_iterations = 3};
    coulomb_newton_once(&problem, &options, &limits, r, &report);
    assert_true(report.word == CAROM_SOLVE_ITERATIONS && report.iterations == 3);
    limits = (carom_solver_options){.tolerance = 1e-12, .max_seconds = 1e-12};
    memset(r, 0, sizeof r);
    coulomb_newton_once(&problem, &options, &limits, r, &report);
    assert_int_equal(report.word, CAROM_SOLVE_TIME);
    carom_arena_free(arena);
}

/* One object for problems of one shape: the same steps as with new memory. */
static void memory_is_used_again(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb first = formula_syn36(arena), second = formula_def12(arena);
    const coulomb_newton_options options = {COULOMB_FUNCTION_AC, COULOMB_SEARCH_GP, COULOMB_RHO_111, 0};
    const carom_solver_options limits = {.tolerance = 1e-12};
    const carom_problem_shape shape = carom_coulomb_shape(&first);
    coulomb_newton *newton = coulomb_newton_create(&shape, &options);
    for (int time = 0; time < 3; time++) {
        const carom_coulomb *problem = time == 1 ? &second : &first;
        double r[3 * MOST] = {0}, again[3 * MOST] = {0};
        carom_solve_report report, other;
        coulomb_newton_solve(newton, problem, &limits, r, &report);
        coulomb_newton_once(problem, &options, &limits, again, &other);
        assert_int_equal(report.iterations, other.iterations);
        assert_memory_equal(r, again, sizeof r);
    }
    coulomb_newton_free(newton);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_solution_of_full_rank),
        cmocka_unit_test(solution_of_deficient_rank),
        cmocka_unit_test(one_of_two_solutions),
        cmocka_unit_test(failures_are_told),
        cmocka_unit_test(one_contact_is_solved),
        cmocka_unit_test(numbers_that_are_none_are_told),
        cmocka_unit_test(solved_and_trivial_problems_need_no_step),
        cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(memory_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
