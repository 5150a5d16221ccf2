#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/contact.h"

static const carom_problem_kind kinds[] = {CAROM_PROBLEM_LCP, CAROM_PROBLEM_QP, CAROM_PROBLEM_ONE_CONTACT,
                                           CAROM_PROBLEM_STEP, CAROM_PROBLEM_COULOMB};
enum {
    KINDS = sizeof kinds / sizeof kinds[0]
};

static void every_entry_is_complete_and_has_its_own_name(void **state)
{
    (void)state;
    assert_int_equal(carom_solver_count(CAROM_PROBLEM_LCP), 4);
    assert_int_equal(carom_solver_count(CAROM_PROBLEM_QP), 2);
    assert_int_equal(carom_solver_count(CAROM_PROBLEM_ONE_CONTACT), 1);
    /* 'auto' and 'nsgs' are other solvers for steps than for FC(W, q, mu), the rest serves both */
    assert_int_equal(carom_solver_count(CAROM_PROBLEM_STEP), carom_solver_count(CAROM_PROBLEM_COULOMB));
    for (int k = 0; k < KINDS; k++) {
        for (size_t i = 0; i < carom_solver_count(kinds[k]); i++) {
            const carom_solver_ops *ops = carom_solver_at(kinds[k], i);
            assert_non_null(ops->name);
            assert_true(strlen(ops->summary) > 10);
            assert_true(ops->tolerance > 0.0 && ops->max_iterations >= 0);
            assert_true(ops->kind == kinds[k] ||
                        (kinds[k] == CAROM_PROBLEM_STEP && ops->kind == CAROM_PROBLEM_COULOMB));
            assert_ptr_equal(carom_solver_find(kinds[k], ops->name, NULL), ops);
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(ops->name, carom_solver_at(kinds[k], j)->name);
        }
        assert_null(carom_solver_at(kinds[k], carom_solver_count(kinds[k])));
    }
}

static void finds_solvers_by_name(void **state)
{
    (void)state;
    const carom_problem_kind lcp = CAROM_PROBLEM_LCP;
    assert_ptr_equal(carom_solver_find(lcp, "closed-form", NULL), &carom_lcp_closed_form);
    assert_ptr_equal(carom_solver_find(lcp, "active-set", NULL), &carom_lcp_active_set);
    assert_ptr_equal(carom_solver_find(lcp, "gauss-seidel", NULL), &carom_lcp_gauss_seidel);
    assert_ptr_equal(carom_solver_find(lcp, "lemke", NULL), &carom_lcp_lemke);
    assert_null(carom_solver_find(lcp, "qp-active-set", NULL));
    assert_null(carom_solver_find(lcp, "qp-dual", NULL));
    assert_null(carom_solver_find(lcp, "one-contact", NULL));
    assert_null(carom_solver_find(lcp, "nsgs", NULL));
    assert_null(carom_solver_find(lcp, "simplex", NULL));
    assert_ptr_equal(carom_solver_find(CAROM_PROBLEM_QP, "qp-dual", NULL), &carom_qp_dual);
    assert_ptr_equal(carom_solver_find(CAROM_PROBLEM_STEP, "auto", NULL), &carom_step_auto);
    assert_ptr_equal(carom_solver_at(CAROM_PROBLEM_STEP, 0), &carom_step_auto);
    assert_ptr_not_equal(carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL), &carom_step_auto);
    assert_non_null(carom_solver_find(CAROM_PROBLEM_STEP, "nsn-ac-gp", NULL));
}

static void unknown_names_and_kinds_are_told(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_null(carom_solver_find(CAROM_PROBLEM_LCP, "lemkee", &error));
    assert_non_null(strstr(error.text, "did you mean 'lemke'?"));
    assert_null(carom_solver_find((carom_problem_kind)0, "lemke", &error));
    assert_non_null(strstr(error.text, "no kind"));
    assert_int_equal(carom_solver_count((carom_problem_kind)9), 0);
    assert_null(carom_solver_at((carom_problem_kind)9, 0));
    assert_string_equal(carom_problem_kind_word(CAROM_PROBLEM_STEP), "friction");
}

static void solvers_that_are_not_complete_are_refused(void **state)
{
    (void)state;
    const carom_solver_ops no_kind = {.name = "x", .summary = "y"};
    const carom_solver_ops no_solve = {.name = "x", .summary = "y", .kind = CAROM_PROBLEM_LCP};
    carom_error error = {0};
    assert_int_equal(carom_solver_register(NULL, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_solver_register(&no_kind, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "kind"));
    assert_int_equal(carom_solver_register(&no_solve, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "not complete"));
    assert_int_equal(carom_solver_register(&carom_lcp_lemke, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "already"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_complete_and_has_its_own_name),
        cmocka_unit_test(finds_solvers_by_name),
        cmocka_unit_test(unknown_names_and_kinds_are_told),
        cmocka_unit_test(solvers_that_are_not_complete_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
