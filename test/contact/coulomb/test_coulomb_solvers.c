#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "formula_problems.h"
#include "solve_with.h"
#include "test/base/counted_memory.h"
#include "test/near.h"

static void every_solver_is_described(void **state)
{
    (void)state;
    assert_true(carom_solver_count(CAROM_PROBLEM_COULOMB) > 0);
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++) {
        const carom_solver_ops *solver = carom_solver_at(CAROM_PROBLEM_COULOMB, i);
        assert_non_null(solver->solve.coulomb);
        assert_int_equal(solver->kind, CAROM_PROBLEM_COULOMB);
        assert_true(solver->tolerance == 1e-8);
        assert_true(strlen(solver->name) > 0);
        assert_true(strlen(solver->summary) > 0);
        for (int o = 0; o < solver->option_count; o++) {
            const carom_option_info *option = &solver->options[o];
            assert_true(strlen(option->name) > 0 && strlen(option->doc) > 0);
            assert_true(option->min <= option->value && option->value <= option->max);
        }
    }
    assert_null(carom_solver_at(CAROM_PROBLEM_COULOMB, carom_solver_count(CAROM_PROBLEM_COULOMB)));
}

static void names_differ_by_more_than_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++)
        for (size_t k = 0; k < i; k++)
            assert_true(strcasecmp(carom_solver_at(CAROM_PROBLEM_COULOMB, i)->name,
                                   carom_solver_at(CAROM_PROBLEM_COULOMB, k)->name) != 0);
}

static void names_are_found_in_any_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++) {
        const carom_solver_ops *solver = carom_solver_at(CAROM_PROBLEM_COULOMB, i);
        char name[80];
        assert_true(strlen(solver->name) < sizeof name);
        size_t k = 0;
        for (; solver->name[k]; k++)
            name[k] =
                (char)(isupper((unsigned char)solver->name[k]) ? tolower((unsigned char)solver->name[k])
                                                               : toupper((unsigned char)solver->name[k]));
        name[k] = '\0';
        assert_ptr_equal(carom_solver_find(CAROM_PROBLEM_COULOMB, name, NULL), solver);
    }
}

static void unknown_names_get_the_list(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_null(carom_solver_find(CAROM_PROBLEM_COULOMB, "no-such-solver", &error));
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "solver 'no-such-solver' is not known"));
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++)
        assert_non_null(strstr(error.text, carom_solver_at(CAROM_PROBLEM_COULOMB, i)->name));
}

/* One contact that sticks, W = I / 2: r = -2 q, whatever the solver. */
static void every_solver_solves_a_sticking_contact(void **state)
{
    (void)state;
    static const int row_start[2] = {0, 1}, zero[1] = {0};
    static const double block[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    static const double q[3] = {-2, 0.3, -0.4}, mu[1] = {0.3};
    const carom_coulomb problem = {1, {1, row_start, zero, zero, block}, q, mu};
    const carom_solver_options limits = {.tolerance = 1e-8, .max_seconds = 1.0};
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++) {
        const carom_solver_ops *solver = carom_solver_at(CAROM_PROBLEM_COULOMB, i);
        double r[3] = {0};
        const carom_solve_report report = solve_with(solver, &problem, NULL, &limits, r);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error <= 1e-8);
        for (int k = 0; k < 3; k++)
            assert_near(r[k], -2.0 * q[k], 1e-6);
    }
}

/* One object for many problems: each is solved as if it were alone, whatever came before, and takes no
 * memory; but for 'auto', which does while it looks for islands and other solvers. */
static void one_object_serves_many_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    const carom_solver_options limits = {.tolerance = 1e-8, .max_iterations = 40};
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++) {
        const carom_solver_ops *solver = carom_solver_at(CAROM_PROBLEM_COULOMB, i);
        carom_solver *kept = NULL;
        assert_int_equal(
            carom_solver_create(solver, &(carom_problem_shape){.size = 10}, &limits, &kept, NULL), CAROM_OK);
        for (int k = 0; k < 5; k++) {
            double alone[30] = {0}, r[30] = {0};
            const carom_solve_report a = solve_with(solver, &problem[k % 3], NULL, &limits, alone);
            const long before = asked;
            const carom_solve_report b = carom_solver_coulomb(kept, &problem[k % 3], r);
            if (strcmp(solver->name, "auto") != 0)
                assert_int_equal(asked, before);
            assert_int_equal(a.word, b.word);
            assert_int_equal(a.iterations, b.iterations);
            assert_int_equal(a.inner_iterations, b.inner_iterations);
            assert_true(a.error == b.error);
            assert_memory_equal(r, alone, sizeof r);
        }
        carom_solver_free(kept);
    }
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_is_described),
        cmocka_unit_test(names_differ_by_more_than_case),
        cmocka_unit_test(names_are_found_in_any_case),
        cmocka_unit_test(unknown_names_get_the_list),
        cmocka_unit_test(every_solver_solves_a_sticking_contact),
        cmocka_unit_test(one_object_serves_many_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
