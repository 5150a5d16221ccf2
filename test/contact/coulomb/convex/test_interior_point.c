/* Interior points inside the loop over corrections. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/contact/coulomb/coulomb_checks.h"

static void values_are_those_of_the_reference(void **state)
{
    (void)state;
    solves_syn36(&coulomb_ipm_aclm);
    solves_def15(&coulomb_ipm_aclm);
    solves_def12(&coulomb_ipm_aclm);
}

static void small_problems_are_solved(void **state)
{
    (void)state;
    solves_one_contact(&coulomb_ipm_aclm);
    solves_without_friction(&coulomb_ipm_aclm);
}

static void odd_problems_are_told(void **state)
{
    (void)state;
    takes_odd_input(&coulomb_ipm_aclm);
    ends_in_time(&coulomb_ipm_aclm);
    ends_without_solution(&coulomb_ipm_aclm, 20);
}

/* Passes are those of Algorithm 12 with any other solver of the programs, a few Newton steps each. */
static void passes_and_steps_are_few(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    double r[MOST_NUMBERS];
    const carom_solve_report report = run(&coulomb_ipm_aclm, &problem, 1e-6, 0, r);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(report.iterations >= 14 && report.iterations <= 16);
    assert_true(report.inner_iterations < 15 * report.iterations);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_reference),
        cmocka_unit_test(small_problems_are_solved),
        cmocka_unit_test(odd_problems_are_told),
        cmocka_unit_test(passes_and_steps_are_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
