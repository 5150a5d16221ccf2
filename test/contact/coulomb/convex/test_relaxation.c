/* The convex relaxation: its own error, its energy, and what it says about FC(W, q, mu). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/convex/convex_loop.h"
#include "test/contact/coulomb/coulomb_checks.h"

static void relaxation_of_syn36(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    const carom_solver_options limits = {.tolerance = 1e-9};
    double r[MOST_NUMBERS] = {0}, error;
    carom_solve_report report;
    double *work = carom_arena_take(arena, coulomb_convex_work(problem.contacts), sizeof *work);
    coulomb_relaxation_solve(&problem, &limits, work, r, &report, &error);
    assert_true(error <= 1e-9);
    assert_int_equal(report.word, CAROM_SOLVE_STALLED);
    assert_true(fabs(energy(&problem, r) + 390.328145) < 1e-6);
    assert_true(fabs(size_of_velocity(&problem, r) - 8.6702457) < 1e-6);
    assert_true(fabs(report.error - 0.66931) < 1e-5);
    carom_arena_free(arena);
}

/* P_K(-q / 0.5): the contact opens while it slides. */
static void sliding_contact_opens(void **state)
{
    (void)state;
    static const double half[9] = {.5, 0, 0, 0, .5, 0, 0, 0, .5}, q[3] = {-2, 3, -4}, mu = .3;
    static const double wanted[3] = {6.42201835, -1.15596330, 1.54128440};
    const carom_coulomb problem = one_contact(half, q, &mu);
    double r[3];
    assert_int_equal(run(&coulomb_soclcp_nsgs_pli, &problem, 1e-10, 0, r).word, CAROM_SOLVE_STALLED);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(r[k] - wanted[k]) < 1e-8);
}

/* The solution of FC(W, q, mu) with u = 0 is that of the relaxation. */
static void relaxation_of_def12_is_a_solution(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def12(arena);
    double r[MOST_NUMBERS];
    assert_int_equal(run(&coulomb_soclcp_nsgs_pli, &problem, 1e-9, 0, r).word, CAROM_SOLVE_OK);
    assert_true(fabs(energy(&problem, r) + 0.26205506429) < 1e-9);
    assert_true(size_of_velocity(&problem, r) < 1e-8);
    carom_arena_free(arena);
}

/* The infimum of DEF15 is not attained: r grows, the sweeps end. */
static void relaxation_of_def15_has_no_solution(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    double few[MOST_NUMBERS], many[MOST_NUMBERS];
    assert_int_equal(run(&coulomb_soclcp_nsgs_pli, &problem, 1e-12, 100, few).word, CAROM_SOLVE_ITERATIONS);
    const carom_solve_report report = run(&coulomb_soclcp_nsgs_pli, &problem, 1e-12, 2000, many);
    assert_int_equal(report.word, CAROM_SOLVE_ITERATIONS);
    assert_int_equal(report.iterations, 2000);
    assert_true(formula_norm(24, many) > 1.5 * formula_norm(24, few));
    carom_arena_free(arena);
}

static void odd_problems_are_told(void **state)
{
    (void)state;
    static const double half[9] = {.5, 0, 0, 0, .5, 0, 0, 0, .5}, zero[3] = {0}, mu = .3;
    static const double bad[3] = {-2, NAN, -4};
    const carom_coulomb still = one_contact(half, zero, &mu), no_number = one_contact(half, bad, &mu);
    double r[3];
    assert_int_equal(run(&coulomb_soclcp_nsgs_pli, &still, 1e-9, 0, r).word, CAROM_SOLVE_OK);
    assert_int_equal(run(&coulomb_soclcp_nsgs_pli, &no_number, 1e-9, 0, r).word, CAROM_SOLVE_DIVERGED);
    solves_without_friction(&coulomb_soclcp_nsgs_pli);
    ends_in_time(&coulomb_soclcp_nsgs_pli);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relaxation_of_syn36),
        cmocka_unit_test(sliding_contact_opens),
        cmocka_unit_test(relaxation_of_def12_is_a_solution),
        cmocka_unit_test(relaxation_of_def15_has_no_solution),
        cmocka_unit_test(odd_problems_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
