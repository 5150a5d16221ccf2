/* Alternating directions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/coulomb_checks.h"

static void values_are_those_of_the_reference(void **state)
{
    (void)state;
    solves_syn36(&coulomb_admm);
    solves_def15(&coulomb_admm);
    solves_def12(&coulomb_admm);
}

static void small_problems_are_solved(void **state)
{
    (void)state;
    solves_one_contact(&coulomb_admm);
    solves_without_friction(&coulomb_admm);
}

static void odd_problems_are_told(void **state)
{
    (void)state;
    takes_odd_input(&coulomb_admm);
    ends_in_time(&coulomb_admm);
    ends_without_solution(&coulomb_admm, 500);
}

/* The order of magnitude of W and q is no matter: rho goes with the diagonal of W. */
static void units_do_not_matter(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    double r[MOST_NUMBERS];
    const int iterations = run(&coulomb_admm, &problem, 1e-6, 0, r).iterations;
    double *const block = (double *)problem.W.block;
    for (int k = 0; k < 9 * 100; k++)
        block[k] *= 16.0;
    const carom_solve_report report = run(&coulomb_admm, &problem, 1e-6 / 16.0, 0, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(report.iterations <= 2 * iterations);
    carom_arena_free(arena);
}

/* The number of factorisations is bounded, and none are made when rho is fixed. */
static void factorisations_are_bounded(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    const carom_solver_options limits = {.tolerance = 1e-6, .max_iterations = 2000};
    for (int most = 0; most < 3; most++) {
        const double option[] = {1e-6, 1.0, most};
        double r[MOST_NUMBERS] = {0};
        const carom_solve_report report = solve_with(&coulomb_admm, &problem, option, &limits, r);
        assert_true(report.inner_iterations <= most);
    }
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_reference),
        cmocka_unit_test(small_problems_are_solved),
        cmocka_unit_test(odd_problems_are_told),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(factorisations_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
