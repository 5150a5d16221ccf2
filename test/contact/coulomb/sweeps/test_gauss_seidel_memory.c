/* What Gauss-Seidel keeps for the default solver: acceleration, giving up, one object for many problems. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contact/coulomb/gauss_seidel.h"
#include "test/contact/coulomb/formula_problems.h"
#include "test/contact/coulomb/local_contacts.h"

enum {
    SIZE = 30
};

static const carom_solver_options to_eight_digits = {.tolerance = 1e-8};

/* SYN36 has one solution; plain sweeps need 1229 (section 11.2 of the specification of the solvers), and a
 * method of Krylov's as many as its 30 unknowns and a few for the contacts to find their regimes. */
static void acceleration_finds_the_same_solution_sooner(void **state)
{
    (void)state;
    for (int memory = 4; memory <= 16; memory += 4) {
        carom_arena *arena = carom_arena_create();
        const carom_coulomb problem = formula_syn36(arena);
        double r[SIZE] = {0};
        struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
        options.memory = memory;
        carom_solve_report report;
        coulomb_nsgs(&problem, &options, &to_eight_digits, r, &report);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error == carom_coulomb_error(&problem, r));
        assert_true(report.iterations < 1229 / 4);
        assert_true(fabs(r[0] - 234.270373003) < 1e-3 && fabs(r[5] - 7.70404267235) < 1e-3);
        carom_arena_free(arena);
    }
}

typedef struct looks {
    int count, last;
    double error;
    bool ascending, never_worse;
} looks;

static bool give_up_after_fifty(void *context, int sweeps, double error)
{
    looks *seen = context;
    seen->ascending = seen->ascending && sweeps > seen->last;
    seen->never_worse = seen->never_worse && error <= seen->error;
    seen->count++;
    seen->last = sweeps;
    seen->error = error;
    return sweeps >= 50;
}

static void is_given_up_when_asked(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    looks seen = {.error = INFINITY, .ascending = true, .never_worse = true};
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    options.give_up = give_up_after_fifty;
    options.context = &seen;
    double r[SIZE] = {0};
    carom_solve_report report;
    coulomb_nsgs(&problem, &options, &to_eight_digits, r, &report);
    assert_int_equal(report.word, CAROM_SOLVE_STALLED);
    assert_in_range(report.iterations, 50, 75); /* the next look */
    assert_int_equal(report.iterations, seen.last);
    assert_true(seen.ascending && seen.never_worse && seen.count > 3);
    assert_true(report.error == seen.error);
    carom_arena_free(arena);
}

/* The second problem has fewer contacts; both are solved as if they were alone, whatever came before. */
static void one_object_serves_many_problems(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem[] = {formula_syn36(arena), formula_def15(arena), formula_def12(arena)};
    struct coulomb_nsgs_options options = coulomb_nsgs_defaults();
    options.memory = 6;
    coulomb_gauss_seidel *sweeps = coulomb_gauss_seidel_create(10, &options);
    assert_non_null(sweeps);
    for (int k = 0; k < 6; k++) {
        double alone[SIZE] = {0}, r[SIZE] = {0};
        carom_solve_report a, b;
        coulomb_nsgs(&problem[k % 3], &options, &to_eight_digits, alone, &a);
        coulomb_gauss_seidel_solve(sweeps, &problem[k % 3], &to_eight_digits, r, &b);
        assert_int_equal(a.iterations, b.iterations);
        assert_memory_equal(r, alone, sizeof r);
    }
    coulomb_gauss_seidel_free(sweeps);
    carom_arena_free(arena);
}

/* Any solution of a contact is one: as precise as the one that the order of the directions chooses. */
static void any_solution_is_a_solution(void **state)
{
    (void)state;
    carom_random random = {12};
    for (int trial = 0; trial < 3000; trial++) {
        const local_random c = local_random_contact(&random, trial % 2 == 0);
        coulomb_local contact;
        double r[3];
        coulomb_local_prepare(&contact, c.W, c.mu);
        contact.any_solution = true;
        assert_true(coulomb_local_exact(&contact, c.q, r));
        assert_true(local_natural_error(&c, r) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acceleration_finds_the_same_solution_sooner),
        cmocka_unit_test(is_given_up_when_asked),
        cmocka_unit_test(one_object_serves_many_problems),
        cmocka_unit_test(any_solution_is_a_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
