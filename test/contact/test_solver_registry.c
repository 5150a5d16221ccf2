#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/contact.h"

static void every_entry_is_complete_and_has_its_own_name(void **state)
{
    (void)state;
    assert_int_equal(carom_solver_count(), 8);
    for (size_t i = 0; i < carom_solver_count(); i++) {
        const carom_solver_entry *entry = carom_solver_at(i);
        assert_non_null(entry->name);
        assert_true(strlen(entry->summary) > 10);
        if (strcmp(entry->problem, "lcp") == 0) {
            assert_string_equal(entry->name, entry->lcp->name);
            assert_string_equal(entry->summary, entry->lcp->summary);
            assert_ptr_equal(carom_lcp_solver_find(entry->name), entry->lcp);
        } else {
            assert_true(strcmp(entry->problem, "qp") == 0 || strcmp(entry->problem, "friction") == 0);
            assert_null(entry->lcp);
        }
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(entry->name, carom_solver_at(j)->name);
    }
    assert_null(carom_solver_at(carom_solver_count()));
}

static void finds_solvers_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(carom_lcp_solver_find("closed-form"), &carom_lcp_closed_form);
    assert_ptr_equal(carom_lcp_solver_find("active-set"), &carom_lcp_active_set);
    assert_ptr_equal(carom_lcp_solver_find("gauss-seidel"), &carom_lcp_gauss_seidel);
    assert_ptr_equal(carom_lcp_solver_find("lemke"), &carom_lcp_lemke);
    assert_null(carom_lcp_solver_find("qp-active-set"));
    assert_null(carom_lcp_solver_find("qp-dual"));
    assert_null(carom_lcp_solver_find("one-contact"));
    assert_null(carom_lcp_solver_find("nsgs"));
    assert_null(carom_lcp_solver_find("simplex"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entry_is_complete_and_has_its_own_name),
        cmocka_unit_test(finds_solvers_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
